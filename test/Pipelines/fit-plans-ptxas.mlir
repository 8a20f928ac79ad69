// Code of ptxas for plans that planning chose, for a target that claims half more registers than there are: no kernel
// of the result spills but that of a plan which is written, which stays, with a warning. PTX is checked by nobody.
// REQUIRES: ptxas
// RUN: gemm-opt %s --blas-to-nvvm="format=bin" -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OBJECT --implicit-check-not=blas.refused < %t.mlir
// RUN: gemm-opt %s --fit-plans 2>/dev/null | diff - %t.mlir
// RUN: gemm-opt %s --blas-to-kernels="format=bin" 2>&1 -o /dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-nvvm="format=isa" 2>&1 -o /dev/null | FileCheck %s --check-prefix=PTX

// CHECK: [[#@LINE+19]]:3: remark: gave up plan #blas.plan<macro = [64, 128, 8], {{.*}}residency = 2>: its kernel gemm_f64_nn_64x128x8 needs {{[1-9][0-9]*}} bytes of scratch memory a thread on sm_90a; took {{[0-9x]+}}, micro {{.*}}, residency {{[0-9]+}}
// CHECK: [[#@LINE+18]]:3: remark: chose plans
// CHECK: [[#@LINE+21]]:3: remark: kept plan 128x128x8
// CHECK: [[#@LINE+20]]:3: warning: kernel gemm_f32_nn_128x128x8 spills {{[1-9][0-9]*}} bytes
// CHECK-NOT: {{remark: chose|warning|error}}
// OBJECT-COUNT-1: spill_bytes = {{[1-9]}}
// OBJECT-NOT: spill_bytes = {{[1-9]}}
// PTX-NOT: gave up
// PTX-NOT: warning
#boast = #blas.target<chip = "boast", vendor = nvidia, arch = "sm_90a", units = 64, clockMHz = 1800,
  subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 98304, registersPerThread = 255,
  registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 65536,
  sharedBytesReserved = 0, sharedGranule = 512, sharedBytesPerClock = 128, sharedBanks = 32,
  threadsPerUnit = 2560, threadsPerBlock = 1024, blocksPerUnit = 16, fmaF32PerClock = 64,
  fmaF64PerClock = 32, l2Bytes = 4194304, l2GBps = 1843, dramReadGBps = 820, dramCopyGBps = 820,
  dramWriteGBps = 820, dramLatencyCycles = 700, l2LatencyCycles = 250, sharedLatencyCycles = 64,
  fmaLatencyCycles = 4, launchNs = 10000>
module attributes {blas.target = #boast} {
func.func @dynamic(%a: memref<?x512xf64>, %b: memref<512x512xf64>, %c: memref<?x512xf64>) {
  blas.gemm ins(%a, %b : memref<?x512xf64>, memref<512x512xf64>) outs(%c : memref<?x512xf64>)
  return
}
func.func @written(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
    plan(<macro = [128, 128, 8], micro = [8, 16], lanes = [4, 8], vector = 2,
          a = <via = shared, vector = 2, pad = 2>, b = <via = shared, vector = 2>, residency = 3>)
  return
}
}
