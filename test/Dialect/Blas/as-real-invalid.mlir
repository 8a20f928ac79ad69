// RUN: gemm-opt %s --split-input-file --verify-diagnostics

func.func @reals(%a: memref<8x7xf64>) {
  // expected-error @+1 {{needs complex matrices with static strides, one of which is 1, and a known size there, got 'memref<8x7xf64>'}}
  %0 = blas.as_real %a : memref<8x7xf64> to memref<8x14xf64>
  return
}

// -----

func.func @anywhere(%a: memref<8x7xcomplex<f64>, strided<[14, 2]>>) {
  // expected-error @+1 {{needs complex matrices with static strides}}
  %0 = blas.as_real %a : memref<8x7xcomplex<f64>, strided<[14, 2]>> to memref<8x14xf64>
  return
}

// -----

func.func @other(%a: memref<8x7xcomplex<f64>>) {
  // expected-error @+1 {{of 'memref<8x7xcomplex<f64>>' makes 'memref<8x14xf64>', not 'memref<16x7xf64>'}}
  %0 = blas.as_real %a : memref<8x7xcomplex<f64>> to memref<16x7xf64>
  return
}

// -----

func.func @unknown(%a: memref<8x7xcomplex<f64>, strided<[?, 1]>>) {
  // expected-error @+1 {{needs complex matrices with static strides}}
  %0 = blas.as_real %a : memref<8x7xcomplex<f64>, strided<[?, 1]>> to memref<8x14xf64, strided<[?, 1]>>
  return
}

// -----

func.func @size(%a: memref<8x?xcomplex<f64>>) {
  // expected-error @+1 {{and a known size there, got}}
  %0 = blas.as_real %a : memref<8x?xcomplex<f64>> to memref<8x?xf64>
  return
}
