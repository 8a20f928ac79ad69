// Planning uses the figures of a target as they are; these claim half more registers than the architecture has, so
// that it lets more workgroups share a unit than fit. The assembler refuses their kernels, and planning counts by that:
// the result has no kernel that needs scratch memory, and a remark names what was given up. Run twice, and with the
// pass alone, it is the same.
// RUN: gemm-opt %s --blas-to-rocdl="format=isa" -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OBJECT < %t.mlir
// RUN: gemm-opt %s --fit-plans="vendor=amd format=isa" 2>/dev/null | diff - %t.mlir
// RUN: gemm-opt %s --blas-attach-target --fit-plans="vendor=amd format=isa" --mlir-disable-threading 2>/dev/null | diff - %t.mlir
// Passes that are named run in place of its own; the text of a pipeline has these.
// RUN: gemm-opt %s --fit-plans="plan=builtin.module(tile-select) finish=builtin.module(cse)" 2>/dev/null | FileCheck %s --check-prefix=NAMED
// RUN: gemm-opt %s --fit-plans="vendor=amd format=isa" --dump-pass-pipeline 2>&1 -o %t.text.mlir | FileCheck %s --check-prefix=TEXT
// NAMED-NOT: gpu.
// NAMED: blas.gemm {{.*}} plan(
// NAMED-NOT: gpu.
// TEXT: fit-plans{{.*}}finish=builtin.module({{.*}}leap-frog,{{.*}}rocdl-to-binary{format=isa {{.*}}plan=builtin.module(tile-select{{.*}}macro-tile)

// Launches of kernels that an earlier trial has compiled add no shared memory, either.
// OBJECT-NOT: dynamic_shared_memory_size

// CHECK-NOT: error
// CHECK: [[#@LINE+22]]:3: remark: gave up plan #blas.plan<macro = [64, 128, 8], micro = [8, 4], {{.*}}residency = 2>: its kernel gemm_f64_nn_64x128x8 needs {{[1-9][0-9]*}} bytes of scratch memory a thread on gfx906; took {{[0-9x]+}}, micro {{.*}}, residency {{[0-9]+}}
// CHECK-NEXT: blas.gemm
// CHECK: [[#@LINE+20]]:3: remark: chose plan
// CHECK-NOT: error
// CHECK: [[#@LINE+22]]:3: remark: gave up plan #blas.plan<macro = [64, 128, 8], {{.*}}>: its kernel gemm_f64_nn_64x128x8 needs
// CHECK: [[#@LINE+21]]:3: remark: chose plans
// CHECK-NOT: error
// What is said of plans that were given up is not said again.
// CHECK-NOT: remark: chose plan
// OBJECT-NOT: blas.refused
// OBJECT-NOT: refused_plan
// OBJECT-NOT: private_segment_fixed_size = {{[1-9]}}
#boast = #blas.target<chip = "boast", vendor = amd, arch = "gfx906", units = 64, clockMHz = 1800,
  subgroup = 64, schedulersPerUnit = 4, registersPerUnit = 98304, registersPerThread = 256,
  registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 65536,
  sharedBytesReserved = 0, sharedGranule = 512, sharedBytesPerClock = 128, sharedBanks = 32,
  threadsPerUnit = 2560, threadsPerBlock = 1024, blocksPerUnit = 16, fmaF32PerClock = 64,
  fmaF64PerClock = 32, l2Bytes = 4194304, l2GBps = 1843, dramReadGBps = 820, dramCopyGBps = 820,
  dramWriteGBps = 820, dramLatencyCycles = 700, l2LatencyCycles = 250, sharedLatencyCycles = 64,
  fmaLatencyCycles = 4, launchNs = 10000>
module attributes {blas.target = #boast} {
func.func @product(%a: memref<2048x2048xf64>, %b: memref<2048x2048xf64>, %c: memref<2048x2048xf64>) {
  blas.gemm ins(%a, %b : memref<2048x2048xf64>, memref<2048x2048xf64>) outs(%c : memref<2048x2048xf64>)
  return
}
func.func @dynamic(%a: memref<?x512xf64>, %b: memref<512x512xf64>, %c: memref<?x512xf64>) {
  blas.gemm ins(%a, %b : memref<?x512xf64>, memref<512x512xf64>) outs(%c : memref<?x512xf64>)
  return
}
}
