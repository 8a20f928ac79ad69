//===- Interface.h - What programs and people read of a library -*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_INTERFACE_H
#define ROOFTILE_LIB_EXPORT_INTERFACE_H

#include "Contents.h"

namespace rooftile::exporter {

/// The header in C.
std::string headerOf(const Contents &contents);
/// NAMEConfig.cmake, for find_package.
std::string cmakeOf(const Contents &contents);
/// Content of the library, as JSON.
std::string manifestOf(const Contents &contents);

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_INTERFACE_H
