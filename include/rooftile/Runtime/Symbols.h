//===- Symbols.h - What compiled host code calls by name --------*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_SYMBOLS_H
#define ROOFTILE_RUNTIME_SYMBOLS_H

#include <string>
#include <utility>
#include <vector>

namespace rooftile {

/// Names and addresses of the functions that a JIT must offer to compiled host code: a tool that
/// is linked statically does not export them.
std::vector<std::pair<std::string, void *>> runtimeSymbols();

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_SYMBOLS_H
