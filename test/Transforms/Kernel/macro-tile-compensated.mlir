// RUN: split-file %s %t
// RUN: gemm-opt %t/sums.mlir --macro-tile --canonicalize --cse | FileCheck %s
// RUN: gemm-opt %t/sums.mlir --macro-tile --leap-frog --canonicalize --cse | FileCheck %s --check-prefix=FROG
// RUN: gemm-opt %t/slices.mlir --reduction-select --tile-select="chip=h200" --macro-tile --canonicalize --cse | FileCheck %s --check-prefix=SLICES
// RUN: gemm-opt %t/invalid.mlir --split-input-file --macro-tile --verify-diagnostics
// RUN: gemm-opt %t/chosen.mlir --tile-select="chip=h200" | FileCheck %s --check-prefix=CHOSEN

// The products of a step are added up from 0, the steps with what rounding lost (TwoSum).
//--- sums.mlir
// CHECK-LABEL: gpu.func @gemm_f32_nn_16x16x8(
// CHECK:         %[[NONE:.*]] = tile.fill
// CHECK:         %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args(%[[HIGH:.*]] = %[[NONE]], %[[LOW:.*]] = %[[NONE]])
// CHECK:           %[[STEP:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[NONE]])
// CHECK:             tile.mma
// CHECK:           %[[SUM:.*]] = arith.addf %[[HIGH]], %[[STEP]]
// CHECK:           %[[OF:.*]] = arith.subf %[[SUM]], %[[HIGH]]
// CHECK-DAG:       %[[OF_HIGH:.*]] = arith.subf %[[SUM]], %[[OF]]
// CHECK-DAG:       %[[LOST_HIGH:.*]] = arith.subf %[[HIGH]], %[[OF_HIGH]]
// CHECK-DAG:       %[[LOST_STEP:.*]] = arith.subf %[[STEP]], %[[OF]]
// CHECK:           %[[LOST:.*]] = arith.addf %[[LOST_HIGH]], %[[LOST_STEP]]
// CHECK:           %[[NEXT:.*]] = arith.addf %[[LOW]], %[[LOST]]
// CHECK:           scf.yield %[[SUM]], %[[NEXT]]
// What is no number (of an infinite sum) is left out.
// CHECK:         tile.add_known %[[SUMS]]#0, %[[SUMS]]#1

// Leap-frog: the loads of the next step come before the products of this one, the additions after them.
// FROG-LABEL: gpu.func @gemm_f32_nn_16x16x8(
// FROG:         scf.for {{.*}} iter_args(
// FROG:           tile.load %{{.*}} : memref
// FROG:           tile.mma
// FROG:           arith.addf
// FROG:           tile.store
// FROG:           scf.yield
func.func @sums(%a: memref<16x64xf32>, %b: memref<64x16xf32>, %c: memref<16x16xf32>) {
  blas.gemm compensated ins(%a, %b : memref<16x64xf32>, memref<64x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], summation = compensated,
          a = <via = shared>, b = <via = shared>>)
  return
}

// Each component of complex elements, and the slices of a workspace as well.
//--- slices.mlir
// SLICES-LABEL: gpu.func @gemm_c64_nn_16x16x8_partial(
// SLICES:         scf.for {{.*}} -> (!tile.matrix<16x16xf32, {{.*}}>, !tile.matrix<16x16xf32, {{.*}}>, !tile.matrix<16x16xf32, {{.*}}>, !tile.matrix<16x16xf32, {{.*}}>)
// SLICES:           tile.components
// SLICES:         tile.join
// SLICES-LABEL: gpu.func @reduce_c64(
// SLICES:         tile.components
// SLICES:         tile.join
func.func @slices(%a: memref<16x64xcomplex<f32>>, %b: memref<64x16xcomplex<f32>>, %c: memref<16x16xcomplex<f32>>) {
  blas.gemm ins(%a, %b : memref<16x64xcomplex<f32>>, memref<64x16xcomplex<f32>>) outs(%c : memref<16x16xcomplex<f32>>)
    plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], summation = compensated,
          a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 2>)
  return
}

//--- invalid.mlir
func.func @plain(%a: memref<16x64xf32>, %b: memref<64x16xf32>, %c: memref<16x16xf32>) {
  // expected-error @+1 {{plan: summation = plain and reduction = none, but the operation is compensated: that needs summation = compensated, and no atomic additions}}
  blas.gemm compensated ins(%a, %b : memref<16x64xf32>, memref<64x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @terms(%a: memref<16x512xf32>, %b: memref<512x16xf32>, %c: memref<16x16xf32>) {
  // expected-error @+2 {{plan: summation = compensated of 256 products and 1 parts, but at most 144 terms are added up plainly}}
  blas.gemm ins(%a, %b : memref<16x512xf32>, memref<512x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 256], micro = [4, 4], lanes = [4, 4], summation = compensated, a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @groups(%w: memref<512x1x16xf32>, %c: memref<1x16xf32>) {
  // expected-error @+1 {{plan: groups = 256, but of compensated sums at most 144 terms are added up plainly}}
  blas.reduce compensated ins(%w : memref<512x1x16xf32>) outs(%c : memref<1x16xf32>)
    plan(<tile = [1, 2], threads = 512, groups = 256>)
  return
}

// The planner's plans have such sums where the operation asks, and their slices.
//--- chosen.mlir
// CHOSEN-LABEL: func.func @square
// CHOSEN:         blas.gemm compensated {{.*}}summation = compensated
// CHOSEN-LABEL: func.func @tall
// CHOSEN:         blas.gemm opA<t> anyOrder compensated {{.*}}summation = compensated, {{.*}}reduction = workspace
func.func @square(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  blas.gemm compensated ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
}
func.func @tall(%a: memref<4194304x8xf32>, %b: memref<4194304x8xf32>, %c: memref<8x8xf32>) {
  blas.gemm opA<t> anyOrder compensated ins(%a, %b : memref<4194304x8xf32>, memref<4194304x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
