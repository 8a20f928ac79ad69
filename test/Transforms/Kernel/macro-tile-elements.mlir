// Each operand keeps its own element type; accumulators have their own.
// RUN: gemm-opt %s --split-input-file --macro-tile --canonicalize --cse | FileCheck %s

// A complex pointer is tested: its elements lie at multiples of their size.
// CHECK-LABEL: func.func @complex
// CHECK-SAME: %[[A:.*]]: memref<4x8xcomplex<f32>>, %[[B:.*]]: memref<8x4xf32>, %[[C:.*]]: memref<8x8xcomplex<f32>>, %[[ALPHA:.*]]: complex<f32>
// CHECK: call @rooftileIsAligned(%{{.*}}, %c8_i64, %{{.*}}) : (i64, i64, i64) -> i1
// CHECK: gpu.launch_func @gemm_c64_f32_c64_cc_4x4x2_module::@gemm_c64_f32_c64_cc_4x4x2
// CHECK-SAME: %[[ALPHA]] : complex<f32>)
// CHECK: gpu.func @gemm_c64_f32_c64_cc_4x4x2(%{{.*}}: memref<complex<f32>> {llvm.align = 8 : i64, {{.*}}: memref<f32> {llvm.align = 4 : i64, {{.*}}: memref<complex<f32>> {llvm.align = 8 : i64, {{.*}}, %[[SCALE:.*]]: complex<f32>)
// CHECK-SAME: sharedBytes = 256
// CHECK: tile.alloc : !tile.buffer<1 x 4x2xcomplex<f32>, strides = [1, 4]>
// CHECK: tile.alloc : !tile.buffer<1 x 2x4xf32, strides = [4, 1]>
// CHECK: tile.fill %{{.*}} : complex<f32> -> !tile.matrix<4x4xcomplex<f32>
// alpha = 0 leaves A and B unread: neither part may count.
// CHECK: %[[RE:.*]] = complex.re %[[SCALE]]
// CHECK: arith.cmpf une, %[[RE]]
// CHECK: %[[IM:.*]] = complex.im %[[SCALE]]
// CHECK: arith.cmpf une, %[[IM]]
// CHECK: arith.ori
// Only what is complex is conjugated.
// CHECK: tile.mma %{{.*}}, %{{.*}}, %{{.*}} conjugateA : !tile.matrix<4x1xcomplex<f32>, {{.*}}>, !tile.matrix<1x4xf32, {{.*}}>, !tile.matrix<4x4xcomplex<f32>
// CHECK: tile.update %{{.*}} alpha(%[[SCALE]] : complex<f32>)
#plan = #blas.plan<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>, stages = 1>
func.func @complex(%a: memref<4x8xcomplex<f32>>, %b: memref<8x4xf32>, %c: memref<8x8xcomplex<f32>>, %alpha: complex<f32>) {
  blas.gemm opA<c> opB<c> ins(%a, %b : memref<4x8xcomplex<f32>>, memref<8x4xf32>) outs(%c : memref<8x8xcomplex<f32>>)
    alpha(%alpha : complex<f32>) plan(#plan)
  return
}

// -----

// f16 in shared memory, sums in f32, exchanged in f32 and rounded to bf16.
// CHECK-LABEL: func.func @narrow
// CHECK: gpu.func @gemm_f16_nn_4x4x2(
// CHECK-SAME: sharedBytes = 256
// CHECK: tile.alloc : !tile.buffer<1 x 4x2xf16, strides = [1, 4]>
// CHECK: tile.mma {{.*}} : !tile.matrix<4x1xf16, {{.*}}>, !tile.matrix<1x4xf16, {{.*}}>, !tile.matrix<4x4xf32, {{.*}}>
// CHECK: tile.alloc over : !tile.buffer<1 x 4x4xf32, strides = [8, 1]>
// CHECK: tile.update {{.*}} : !tile.matrix<4x4xf32, {{.*}}>, memref<8x8xf16, strided<[8, 1]>>
func.func @narrow(%a: memref<8x4xf16>, %b: memref<4x8xf16>, %c: memref<8x8xf16>) {
  blas.gemm ins(%a, %b : memref<8x4xf16>, memref<4x8xf16>) outs(%c : memref<8x8xf16>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>, c = shared, stages = 1>)
  return
}

// -----

// Sums wider than everything: W is of f64, C of f32.
// CHECK-LABEL: func.func @sum
// CHECK: gpu.func @reduce_f64_f32(
// CHECK: tile.add %{{.*}}, %{{.*}} : !tile.matrix<4x32xf64
// CHECK: tile.update {{.*}} : !tile.matrix<4x32xf64, {{.*}}>, memref<16x32xf32, strided<[32, 1]>>
func.func @sum(%w: memref<3x16x32xf64>, %c: memref<16x32xf32>) {
  blas.reduce ins(%w : memref<3x16x32xf64>) outs(%c : memref<16x32xf32>) plan(<tile = [4, 32], threads = 32>)
  return
}
