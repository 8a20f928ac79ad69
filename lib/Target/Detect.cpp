//===- Detect.cpp - Which GPU this machine has ----------------------------===//
//
// Asks the driver, opened at run time: a machine without it simply has no chip. Nothing is
// initialized beyond the driver itself (no context is made).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Runtime.h"
#include "rooftile/Target/Chips.h"

using namespace rooftile;

/// A GPU of AMD's without a name that is known is planned for by its architecture.
std::string target::detectChip(Device device) {
  const Driver &driver = Driver::of(device.kind);
  DeviceFacts facts;
  if (!driver.whyMissing(device.ordinal).empty())
    return "";
  std::string before = takeError(); // what fails here is none of the caller's
  bool isKnown = driver.ask(device.ordinal, facts);
  takeError();
  if (!before.empty())
    recordError(before);
  if (!isKnown)
    return "";
  std::string chip = chipOfDevice(facts.name).str();
  bool isOfAmd = device.kind == DeviceKind::Hip;
  return chip.empty() && isOfAmd && whyUnknown(facts.architecture).empty() ? facts.architecture
                                                                           : chip;
}
