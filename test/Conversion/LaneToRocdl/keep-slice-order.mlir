// The order of a pipelined loop is kept from LLVM's scheduler.
// RUN: gemm-opt %s --keep-slice-order | FileCheck %s
// RUN: gemm-opt %s --keep-slice-order > %t.once
// RUN: gemm-opt %t.once --keep-slice-order | diff - %t.once

#m8n8k4_f64 = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>

gpu.module @kernels {
  // The order of a pipelined loop stays: nothing passes the reads of the next slice, or the stores of
  // the next tile, that follow multiplications.
  // CHECK: gpu.func @slices
  // CHECK: vector.load
  // CHECK-NOT: sched.barrier
  // CHECK: math.fma
  // CHECK-NEXT: math.fma
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: vector.load
  // CHECK-NEXT: vector.load
  // CHECK-NEXT: math.fma
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: vector.store
  // CHECK-NEXT: vector.store
  // CHECK-NEXT: memref.store
  gpu.func @slices(%a: vector<4xf32>, %x: f32, %to: memref<f32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf32, #gpu.address_space<workgroup>>
    %f0 = vector.load %view[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %x0 = vector.extract %f0[0] : f32 from vector<4xf32>
    %s0 = math.fma %x0, %x0, %x : f32
    %s1 = math.fma %x0, %x0, %s0 : f32
    %f1 = vector.load %view[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %f2 = vector.load %view[%c4] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %s2 = math.fma %x0, %x0, %s1 : f32
    vector.store %f1, %view[%c0] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %f2, %view[%c4] : memref<8xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    memref.store %s2, %to[] : memref<f32>
    gpu.return
  }

  // Matrix instructions multiply, too, and their loop is not unrolled.
  // CHECK: gpu.func @matrices
  // CHECK: scf.for
  // CHECK: lane.mma
  // CHECK-NEXT: rocdl.sched.barrier 0
  // CHECK-NEXT: memref.load
  // CHECK: loop_annotation = #loop_annotation
  gpu.func @matrices(%x: f64, %to: memref<f64>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8xf64, #gpu.address_space<workgroup>>
    %sum = scf.for %i = %c0 to %c9 step %c1 iter_args(%s = %x) -> f64 {
      %n:2 = lane.mma (%s), (%x), (%x, %s) instruction(#m8n8k4_f64) : (f64), (f64), (f64, f64)
      %a = memref.load %view[%c0] : memref<8xf64, #gpu.address_space<workgroup>>
      scf.yield %a : f64
    }
    memref.store %sum, %to[] : memref<f64>
    gpu.return
  }
}
