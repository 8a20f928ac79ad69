//===- Scale.h - What BLAS does without a product ---------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_SCALE_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_SCALE_H

#include "Call.h"

namespace rooftile::interpose {

/// Whether the reference returns at once: C has no element, or stays as it is.
bool isNothing(const Call &call);
/// Whether A and B are not read: C = beta C, or of triangular routines C = 0.
bool isScaling(const Call &call);
/// C = beta C in place, or of its triangle. Zero is written, whatever C held.
void scale(const Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_SCALE_H
