//===- Addresses.h - What addresses show before a call ----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CAPI_ADDRESSES_H
#define ROOFTILE_LIB_CAPI_ADDRESSES_H

#include "Description.h"

namespace rooftile::capi {

/// As `check`, and whether kernels can be compiled for the alignments in `description`.
Failure checkWithAlignments(const Description &description, const Addresses &addresses,
                            Checked &checked);

/// Whether a call can be run with these addresses: nothing is null that is read or written, and C
/// does not surely overlap A or B.
Failure checkAddresses(const Description &description, const Checked &checked,
                       const Addresses &addresses);

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_ADDRESSES_H
