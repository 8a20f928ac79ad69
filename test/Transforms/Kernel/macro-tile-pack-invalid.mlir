// RUN: gemm-opt %s --macro-tile -verify-diagnostics -split-input-file

func.func @unplanned(%a: memref<16x8xf32>, %w: memref<8x16xf32>) {
  // expected-error @+1 {{has no plan: run tile-select first, or write one}}
  blas.pack op<t> ins(%a : memref<16x8xf32>) outs(%w : memref<8x16xf32>)
  return
}

// -----

func.func @tensors(%a: tensor<16x8xf32>, %w: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @+1 {{macro-tile works on memrefs: bufferize first}}
  %0 = blas.pack op<t> ins(%a : tensor<16x8xf32>) outs(%w : tensor<8x16xf32>)
    plan(<tile = [8, 16], threads = 32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

func.func @write(%a: memref<15x8xf32>, %w: memref<8x15xf32>) {
  // expected-error @+1 {{plan: vector = 4 but accesses to operand W, 'memref<8x15xf32>', are contiguous and aligned for 1 at most}}
  blas.pack op<t> ins(%a : memref<15x8xf32>) outs(%w : memref<8x15xf32>)
    plan(<tile = [8, 16], threads = 32, vector = 4>)
  return
}

// -----

func.func @read(%a: memref<16x7xf32>, %w: memref<7x16xf32>) {
  // expected-error @+1 {{plan: path has vector = 4 but accesses to operand A, 'memref<16x7xf32>', are contiguous and aligned for 1 at most along its rows}}
  blas.pack op<t> ins(%a : memref<16x7xf32>) outs(%w : memref<7x16xf32>)
    plan(<tile = [8, 16], threads = 32, path = <via = shared, vector = 4>>)
  return
}

// -----

func.func @swizzle(%a: memref<16x8xf32>, %w: memref<8x16xf32>) {
  // expected-error @+1 {{elements change places, which do not divide rows of 24}}
  blas.pack op<t> ins(%a : memref<16x8xf32>) outs(%w : memref<8x16xf32>)
    plan(<tile = [32, 24], threads = 32, path = <via = shared, swizzle = 8>>)
  return
}

// -----

func.func @divides(%a: memref<16x8xf32>, %w: memref<8x16xf32>) {
  // expected-error @+1 {{plan: the tile does not divide evenly among 32 threads}}
  blas.pack op<t> ins(%a : memref<16x8xf32>) outs(%w : memref<8x16xf32>)
    plan(<tile = [8, 16], threads = 32, path = <via = shared, lanes = 3>>)
  return
}

// -----

func.func @packed_product(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) {
  // expected-error @+1 {{plan: pack = 1: run operand-pack first}}
  blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared>>)
  return
}
