// Host code that would touch memory of the GPU, and kernels that would touch the host's.
// RUN: gemm-opt --device-memory --split-input-file --verify-diagnostics %s | FileCheck %s

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @kernel(%a: memref<4xf32>) kernel { gpu.return }
}
func.func @host_reads(%a: memref<4xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<4xf32>)
  // expected-error @+1 {{'memref.load' op of host code touches memory of the GPU: what runs there are products, and linalg operations with a parallel dimension}}
  %element = memref.load %a[%i] : memref<4xf32>
  return %element : f32
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
  // expected-error @+1 {{takes the name 'rooftileGetStream', which compiled code calls}}
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
