// A chip without such copies, or with narrower ones, is an error at the operation.
// RUN: not gemm-opt %s --lane-to-nvvm 2>&1 | FileCheck %s

// CHECK: [[#@LINE+11]]:3: error: 'lane.copy' op moves 16 bytes, but the chip copies at most 8 without registers (asyncCopyBytes)
module attributes {gpu.container_module, blas.target = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_80", units = 4,
  clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255,
  registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024,
  sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024,
  blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000,
  dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30,
  fmaLatencyCycles = 4, launchNs = 3000, asyncCopyBytes = 8>} {
gpu.module @kernels {
gpu.func @copy(%global: memref<?xf32>, %shared: memref<?xf32, #gpu.address_space<workgroup>>,
               %i: index) kernel {
  lane.copy %global[%i], %shared[%i] elements 4 : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
  gpu.return
}
}
}
