// Products of masked matrices, as blas.trmm, beside the same program as loops of upstream MLIR. In the last one the masked
// half is NaN.
// RUN: gemm-run %s --device=cpu --against=loops | FileCheck %s --check-prefix=LOOPS
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s
// LOOPS-NOT: FAIL
// LOOPS-COUNT-9: PASS
// CHECK-DAG: PASS lower#0 f32 trmm left lower n 33x20x33
// CHECK-DAG: PASS upper_right#0 f64 trmm right upper n 20x33x33
// CHECK-DAG: PASS strict#0 f64 trmm left upper t 33x20x33
// CHECK-DAG: PASS unit#0 c64 trmm right lower n unit 20x17x17
// CHECK-DAG: PASS transposed#0 f32 trmm left lower t 17x20x17
// CHECK-DAG: PASS batch#0 bf16{{.*}} trmm left lower n 3 x 17x20x17
// CHECK-DAG: PASS dynamic#0 f16{{.*}} trmm left lower n 19x7x19
// CHECK-DAG: PASS buffers#0 c128 trmm right upper n 20x17x17
// CHECK-DAG: PASS not_a_number#0 f32 trmm left lower n 2x20x2

#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
#all = affine_map<(b, i, j) -> (b, i, j)>

func.func @lower(%a: tensor<33x33xf32>, %b: tensor<33x20xf32>) -> tensor<33x20xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<33x33xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<33x33xf32>) outs(%m : tensor<33x33xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<33x33xf32>
  %e = tensor.empty() : tensor<33x20xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<33x20xf32>) -> tensor<33x20xf32>
  %d = linalg.matmul ins(%t, %b : tensor<33x33xf32>, tensor<33x20xf32>) outs(%c : tensor<33x20xf32>) -> tensor<33x20xf32>
  return %d : tensor<33x20xf32>
}

func.func @upper_right(%a: tensor<33x33xf64>, %b: tensor<20x33xf64>) -> tensor<20x33xf64> {
  %zero = arith.constant 0.0 : f64
  %m = tensor.empty() : tensor<33x33xf64>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<33x33xf64>) outs(%m : tensor<33x33xf64>) {
  ^bb0(%x: f64, %o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %out = arith.cmpi slt, %j, %i : index
    %y = arith.select %out, %zero, %x : f64
    linalg.yield %y : f64
  } -> tensor<33x33xf64>
  %e = tensor.empty() : tensor<20x33xf64>
  %c = linalg.fill ins(%zero : f64) outs(%e : tensor<20x33xf64>) -> tensor<20x33xf64>
  %d = linalg.matmul ins(%b, %t : tensor<20x33xf64>, tensor<33x33xf64>) outs(%c : tensor<20x33xf64>) -> tensor<20x33xf64>
  return %d : tensor<20x33xf64>
}

func.func @strict(%a: tensor<33x33xf64>, %b: tensor<33x20xf64>) -> tensor<33x20xf64> {
  %zero = arith.constant 0.0 : f64
  %m = tensor.empty() : tensor<33x33xf64>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<33x33xf64>) outs(%m : tensor<33x33xf64>) {
  ^bb0(%x: f64, %o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sgt, %j, %i : index
    %y = arith.select %in, %x, %zero : f64
    linalg.yield %y : f64
  } -> tensor<33x33xf64>
  %e = tensor.empty() : tensor<33x20xf64>
  %c = linalg.fill ins(%zero : f64) outs(%e : tensor<33x20xf64>) -> tensor<33x20xf64>
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%t, %b : tensor<33x33xf64>, tensor<33x20xf64>) outs(%c : tensor<33x20xf64>) -> tensor<33x20xf64>
  return %d : tensor<33x20xf64>
}

// The lower triangle of A with ones in place of its diagonal, and the masked matrix itself.
func.func @unit(%a: tensor<17x17xcomplex<f32>>, %b: tensor<20x17xcomplex<f32>>) -> (tensor<20x17xcomplex<f32>>, tensor<17x17xcomplex<f32>>) {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %m = tensor.empty() : tensor<17x17xcomplex<f32>>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<17x17xcomplex<f32>>) outs(%m : tensor<17x17xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %below = arith.cmpi sgt, %i, %j : index
    %y = arith.select %below, %x, %zero : complex<f32>
    %on = arith.cmpi eq, %i, %j : index
    %z = arith.select %on, %one, %y : complex<f32>
    linalg.yield %z : complex<f32>
  } -> tensor<17x17xcomplex<f32>>
  %e = tensor.empty() : tensor<20x17xcomplex<f32>>
  %c = linalg.fill ins(%zero : complex<f32>) outs(%e : tensor<20x17xcomplex<f32>>) -> tensor<20x17xcomplex<f32>>
  %d = linalg.matmul ins(%b, %t : tensor<20x17xcomplex<f32>>, tensor<17x17xcomplex<f32>>) outs(%c : tensor<20x17xcomplex<f32>>) -> tensor<20x17xcomplex<f32>>
  return %d, %t : tensor<20x17xcomplex<f32>>, tensor<17x17xcomplex<f32>>
}

func.func @transposed(%a: tensor<17x17xf32>, %b: tensor<20x17xf32>) -> tensor<17x20xf32> {
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<17x17xf32>
  %t = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<17x17xf32>) outs(%m : tensor<17x17xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sle, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<17x17xf32>
  %e = tensor.empty() : tensor<17x20xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<17x20xf32>) -> tensor<17x20xf32>
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%t, %b : tensor<17x17xf32>, tensor<20x17xf32>) outs(%c : tensor<17x20xf32>) -> tensor<17x20xf32>
  return %d : tensor<17x20xf32>
}

func.func @batch(%a: tensor<3x17x17xbf16>, %b: tensor<3x17x20xbf16>) -> tensor<3x17x20xbf16> {
  %zero = arith.constant 0.0 : bf16
  %m = tensor.empty() : tensor<3x17x17xbf16>
  %t = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<3x17x17xbf16>) outs(%m : tensor<3x17x17xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %in = arith.cmpi sle, %j, %i : index
    %y = arith.select %in, %x, %zero : bf16
    linalg.yield %y : bf16
  } -> tensor<3x17x17xbf16>
  %e = tensor.empty() : tensor<3x17x20xbf16>
  %c = linalg.fill ins(%zero : bf16) outs(%e : tensor<3x17x20xbf16>) -> tensor<3x17x20xbf16>
  %d = linalg.batch_matmul ins(%t, %b : tensor<3x17x17xbf16>, tensor<3x17x20xbf16>) outs(%c : tensor<3x17x20xbf16>) -> tensor<3x17x20xbf16>
  return %d : tensor<3x17x20xbf16>
}

func.func @dynamic(%a: tensor<?x?xf16> {rooftile.sizes = array<i64: 19, 19>}, %b: tensor<?x?xf16> {rooftile.sizes = array<i64: 19, 7>}) -> tensor<?x?xf16> {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x?xf16>
  %w = tensor.dim %b, %c1 : tensor<?x?xf16>
  %m = tensor.empty(%n, %n) : tensor<?x?xf16>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?x?xf16>) outs(%m : tensor<?x?xf16>) {
  ^bb0(%x: f16, %o: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : f16
    linalg.yield %y : f16
  } -> tensor<?x?xf16>
  %e = tensor.empty(%n, %w) : tensor<?x?xf16>
  %c = linalg.fill ins(%zero : f16) outs(%e : tensor<?x?xf16>) -> tensor<?x?xf16>
  %d = linalg.matmul ins(%t, %b : tensor<?x?xf16>, tensor<?x?xf16>) outs(%c : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %d : tensor<?x?xf16>
}

func.func @buffers(%t: memref<17x17xcomplex<f64>>, %b: memref<20x17xcomplex<f64>>, %d: memref<20x17xcomplex<f64>>) {
  %zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%t : memref<17x17xcomplex<f64>>) {
  ^bb0(%x: complex<f64>):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %out = arith.cmpi sgt, %i, %j : index
    %y = arith.select %out, %zero, %x : complex<f64>
    linalg.yield %y : complex<f64>
  }
  linalg.fill ins(%zero : complex<f64>) outs(%d : memref<20x17xcomplex<f64>>)
  linalg.matmul ins(%b, %t : memref<20x17xcomplex<f64>>, memref<17x17xcomplex<f64>>) outs(%d : memref<20x17xcomplex<f64>>)
  return
}

func.func @not_a_number(%b: tensor<2x20xf32>) -> tensor<2x20xf32> {
  %a = arith.constant dense<[[1.5, 0x7FC00000], [-2.5, 0.5]]> : tensor<2x2xf32>
  %zero = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<2x2xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<2x2xf32>) outs(%m : tensor<2x2xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %in = arith.cmpi sge, %i, %j : index
    %y = arith.select %in, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x20xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<2x20xf32>) -> tensor<2x20xf32>
  %d = linalg.matmul ins(%t, %b : tensor<2x2xf32>, tensor<2x20xf32>) outs(%c : tensor<2x20xf32>) -> tensor<2x20xf32>
  return %d : tensor<2x20xf32>
}
