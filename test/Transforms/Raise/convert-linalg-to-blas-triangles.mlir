// A factor that is masked to a triangle makes blas.trmm of the product, which reads the matrix that was masked.
// RUN: gemm-opt %s --convert-linalg-to-blas --canonicalize -split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @lower(
// CHECK-SAME:      %[[A:.*]]: tensor<8x8xf32>, %[[B:.*]]: tensor<8x6xf32>
// CHECK-NOT:     linalg
// CHECK:         %[[C:.*]] = tensor.empty() : tensor<8x6xf32>
// CHECK-NEXT:    blas.trmm side<left> uplo<lower> ins(%[[A]], %[[B]] : tensor<8x8xf32>, tensor<8x6xf32>) outs(%[[C]] : tensor<8x6xf32>) -> tensor<8x6xf32>
func.func @lower(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %d = linalg.matmul ins(%t, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// As torch-mlir writes aten.triu: integers, and a diagonal that is added.
// CHECK-LABEL: func @torch_triu(
// CHECK-SAME:      %[[A:.*]]: tensor<8x8xf16>, %[[B:.*]]: tensor<6x8xf16>
// CHECK-NOT:     linalg
// CHECK:         blas.trmm side<right> uplo<upper> ins(%[[A]], %[[B]] : tensor<8x8xf16>, tensor<6x8xf16>)
func.func @torch_triu(%a: tensor<8x8xf16>, %b: tensor<6x8xf16>) -> tensor<6x8xf16> {
  %zero = arith.constant 0.0 : f16
  %diagonal = arith.constant 0 : i64
  %m = tensor.empty() : tensor<8x8xf16>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf16>) outs(%m : tensor<8x8xf16>) {
  ^bb0(%x: f16, %o: f16):
    %i = linalg.index 0 : index
    %row = arith.index_cast %i : index to i64
    %j = linalg.index 1 : index
    %column = arith.index_cast %j : index to i64
    %first = arith.addi %row, %diagonal : i64
    %in = arith.cmpi sge, %column, %first : i64
    %y = arith.select %in, %x, %zero : f16
    linalg.yield %y : f16
  } -> tensor<8x8xf16>
  %e = tensor.empty() : tensor<6x8xf16>
  %c = linalg.fill ins(%zero : f16) outs(%e : tensor<6x8xf16>) -> tensor<6x8xf16>
  %d = linalg.matmul ins(%b, %t : tensor<6x8xf16>, tensor<8x8xf16>) outs(%c : tensor<6x8xf16>) -> tensor<6x8xf16>
  return %d : tensor<6x8xf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// As JAX writes tril, operation by operation, of a batch.
// CHECK-LABEL: func @jax_tril(
// CHECK-SAME:      %[[A:.*]]: tensor<3x8x8xf32>, %[[B:.*]]: tensor<3x8x6xf32>
// CHECK-NOT:     linalg
// CHECK:         blas.trmm side<left> uplo<lower> ins(%[[A]], %[[B]] : tensor<3x8x8xf32>, tensor<3x8x6xf32>)
func.func @jax_tril(%a: tensor<3x8x8xf32>, %b: tensor<3x8x6xf32>) -> tensor<3x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<3x8x8xf32>
  %diagonal = arith.constant dense<0> : tensor<8x8xi32>
  %integers = tensor.empty() : tensor<8x8xi32>
  %rows = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%integers : tensor<8x8xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %x = arith.index_cast %i : index to i32
    linalg.yield %x : i32
  } -> tensor<8x8xi32>
  %last = linalg.add ins(%rows, %diagonal : tensor<8x8xi32>, tensor<8x8xi32>) outs(%integers : tensor<8x8xi32>) -> tensor<8x8xi32>
  %columns = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%integers : tensor<8x8xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 1 : index
    %x = arith.index_cast %i : index to i32
    linalg.yield %x : i32
  } -> tensor<8x8xi32>
  %bits = tensor.empty() : tensor<8x8xi1>
  %in = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%last, %columns : tensor<8x8xi32>, tensor<8x8xi32>) outs(%bits : tensor<8x8xi1>) {
  ^bb0(%x: i32, %y: i32, %o: i1):
    %z = arith.cmpi sge, %x, %y : i32
    linalg.yield %z : i1
  } -> tensor<8x8xi1>
  %more = tensor.empty() : tensor<3x8x8xi1>
  %all = linalg.broadcast ins(%in : tensor<8x8xi1>) outs(%more : tensor<3x8x8xi1>) dimensions = [0]
  %m = tensor.empty() : tensor<3x8x8xf32>
  %t = linalg.select ins(%all, %a, %zeros : tensor<3x8x8xi1>, tensor<3x8x8xf32>, tensor<3x8x8xf32>) outs(%m : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %e = tensor.empty() : tensor<3x8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<3x8x6xf32>) -> tensor<3x8x6xf32>
  %d = linalg.batch_matmul ins(%t, %b : tensor<3x8x8xf32>, tensor<3x8x6xf32>) outs(%c : tensor<3x8x6xf32>) -> tensor<3x8x6xf32>
  return %d : tensor<3x8x6xf32>
}

// -----

// Indices of one dimension, as torch.arange makes them.
// CHECK-LABEL: func @arange(
// CHECK-NOT:     linalg
// CHECK:         blas.trmm side<left> uplo<upper>
func.func @arange(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xi64>
  %count = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%empty : tensor<8xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %x = arith.index_cast %i : index to i64
    linalg.yield %x : i64
  } -> tensor<8xi64>
  %rows = tensor.expand_shape %count [[0, 1]] output_shape [8, 1] : tensor<8xi64> into tensor<8x1xi64>
  %m = tensor.empty() : tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%rows, %count, %a : tensor<8x1xi64>, tensor<8xi64>, tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) {
  ^bb0(%i: i64, %j: i64, %x: f32, %o: f32):
    %out = arith.cmpi sgt, %i, %j : i64
    %y = arith.select %out, %zero, %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %d = linalg.matmul ins(%t, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Ones on the diagonal, conjugated numbers, and another reader of the mask.
// CHECK-LABEL: func @unit_adjoint(
// CHECK-SAME:      %[[A:.*]]: tensor<8x8xcomplex<f32>>, %[[B:.*]]: tensor<6x8xcomplex<f32>>
// CHECK:         %[[T:.*]] = linalg.generic
// CHECK:         %[[D:.*]] = blas.trmm side<right> uplo<lower> opA<c> diag<unit> ins(%[[A]], %[[B]] : tensor<8x8xcomplex<f32>>, tensor<6x8xcomplex<f32>>)
// CHECK:         return %[[D]], %[[T]]
func.func @unit_adjoint(%a: tensor<8x8xcomplex<f32>>, %b: tensor<6x8xcomplex<f32>>) -> (tensor<6x8xcomplex<f32>>, tensor<8x8xcomplex<f32>>) {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %m = tensor.empty() : tensor<8x8xcomplex<f32>>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xcomplex<f32>>) outs(%m : tensor<8x8xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %below = arith.cmpi slt, %j, %i : index
    %y = arith.select %below, %x, %zero : complex<f32>
    %on = arith.cmpi eq, %i, %j : index
    %z = arith.select %on, %one, %y : complex<f32>
    linalg.yield %z : complex<f32>
  } -> tensor<8x8xcomplex<f32>>
  %e = tensor.empty() : tensor<6x8xcomplex<f32>>
  %c = linalg.fill ins(%zero : complex<f32>) outs(%e : tensor<6x8xcomplex<f32>>) -> tensor<6x8xcomplex<f32>>
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%b, %t : tensor<6x8xcomplex<f32>>, tensor<8x8xcomplex<f32>>) outs(%c : tensor<6x8xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %z: complex<f32>):
    %conj = complex.conj %y : complex<f32>
    %p = complex.mul %x, %conj : complex<f32>
    %s = complex.add %z, %p : complex<f32>
    linalg.yield %s : complex<f32>
  } -> tensor<6x8xcomplex<f32>>
  return %d, %t : tensor<6x8xcomplex<f32>>, tensor<8x8xcomplex<f32>>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The triangle of the stored matrix, where the mask transposes it; B by columns.
// CHECK-LABEL: func @transposed(
// CHECK-SAME:      %[[A:.*]]: tensor<8x8xf64>, %[[B:.*]]: tensor<6x8xf64>
// CHECK-NOT:     linalg
// CHECK:         %[[V:.*]] = blas.view %[[B]]
// CHECK:         blas.trmm side<left> uplo<lower> opA<t> ins(%[[A]], %[[V]] : tensor<8x8xf64>, tensor<8x6xf64>)
func.func @transposed(%a: tensor<8x8xf64>, %b: tensor<6x8xf64>) -> tensor<8x6xf64> {
  %zero = arith.constant 0.0 : f64
  %m = tensor.empty() : tensor<8x8xf64>
  %t = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf64>) outs(%m : tensor<8x8xf64>) {
  ^bb0(%x: f64, %o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sle, %i, %j : index
    %y = arith.select %in, %x, %zero : f64
    linalg.yield %y : f64
  } -> tensor<8x8xf64>
  %e = tensor.empty() : tensor<8x6xf64>
  %c = linalg.fill ins(%zero : f64) outs(%e : tensor<8x6xf64>) -> tensor<8x6xf64>
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%t, %b : tensor<8x8xf64>, tensor<6x8xf64>) outs(%c : tensor<8x6xf64>) -> tensor<8x6xf64>
  return %d : tensor<8x6xf64>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The diagonal counts as zeros, too: the mask is computed, and half of it is read.
// CHECK-LABEL: func @strict(
// CHECK:         %[[T:.*]] = linalg.generic
// CHECK:         blas.trmm side<left> uplo<upper> opA<t> ins(%[[T]], %{{.*}} : tensor<8x8xf32>, tensor<8x6xf32>)
func.func @strict(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi slt, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%t, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A product with ones and zeros, where no number is a NaN or an infinity.
// CHECK-LABEL: func @multiplied(
// CHECK-SAME:      %[[A:.*]]: tensor<8x8xf32>, %[[B:.*]]: tensor<8x6xf32>
// CHECK-NOT:     linalg
// CHECK:         blas.trmm side<left> uplo<lower> ins(%[[A]], %[[B]] :
func.func @multiplied(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi uge, %i, %j : index
    %factor = arith.uitofp %in : i1 to f32
    %y = arith.mulf %x, %factor fastmath<nnan,ninf> : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %d = linalg.matmul ins(%t, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Both sizes of the mask come from one.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:      %[[A:.*]]: tensor<?x?xf32>, %[[B:.*]]: tensor<?x?xf32>
// CHECK-NOT:     linalg
// CHECK:         blas.trmm side<left> uplo<lower> ins(%[[A]], %[[B]] : tensor<?x?xf32>, tensor<?x?xf32>)
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %w = tensor.dim %b, %c1 : tensor<?x?xf32>
  %m = tensor.empty(%n, %n) : tensor<?x?xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?x?xf32>) outs(%m : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<?x?xf32>
  %e = tensor.empty(%n, %w) : tensor<?x?xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = linalg.matmul ins(%t, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %d : tensor<?x?xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The masked buffer is read, of which others may know.
// CHECK-LABEL: func @buffers(
// CHECK:         %[[T:.*]] = memref.alloc
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.fill
// CHECK:         blas.trmm side<left> uplo<lower> ins(%[[T]], %{{.*}} : memref<8x8xf32>, memref<8x6xf32>)
func.func @buffers(%a: memref<8x8xf32>, %b: memref<8x6xf32>, %d: memref<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<8x8xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<8x8xf32>) outs(%t : memref<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sle, %j, %i : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  }
  linalg.fill ins(%zero : f32) outs(%d : memref<8x6xf32>)
  linalg.matmul ins(%t, %b : memref<8x8xf32>, memref<8x6xf32>) outs(%d : memref<8x6xf32>)
  memref.dealloc %t : memref<8x8xf32>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// In place.
// CHECK-LABEL: func @in_place(
// CHECK-SAME:      %[[T:.*]]: memref<8x8xf32>
// CHECK:         blas.trmm side<right> uplo<upper> ins(%[[T]], %{{.*}} : memref<8x8xf32>, memref<6x8xf32>)
func.func @in_place(%t: memref<8x8xf32>, %b: memref<6x8xf32>, %d: memref<6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%t : memref<8x8xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %out = arith.cmpi sgt, %i, %j : index
    %y = arith.select %out, %zero, %x : f32
    linalg.yield %y : f32
  }
  linalg.fill ins(%zero : f32) outs(%d : memref<6x8xf32>)
  linalg.matmul ins(%b, %t : memref<6x8xf32>, memref<8x8xf32>) outs(%d : memref<6x8xf32>)
  return
}
