//===- Settings.h - What the environment asks for ---------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_SETTINGS_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_SETTINGS_H

#include "rooftile/Runtime/Device/DeviceFacts.h"

#include <vector>

namespace rooftile::interpose {

enum class Where { Gpu, Cpu, Off };

/// GPUs that a call may use: ordinals of one driver, none twice; empty: all of them.
struct GpuList {
  DeviceKind kind = DeviceKind::Cuda;
  std::vector<int> ordinals = {0};
};

/// Read once; docs/Blas.md explains each variable.
struct Settings {
  Where device = Where::Gpu;  ///< ROOFTILE_BLAS_DEVICE
  GpuList gpus;               ///< ROOFTILE_BLAS_DEVICE and ROOFTILE_BLAS_DEVICES
  bool takesAll = false;      ///< ROOFTILE_BLAS_TAKE=all
  bool logsCalls = false;     ///< ROOFTILE_LOG=calls
  const char *next = nullptr; ///< ROOFTILE_BLAS_NEXT
};
const Settings &settings();

/// Writes "rooftile_blas: " and a line of text to stderr, at once.
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_SETTINGS_H
