// linalg with conjugates and 16-bit operands becomes products of these types, and runs.
// RUN: gemm-opt %s --convert-linalg-to-blas | FileCheck %s --check-prefix=RAISED
// RUN: gemm-run %s --device=cpu | FileCheck %s

// RAISED: blas.gemm opA<c> ins(%{{.*}} : memref<9x17xcomplex<f32>>, memref<9x20xcomplex<f32>>)
// RAISED: blas.gemm ins(%{{.*}} : memref<17x9xf16>, memref<9x20xf16>) outs(%{{.*}} : memref<17x20xf32>)
// CHECK: PASS adjoint#0 c64 gemm cn 17x20x9
// CHECK: PASS halves#0 f16/f16/f32/f32 gemm nn 17x20x9
#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @adjoint(%a: memref<9x17xcomplex<f32>>, %b: memref<9x20xcomplex<f32>>, %c: memref<17x20xcomplex<f32>>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<9x17xcomplex<f32>>, memref<9x20xcomplex<f32>>) outs(%c : memref<17x20xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %s: complex<f32>):
    %bar = complex.conj %x : complex<f32>
    %product = complex.mul %bar, %y : complex<f32>
    %sum = complex.add %s, %product : complex<f32>
    linalg.yield %sum : complex<f32>
  }
  return
}

func.func @halves(%a: memref<17x9xf16>, %b: memref<9x20xf16>, %c: memref<17x20xf32>) {
  linalg.matmul ins(%a, %b : memref<17x9xf16>, memref<9x20xf16>) outs(%c : memref<17x20xf32>)
  return
}
