// Host code that would touch memory of the GPU, and kernels that would touch the host's.
// RUN: gemm-opt --device-memory --split-input-file --verify-diagnostics %s | FileCheck %s

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @kernel(%a: memref<4xf32>) kernel { gpu.return }
}
// Host code that reads elements gets them from a copy, and waits for it.
// CHECK-LABEL: func @host_reads
// CHECK: %[[STREAM:.*]] = call @rooftileGetStream()
// CHECK: gpu.launch_func async
// CHECK: %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: %[[STAGE:.*]] = call @rooftileStage(%[[NONE]], %{{.*}}, %{{.*}}, %false{{.*}})
// CHECK: call @rooftileStaged(%[[STAGE]], %{{.*}}, %[[STREAM]])
// CHECK: %[[COPY:.*]] = memref.reinterpret_cast {{.*}} to memref<4xf32>
// CHECK: memref.load %[[COPY]]
// CHECK: call @rooftileUnstage(%[[STAGE]], %[[STREAM]])
// CHECK: return
func.func @host_reads(%a: memref<4xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<4xf32>)
  // expected-remark @+1 {{staged host code 'memref.load'}}
  %element = memref.load %a[%i] : memref<4xf32>
  return %element : f32
}

// One place: a loop, what stands around it, and a view between that a launch needs, too.
// CHECK-LABEL: func @one_place
// CHECK-COUNT-2: call @rooftileStage(
// CHECK-NOT: call @rooftileStage(
// CHECK-COUNT-2: call @rooftileStaged
// CHECK: memref.store
// CHECK: %[[VIEW:.*]] = memref.subview %arg0
// CHECK: scf.for
// CHECK: memref.load
// CHECK: memref.copy
// CHECK: call @rooftileUnstage
// CHECK: gpu.launch_func async {{.*}} args(%[[VIEW]]
// CHECK: return
func.func @one_place(%a: memref<8xf32>, %b: memref<?xf32, strided<[?], offset: ?>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // expected-remark @+1 {{staged host code 'memref.store'}}
  memref.store %zero, %b[%c0] : memref<?xf32, strided<[?], offset: ?>>
  %view = memref.subview %a[0] [4] [1] : memref<8xf32> to memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %view[%i] : memref<4xf32>
    memref.store %x, %b[%i] : memref<?xf32, strided<[?], offset: ?>>
    %own = memref.alloc() : memref<4xf32>
    memref.copy %view, %own : memref<4xf32> to memref<4xf32>
    memref.dealloc %own : memref<4xf32>
  }
  gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%view : memref<4xf32>)
  return
}

// A launch inside of the loop: only what is around it in the loop is staged, each time.
// CHECK-LABEL: func @around_a_launch
// CHECK: scf.for
// CHECK: call @rooftileStage(
// CHECK: memref.store
// CHECK: call @rooftileUnstage
// CHECK: gpu.launch_func async
// CHECK: }
func.func @around_a_launch(%a: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-remark @+1 {{staged host code 'memref.store'}}
    memref.store %x, %a[%i] : memref<4xf32>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4xf32>)
  }
  return
}

// A constant of the program is the host's already.
// CHECK-LABEL: func @reads_constant
// CHECK-NOT: rooftileStage
// CHECK: memref.load
// CHECK: return
memref.global "private" constant @table : memref<4xf32> = dense<2.0>
func.func @reads_constant(%a: memref<4xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %table = memref.get_global @table : memref<4xf32>
  gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<4xf32>)
  %x = memref.load %table[%i] : memref<4xf32>
  return %x : f32
}
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: memref<4xf32>) kernel { gpu.return }
  }
  func.func @no_strides(%a: memref<4xf32>, %b: memref<4xf32, affine_map<(i) -> (i mod 2)>>) -> f32 {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4xf32>)
    // expected-error @+1 {{of host code touches memory of the GPU of type 'memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>': only what has a rank and strides can be copied to the host}}
    %x = memref.load %b[%c1] : memref<4xf32, affine_map<(i) -> (i mod 2)>>
    return %x : f32
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: memref<4xf32>) kernel { gpu.return }
  }
  func.func @kernel_reads_stack() {
    %c1 = arith.constant 1 : index
    %own = memref.alloca() : memref<8xf32>
    %part = memref.subview %own[0] [4] [1] : memref<8xf32> to memref<4xf32>
    // expected-error @+1 {{a kernel cannot reach memory of memref.alloca, which is the host's: use memref.alloc}}
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%part : memref<4xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%a: memref<4xf32>) kernel { gpu.return }
  }
  memref.global "private" constant @weights : memref<4xf32> = dense<2.0>
  // The host's own stack is the host's business.
  // CHECK-LABEL: func @host_and_device
  // CHECK: memref.store
  // CHECK: gpu.launch_func async
  // CHECK: return
  func.func @host_and_device(%x: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %own = memref.alloca() : memref<8xf32>
    memref.store %x, %own[%c0] : memref<8xf32>
    %weights = memref.get_global @weights : memref<4xf32>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%weights : memref<4xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @kernel(%a: memref<4xf32>) kernel {
    gpu.return
  }
}
  // expected-error @+1 {{has the name 'rooftileGetStream', which compiled code calls}}
  func.func @rooftileGetStream() -> i32 {
    %c0 = arith.constant 0 : i32
    return %c0 : i32
  }
  func.func @launches(%a: memref<4xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%a : memref<4xf32>)
    return
  }
}
