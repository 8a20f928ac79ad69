// A plan that planning chose is given up; a written one stays, and is an error. So is one that planning chooses for chips that
// claim registers without end: after twelve trials.
// RUN: split-file --leading-lines %s %t
// RUN: not gemm-opt %t/written.mlir --blas-to-rocdl="format=isa" 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: not gemm-opt %t/endless.mlir --fit-plans="vendor=amd format=isa" 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not gemm-opt %t/list.mlir --fit-plans="vendor=amd format=isa" 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not gemm-opt %t/target.mlir --fit-plans="vendor=amd chip=h200 format=isa" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not gemm-opt %t/target.mlir --fit-plans="plan=builtin.module(tile-selekt)" 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: error: 'tile-selekt' does not refer to a registered pass

//--- written.mlir
#boast = #blas.target<chip = "boast", vendor = amd, arch = "gfx906", units = 64, clockMHz = 1800,
  subgroup = 64, schedulersPerUnit = 4, registersPerUnit = 98304, registersPerThread = 256,
  registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 65536,
  sharedBytesReserved = 0, sharedGranule = 512, sharedBytesPerClock = 128, sharedBanks = 32,
  threadsPerUnit = 2560, threadsPerBlock = 1024, blocksPerUnit = 16, fmaF32PerClock = 64,
  fmaF64PerClock = 32, l2Bytes = 4194304, l2GBps = 1843, dramReadGBps = 820, dramCopyGBps = 820,
  dramWriteGBps = 820, dramLatencyCycles = 700, l2LatencyCycles = 250, sharedLatencyCycles = 64,
  fmaLatencyCycles = 4, launchNs = 10000>
// WRITTEN: remark: kept plan
// WRITTEN: written.mlir:[[#@LINE+4]]:3: error: kernel gemm_f64_nn_64x128x8 needs {{[0-9]+}} bytes of scratch memory a thread on gfx906, for {{[0-9]+}} registers that do not fit; its plan is #blas.plan<macro = [64, 128, 8]
// WRITTEN-NOT: error
module attributes {blas.target = #boast} {
func.func @product(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %c: memref<1024x1024xf64>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf64>, memref<1024x1024xf64>) outs(%c : memref<1024x1024xf64>)
    plan(<macro = [64, 128, 8], micro = [8, 4], lanes = [4, 16], vector = 2, a = <via = shared, vector = 2, pad = 2>,
          b = <via = shared, vector = 2>, raster = 16, residency = 2>)
  return
}
}

//--- endless.mlir
#boast = #blas.target<chip = "boast", vendor = amd, arch = "gfx906", units = 64, clockMHz = 1800,
  subgroup = 64, schedulersPerUnit = 4, registersPerUnit = 16777216, registersPerThread = 65536,
  registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 65536,
  sharedBytesReserved = 0, sharedGranule = 512, sharedBytesPerClock = 16, sharedBanks = 32,
  threadsPerUnit = 2560, threadsPerBlock = 1024, blocksPerUnit = 16, fmaF32PerClock = 64,
  fmaF64PerClock = 32, l2Bytes = 4194304, l2GBps = 1843, dramReadGBps = 820, dramCopyGBps = 820,
  dramWriteGBps = 820, dramLatencyCycles = 700, l2LatencyCycles = 250, sharedLatencyCycles = 64,
  fmaLatencyCycles = 4, launchNs = 10000>
// ENDLESS: error: kernel gemm_f64_nn_{{.*}} bytes of scratch memory a thread on gfx906
// ENDLESS-NOT: error
module attributes {blas.target = #boast} {
func.func @product(%a: memref<?x4096xf64>, %b: memref<4096x4096xf64>, %c: memref<?x4096xf64>) {
  blas.gemm ins(%a, %b : memref<?x4096xf64>, memref<4096x4096xf64>) outs(%c : memref<?x4096xf64>)
  return
}
}

//--- list.mlir
// LIST: error: attribute 'blas.refused' is "all", expected an array of #blas.refusal
module attributes {blas.refused = "all"} {
}

//--- target.mlir
// TARGET: error: lane-to-rocdl needs a #blas.target of an AMD chip on the module, got h200
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
