// Functions that are applied before the store, verified on their own operands.
// RUN: gemm-run %s --device=cpu | FileCheck %s
// RUN: gemm-run %s --device=cpu --seed=5 | FileCheck %s

// CHECK: PASS bias_relu#0 f32 gemm nn 17x24x9
func.func @bias_relu(%a: memref<17x9xf32>, %b: memref<9x24xf32>, %c: memref<17x24xf32>, %bias: memref<24xf32>) {
  blas.gemm ins(%a, %b : memref<17x9xf32>, memref<9x24xf32>) outs(%c : memref<17x24xf32>)
    epilogue(%sum: f32, %x = %bias[1] : memref<24xf32>) {
      %zero = arith.constant 0.0 : f32
      %0 = arith.addf %sum, %x : f32
      %1 = arith.cmpf ogt, %0, %zero : f32
      %2 = arith.select %1, %0, %zero : f32
      blas.yield %2 : f32
    }
  return
}

// A transposed residual of a batch, with beta and a scalar that comes at run time.
// CHECK: PASS transposed#0 f64 gemm nn 3 x 6x10x4
func.func @transposed(%a: memref<3x6x4xf64>, %b: memref<4x10xf64>, %c: memref<3x6x10xf64>, %r: memref<10x6x3xf64>, %s: f64, %beta: f64) {
  blas.gemm ins(%a, %b : memref<3x6x4xf64>, memref<4x10xf64>) outs(%c : memref<3x6x10xf64>) beta(%beta : f64)
    epilogue(%sum: f64, %x = %r[2, 1, 0] : memref<10x6x3xf64>, %y = %s : f64) {
      %0 = math.absf %sum : f64
      %1 = arith.divf %x, %y : f64
      %2 = arith.subf %0, %1 : f64
      blas.yield %2 : f64
    }
  return
}

// Complex numbers, one number for all of C in memory.
// CHECK: PASS complex#0 c64 gemm cn 5x7x3
func.func @complex(%a: memref<3x5xcomplex<f32>>, %b: memref<3x7xcomplex<f32>>, %c: memref<5x7xcomplex<f32>>, %s: memref<complex<f32>>) {
  blas.gemm opA<c> ins(%a, %b : memref<3x5xcomplex<f32>>, memref<3x7xcomplex<f32>>) outs(%c : memref<5x7xcomplex<f32>>)
    epilogue(%sum: complex<f32>, %x = %s[] : memref<complex<f32>>) {
      %0 = complex.conj %sum : complex<f32>
      %1 = complex.add %0, %x : complex<f32>
      %re = complex.re %1 : complex<f32>
      %im = complex.im %sum : complex<f32>
      %2 = complex.create %im, %re : complex<f32>
      blas.yield %2 : complex<f32>
    }
  return
}

// No product: what is left is verified as well.
// CHECK: PASS nothing#0 f16/f16/f16/f32 gemm nn 4x8x0 {{.*}}folded
func.func @nothing(%a: memref<4x0xf16>, %b: memref<0x8xf16>, %c: memref<4x8xf16>, %bias: memref<4xf16>) {
  blas.gemm ins(%a, %b : memref<4x0xf16>, memref<0x8xf16>) outs(%c : memref<4x8xf16>)
    epilogue(%sum: f32, %x = %bias[0] : memref<4xf16>) {
      %0 = arith.truncf %sum : f32 to f16
      %1 = arith.subf %0, %x : f16
      %2 = arith.extf %1 : f16 to f32
      blas.yield %2 : f32
    }
  return
}
