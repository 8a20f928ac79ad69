//===- DeviceState.h - Clocks and power of a device -------------*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_DEVICE_DEVICESTATE_H
#define ROOFTILE_RUNTIME_DEVICE_DEVICESTATE_H

#include <cmath>

namespace rooftile {

/// State of a device at one time, or for some time. NaN: unknown.
struct DeviceState {
  double clockMHz = NAN;  ///< Clock of the multiprocessors.
  double memoryMHz = NAN; ///< Clock of the memory.
  double watts = NAN;
  bool throttled = false; ///< Heat, or a limit of power, keeps clocks down.
};

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_DEVICE_DEVICESTATE_H
