// RUN: gemm-opt %s --split-input-file --verify-diagnostics

func.func @elements(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'blas.view' op elements of the source are 'f32' but those of the result are 'f64'}}
  %v = blas.view %x map affine_map<(i, j) -> (j, i)> : tensor<4x4xf32> to tensor<4x4xf64>
  return
}

// -----

func.func @rank(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{map needs 2 dimensions and 0 symbols to 1; the result has rank 2 and the source rank 2}}
  %v = blas.view %x map affine_map<(i, j) -> (j)> : tensor<4x4xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @sizes(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{has 0 sizes, expected 1: the dynamic ones of 'tensor<?x4xf32>'}}
  %v = blas.view %x map affine_map<(i, j) -> (j, i)> : tensor<4x?xf32> to tensor<?x4xf32>
  return
}

// -----

func.func @not_linear(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{dimension 1 of the source is read at d0 mod 4, which is no sum of dimensions times constants of 0 or more}}
  %v = blas.view %x map affine_map<(i, j) -> (j, i mod 4)> : tensor<4x4xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @backward(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{dimension 0 of the source is read at -d0, which is no sum}}
  %v = blas.view %x map affine_map<(i, j) -> (-i, j)> : tensor<4x4xf32> to tensor<4x4xf32>
  return
}

// -----

func.func @beyond(%x: tensor<9x4xf32>) {
  // expected-error @+1 {{dimension 0 of the source has size 9, but the result reaches index 9}}
  %v = blas.view %x map affine_map<(o, k, c) -> (o * 2 + k, c)> : tensor<9x4xf32> to tensor<4x4x4xf32>
  return
}

// -----

#sparse = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @encoded(%x: tensor<4x4xf32, #sparse>) {
  // expected-error @+1 {{needs dense tensors without an encoding}}
  %v = blas.view %x map affine_map<(i, j) -> (j, i)> : tensor<4x4xf32, #sparse> to tensor<4x4xf32>
  return
}
