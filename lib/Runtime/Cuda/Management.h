//===- Management.h - Clocks and power of NVIDIA's GPUs ---------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CUDA_MANAGEMENT_H
#define ROOFTILE_LIB_RUNTIME_CUDA_MANAGEMENT_H

#include "rooftile/Runtime/Device/DeviceState.h"

namespace rooftile {

/// State of a CUDA device, by the management library of its driver (NVML). Unknown where the
/// library is missing or a call fails; nothing is recorded.
DeviceState stateOfCudaDevice(int device);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_CUDA_MANAGEMENT_H
