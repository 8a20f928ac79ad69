//===- Stopwatch.cpp - Times of the device --------------------------------===//

#include "rooftile/Bench/Stopwatch.h"

using namespace rooftile;
using namespace rooftile::bench;

Stopwatch::Stopwatch(const Driver &driver)
    : driver(driver), begin(driver.createEvent(/*isTimed=*/true)),
      end(driver.createEvent(/*isTimed=*/true)) {}

Stopwatch::~Stopwatch() {
  driver.destroyEvent(begin);
  driver.destroyEvent(end);
}

double Stopwatch::milliseconds(void *stream, llvm::function_ref<void()> work,
                               llvm::function_ref<void()> meanwhile) {
  driver.recordEvent(begin, stream);
  work();
  driver.recordEvent(end, stream);
  if (meanwhile)
    meanwhile();
  float milliseconds = 0;
  if (driver.waitForEvent(end))
    driver.elapsed(begin, end, milliseconds);
  return milliseconds;
}
