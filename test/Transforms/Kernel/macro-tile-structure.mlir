// RUN: gemm-opt %s --macro-tile --canonicalize --cse --split-input-file | FileCheck %s

// Elements beside the triangle are zero; the diagonal of a unit one is one. op(A) is upper.
// CHECK-LABEL: gpu.func @pack_f32_t_unit_lower(
// CHECK:         %[[A:.*]] = tile.load
// CHECK:         %[[ONES:.*]] = tile.fill %{{.*}} : f32
// CHECK:         %[[ZEROS:.*]] = tile.fill %{{.*}} : f32
// CHECK:         %[[BESIDE:.*]] = tile.choose upper %[[ONES]], %[[ZEROS]] at[%[[M:.*]], %[[N:.*]]]
// CHECK:         %[[W:.*]] = tile.choose strict upper %{{.*}}, %[[BESIDE]] at[%[[M]], %[[N]]]
// CHECK:         tile.update %[[W]]
func.func @unit(%a: memref<32x32xf32>, %w: memref<32x32xf32>) {
  blas.pack op<t> structure<unit_lower> ins(%a : memref<32x32xf32>) outs(%w : memref<32x32xf32>)
    plan(<tile = [16, 32], threads = 64, vector = 4, path = <via = shared, pad = 4, lanes = 8>>)
  return
}

// -----

// The mirrored elements are read where they lie, conjugated; the diagonal is real.
// CHECK-LABEL: gpu.func @pack_c64_n_hermitian_upper(
// CHECK-COUNT-2: tile.load
// CHECK:         arith.negf
// CHECK:         tile.join
// CHECK:         tile.join
// CHECK:         tile.choose upper
// CHECK:         tile.choose strict upper
func.func @hermitian(%a: memref<32x32xcomplex<f32>>, %w: memref<32x32xcomplex<f32>>) {
  blas.pack structure<hermitian_upper> ins(%a : memref<32x32xcomplex<f32>>) outs(%w : memref<32x32xcomplex<f32>>)
    plan(<tile = [16, 32], threads = 64, vector = 2>)
  return
}

// -----

// A tile at row m has the steps up to m + 32, the last tile first; two at least, the diagonal's.
// CHECK-LABEL: gpu.func @gemm_f32_nn_32x32x16(
// CHECK:         %{{.*}}, %[[M:.*]], %{{.*}} = tile.coord %{{.*}}, %{{.*}} backwards tile [32, 32]
// CHECK:         %[[BEHIND:.*]] = arith.addi %[[M]], %c47
// CHECK:         %[[STEPS:.*]] = arith.divui %[[BEHIND]], %c16
// CHECK:         %[[COUNT:.*]] = arith.minui %[[STEPS]], %c8
// CHECK:         scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1
// CHECK:         tile.least_steps = 2
func.func @lower(%a: memref<128x128xf32>, %b: memref<128x64xf32>, %c: memref<128x64xf32>) {
  blas.gemm structureA<lower> ins(%a, %b : memref<128x128xf32>, memref<128x64xf32>) outs(%c : memref<128x64xf32>)
    plan(<macro = [32, 32, 16], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

// The tile at column n of a lower op(B) begins with step n / 16.
// CHECK-LABEL: gpu.func @gemm_f32_nn_32x32x16(
// CHECK:         %{{.*}}, %{{.*}}, %[[N:.*]] = tile.coord %{{.*}}, %{{.*}} tile [32, 32]
// CHECK:         %[[FIRST:.*]] = arith.divui %[[N]], %c16
// CHECK:         %[[BEGIN:.*]] = arith.minui %{{.*}}, %c4
// CHECK:         arith.muli %[[BEGIN]], %c16
// CHECK:         %[[COUNT:.*]] = arith.subi %c4, %[[BEGIN]]
// CHECK:         scf.for %{{.*}} = %c0 to %[[COUNT]] step %c1
func.func @right(%a: memref<128x64xf32>, %b: memref<64x64xf32>, %c: memref<128x64xf32>) {
  blas.gemm structureB<lower> ins(%a, %b : memref<128x64xf32>, memref<64x64xf32>) outs(%c : memref<128x64xf32>)
    plan(<macro = [32, 32, 16], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

// Fragments of a masked operand are read whole; what is beside the triangle becomes 0 in
// registers, and the diagonal 1, where they are in the matrix. Zeros and ones are made once.
// CHECK-LABEL: gpu.func @gemm_f32_nn_32x32x16(
// CHECK:         %{{.*}}, %[[M:.*]], %{{.*}} = tile.coord
// CHECK:         %[[ONES:.*]] = tile.fill %{{.*}} : f32
// CHECK:         %[[ZEROS:.*]] = tile.fill %{{.*}} : f32
// CHECK:         scf.for
// CHECK:           scf.for %[[SLICE:.*]] = %c0 to %c16
// CHECK:             %[[K:.*]] = arith.addi %[[START:.*]], %[[SLICE]]
// CHECK:             %[[BESIDE:.*]] = tile.choose lower %[[ONES]], %[[ZEROS]] at[%[[M]], %[[K]]]
// CHECK:             %[[A:.*]] = tile.choose strict lower %{{.*}}, %[[BESIDE]] at[%[[M]], %[[K]]]
// CHECK:             tile.mma %[[A]], %{{.*}}
func.func @masked(%a: memref<128x128xf32>, %b: memref<128x64xf32>, %c: memref<128x64xf32>) {
  blas.gemm structureA<unit_lower> masked ins(%a, %b : memref<128x128xf32>, memref<128x64xf32>) outs(%c : memref<128x64xf32>)
    plan(<macro = [32, 32, 16], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}
