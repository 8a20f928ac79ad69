//===- HostObject.h - Functions of a library as an object -------*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_HOSTOBJECT_H
#define ROOFTILE_LIB_EXPORT_HOSTOBJECT_H

#include "Contents.h"
#include "llvm/Support/Error.h"

namespace rooftile::exporter {

/// The object file, for this machine, with the functions of `contents` and their data.
llvm::Expected<std::string> makeHostObject(const Contents &contents);

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_HOSTOBJECT_H
