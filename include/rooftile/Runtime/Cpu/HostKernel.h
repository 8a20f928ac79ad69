//===- HostKernel.h - Kernels that are functions of this process -*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_CPU_HOSTKERNEL_H
#define ROOFTILE_RUNTIME_CPU_HOSTKERNEL_H

#include <cstdint>
#include <functional>

namespace rooftile {

/// Launches a kernel of this process, as rooftileCpuLaunch does: `parameters` has the address of
/// each parameter.
using HostKernel = std::function<void(int64_t grid, int64_t block, int64_t cluster,
                                      int64_t sharedBytes, void **parameters)>;

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_CPU_HOSTKERNEL_H
