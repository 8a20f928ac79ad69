//===- Tiling.h - Plans of operations without products ----------*- C++ -*-===//
#ifndef ROOFTILE_PLANNING_SPACE_TILING_H
#define ROOFTILE_PLANNING_SPACE_TILING_H

#include "rooftile/Dialect/Blas/Blas.h"

namespace rooftile::planning {

/// Tiling of a blas.reduce over C: each thread has one access of the widest legal width, with
/// neighbours along the columns; a workgroup is no larger than C. Tensors count as contiguous
/// row-major.
blas::TilingAttr chooseTiling(blas::ReduceOp op, blas::TargetAttr target);

/// Tiling of a blas.pack over W: rows of 512 bytes, in accesses of the widest legal width; what is
/// read along the rows of W is transposed in shared memory, by eight threads side by side.
blas::TilingAttr chooseTiling(blas::PackOp op, blas::TargetAttr target);

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SPACE_TILING_H
