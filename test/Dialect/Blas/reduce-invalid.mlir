// RUN: gemm-opt %s -verify-diagnostics -split-input-file

func.func @rank(%w: memref<4x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{operand W has rank 2, expected one more than C, 3}}
  blas.reduce ins(%w : memref<4x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @vector(%w: memref<4x6xf32>, %c: memref<6xf32>) {
  // expected-error @+1 {{operand C has rank 1, expected at least 2}}
  blas.reduce ins(%w : memref<4x6xf32>) outs(%c : memref<6xf32>)
  return
}

// -----

func.func @size(%w: memref<2x4x7xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{slices of W have size 7 along dimension 1 but C has 6}}
  blas.reduce ins(%w : memref<2x4x7xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @types(%w: memref<2x4x6xf32>, %c: memref<4x6xf64>) {
  // expected-error @+1 {{accumulators of 'f32' do not hold elements of C of 'f64'}}
  blas.reduce ins(%w : memref<2x4x6xf32>) outs(%c : memref<4x6xf64>)
  return
}

// -----

func.func @element(%w: memref<2x4x6xi32>, %c: memref<4x6xi32>) {
  // expected-error @+1 {{operand W has elements of 'i32', expected f16}}
  blas.reduce ins(%w : memref<2x4x6xi32>) outs(%c : memref<4x6xi32>)
  return
}

// -----

func.func @scalar(%w: memref<2x4x6xf32>, %c: memref<4x6xf32>, %beta: f64) {
  // expected-error @+1 {{operand beta is 'f64' but slices are summed in 'f32'}}
  blas.reduce ins(%w : memref<2x4x6xf32>) outs(%c : memref<4x6xf32>) beta(%beta : f64)
  return
}

// -----

func.func @mixed(%w: tensor<2x4x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{mixes tensors and memrefs: operand W is 'tensor<2x4x6xf32>', C is 'memref<4x6xf32>'}}
  blas.reduce ins(%w : tensor<2x4x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @overlap(%w: memref<2x4x6xf32>, %c: memref<4x6xf32, strided<[0, 1]>>) {
  // expected-error @+1 {{output C has stride 0 along dimension 0: its elements overlap}}
  blas.reduce ins(%w : memref<2x4x6xf32>) outs(%c : memref<4x6xf32, strided<[0, 1]>>)
  return
}

// -----

func.func @slices(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{partial: operand C is 'memref<4x6xf32>', expected a leading dimension of 1 or more slices}}
  blas.gemm partial ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @dynamic_slices(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<?x4x6xf32>) {
  // expected-error @+1 {{expected a leading dimension of 1 or more slices}}
  blas.gemm partial ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<?x4x6xf32>)
  return
}

// -----

func.func @partial_beta(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<2x4x6xf32>, %beta: f32) {
  // expected-error @+1 {{partial sums accept no beta}}
  blas.gemm partial ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<2x4x6xf32>) beta(%beta : f32)
  return
}

// -----

// The batch of A is that of a slice of C.
func.func @partial_batch(%a: memref<3x4x8xf32>, %b: memref<8x6xf32>, %c: memref<3x2x4x6xf32>) {
  // expected-error @+1 {{batch dimension 0 of operand A is 3 but that of C is 2}}
  blas.gemm partial ins(%a, %b : memref<3x4x8xf32>, memref<8x6xf32>) outs(%c : memref<3x2x4x6xf32>)
  return
}

// -----

func.func @workspace_type(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>, %w: memref<4x6xf32>) {
  // expected-error @+1 {{workspace is 'memref<4x6xf32>', expected a contiguous memref of rank 1 of 'f32'}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>) workspace(%w : memref<4x6xf32>)
  return
}

// -----

func.func @workspace_size(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>, %w: memref<47xf32>) {
  // expected-error @+1 {{workspace has 47 elements but the plan needs 48}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>) workspace(%w : memref<47xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 2>)
  return
}

// -----

// expected-error @+1 {{plan: splits = 0 is not in 1 .. 65536}}
#no_splits = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>,
                        b = <via = shared>, reduction = atomic, splits = 0>

// -----

// expected-error @+1 {{plan: splits = 2 with reduction = none: partial sums must be combined}}
#no_reduction = #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>,
                           b = <via = shared>, splits = 2>

// -----

// expected-error @+1 {{tiling: a tile of 8x6 in accesses of 4 does not divide evenly among 32 threads}}
#tiling = #blas.tiling<tile = [8, 6], threads = 32, vector = 4>

// -----

// expected-error @+1 {{tiling: threads = 0 is not in 1 .. 1024}}
#tiling = #blas.tiling<tile = [8, 8], threads = 0>

// -----

// expected-error @+1 {{contract: splits = 3 is not a positive multiple of cluster = 2}}
#contract = #blas.contract<args = [], tile = [16, 16], workgroup = 64, sharedBytes = 0, splits = 3, cluster = 2>

// -----

func.func @overlap(%w: memref<2x8x4xf32>, %c: memref<8x4xf32, strided<[2, 1]>>) {
  // expected-error @+1 {{output C overlaps itself: 1 steps of stride 2 along dimension 0, of size 8, and 2 of stride 1 along dimension 1, of size 4, are as long}}
  blas.reduce ins(%w : memref<2x8x4xf32>) outs(%c : memref<8x4xf32, strided<[2, 1]>>)
  return
}
