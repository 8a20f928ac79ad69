// Elementwise operations around a product may have dynamic sizes: their kernel gets pointers and sizes, too.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: FileCheck %s < %t.mlir
// RUN: %python %S/ptxas.py %t.mlir | FileCheck %s --check-prefix=PTXAS
// REQUIRES: ptxas

// CHECK: llvm.func @layer
// CHECK: %[[STREAM:[a-z0-9_]+]] = llvm.call @rooftileGetStream() : () -> !llvm.ptr
// CHECK: gpu.launch_func <%[[STREAM]] : !llvm.ptr> @gemm_f32_nn_
// CHECK: gpu.launch_func <%[[STREAM]] : !llvm.ptr> @layer_kernel::@layer_kernel
// CHECK-NOT: args({{.*}}!llvm.struct
// CHECK: return
// PTXAS-DAG: gemm_f32_nn_{{.*}} 0 bytes of stack
// PTXAS-DAG: layer_kernel: {{.*}} 0 bytes of stack
#column = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>
func.func @layer(%x: memref<?x?xf32>, %w: memref<?x?xf32>, %bias: memref<?xf32>,
                 %y: memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  %zero = arith.constant 0.0 : f32
  blas.gemm ins(%x, %w : memref<?x?xf32>, memref<?x?xf32>)
            outs(%y : memref<?x?xf32, strided<[?, 1], offset: ?>>)
  linalg.generic {indexing_maps = [#column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<?xf32>) outs(%y : memref<?x?xf32, strided<[?, 1], offset: ?>>) {
  ^bb0(%b: f32, %o: f32):
    %s = arith.addf %b, %o : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  }
  return
}
