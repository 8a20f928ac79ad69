//===- Pipeline.h - A call on GPUs, panel by panel --------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_PIPELINE_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_PIPELINE_H

#include "Gpu.h"
#include "Panels.h"

namespace rooftile::interpose {

struct PipelineResult {
  std::string error;           ///< Empty where all tiles are done.
  std::vector<Tile> remaining; ///< Tiles of C that nothing was written of.
  size_t tiles = 0;            ///< All of them.
};

/// Computes the call on all of these GPUs at once, of which there is one at least, and copies C
/// back. What fails leaves tiles, which the caller can still compute in another way. A GPU whose
/// driver failed, not one call, is retired.
PipelineResult runOnGpus(const std::vector<Gpu *> &gpus, const Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_PIPELINE_H
