// Products as TOSA has them: a batch, a dense layer (its weight stored (out, in)) and a convolution.
func.func @products(%a: tensor<4x32x64xf32>, %b: tensor<4x64x48xf32>) -> tensor<4x32x48xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %zp, %zp
    : (tensor<4x32x64xf32>, tensor<4x64x48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x32x48xf32>
  return %0 : tensor<4x32x48xf32>
}

func.func @dense(%x: tensor<96x64xf32>, %w: tensor<48x64xf32>, %bias: tensor<1x1x48xf32>)
    -> tensor<96x48xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %s1 = tosa.const_shape {values = dense<[1, 96, 64]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %s2 = tosa.const_shape {values = dense<[1, 64, 48]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %s3 = tosa.const_shape {values = dense<[96, 48]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %x3 = tosa.reshape %x, %s1 : (tensor<96x64xf32>, !tosa.shape<3>) -> tensor<1x96x64xf32>
  %wt = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<48x64xf32>) -> tensor<64x48xf32>
  %w3 = tosa.reshape %wt, %s2 : (tensor<64x48xf32>, !tosa.shape<3>) -> tensor<1x64x48xf32>
  %0 = tosa.matmul %x3, %w3, %zp, %zp
    : (tensor<1x96x64xf32>, tensor<1x64x48xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x96x48xf32>
  %1 = tosa.add %0, %bias : (tensor<1x96x48xf32>, tensor<1x1x48xf32>) -> tensor<1x96x48xf32>
  %2 = tosa.clamp %1 {min_val = 0.0 : f32, max_val = 6.0 : f32}
    : (tensor<1x96x48xf32>) -> tensor<1x96x48xf32>
  %3 = tosa.reshape %2, %s3 : (tensor<1x96x48xf32>, !tosa.shape<2>) -> tensor<96x48xf32>
  return %3 : tensor<96x48xf32>
}

func.func @convolution(%x: tensor<1x16x16x8xf32>, %w: tensor<32x3x3x8xf32>, %bias: tensor<32xf32>)
    -> tensor<1x14x14x32xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %bias, %zp, %zp {acc_type = f32, dilation = array<i64: 1, 1>,
      pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
    : (tensor<1x16x16x8xf32>, tensor<32x3x3x8xf32>, tensor<32xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x14x14x32xf32>
  return %0 : tensor<1x14x14x32xf32>
}
