// RUN: gemm-opt %s --macro-tile --canonicalize --split-input-file | FileCheck %s

// Scalars that host code loads: the kernel gets the addresses and reads them itself, with what is
// computed from them; nothing is left on the host.
// CHECK-LABEL: func.func @loaded
// CHECK-SAME: %[[ALPHA:[a-z0-9_]+]]: memref<f32>, %[[BETA:[a-z0-9_]+]]: memref<f32>)
// CHECK-NOT: memref.load
// CHECK: %[[ATALPHA:[a-z0-9_]+]], %{{.*}} = memref.extract_strided_metadata %[[ALPHA]]
// CHECK: %[[ATBETA:[a-z0-9_]+]], %{{.*}} = memref.extract_strided_metadata %[[BETA]]
// CHECK-NOT: memref.load
// CHECK: gpu.launch_func {{.*}}%[[ATALPHA]] : memref<f32>, %[[ATBETA]] : memref<f32>)
// CHECK: gpu.func @{{.*}}, %[[A:[a-z0-9_]+]]: memref<f32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %[[B:[a-z0-9_]+]]: memref<f32>
// CHECK-SAME: <pointer alpha align 4>, <pointer beta align 4>]
// CHECK-DAG: %[[LOADED:[a-z0-9_]+]] = memref.load %[[A]][]
// CHECK-DAG: %[[TWICE:[a-z0-9_]+]] = arith.addf %[[LOADED]], %[[LOADED]]
// CHECK-DAG: %[[OLD:[a-z0-9_]+]] = memref.load %[[B]][]
// CHECK: tile.update {{.*}} alpha(%[[TWICE]] : f32) beta(%[[OLD]] : f32)
func.func @loaded(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>,
                  %pa: memref<f32>, %pb: memref<f32>) {
  %once = memref.load %pa[] : memref<f32>
  %alpha = arith.addf %once, %once : f32
  %beta = memref.load %pb[] : memref<f32>
  blas.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
            alpha(%alpha : f32) beta(%beta : f32)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared>>)
  return
}

// -----

// A write after the load may happen before the kernel runs: the kernel gets the loaded value.
// CHECK-LABEL: func.func @written
// CHECK: %[[ALPHA:[a-z0-9_]+]] = memref.load
// CHECK: gpu.launch_func {{.*}}%[[ALPHA]] : f32)
// CHECK: <scalar alpha>]
func.func @written(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>,
                   %p: memref<f32>, %next: f32) {
  %alpha = memref.load %p[] : memref<f32>
  memref.store %next, %p[] : memref<f32>
  blas.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
            alpha(%alpha : f32)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared>>)
  return
}

// -----

// The kernel reads what was written before the load, by a kernel too.
// CHECK-LABEL: func.func @before
// CHECK-NOT: memref.load
// CHECK: <pointer alpha align 4>]
func.func @before(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>,
                  %p: memref<f32>, %next: f32) {
  memref.store %next, %p[] : memref<f32>
  %alpha = memref.load %p[] : memref<f32>
  blas.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
            alpha(%alpha : f32)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared>>)
  return
}
