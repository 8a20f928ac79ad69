//===- Stopwatch.cpp - How long the device takes --------------------------===//

#include "rooftile/Bench/Stopwatch.h"

using namespace rooftile;
using namespace rooftile::bench;

Stopwatch::Stopwatch(const CudaDriver &driver) : driver(driver) {
  driver.check(driver.eventCreate(&begin, 0), "cuEventCreate");
  driver.check(driver.eventCreate(&end, 0), "cuEventCreate");
}

Stopwatch::~Stopwatch() {
  driver.eventDestroy(begin);
  driver.eventDestroy(end);
}

double Stopwatch::milliseconds(void *stream, llvm::function_ref<void()> work) {
  driver.check(driver.eventRecord(begin, stream), "cuEventRecord");
  work();
  driver.check(driver.eventRecord(end, stream), "cuEventRecord");
  driver.check(driver.eventSynchronize(end), "cuEventSynchronize");
  float milliseconds = 0;
  driver.check(driver.eventElapsedTime(&milliseconds, begin, end), "cuEventElapsedTime");
  return milliseconds;
}
