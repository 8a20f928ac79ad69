// A target of one's own stays, whatever GPU is present; something else is refused.
// RUN: gemm-opt %s --split-input-file --verify-diagnostics --blas-attach-target | FileCheck %s

// CHECK: blas.target = #blas.target<chip = "mine"
module attributes {blas.target = #blas.target<chip = "mine", vendor = nvidia, arch = "sm_90a",
  units = 10, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536,
  registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 102400,
  sharedBytesPerBlock = 101376, sharedBytesReserved = 1024, sharedGranule = 128,
  sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 1536, threadsPerBlock = 1024,
  blocksPerUnit = 16, fmaF32PerClock = 128, fmaF64PerClock = 2, l2Bytes = 4194304, l2GBps = 1000,
  dramReadGBps = 300, dramCopyGBps = 300, dramWriteGBps = 300, dramLatencyCycles = 600,
  l2LatencyCycles = 250, sharedLatencyCycles = 25, fmaLatencyCycles = 4, launchNs = 4000>} {}

// -----

// expected-error@+1 {{attribute 'blas.target' is "h200", expected a #blas.target}}
module attributes {blas.target = "h200"} {}
