// Complex functions of host code for the CPU, which the conversion to LLVM does not know: a batch of dot products, which
// is no product of matrices, with conjugated elements; an exponential.
// RUN: gemm-run %s --device=cpu --against=loops | FileCheck %s
// RUN: gemm-opt %s --blas-to-cpu=chip=h200 2>&1 | FileCheck %s --check-prefix=LOWERED
// CHECK-DAG: PASS dots
// CHECK-DAG: PASS exponentials
// LOWERED-NOT: is left as it is

#line = affine_map<(b, k) -> (b, k)>

func.func @dots(%a: tensor<3x5xcomplex<f64>>, %b: tensor<3x5xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
  %zero = complex.constant [0.0 : f64, 0.0 : f64] : complex<f64>
  %e = tensor.empty() : tensor<3xcomplex<f64>>
  %c = linalg.fill ins(%zero : complex<f64>) outs(%e : tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  %r = linalg.generic {indexing_maps = [#line, #line, affine_map<(b, k) -> (b)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %b : tensor<3x5xcomplex<f64>>, tensor<3x5xcomplex<f64>>) outs(%c : tensor<3xcomplex<f64>>) {
  ^bb0(%x: complex<f64>, %y: complex<f64>, %z: complex<f64>):
    %conj = complex.conj %y : complex<f64>
    %p = complex.mul %x, %conj : complex<f64>
    %q = complex.add %z, %p : complex<f64>
    linalg.yield %q : complex<f64>
  } -> tensor<3xcomplex<f64>>
  return %r : tensor<3xcomplex<f64>>
}

func.func @exponentials(%a: tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>> {
  %e = tensor.empty() : tensor<3x5xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<3x5xcomplex<f32>>) outs(%e : tensor<3x5xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    %y = complex.exp %x : complex<f32>
    linalg.yield %y : complex<f32>
  } -> tensor<3x5xcomplex<f32>>
  return %r : tensor<3x5xcomplex<f32>>
}
