// Registers that do not fit are an error that names kernel, bytes and plan, not a slow kernel. Planning
// uses the figures of a target as they are; these claim more registers than the architecture has.
// RUN: not gemm-opt %s --blas-to-rocdl="format=isa" 2>&1 | FileCheck %s
// CHECK: [[#@LINE+12]]:3: error: kernel gemm_f64_nn_128x128x8 needs {{[0-9]+}} bytes of scratch memory a thread on gfx906, for {{[0-9]+}} registers that do not fit; its plan is #blas.plan<macro = [128, 128, 8]
// CHECK-NOT: gpu.binary
#boast = #blas.target<chip = "boast", vendor = amd, arch = "gfx906", units = 64, clockMHz = 1800,
  subgroup = 64, schedulersPerUnit = 4, registersPerUnit = 1048576, registersPerThread = 4096,
  registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 65536,
  sharedBytesReserved = 0, sharedGranule = 512, sharedBytesPerClock = 128, sharedBanks = 32,
  threadsPerUnit = 2560, threadsPerBlock = 1024, blocksPerUnit = 16, fmaF32PerClock = 64,
  fmaF64PerClock = 32, l2Bytes = 4194304, l2GBps = 1843, dramReadGBps = 820, dramCopyGBps = 820,
  dramWriteGBps = 820, dramLatencyCycles = 700, l2LatencyCycles = 250, sharedLatencyCycles = 64,
  fmaLatencyCycles = 4, launchNs = 10000>
module attributes {blas.target = #boast} {
func.func @product(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %c: memref<1024x1024xf64>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf64>, memref<1024x1024xf64>) outs(%c : memref<1024x1024xf64>)
    plan(<macro = [128, 128, 8], micro = [16, 16], lanes = [8, 8], vector = 2,
          a = <via = shared, vector = 2, pad = 2>, b = <via = shared, vector = 2>>)
  return
}
}
