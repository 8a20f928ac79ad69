//===- Pipeline.h - A call on the GPU, panel by panel -----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_PIPELINE_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_PIPELINE_H

#include "Gpu.h"
#include "Panels.h"

namespace rooftile::interpose {

struct PipelineResult {
  std::string error;           ///< Empty where all tiles are done.
  bool isDeviceLost = false;   ///< The driver failed, not one call.
  std::vector<Tile> remaining; ///< Tiles of C that nothing was written of.
  size_t tiles = 0;            ///< All of them.
};

/// Computes the call and copies C back. What fails leaves tiles, which the caller can still compute
/// in another way.
PipelineResult runOnGpu(Gpu &gpu, const Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_PIPELINE_H
