// Ptxas does not unroll loops of f64 matrix instructions: it forgets a wait where it does. Of nested loops
// that is the inner one; others are left alone.
// RUN: split-file %s %t
// RUN: gemm-opt %t/loops.mlir --keep-matrix-loops | FileCheck %s
// RUN: gemm-opt %t/loops.mlir --keep-matrix-loops --keep-matrix-loops | FileCheck %s
// RUN: gemm-opt %t/product.mlir --blas-attach-target=chip=h200 --blas-to-nvvm=format=isa | FileCheck %s --check-prefix=PTX

//--- product.mlir
#plan = #blas.plan<macro = [64, 16, 16], micro = [2, 4], lanes = [8, 4], mma = m16n8k8_f64, a = <via = shared, copy = async, vector = 2, pad = 4>,
                   b = <via = shared, copy = async, vector = 2, pad = 4>, stages = 4, prefetch = 1>

// PTX: pragma {{.*}}nounroll
// PTX: mma.sync.aligned.m16n8k8
func.func @product(%a: memref<128x1024xf64>, %b: memref<1024x128xf64>, %c: memref<128x128xf64>) {
  blas.gemm ins(%a, %b : memref<128x1024xf64>, memref<1024x128xf64>) outs(%c : memref<128x128xf64>) plan(#plan)
  return
}

//--- loops.mlir
#m8n8k4 = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @sums
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: lane.mma
  // CHECK: } {loop_annotation = #[[NEVER:.*]]}
  // CHECK-NOT: loop_annotation
  // CHECK: gpu.return
  gpu.func @sums(%to: memref<?xf64>, %x: f64, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      %sums:2 = scf.for %k = %c0 to %n step %c1 iter_args(%p = %x, %q = %x) -> (f64, f64) {
        %next:2 = lane.mma (%x), (%x), (%p, %q) instruction(#m8n8k4) : (f64), (f64), (f64, f64)
        scf.yield %next#0, %next#1 : f64, f64
      }
      memref.store %sums#0, %to[%i] : memref<?xf64>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @plain
  // CHECK-NOT: loop_annotation
  gpu.func @plain(%to: memref<?xf64>, %x: f64, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%p = %x) -> f64 {
      %next = math.fma %x, %x, %p : f64
      scf.yield %next : f64
    }
    memref.store %sum, %to[%c0] : memref<?xf64>
    gpu.return
  }
}
