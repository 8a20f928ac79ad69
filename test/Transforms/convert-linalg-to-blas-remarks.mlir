// What is left alone is left as it was, and a remark says why.
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file --remarks-filter=convert-linalg-to-blas 2>&1 | FileCheck %s
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file 2>&1 | FileCheck %s
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file 2>/dev/null | FileCheck %s --check-prefix=SILENT
// SILENT-NOT: remark
// SILENT-NOT: blas.gemm
// SILENT: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
// SILENT-NOT: blas.gemm

// CHECK: remark: {{.*}}linalg.matmul stays: operand A has elements of i8 and C of i32; blas.gemm takes f16, bf16, f32, f64, complex<f32> and complex<f64>
func.func @integers(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %d = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %d : tensor<4x6xi32>
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: operand B has elements of f32, which would be rounded to f16 before the product
func.func @narrowing(%a: tensor<4x8xf16>, %b: tensor<8x6xf32>, %c: tensor<4x6xf16>) -> tensor<4x6xf16> {
  %d = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x6xf32>) outs(%c : tensor<4x6xf16>) -> tensor<4x6xf16>
  return %d : tensor<4x6xf16>
}

// -----

// CHECK: remark: {{.*}}linalg.matvec stays: C has rank 1 and no dimension of B alone: it is not a product of two matrices
func.func @matvec(%a: tensor<4x8xf32>, %x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %d = linalg.matvec ins(%a, %x : tensor<4x8xf32>, tensor<8xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.contract stays: it has 2 reduction loops that are not one, a matrix product has 1 (K)
func.func @two_reductions(%a: tensor<4x2x8xf32>, %b: tensor<8x2x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (l, k, n)>, affine_map<(m, n, k, l) -> (m, n)>]
    ins(%a, %b : tensor<4x2x8xf32>, tensor<8x2x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.contract stays: operand A is not the whole batch (or none of it) followed by the two dimensions of a matrix, which a tensor must be (a memref need not)
func.func @batch_inside(%a: tensor<4x3x8xf32>, %b: tensor<3x8x6xf32>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %d = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<4x3x8xf32>, tensor<3x8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %d : tensor<3x4x6xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: C has a dimension that neither A nor B has
func.func @broadcast_columns(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: operand A is also the output
func.func @in_place(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: operand A is memref<4x4xf32, affine_map<{{.*}}>> and C is memref<4x4xf32>; blas.gemm takes tensors or strided memrefs
func.func @tiled_layout(%a: memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// CHECK: remark: {{.*}}linalg.generic stays: operand B is summed over a loop of its own
func.func @own_sum(%a: tensor<4x8xf32>, %b: tensor<8x6x2xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (k, n, l)>, affine_map<(m, n, k, l) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6x2xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// Rows of a strided memref that do not lie one after the other are no taller matrix.
// CHECK: remark: {{.*}}linalg.contract stays: it has 2 reduction loops that are not one
func.func @gap_between(%a: memref<4x2x8xf32, strided<[32, 16, 1]>>, %b: memref<2x8x6xf32>, %c: memref<4x6xf32>) {
  linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (k, l, n)>, affine_map<(m, n, k, l) -> (m, n)>]
    ins(%a, %b : memref<4x2x8xf32, strided<[32, 16, 1]>>, memref<2x8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

// A factor that is rounded first is more than blas.gemm can say.
// CHECK: remark: {{.*}}linalg.generic stays: its body is not c + a * b
func.func @rounded(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %narrow = arith.truncf %x : f32 to f16
    %wide = arith.extf %narrow : f16 to f32
    %p = arith.mulf %wide, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}
