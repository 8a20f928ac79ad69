//===- Registers.h - What an assembler takes (C3) ---------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_PLANNING_REGISTERS_H
#define ROOFTILE_LIB_PLANNING_REGISTERS_H

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Planning/Constants.h"

namespace rooftile::planning {

/// What the assembler of a vendor takes beside accumulators and staged elements.
const constants::RegisterNeeds &needsOf(blas::Vendor vendor);

} // namespace rooftile::planning

#endif // ROOFTILE_LIB_PLANNING_REGISTERS_H
