// Products that linalg calls otherwise: sides of 1, windows, blocks, sums over several dimensions.
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s
// CHECK-DAG: PASS matvec#0 f32 gemm {{..}} 33x1x40
// CHECK-DAG: PASS vecmat#0 f64 gemm {{..}} 1x40x33
// CHECK-DAG: PASS dot#0 f32 gemm {{..}} 1x1x100
// CHECK-DAG: PASS batch_matvec#0 f32 gemm {{..}} 3 x 17x1x20
// CHECK-DAG: PASS batch_reduce#0 f32 gemm nn 9x7x12
// CHECK-DAG: PASS windows#0 f32 gemm nn 8 x 4x6x12
// CHECK-DAG: PASS windows_channels_first#0 f32 gemm nt 8 x 6x4x3
// CHECK-DAG: PASS pointwise#0 f32 gemm nn 50x6x4
// CHECK-DAG: PASS blocks#0 f32 gemm {{..}} 6 x 8x4x
// CHECK-DAG: PASS half_blocks#0 {{.*}} gemm nn 9x7x12

func.func @matvec(%a: memref<33x40xf32>, %x: memref<40xf32>, %y: memref<33xf32>) {
  linalg.matvec ins(%a, %x : memref<33x40xf32>, memref<40xf32>) outs(%y : memref<33xf32>)
  return
}
func.func @vecmat(%x: memref<33xf64>, %b: memref<33x40xf64>, %y: memref<40xf64>) {
  linalg.vecmat ins(%x, %b : memref<33xf64>, memref<33x40xf64>) outs(%y : memref<40xf64>)
  return
}
func.func @dot(%x: memref<100xf32>, %y: memref<100xf32>, %c: memref<f32>) {
  linalg.dot ins(%x, %y : memref<100xf32>, memref<100xf32>) outs(%c : memref<f32>)
  return
}
func.func @batch_matvec(%a: memref<3x17x20xf32>, %x: memref<3x20xf32>, %y: memref<3x17xf32>) {
  linalg.batch_matvec ins(%a, %x : memref<3x17x20xf32>, memref<3x20xf32>) outs(%y : memref<3x17xf32>)
  return
}
func.func @batch_reduce(%a: memref<5x9x12xf32>, %b: memref<5x12x7xf32>, %c: memref<9x7xf32>) {
  linalg.batch_reduce_matmul ins(%a, %b : memref<5x9x12xf32>, memref<5x12x7xf32>) outs(%c : memref<9x7xf32>)
  return
}
func.func @half_blocks(%a: memref<5x9x12xf16>, %b: memref<5x12x7xf16>, %c: memref<9x7xf16>) {
  linalg.batch_reduce_matmul ins(%a, %b : memref<5x9x12xf16>, memref<5x12x7xf16>) outs(%c : memref<9x7xf16>)
  return
}
func.func @windows(%x: memref<2x9x9x4xf32>, %w: memref<3x3x4x6xf32>, %y: memref<2x4x4x6xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<2x9x9x4xf32>, memref<3x3x4x6xf32>) outs(%y : memref<2x4x4x6xf32>)
  return
}
func.func @windows_channels_first(%x: memref<2x4x9x9xf32>, %w: memref<6x4x3x3xf32>, %y: memref<2x6x4x4xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<2x4x9x9xf32>, memref<6x4x3x3xf32>) outs(%y : memref<2x6x4x4xf32>)
  return
}
func.func @pointwise(%x: memref<2x5x5x4xf32>, %w: memref<1x1x4x6xf32>, %y: memref<2x5x5x6xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : memref<2x5x5x4xf32>, memref<1x1x4x6xf32>) outs(%y : memref<2x5x5x6xf32>)
  return
}
func.func @blocks(%a: memref<2x3x8x4xf32>, %b: memref<3x3x4x4xf32>, %c: memref<2x3x8x4xf32>) {
  linalg.mmt4d ins(%a, %b : memref<2x3x8x4xf32>, memref<3x3x4x4xf32>) outs(%c : memref<2x3x8x4xf32>)
  return
}
