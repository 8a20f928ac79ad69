//===- FakeCuda.h - What a test sees of the libcuda without a GPU -*- C++ -*-===//
#ifndef ROOFTILE_TEST_RUNTIME_FAKECUDA_H
#define ROOFTILE_TEST_RUNTIME_FAKECUDA_H

namespace fakecuda {

/// Sees a launch by cuLaunchKernelEx before it succeeds or fails: grid, block and bytes of shared
/// memory, 7 numbers; the handle of the kernel; its parameters.
using LaunchHook = void (*)(const unsigned *sizes, void *function, void **parameters);
extern LaunchHook launchHook;

} // namespace fakecuda

#endif // ROOFTILE_TEST_RUNTIME_FAKECUDA_H
