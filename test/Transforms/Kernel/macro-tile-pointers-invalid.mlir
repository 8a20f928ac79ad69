// RUN: gemm-opt %s --macro-tile -split-input-file -verify-diagnostics

func.func @passed(%a: memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>, %b: memref<4x8x8xf32>, %c: memref<4x8x8xf32>) {
  // expected-error @below {{operand A is a batch by pointers that no blas.batch here makes}}
  blas.gemm ins(%a, %b : memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>, memref<4x8x8xf32>) outs(%c : memref<4x8x8xf32>)
    plan(<macro = [8, 8, 8], micro = [4, 4], lanes = [2, 2], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @solved(%a: memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>, %b: memref<4x8x8xf32>) {
  // expected-error @below {{operand A is a batch by pointers that no blas.batch here makes}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>) outs(%b : memref<4x8x8xf32>) plan(<diagonal = 0>)
  return
}

// -----

func.func @viewed(%p: memref<4xi64>) {
  %a = blas.batch %p : memref<4xi64> to memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>
  // expected-error @below {{uses a batch by pointers, 'memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>': blas.gemm, trmm and trsm alone do}}
  %v = memref.subview %a[0, 0, 0] [2, 8, 8] [1, 1, 1] : memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>> to memref<2x8x8xf32, strided<[?, 8, 1]>>
  return
}

// -----

func.func @wide(%p: memref<4xi64>, %b: memref<4x8x8xf32>, %c: memref<4x8x8xf32>) {
  %a = blas.batch %p : memref<4xi64> to memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>
  // expected-error @below {{plan: a: vector = 4, but strides, offset and sizes of the operand allow 1; operand A is 'memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>'}}
  blas.gemm ins(%a, %b : memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>, memref<4x8x8xf32>) outs(%c : memref<4x8x8xf32>)
    plan(<macro = [8, 8, 8], micro = [4, 4], lanes = [2, 2], vector = 4, a = <via = shared, vector = 4>, b = <via = shared, vector = 4>>)
  return
}

// -----

gpu.module @mine {
  gpu.func @kernel(%a: memref<i64>) kernel attributes {blas.contract = #blas.contract<args = [<table a align 4>], tile = [8, 8], workgroup = 4, sharedBytes = 0>} {
    gpu.return
  }
}
func.func @own_kernel(%p: memref<4xi64>, %b: memref<4x8x8xf32>, %c: memref<4x8x8xf32>) {
  %a = blas.batch %p : memref<4xi64> to memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>
  // expected-error @below {{kernel @mine::@kernel does not accept operand A, a batch by pointers}}
  blas.gemm ins(%a, %b : memref<4x8x8xf32, #blas.pointers<strides = [8, 1]>>, memref<4x8x8xf32>) outs(%c : memref<4x8x8xf32>) {blas.kernel = @mine::@kernel}
  return
}
