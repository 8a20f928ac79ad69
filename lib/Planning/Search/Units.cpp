//===- Units.cpp - Quantities with units ----------------------------------===//

#include "rooftile/Planning/Search/Units.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile;
using llvm::formatv;

std::string planning::duration(double seconds) {
  if (seconds >= 1)
    return formatv("{0:f2} s", seconds);
  if (seconds >= 1e-3)
    return formatv("{0:f2} ms", seconds * 1e3);
  if (seconds < 1e-6)
    return formatv("{0:f0} ns", seconds * 1e9);
  return formatv("{0:f1} us", seconds * 1e6);
}

std::string planning::byteCount(double bytes) {
  if (bytes < 1024)
    return formatv("{0:f0} bytes", bytes);
  const char *unit = "KiB";
  bytes /= 1024;
  for (const char *larger : {"MiB", "GiB", "TiB"}) {
    if (bytes < 1024)
      break;
    bytes /= 1024;
    unit = larger;
  }
  return formatv("{0:f1} {1}", bytes, unit);
}

std::string planning::flopRate(double flopsPerSecond) {
  if (flopsPerSecond >= 1e15)
    return formatv("{0:f1} PFLOP/s", flopsPerSecond * 1e-15);
  if (flopsPerSecond >= 1e12)
    return formatv("{0:f1} TFLOP/s", flopsPerSecond * 1e-12);
  return formatv("{0:f1} GFLOP/s", flopsPerSecond * 1e-9);
}

std::string planning::counted(int64_t count, llvm::StringRef noun) {
  return formatv("{0} {1}{2}", count, noun, count == 1 ? "" : "s");
}
