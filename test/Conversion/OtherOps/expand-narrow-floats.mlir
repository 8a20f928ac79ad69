// Conversions of floats that LLVM has not become integer arithmetic; test/Unit/NarrowFloatsTest.cpp has all values.
// RUN: gemm-opt %s --expand-narrow-floats --split-input-file --verify-diagnostics | FileCheck %s
// RUN: gemm-opt %s --expand-narrow-floats --expand-narrow-floats --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @product
// CHECK-NOT: arith.extf
// CHECK: arith.bitcast %arg0 : f8E4M3FN to i8
// CHECK: arith.extui
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.truncf
// CHECK: arith.bitcast %{{.*}} : i8 to f8E4M3FN
func.func @product(%x: f8E4M3FN, %y: f8E4M3FN) -> f8E4M3FN {
  %p = arith.mulf %x, %y : f8E4M3FN
  return %p : f8E4M3FN
}

// CHECK-LABEL: func @vectors
// CHECK: arith.bitcast %arg0 : vector<4xf8E5M2> to vector<4xi8>
// CHECK: arith.bitcast %{{.*}} : vector<4xi8> to vector<4xf8E4M3FNUZ>
func.func @vectors(%x: vector<4xf8E5M2>, %y: vector<4xf64>) -> (vector<4xf16>, vector<4xf8E4M3FNUZ>) {
  %a = arith.extf %x : vector<4xf8E5M2> to vector<4xf16>
  %b = arith.truncf %y : vector<4xf64> to vector<4xf8E4M3FNUZ>
  return %a, %b : vector<4xf16>, vector<4xf8E4M3FNUZ>
}

// CHECK-LABEL: func @others
// CHECK-NEXT: arith.extf %arg0 : f16 to f32
// CHECK-NEXT: arith.addf
func.func @others(%x: f16, %y: f32) -> f32 {
  %a = arith.extf %x : f16 to f32
  %b = arith.addf %a, %y : f32
  return %b : f32
}

// -----

func.func @rounds_otherwise(%x: f32) -> f8E5M2 {
  // expected-error @+1 {{from 'f32' to 'f8E5M2' cannot be expanded: narrow floats are rounded to nearest even}}
  %y = arith.truncf %x upward : f32 to f8E5M2
  return %y : f8E5M2
}

// -----

// CHECK-LABEL: func @fused
// CHECK: math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
func.func @fused(%x: f8E4M3FN) -> f8E4M3FN {
  %p = math.fma %x, %x, %x : f8E4M3FN
  return %p : f8E4M3FN
}

// A scale is a power of two: a product, or a quotient, of f32.
// CHECK-LABEL: func @scaled
// CHECK-NOT: arith.scaling
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.divf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: {{arith.(extf|truncf)}}
func.func @scaled(%x: f4E2M1FN, %s: f8E8M0FNU, %y: f32) -> (f32, f4E2M1FN) {
  %w = arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU to f32
  %n = arith.scaling_truncf %y, %s : f32, f8E8M0FNU to f4E2M1FN
  return %w, %n : f32, f4E2M1FN
}

// A named operation has a fixed body; by itself it becomes linalg.generic.
// CHECK-LABEL: func @named
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
func.func @named(%a: tensor<4x8xf8E5M2>, %b: tensor<8x4xf8E5M2>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf8E5M2>, tensor<8x4xf8E5M2>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
