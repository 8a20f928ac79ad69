// Products of a triangle that blas.trmm does not say become blas.gemm of the masked matrix, with the reason.
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: gemm-opt %s --convert-linalg-to-blas=remarks=false -split-input-file 2>&1 | FileCheck %s --check-prefix=SILENT
// SILENT-NOT: remark

#id = affine_map<(i, j) -> (i, j)>

// REMARK: remark: linalg.matmul of a triangle becomes blas.gemm: operand A is 8 x 5, and no square
// CHECK-LABEL: func @trapezoid(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @trapezoid(%a: tensor<8x5xf32>, %b: tensor<5x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<8x5xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x5xf32>) outs(%m : tensor<8x5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<8x5xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %d = linalg.matmul ins(%t, %b : tensor<8x5xf32>, tensor<5x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// REMARK: remark: linalg.matmul of a triangle becomes blas.gemm: blas.trmm adds nothing to its product
// CHECK-LABEL: func @added(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @added(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
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
  %d = linalg.matmul ins(%t, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// REMARK: remark: linalg.matmul of a triangle becomes blas.gemm: operands are narrower than C
// CHECK-LABEL: func @narrow(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @narrow(%a: tensor<8x8xf16>, %b: tensor<8x6xf16>) -> tensor<8x6xf32> {
  %z = arith.constant 0.0 : f16
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<8x8xf16>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf16>) outs(%m : tensor<8x8xf16>) {
  ^bb0(%x: f16, %o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %z : f16
    linalg.yield %y : f16
  } -> tensor<8x8xf16>
  %e = tensor.empty() : tensor<8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %d = linalg.matmul ins(%t, %b : tensor<8x8xf16>, tensor<8x6xf16>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// REMARK: remark: linalg.generic of a triangle becomes blas.gemm: operand B is conjugated
// CHECK-LABEL: func @conjugated_other(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @conjugated_other(%a: tensor<8x8xcomplex<f64>>, %b: tensor<8x6xcomplex<f64>>) -> tensor<8x6xcomplex<f64>> {
  %zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  %m = tensor.empty() : tensor<8x8xcomplex<f64>>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xcomplex<f64>>) outs(%m : tensor<8x8xcomplex<f64>>) {
  ^bb0(%x: complex<f64>, %o: complex<f64>):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : complex<f64>
    linalg.yield %y : complex<f64>
  } -> tensor<8x8xcomplex<f64>>
  %e = tensor.empty() : tensor<8x6xcomplex<f64>>
  %c = linalg.fill ins(%zero : complex<f64>) outs(%e : tensor<8x6xcomplex<f64>>) -> tensor<8x6xcomplex<f64>>
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%t, %b : tensor<8x8xcomplex<f64>>, tensor<8x6xcomplex<f64>>) outs(%c : tensor<8x6xcomplex<f64>>) {
  ^bb0(%x: complex<f64>, %y: complex<f64>, %z: complex<f64>):
    %conj = complex.conj %y : complex<f64>
    %p = complex.mul %x, %conj : complex<f64>
    %s = complex.add %z, %p : complex<f64>
    linalg.yield %s : complex<f64>
  } -> tensor<8x6xcomplex<f64>>
  return %d : tensor<8x6xcomplex<f64>>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A NaN in the other half of A would be seen.
// REMARK: remark: linalg.matmul of a triangle becomes blas.gemm: operand A is masked by a product with 0, which keeps NaN; use arith.select, or fastmath nnan and ninf
// CHECK-LABEL: func @multiplied(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @multiplied(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %factor = arith.uitofp %in : i1 to f32
    %y = arith.mulf %x, %factor : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %d = linalg.matmul ins(%t, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// One diagonal beside the triangle is more than a triangle.
// CHECK-LABEL: func @hessenberg(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @hessenberg(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %offset = arith.constant -1 : index
  %m = tensor.empty() : tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %first = arith.addi %j, %offset : index
    %in = arith.cmpi sge, %i, %first : index
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

// No index is less than 0, and -1 is none: nothing is known of an unsigned comparison.
// CHECK-LABEL: func @unsigned(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @unsigned(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %offset = arith.constant -1 : index
  %m = tensor.empty() : tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %first = arith.addi %j, %offset : index
    %in = arith.cmpi uge, %i, %first : index
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

// The masked part is not 0.
// CHECK-LABEL: func @other_value(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @other_value(%a: tensor<8x8xf32>, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %far = arith.constant 0xFF800000 : f32
  %m = tensor.empty() : tensor<8x8xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x8xf32>) outs(%m : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %far : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %d = linalg.matmul ins(%t, %b : tensor<8x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// REMARK: remark: linalg.matmul of a triangle becomes blas.gemm: operand A is not known to be square
// CHECK-LABEL: func @dynamic(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @dynamic(%a: tensor<?x?xf32>, %b: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %a, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %a, %c1 : tensor<?x?xf32>
  %m = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?x?xf32>) outs(%m : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<?x?xf32>
  %e = tensor.empty(%rows) : tensor<?x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %d = linalg.matmul ins(%t, %b : tensor<?x?xf32>, tensor<?x6xf32>) outs(%c : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %d : tensor<?x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The batch of triangles shares B.
// REMARK: remark: linalg.generic of a triangle becomes blas.gemm: operand A lacks dimensions of the batch
// CHECK-LABEL: func @shared(
// CHECK:         blas.gemm
func.func @shared(%a: tensor<8x6xf32>, %b: tensor<3x6x6xf32>) -> tensor<3x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<3x6x6xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%b : tensor<3x6x6xf32>) outs(%m : tensor<3x6x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<3x6x6xf32>
  %e = tensor.empty() : tensor<3x8x6xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<3x8x6xf32>) -> tensor<3x8x6xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %t : tensor<8x6xf32>, tensor<3x6x6xf32>) outs(%c : tensor<3x8x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x8x6xf32>
  return %d : tensor<3x8x6xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A write in between may change the mask.
// CHECK-LABEL: func @overwritten(
// CHECK-NOT:     blas.trmm
// CHECK:         blas.gemm
func.func @overwritten(%t: memref<8x8xf32>, %other: memref<8x8xf32>, %b: memref<8x6xf32>, %d: memref<8x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%t : memref<8x8xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %out = arith.cmpi sgt, %i, %j : index
    %y = arith.select %out, %zero, %x : f32
    linalg.yield %y : f32
  }
  linalg.fill ins(%one : f32) outs(%other : memref<8x8xf32>)
  linalg.fill ins(%zero : f32) outs(%d : memref<8x6xf32>)
  linalg.matmul ins(%t, %b : memref<8x8xf32>, memref<8x6xf32>) outs(%d : memref<8x6xf32>)
  return
}
