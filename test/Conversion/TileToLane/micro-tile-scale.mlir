// Constant factors of complex numbers that are real or imaginary: no part meets a 0 of the factor,
// which would make a NaN of an infinite one.
// RUN: gemm-opt %s --micro-tile --cse | FileCheck %s

#map = #tile.map<threads = [], values = [2:(0, 1)]>
!C = memref<1x2xcomplex<f64>, strided<[2, 1]>>
!sum = !tile.matrix<1x2xcomplex<f64>, #map>

gpu.module @kernels {
  // C = i sum + C
  // CHECK-LABEL: gpu.func @imaginary
  // CHECK-NOT:     arith.constant 0.0
  // CHECK-COUNT-2: arith.mulf
  // CHECK-NOT:     arith.mulf
  // CHECK-COUNT-4: math.fma
  // CHECK-NOT:     {{arith.mulf|math.fma}}
  // CHECK:         gpu.return
  gpu.func @imaginary(%c: memref<complex<f64>>, %x: complex<f64>) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %i = complex.constant [0.0 : f64, 1.0 : f64] : complex<f64>
    %one = complex.constant [1.0 : f64, 0.0 : f64] : complex<f64>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [1, 2], strides: [2, 1] : memref<complex<f64>> to !C
    %sum = tile.fill %x : complex<f64> -> !sum
    tile.update %sum, %C[%c0, %c0] alpha(%i : complex<f64>) beta(%one : complex<f64>) : !sum, !C
    gpu.return
  }
}
