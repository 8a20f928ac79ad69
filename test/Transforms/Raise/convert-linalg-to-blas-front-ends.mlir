// Products of front ends that were not lowered to linalg: the remark names the pass that does it.
// RUN: gemm-opt %s --convert-linalg-to-blas --allow-unregistered-dialect 2>&1 | FileCheck %s

// CHECK: remark: tosa.conv2d stays: products are read from linalg: run tosa-to-linalg-named first
// CHECK: remark: stablehlo.dot_general stays: products are read from linalg: run stablehlo-legalize-to-linalg first
// CHECK: remark: torch.aten.mm stays: products are read from linalg: run convert-torch-to-linalg first
// CHECK-NOT: remark
func.func @products(%a: tensor<1x4x4x8xf32>, %b: tensor<8x1x1x8xf32>) -> (tensor<1x4x4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = "tosa.conv2d"(%a, %b) : (tensor<1x4x4x8xf32>, tensor<8x1x1x8xf32>) -> tensor<1x4x4x8xf32>
  %1 = "stablehlo.dot_general"(%a, %b) : (tensor<1x4x4x8xf32>, tensor<8x1x1x8xf32>) -> tensor<4x4xf32>
  %2 = "torch.aten.mm"(%a, %b) : (tensor<1x4x4x8xf32>, tensor<8x1x1x8xf32>) -> tensor<4x4xf32>
  %3 = "torch.aten.relu"(%2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3 : tensor<1x4x4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}
