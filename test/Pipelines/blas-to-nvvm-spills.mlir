// Registers that do not fit go to local memory: a warning at the operation with kernel, bytes and plan, once a
// cubin is made. Planning uses the figures of a target as they are; these claim more registers than there are.
// REQUIRES: ptxas
// RUN: gemm-opt %s --blas-to-nvvm="format=bin" -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OBJECT < %t.mlir
// RUN: gemm-opt %s --blas-to-nvvm="format=isa" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PTX
// CHECK: [[#@LINE+14]]:3: warning: kernel gemm_f32_nn_128x128x8 spills {{[1-9][0-9]*}} bytes a thread on sm_90a with 255 registers: smaller micro tiles, fewer threads or a lower residency leave more; its plan is #blas.plan<macro = [128, 128, 8]
// OBJECT: gpu.binary {{.*}}kernels = <[#gpu.kernel_metadata<"gemm_f32_nn_128x128x8", {{.*}}metadata = {registers = 255 : i64, spill_bytes = [[#BYTES:]] : i64, stack_bytes = [[#]] : i64}>]>, bin = "
// PTX: remark:
// PTX-NOT: warning:
#boast = #blas.target<chip = "boast", vendor = nvidia, arch = "sm_90a", units = 64, clockMHz = 1800,
  subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 1048576, registersPerThread = 4096,
  registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 65536,
  sharedBytesReserved = 0, sharedGranule = 512, sharedBytesPerClock = 128, sharedBanks = 32,
  threadsPerUnit = 2560, threadsPerBlock = 1024, blocksPerUnit = 16, fmaF32PerClock = 64,
  fmaF64PerClock = 32, l2Bytes = 4194304, l2GBps = 1843, dramReadGBps = 820, dramCopyGBps = 820,
  dramWriteGBps = 820, dramLatencyCycles = 700, l2LatencyCycles = 250, sharedLatencyCycles = 64,
  fmaLatencyCycles = 4, launchNs = 10000>
module attributes {blas.target = #boast} {
func.func @product(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
    plan(<macro = [128, 128, 8], micro = [16, 16], lanes = [4, 8], vector = 2,
          a = <via = shared, vector = 2, pad = 2>, b = <via = shared, vector = 2>>)
  return
}
}
