// RUN: gemm-opt %s --operand-pack --canonicalize | FileCheck %s
// RUN: gemm-opt %s --operand-pack --reduction-select --operand-pack --canonicalize | FileCheck %s --check-prefix=REALS

// Complex elements, of which A runs along K: it is copied as it is, and both as real elements after reduction-select.
// CHECK-LABEL: func @reals(
// CHECK:         %[[W:.*]] = memref.alloc() : memref<40x32xcomplex<f32>>
// CHECK:         blas.pack op<t> ins(%{{.*}} : memref<32x40xcomplex<f32>>) outs(%[[W]] : memref<40x32xcomplex<f32>>)
// CHECK-NEXT:    blas.gemm opA<t> math<emulated> ins(%[[W]], %{{.*}} : memref<40x32xcomplex<f32>>, memref<40x64xcomplex<f32>>)
// CHECK-SAME:      products = 6, complex = induced
// CHECK-SAME:      pack = 1
// REALS-LABEL: func @reals(
// REALS:         blas.pack parts<order = [2, 0, 1, 1, 0, 0], chunk = 64> ins(%{{.*}} : memref<40x64xf32>) outs(%[[A:.*]] : memref<384x64xbf16>)
// REALS-NEXT:    blas.pack parts<order = [0, 2, 1, 0, 1, 0], chunk = 64> ins(%{{.*}} : memref<40x128xf32>) outs(%[[B:.*]] : memref<384x128xbf16>)
// REALS-NEXT:    blas.gemm opA<t> math<emulated> partial ins(%[[A]], %[[B]] : memref<384x64xbf16>, memref<384x128xbf16>) outs(%{{.*}} : memref<1x64x128xf32>)
// REALS:         blas.reduce
// REALS:         blas.reduce
#copied = #blas.path<via = shared, vector = 8, pack = 1>
func.func @reals(%a: memref<32x40xcomplex<f32>>, %b: memref<40x64xcomplex<f32>>, %c: memref<32x64xcomplex<f32>>) {
  blas.gemm math<emulated> ins(%a, %b : memref<32x40xcomplex<f32>>, memref<40x64xcomplex<f32>>) outs(%c : memref<32x64xcomplex<f32>>)
    plan(<macro = [64, 32, 16], micro = [4, 4], lanes = [8, 4], mma = m16n8k16_bf16, products = 6, complex = induced, promote = 24,
          a = #copied, b = #copied, stages = 2, reduction = workspace>)
  return
}
