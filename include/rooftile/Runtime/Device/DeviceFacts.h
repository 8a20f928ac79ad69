//===- DeviceFacts.h - What a driver states of a device ---------*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_DEVICE_DEVICEFACTS_H
#define ROOFTILE_RUNTIME_DEVICE_DEVICEFACTS_H

#include <cstdint>
#include <string>

namespace rooftile {

/// Whose driver runs kernels.
enum class DeviceKind : uint8_t {
  Cuda, ///< GPUs of NVIDIA.
  Hip,  ///< GPUs of AMD.
  Cpu   ///< Every GPU thread a coroutine of the host: slow, with no GPU at all.
};

/// "cuda", "hip", "cpu": as options of tools and settings name it.
const char *nameOf(DeviceKind kind);

/// A device: number `ordinal` of those that the driver of its kind shows.
struct Device {
  DeviceKind kind = DeviceKind::Cpu;
  int ordinal = 0;

  bool operator==(Device other) const { return kind == other.kind && ordinal == other.ordinal; }
  bool operator!=(Device other) const { return !(*this == other); }
};

/// "CUDA device 1", "HIP device 0", "the CPU": in messages.
std::string describe(Device device);

/// Kinds of devices.
constexpr int kMostDevices = 64;

/// A device. A number is 0 where the driver does not state it.
struct DeviceFacts {
  std::string name;         ///< As the driver has it: "NVIDIA H200", "AMD Instinct MI300X".
  std::string architecture; ///< "compute capability 9.0", "gfx942".
  int major = 0, minor = 0; ///< Compute capability; 0 of AMD's.
  uint64_t memoryBytes = 0;
  int units = 0; ///< Multiprocessors, compute units.
  int subgroup = 0;
  int clockKilohertz = 0;
  int l2Bytes = 0;
  int registersPerUnit = 0;
  int sharedBytesPerUnit = 0;
  int sharedBytesPerBlock = 0; ///< With a driver's leave.
  int sharedBytesReserved = 0; ///< Bytes of each block.
  int threadsPerUnit = 0;
  int threadsPerBlock = 0;
  int blocksPerUnit = 0;
  int singlesPerDouble = 0; ///< Multiply-adds of f32 in the time of one of f64.
};

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_DEVICE_DEVICEFACTS_H
