//===- FakeHip.h - What a test sees of the libamdhip64 without a GPU -*- C++ -*-===//
#ifndef ROOFTILE_TEST_RUNTIME_FAKEHIP_H
#define ROOFTILE_TEST_RUNTIME_FAKEHIP_H

#include "FakeDriver.h"

namespace fakehip {

/// Sees a launch before it succeeds or fails.
extern fakedriver::LaunchHook launchHook;

} // namespace fakehip

#endif // ROOFTILE_TEST_RUNTIME_FAKEHIP_H
