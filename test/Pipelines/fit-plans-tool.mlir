// As fit-plans-ptxas.mlir, by stand-ins for ptxas, which run everywhere. By the first, a kernel spills where its
// unit is to hold two workgroups or more: planning selects one, the written plan keeps its two. By the other all kernels
// spill: after eight trials the last ones stay, with a warning; a plan of a list stays at once. Without ptxas
// that is unknown, and a remark reports it.
// RUN: split-file --leading-lines %s %t
// RUN: env CUDA_ROOT=%S/Inputs/picky gemm-opt %t/some.mlir --blas-to-nvvm -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: FileCheck %s --check-prefix=OBJECT --implicit-check-not=blas.refused < %t.mlir
// RUN: env CUDA_ROOT=%S/Inputs/picky gemm-opt %t/some.mlir --blas-to-nvvm=format=isa -o /dev/null 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: %bare gemm-opt %t/some.mlir --blas-to-nvvm -o /dev/null 2>&1 | FileCheck %s --check-prefixes=NOBODY,PTX
// RUN: env CUDA_ROOT=%S/Inputs/cuda gemm-opt %t/all.mlir --blas-to-nvvm=chip=a100 -o %t.mlir 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: FileCheck %s --check-prefix=LAST --implicit-check-not=blas.refused < %t.mlir
// RUN: env CUDA_ROOT=%S/Inputs/cuda gemm-opt %t/all.mlir --blas-to-nvvm="chip=a100 plans=%t/list.txt" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=LIST

//--- some.mlir
// SOME: some.mlir:[[#@LINE+18]]:3: remark: gave up plan #blas.plan<macro = [64, 128, 8], {{.*}}residency = 2>: its kernel gemm_f64_nn_64x128x8 needs 288 bytes of scratch memory a thread on sm_90a; took {{.*}}, residency 1
// SOME: some.mlir:[[#@LINE+17]]:3: remark: chose plans
// SOME: some.mlir:[[#@LINE+20]]:3: warning: kernel gemm_f32_nn_128x128x8 spills 288 bytes
// SOME-NOT: {{remark: chose|warning|error}}
// OBJECT-COUNT-1: spill_bytes = 288
// OBJECT-NOT: spill_bytes = 288
// NOBODY: remark: ptxas is not found: kernels are PTX, and whether their registers fit is not checked
// PTX-NOT: {{gave up|warning|error}}
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

//--- all.mlir
// ALL-COUNT-7: all.mlir:[[#@LINE+6]]:3: remark: gave up plan
// ALL-NEXT: blas.gemm
// ALL: all.mlir:[[#@LINE+4]]:3: remark: chose plan
// ALL: all.mlir:[[#@LINE+3]]:3: warning: kernel {{.*}} spills 48 bytes a thread on sm_80
// LAST: spill_bytes = 48
func.func @static(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
  return
}

//--- list.txt
# LIST-NOT: gave up
# LIST: remark: chose plan 128x128x8, micro 8x8
# LIST: from: {{.*}}list.txt:[[#@LINE+3]]
# LIST: warning: kernel gemm_f32_nn_128x128x8 spills 48 bytes
# LIST-NOT: gave up
v1 gemm type=f32 * -> #blas.plan<macro = [128, 128, 8], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, pad = 4>, b = <via = shared>>
