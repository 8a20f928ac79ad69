// Kernels of others: micro-tile leaves them alone, and lane-to-cpu reports what it cannot run.
// RUN: gemm-opt --pass-pipeline="builtin.module(gpu.module(micro-tile),lane-to-cpu)" --split-input-file --verify-diagnostics %s

module attributes {gpu.container_module} {
gpu.module @kernels {
  // expected-error @+1 {{cannot run on the CPU: its argument 'memref<4x4xf32>' is no pointer}}
  gpu.func @matrix(%a: memref<4x4xf32>) kernel { gpu.return }
}
func.func @launch_matrix(%a: memref<4x4xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@matrix blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<4x4xf32>)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @second_dimension(%a: memref<f32>) kernel {
    // expected-error @+1 {{'gpu.thread_id' op cannot run on the CPU}}
    %y = gpu.thread_id y
    gpu.return
  }
}
func.func @launch_second_dimension(%a: memref<f32>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@second_dimension blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<f32>)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @plane(%a: memref<f32>) kernel { gpu.return }
}
func.func @launch_plane(%a: memref<f32>, %n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{cannot run on the CPU: a grid of more than one dimension}}
  gpu.launch_func @kernels::@plane blocks in (%c1, %n, %c1) threads in (%c1, %c1, %c1)
      args(%a : memref<f32>)
  return
}
}

// -----

module attributes {gpu.container_module} {
func.func @inline_launch() {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{cannot run on the CPU: a kernel of others}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    gpu.terminator
  }
  return
}
}
