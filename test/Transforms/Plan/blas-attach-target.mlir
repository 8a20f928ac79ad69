// RUN: gemm-opt %s --split-input-file --blas-attach-target=chip=mi60 --verify-diagnostics | FileCheck %s

// A chip by name, with all its figures.
// CHECK: module attributes {blas.target = #blas.target<chip = "mi60", vendor = amd, arch = "gfx906", features = "+back-off-barrier", units = 64,
module {}

// -----

// An explicit chip replaces the target that is there: h200 to mi60.
// CHECK: module attributes {blas.target = #blas.target<chip = "mi60", vendor = amd, arch = "gfx906", features = "+back-off-barrier", units = 64,
// CHECK-NOT: h200
module attributes {blas.target = #blas.target<chip = "h200", vendor = nvidia, arch = "sm_90a",
  units = 132, clockMHz = 1980, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536,
  registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 233472,
  sharedBytesPerBlock = 232448, sharedBytesReserved = 1024, sharedGranule = 128,
  sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024,
  blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 62914560, l2GBps = 8500,
  dramReadGBps = 4680, dramCopyGBps = 4080, dramWriteGBps = 4320, dramLatencyCycles = 690,
  l2LatencyCycles = 290, sharedLatencyCycles = 29, fmaLatencyCycles = 4, launchNs = 3700,
  asyncCopyBytes = 16>} {}
