//===- Fork.h - Processes that were forked after use ------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_FORK_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_FORK_H

namespace rooftile::interpose {

/// From here on, children of this process forward everything: neither CUDA nor a lock that another
/// thread holds works in them.
void noteUse();
bool isForkedAfterUse();

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_FORK_H
