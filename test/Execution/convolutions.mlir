// Convolutions with a window of 1 x 1 (or 1, or 1 x 1 x 1) are products of matrices: compared with upstream's loops.
// RUN: gemm-run %s --device=cpu --against=loops | FileCheck %s --implicit-check-not=FAIL
// RUN: gemm-opt %s --convert-linalg-to-blas 2>&1 | FileCheck %s --check-prefix=RAISED --implicit-check-not=linalg.conv --implicit-check-not=remark --implicit-check-not=scf.for

// RAISED-LABEL: func @pixels(
// RAISED: blas.gemm ins({{.*}} : tensor<70x12xf32>, tensor<12x9xf32>)
func.func @pixels(%x: tensor<2x7x5x12xf32>, %w: tensor<1x1x12x9xf32>) -> tensor<2x7x5x9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x7x5x9xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x7x5x9xf32>) -> tensor<2x7x5x9xf32>
  %y = linalg.conv_2d_nhwc_hwcf
    ins(%x, %w : tensor<2x7x5x12xf32>, tensor<1x1x12x9xf32>) outs(%zeros : tensor<2x7x5x9xf32>) -> tensor<2x7x5x9xf32>
  return %y : tensor<2x7x5x9xf32>
}

// RAISED-LABEL: func @filters_first(
// RAISED: blas.gemm opB<t> ins({{.*}} : tensor<70x12xf32>, tensor<9x12xf32>)
func.func @filters_first(%x: tensor<2x7x5x12xf32>, %w: tensor<9x1x1x12xf32>) -> tensor<2x7x5x9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x7x5x9xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x7x5x9xf32>) -> tensor<2x7x5x9xf32>
  %y = linalg.conv_2d_nhwc_fhwc
    ins(%x, %w : tensor<2x7x5x12xf32>, tensor<9x1x1x12xf32>) outs(%zeros : tensor<2x7x5x9xf32>) -> tensor<2x7x5x9xf32>
  return %y : tensor<2x7x5x9xf32>
}

// RAISED-LABEL: func @channels_first(
// RAISED: blas.gemm ins({{.*}} : tensor<9x12xf32>, tensor<2x12x35xf32>)
func.func @channels_first(%x: tensor<2x12x7x5xf32>, %w: tensor<9x12x1x1xf32>) -> tensor<2x9x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x9x7x5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x9x7x5xf32>) -> tensor<2x9x7x5xf32>
  %y = linalg.conv_2d_nchw_fchw
    ins(%x, %w : tensor<2x12x7x5xf32>, tensor<9x12x1x1xf32>) outs(%zeros : tensor<2x9x7x5xf32>) -> tensor<2x9x7x5xf32>
  return %y : tensor<2x9x7x5xf32>
}

// RAISED-LABEL: func @groups(
// RAISED: blas.gemm ins({{.*}} : tensor<2x3x6x4xf32>, tensor<2x3x4x35xf32>)
func.func @groups(%x: tensor<2x3x4x7x5xf32>, %w: tensor<3x6x4x1x1xf32>) -> tensor<2x3x6x7x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x6x7x5xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x6x7x5xf32>) -> tensor<2x3x6x7x5xf32>
  %y = linalg.conv_2d_ngchw_gfchw
    ins(%x, %w : tensor<2x3x4x7x5xf32>, tensor<3x6x4x1x1xf32>) outs(%zeros : tensor<2x3x6x7x5xf32>) -> tensor<2x3x6x7x5xf32>
  return %y : tensor<2x3x6x7x5xf32>
}

// RAISED-LABEL: func @line(
// RAISED: blas.gemm ins({{.*}} : tensor<22x12xf32>, tensor<12x9xf32>)
func.func @line(%x: tensor<2x11x12xf32>, %w: tensor<1x12x9xf32>) -> tensor<2x11x9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x11x9xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x11x9xf32>) -> tensor<2x11x9xf32>
  %y = linalg.conv_1d_nwc_wcf
    ins(%x, %w : tensor<2x11x12xf32>, tensor<1x12x9xf32>) outs(%zeros : tensor<2x11x9xf32>) -> tensor<2x11x9xf32>
  return %y : tensor<2x11x9xf32>
}

// RAISED-LABEL: func @line_channels_first(
// RAISED: blas.gemm ins({{.*}} : tensor<9x12xf32>, tensor<2x12x11xf32>)
func.func @line_channels_first(%x: tensor<2x12x11xf32>, %w: tensor<9x12x1xf32>) -> tensor<2x9x11xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x9x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x9x11xf32>) -> tensor<2x9x11xf32>
  %y = linalg.conv_1d_ncw_fcw
    ins(%x, %w : tensor<2x12x11xf32>, tensor<9x12x1xf32>) outs(%zeros : tensor<2x9x11xf32>) -> tensor<2x9x11xf32>
  return %y : tensor<2x9x11xf32>
}

// RAISED-LABEL: func @volume(
// RAISED: blas.gemm ins({{.*}} : tensor<120x12xf32>, tensor<12x9xf32>)
func.func @volume(%x: tensor<2x3x4x5x12xf32>, %w: tensor<1x1x1x12x9xf32>) -> tensor<2x3x4x5x9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x3x4x5x9xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3x4x5x9xf32>) -> tensor<2x3x4x5x9xf32>
  %y = linalg.conv_3d_ndhwc_dhwcf
    ins(%x, %w : tensor<2x3x4x5x12xf32>, tensor<1x1x1x12x9xf32>) outs(%zeros : tensor<2x3x4x5x9xf32>) -> tensor<2x3x4x5x9xf32>
  return %y : tensor<2x3x4x5x9xf32>
}

// RAISED-LABEL: func @steps(
// RAISED: blas.gemm ins({{.*}} : tensor<2x4x5x12xf32>, tensor<12x9xf32>)
func.func @steps(%x: tensor<2x7x9x12xf32>, %w: tensor<1x1x12x9xf32>) -> tensor<2x4x5x9xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4x5x9xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4x5x9xf32>) -> tensor<2x4x5x9xf32>
  %y = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : tensor<2x7x9x12xf32>, tensor<1x1x12x9xf32>) outs(%zeros : tensor<2x4x5x9xf32>) -> tensor<2x4x5x9xf32>
  return %y : tensor<2x4x5x9xf32>
}

// The output of dynamic sizes has the number of pixels.
// RAISED-LABEL: func @dynamic(
// RAISED: blas.gemm ins({{.*}} : tensor<?x?x?x12xf32>, tensor<12x9xf32>)
func.func @dynamic(%x: tensor<?x?x?x12xf32> {rooftile.sizes = array<i64: 2, 7, 5, 12>}, %w: tensor<1x1x12x9xf32>,
                   %y: tensor<?x?x?x9xf32> {rooftile.sizes = array<i64: 2, 7, 5, 9>}) -> tensor<?x?x?x9xf32> {
  %d = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x?x?x12xf32>, tensor<1x1x12x9xf32>)
    outs(%y : tensor<?x?x?x9xf32>) -> tensor<?x?x?x9xf32>
  return %d : tensor<?x?x?x9xf32>
}
