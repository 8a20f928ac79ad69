//===- Help.h - The help of gemm-opt ----------------------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_OPT_HELP_H
#define ROOFTILE_TOOLS_GEMM_OPT_HELP_H

namespace rooftile {

/// --help: how the tool is used, our passes and pipelines with their options, and the options of
/// MLIR that are used most. Registers our passes; none may be registered so far.
void printHelp(const char *program);

} // namespace rooftile

#endif // ROOFTILE_TOOLS_GEMM_OPT_HELP_H
