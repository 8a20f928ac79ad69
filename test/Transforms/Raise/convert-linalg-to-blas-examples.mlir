// The perceptron: both products are raised, bias and relu are their epilogues, no fill is left.
// RUN: gemm-opt %source/examples/mlp.mlir --convert-linalg-to-blas | FileCheck %s
// RUN: gemm-opt %source/examples/gemm.mlir --canonicalize | FileCheck %s --check-prefix=GEMM
// RUN: gemm-opt %source/examples/strided.mlir --canonicalize | FileCheck %s --check-prefix=STRIDED

// CHECK-LABEL:   func @mlp
// CHECK-NOT:     linalg.fill
// CHECK:         %[[HIDDEN:.*]] = blas.gemm ins({{.*}} : tensor<512x1024xf32>, tensor<1024x2048xf32>) {{.*}} epilogue(
// CHECK:         arith.addf
// CHECK:         arith.maximumf
// CHECK-NOT:     linalg.{{fill|generic}}
// CHECK:         blas.gemm ins(%[[HIDDEN]], %{{.*}} : tensor<512x2048xf32>, tensor<2048x1000xf32>) {{.*}} epilogue(
// CHECK:         arith.addf
// CHECK-NOT:     linalg.generic

// GEMM-COUNT-5:     blas.gemm
// STRIDED-COUNT-3:  blas.gemm ins
// STRIDED:          blas.gemm opB<t> ins
// STRIDED:          blas.gemm ins
