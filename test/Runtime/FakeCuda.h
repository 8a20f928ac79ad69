//===- FakeCuda.h - What a test sees of the libcuda without a GPU -*- C++ -*-===//
#ifndef ROOFTILE_TEST_RUNTIME_FAKECUDA_H
#define ROOFTILE_TEST_RUNTIME_FAKECUDA_H

#include "FakeDriver.h"

namespace fakecuda {

/// Sees a launch by cuLaunchKernelEx before it succeeds or fails, and a kernel of a graph when it
/// is added or changed.
extern fakedriver::LaunchHook launchHook;

} // namespace fakecuda

#endif // ROOFTILE_TEST_RUNTIME_FAKECUDA_H
