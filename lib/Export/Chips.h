//===- Chips.h - Chips that can be exported for -----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_CHIPS_H
#define ROOFTILE_LIB_EXPORT_CHIPS_H

#include "rooftile/Export/Spec.h"

namespace rooftile::exporter {

/// The chip of that name; on an error `why` is not empty.
Chip findChip(llvm::StringRef name, std::string &why);

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_CHIPS_H
