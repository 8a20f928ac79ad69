// Accumulators that are stored under conditions are complete before these: LLVM would move their last multiply-adds
// after them. Accumulators that are stored unconditionally, or that a loop adds up, are left alone.
// RUN: gemm-opt %s --finish-accumulators | FileCheck %s
// RUN: gemm-opt %s --finish-accumulators --finish-accumulators | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @guarded
  // CHECK: %[[LOOP:.*]] = scf.for
  // CHECK-NOT: lane.compiler_fence
  // CHECK: scf.yield
  // CHECK-NOT: lane.compiler_fence
  // CHECK: %[[SUM:.*]] = math.fma
  // CHECK-NEXT: %[[X:.*]] = lane.compiler_fence(%[[SUM]] : f32)
  // CHECK-NEXT: %[[WIDE:.*]] = math.fma
  // CHECK-NEXT: %[[Y:.*]] = lane.compiler_fence(%[[WIDE]] : f64)
  // CHECK-NOT: lane.compiler_fence
  // CHECK: memref.store
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: memref.store %[[X]]
  // CHECK-NOT: lane.compiler_fence
  // CHECK: memref.store %[[Y]]
  // CHECK: memref.store %[[LOOP]]
  gpu.func @guarded(%to: memref<?xf32, 1>, %wide: memref<?xf64, 1>, %a: f32, %b: f64, %n: index, %inside: i1,
      %other: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %a) -> (f32) {
      %after = math.fma %a, %a, %before : f32
      scf.yield %after : f32
    }
    %x = math.fma %a, %a, %sum : f32
    %y = math.fma %b, %b, %b : f64
    %z = math.fma %a, %x, %x : f32
    memref.store %z, %to[%c2] : memref<?xf32, 1>
    scf.if %inside {
      memref.store %x, %to[%c0] : memref<?xf32, 1>
    }
    scf.if %other {
      memref.store %y, %wide[%c0] : memref<?xf64, 1>
      memref.store %sum, %to[%c1] : memref<?xf32, 1>
    }
    gpu.return
  }

  // So are those that are chosen between, scaled or made narrower before they are stored under a condition; the
  // multiply-adds before the last one are left alone.
  // CHECK-LABEL: gpu.func @through
  // CHECK: %[[FIRST:.*]] = math.fma
  // CHECK-NEXT: %[[LAST:.*]] = math.fma %{{.*}}, %{{.*}}, %[[FIRST]] : f32
  // CHECK-NEXT: %[[DONE:.*]] = lane.compiler_fence(%[[LAST]] : f32)
  // CHECK-NEXT: %[[CHOSEN:.*]] = arith.select %{{.*}}, %[[DONE]], %{{.*}} : f32
  // CHECK-NEXT: %[[NARROW:.*]] = arith.truncf %[[CHOSEN]] : f32 to f16
  // CHECK-NOT: lane.compiler_fence
  // CHECK: memref.store %[[NARROW]]
  gpu.func @through(%to: memref<?xf16, 1>, %a: f32, %inside: i1, %any: i1) kernel {
    %c0 = arith.constant 0 : index
    %first = math.fma %a, %a, %a : f32
    %last = math.fma %a, %a, %first : f32
    %chosen = arith.select %any, %last, %a : f32
    %narrow = arith.truncf %chosen : f32 to f16
    scf.if %inside {
      memref.store %narrow, %to[%c0] : memref<?xf16, 1>
    }
    gpu.return
  }

  // And those that a condition around the last multiply-adds gives: a triangle may have left no step.
  // CHECK-LABEL: gpu.func @given
  // CHECK: %[[ANY:.*]]:2 = scf.if
  // CHECK: %[[IN:.*]] = math.fma
  // CHECK-NEXT: %[[OUT:.*]] = lane.compiler_fence(%[[IN]] : f32)
  // CHECK: scf.yield %[[OUT]], %{{.*}} : f32, f32
  // CHECK-NOT: lane.compiler_fence
  // CHECK: memref.store %[[ANY]]#0
  // CHECK: memref.store %[[ANY]]#1
  gpu.func @given(%to: memref<?xf32, 1>, %a: f32, %inside: i1, %any: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %sums:2 = scf.if %any -> (f32, f32) {
      %guarded = math.fma %a, %a, %a : f32
      %other = math.fma %a, %guarded, %guarded : f32
      scf.yield %guarded, %other : f32, f32
    } else {
      scf.yield %a, %a : f32, f32
    }
    scf.if %inside {
      memref.store %sums#0, %to[%c0] : memref<?xf32, 1>
    }
    memref.store %sums#1, %to[%c1] : memref<?xf32, 1>
    gpu.return
  }
}
