// Plans with products = 3: three real products of a complex one, each with sums of its own (3M).
// RUN: split-file %s %t
// RUN: gemm-opt %t/plain.mlir --macro-tile | FileCheck %s
// RUN: gemm-opt %t/plain.mlir --macro-tile --leap-frog | FileCheck %s --check-prefix=FROG
// RUN: gemm-opt %t/conjugate.mlir --macro-tile | FileCheck %s --check-prefix=CONJUGATE
// RUN: gemm-opt %t/invalid.mlir --split-input-file --macro-tile --verify-diagnostics

// CHECK: %[[ZERO:.*]] = tile.fill %{{.*}} : f32 -> !tile.matrix<16x16xf32
// CHECK: %[[SUMS:.*]]:3 = scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %[[ZERO]], %{{.*}} = %[[ZERO]])
// CHECK: scf.for {{.*}} iter_args(%[[S0:.*]] = %{{.*}}, %[[S1:.*]] = %{{.*}}, %[[S2:.*]] = %{{.*}})
// CHECK: %[[A:.*]] = tile.load {{.*}} -> !tile.matrix<16x1xcomplex<f32>
// CHECK: %[[B:.*]] = tile.load {{.*}} -> !tile.matrix<1x16xcomplex<f32>
// CHECK: %[[AR:.*]], %[[AI:.*]] = tile.components %[[A]]
// CHECK: %[[BR:.*]], %[[BI:.*]] = tile.components %[[B]]
// CHECK-DAG: tile.mma %[[AR]], %[[BR]], %[[S0]] :
// CHECK-DAG: tile.mma %[[AI]], %[[BI]], %[[S1]] :
// CHECK-DAG: %[[AS:.*]] = arith.addf %[[AR]], %[[AI]]
// CHECK-DAG: %[[BS:.*]] = arith.addf %[[BR]], %[[BI]]
// CHECK: tile.mma %[[AS]], %[[BS]], %[[S2]] :
// CHECK: tile.slices
// CHECK: %[[RE:.*]] = arith.subf %[[SUMS]]#0, %[[SUMS]]#1
// CHECK: %[[BOTH:.*]] = arith.subf %[[SUMS]]#2, %[[SUMS]]#0
// CHECK: %[[IM:.*]] = arith.subf %[[BOTH]], %[[SUMS]]#1
// CHECK: %[[C:.*]] = tile.join %[[RE]], %[[IM]]
// CHECK: tile.update %[[C]]

// The fragments of the next slice are on their way while parts of this one are multiplied.
// FROG: scf.for {{.*}} iter_args({{.*}}, %[[A:[a-z0-9]+]] = %{{[0-9]+}}, %[[B:[a-z0-9]+]] = %{{[0-9]+}}) -> ({{.*}}!tile.matrix<16x1xcomplex<f32>
// FROG: tile.load {{.*}} -> !tile.matrix<16x1xcomplex<f32>
// FROG: tile.load {{.*}} -> !tile.matrix<1x16xcomplex<f32>
// FROG: tile.components %[[A]]
// FROG: tile.components %[[B]]
// FROG: tile.slices

//--- plain.mlir
func.func @plain(%a: memref<16x32xcomplex<f32>>, %b: memref<32x16xcomplex<f32>>, %c: memref<16x16xcomplex<f32>>) {
  blas.gemm math<emulated> ins(%a, %b : memref<16x32xcomplex<f32>>, memref<32x16xcomplex<f32>>) outs(%c : memref<16x16xcomplex<f32>>)
    plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], products = 3, a = <via = shared>, b = <via = shared>>)
  return
}

// A conjugate changes the sign of its imaginary part: in sums of components, and in the product of those of one alone.
// CONJUGATE: %[[AR:.*]], %[[AI:.*]] = tile.components
// CONJUGATE: %[[BR:.*]], %[[BI:.*]] = tile.components
// CONJUGATE-DAG: arith.subf %[[AR]], %[[AI]]
// CONJUGATE-DAG: arith.addf %[[BR]], %[[BI]]
// CONJUGATE: arith.negf
// CONJUGATE: tile.join

//--- conjugate.mlir
func.func @conjugate(%a: memref<32x16xcomplex<f64>>, %b: memref<32x16xcomplex<f64>>, %c: memref<16x16xcomplex<f64>>) {
  blas.gemm opA<c> math<emulated> ins(%a, %b : memref<32x16xcomplex<f64>>, memref<32x16xcomplex<f64>>) outs(%c : memref<16x16xcomplex<f64>>)
    plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], mma = m16n8k4_f64, products = 3, a = <via = shared>, b = <via = shared>>)
  return
}

//--- invalid.mlir
func.func @strict(%a: memref<16x32xcomplex<f32>>, %b: memref<32x16xcomplex<f32>>, %c: memref<16x16xcomplex<f32>>) {
  // expected-error @+1 {{plan: products = 3 replaces four of complex elements of one type, where the operation has math<emulated>}}
  blas.gemm ins(%a, %b : memref<16x32xcomplex<f32>>, memref<32x16xcomplex<f32>>) outs(%c : memref<16x16xcomplex<f32>>)
    plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], products = 3, a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @real(%a: memref<16x32xf32>, %b: memref<32x16xcomplex<f32>>, %c: memref<16x16xcomplex<f32>>) {
  // expected-error @+1 {{plan: products = 3 replaces four of complex elements of one type, where the operation has math<emulated>}}
  blas.gemm math<emulated> ins(%a, %b : memref<16x32xf32>, memref<32x16xcomplex<f32>>) outs(%c : memref<16x16xcomplex<f32>>)
    plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], products = 3, a = <via = shared>, b = <via = shared>>)
  return
}
