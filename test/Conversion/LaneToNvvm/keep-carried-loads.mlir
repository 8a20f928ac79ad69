// Loads of a loop for its next iteration stay where they are: a fence follows them, else LLVM would move it to
// the head of the next turn. What a turn loads for itself is left alone.
// RUN: gemm-opt %s --keep-carried-loads | FileCheck %s
// RUN: gemm-opt %s --keep-carried-loads --keep-carried-loads | FileCheck %s
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --keep-carried-loads --lane-to-nvvm | FileCheck %s --check-prefix=NVVM

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @ahead
  // CHECK: scf.for
  // CHECK-NEXT: vector.load
  // CHECK-NEXT: lane.compiler_fence{{$}}
  // CHECK-NOT: lane.compiler_fence
  // NVVM: vector.load
  // NVVM: vector.load
  // NVVM-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}"
  // NVVM-NOT: inline_asm
  gpu.func @ahead(%from: memref<?xf64, 3>, %to: memref<?xf64, 3>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = vector.load %from[%c0] : memref<?xf64, 3>, vector<2xf64>
    %x, %y = vector.to_elements %first : vector<2xf64>
    %sums:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (f64, f64) {
      %next = vector.load %from[%i] : memref<?xf64, 3>, vector<2xf64>
      %u, %v = vector.to_elements %next : vector<2xf64>
      %sum = arith.addf %p, %q : f64
      scf.yield %u, %v : f64, f64
    }
    scf.for %i = %c0 to %n step %c1 {
      %own = memref.load %from[%i] : memref<?xf64, 3>
      memref.store %own, %to[%i] : memref<?xf64, 3>
    }
    gpu.return
  }
}
