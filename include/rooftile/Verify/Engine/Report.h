//===- Report.h - What a run found, for people and for programs -*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_ENGINE_REPORT_H
#define ROOFTILE_VERIFY_ENGINE_REPORT_H

#include "rooftile/Verify/Engine/Invoke.h"

namespace rooftile::verify {

/// Prints one line, or one JSON object, per operation of a call, and counts failures.
class Report {
public:
  Report(bool json, DeviceKind device) : json(json), device(device) {}

  /// Returns true when everything in the call was right. `quiet` prints failures only.
  bool add(const Program &program, const Call &call, const Session &session, bool quiet);

  bool isJson() const { return json; }
  int64_t getOperations() const { return operations; }
  int64_t getFailures() const { return failures; }

private:
  void printLine(const Outcome &outcome, const Call &call, const Roofline &roofline);
  void printObject(const Outcome &outcome, const Call &call, const Roofline &roofline);

  bool json;
  DeviceKind device;
  int64_t operations = 0, failures = 0;
};

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_REPORT_H
