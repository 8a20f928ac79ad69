// Where a kernel is refused, its operation alone is lowered again: the second trial begins after macro-tile with the
// binary of the kernel that fits. The stand-in for ptxas refuses kernels whose unit is to hold several workgroups.
// RUN: env CUDA_ROOT=%S/Inputs/picky gemm-opt %s --blas-to-nvvm --mlir-print-ir-before=leap-frog --mlir-print-local-scope -o /dev/null 2>&1 | FileCheck %s

// CHECK: IR Dump Before LeapFrog
// CHECK-NOT: gpu.binary
// CHECK: IR Dump Before LeapFrog
// CHECK: gpu.binary @[[FITS:[a-z0-9_]+]]
// CHECK-NOT: gpu.module @[[FITS]]
// CHECK: gpu.module @
#boast = #blas.target<chip = "boast", vendor = nvidia, arch = "sm_90a", units = 64, clockMHz = 1800,
  subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 98304, registersPerThread = 255,
  registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 65536,
  sharedBytesReserved = 0, sharedGranule = 512, sharedBytesPerClock = 128, sharedBanks = 32,
  threadsPerUnit = 2560, threadsPerBlock = 1024, blocksPerUnit = 16, fmaF32PerClock = 64,
  fmaF64PerClock = 32, l2Bytes = 4194304, l2GBps = 1843, dramReadGBps = 820, dramCopyGBps = 820,
  dramWriteGBps = 820, dramLatencyCycles = 700, l2LatencyCycles = 250, sharedLatencyCycles = 64,
  fmaLatencyCycles = 4, launchNs = 10000>
module attributes {blas.target = #boast} {
func.func @refused(%a: memref<?x512xf64>, %b: memref<512x512xf64>, %c: memref<?x512xf64>) {
  blas.gemm ins(%a, %b : memref<?x512xf64>, memref<512x512xf64>) outs(%c : memref<?x512xf64>)
  return
}
func.func @fits(%a: memref<32x32xf32>, %b: memref<32x32xf32>, %c: memref<32x32xf32>) {
  blas.gemm ins(%a, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%c : memref<32x32xf32>)
  return
}
}
