// RUN: gemm-opt %s -verify-diagnostics -split-input-file

func.func @adjoint(%a: memref<4x6xcomplex<f32>>, %w: memref<6x4xcomplex<f32>>) {
  // expected-error @+1 {{op is c, but copies are n or t}}
  blas.pack op<c> ins(%a : memref<4x6xcomplex<f32>>) outs(%w : memref<6x4xcomplex<f32>>)
  return
}

// -----

func.func @types(%a: memref<4x6xf32>, %w: memref<4x6xf64>) {
  // expected-error @+1 {{elements of A are 'f32' but those of W are 'f64'}}
  blas.pack ins(%a : memref<4x6xf32>) outs(%w : memref<4x6xf64>)
  return
}

// -----

func.func @integers(%a: memref<4x6xi32>, %w: memref<4x6xi32>) {
  // expected-error @+1 {{operand A has elements of 'i32', expected f16}}
  blas.pack ins(%a : memref<4x6xi32>) outs(%w : memref<4x6xi32>)
  return
}

// -----

func.func @small(%a: memref<4x6xf32>, %w: memref<6x3xf32>) {
  // expected-error @+1 {{op(A) has 4 columns but W has 3}}
  blas.pack op<t> ins(%a : memref<4x6xf32>) outs(%w : memref<6x3xf32>)
  return
}

// -----

func.func @rows(%a: memref<4x6xf32>, %w: memref<3x8xf32>) {
  // expected-error @+1 {{op(A) has 4 rows but W has 3}}
  blas.pack ins(%a : memref<4x6xf32>) outs(%w : memref<3x8xf32>)
  return
}

// -----

func.func @rank(%a: memref<2x4x6xf32>, %w: memref<4x6xf32>) {
  // expected-error @+1 {{operand A has rank 3 but W has rank 2}}
  blas.pack ins(%a : memref<2x4x6xf32>) outs(%w : memref<4x6xf32>)
  return
}

// -----

func.func @row(%a: memref<6xf32>, %w: memref<6xf32>) {
  // expected-error @+1 {{operand A has rank 1, expected at least 2}}
  blas.pack ins(%a : memref<6xf32>) outs(%w : memref<6xf32>)
  return
}

// -----

func.func @batch(%a: memref<2x4x6xf32>, %w: memref<3x4x6xf32>) {
  // expected-error @+1 {{batch dimension 0 of operand A is 2 but that of W is 3}}
  blas.pack ins(%a : memref<2x4x6xf32>) outs(%w : memref<3x4x6xf32>)
  return
}

// -----

func.func @mixed(%a: tensor<4x6xf32>, %w: memref<4x6xf32>) {
  // expected-error @+1 {{mixes tensors and memrefs: operand A is 'tensor<4x6xf32>', W is 'memref<4x6xf32>'}}
  blas.pack ins(%a : tensor<4x6xf32>) outs(%w : memref<4x6xf32>)
  return
}

// -----

func.func @itself(%a: memref<4x4xf32>) {
  // expected-error @+1 {{output W is also operand A: the output must not overlap an input}}
  blas.pack op<t> ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

func.func @aligned(%a: memref<?x?xf32>, %w: memref<?x?xf32>) {
  // expected-error @+1 {{aligned = 8 is not a power of 2 up to 4, 16 bytes of 'f32'}}
  blas.pack ins(%a : memref<?x?xf32>) outs(%w : memref<?x?xf32>) aligned(8)
  return
}

// -----

func.func @odd(%a: memref<?x6xf32>, %w: memref<?x7xf32>) {
  // expected-error @+1 {{aligned = 4 but operand W, 'memref<?x7xf32>', allows 1}}
  blas.pack ins(%a : memref<?x6xf32>) outs(%w : memref<?x7xf32>) aligned(4)
  return
}

// -----

// Without `padded`, sizes agree; with it, op(A) has no fewer rows.
func.func @unpadded(%a: memref<8x64xf32>, %b: memref<8x32xf32>, %c: memref<63x32xf32>) {
  // expected-error @+1 {{M differs: op(A) has 64 rows but C has 63 rows}}
  blas.gemm opA<t> ins(%a, %b : memref<8x64xf32>, memref<8x32xf32>) outs(%c : memref<63x32xf32>)
  return
}

// -----

func.func @short(%a: memref<8x62xf32>, %b: memref<8x32xf32>, %c: memref<63x32xf32>) {
  // expected-error @+1 {{M differs: op(A) has 62 rows but C has 63 rows}}
  blas.gemm opA<t> padded ins(%a, %b : memref<8x62xf32>, memref<8x32xf32>) outs(%c : memref<63x32xf32>)
  return
}

// -----

func.func @narrow(%a: memref<8x64xf32>, %b: memref<8x31xf32>, %c: memref<63x32xf32>) {
  // expected-error @+1 {{N differs: op(B) has 31 columns but C has 32 columns}}
  blas.gemm opA<t> padded ins(%a, %b : memref<8x64xf32>, memref<8x31xf32>) outs(%c : memref<63x32xf32>)
  return
}

// -----

// A workspace has room for the copies (8 rows of 128 bytes) and for partial sums.
func.func @room(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>, %w: memref<767xf32>) {
  // expected-error @+1 {{workspace has 767 elements but the plan needs 768}}
  blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
    workspace(%w : memref<767xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared>,
          reduction = workspace, splits = 2>)
  return
}

// -----

func.func @other_type(%a: memref<16x8xf16>, %b: memref<8x16xf16>, %c: memref<16x16xf32>, %w: memref<640xf32>) {
  // expected-error @+1 {{workspace of 'f32' cannot hold packed operand A of 'f16'}}
  blas.gemm ins(%a, %b : memref<16x8xf16>, memref<8x16xf16>) outs(%c : memref<16x16xf32>)
    workspace(%w : memref<640xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared, pack = 1>, b = <via = shared>>)
  return
}

// -----

// expected-error @+1 {{path: pack = 2 is not 0 or 1}}
#path = #blas.path<via = shared, pack = 2>

// -----

// expected-error @+1 {{tiling: a path with copy = async, pack, major or layout belongs to a product}}
#tiling = #blas.tiling<tile = [8, 32], threads = 32, path = <via = shared, copy = async>>

// -----

func.func @overlap(%a: memref<4x6xf32>, %w: memref<6x4xf32, strided<[1, 5]>>) {
  // expected-error @+1 {{output W overlaps itself: 5 steps of stride 1 along dimension 0, of size 6, and 1 of stride 5 along dimension 1, of size 4, are as long}}
  blas.pack op<t> ins(%a : memref<4x6xf32>) outs(%w : memref<6x4xf32, strided<[1, 5]>>)
  return
}

// -----

func.func @trapezoid(%a: memref<16x8xf32>, %w: memref<16x8xf32>) {
  // expected-error @below {{operand A is 16 x 8, but one that is lower is square}}
  blas.pack structure<lower> ins(%a : memref<16x8xf32>) outs(%w : memref<16x8xf32>)
  return
}

// -----

func.func @hermitian_real(%a: memref<8x8xf32>, %w: memref<8x8xf32>) {
  // expected-error @below {{structure is hermitian_upper but elements of A are 'f32'}}
  blas.pack structure<hermitian_upper> ins(%a : memref<8x8xf32>) outs(%w : memref<8x8xf32>)
  return
}

// -----

func.func @parts_of_doubles(%a: memref<4x6xf64>, %w: memref<24x6xbf16>) {
  // expected-error @+1 {{parts are those of f32 in bf16, but elements of A are 'f64' and those of W are 'bf16'}}
  blas.pack parts<order = [2, 0, 1, 1, 0, 0], chunk = 512> ins(%a : memref<4x6xf64>) outs(%w : memref<24x6xbf16>)
  return
}

// -----

func.func @few_rows(%a: memref<4x6xf32>, %w: memref<20x6xbf16>) {
  // expected-error @+1 {{op(A) has 4 rows in 6 blocks each but W has 20}}
  blas.pack parts<order = [2, 0, 1, 1, 0, 0], chunk = 512> ins(%a : memref<4x6xf32>) outs(%w : memref<20x6xbf16>)
  return
}

// -----

func.func @parts_of_a_triangle(%a: memref<4x4xf32>, %w: memref<24x4xbf16>) {
  // expected-error @+1 {{structure is lower, but parts are those of a general matrix}}
  blas.pack structure<lower> parts<order = [2, 0, 1, 1, 0, 0], chunk = 512> ins(%a : memref<4x4xf32>) outs(%w : memref<24x4xbf16>)
  return
}

// -----

func.func @fourth_part(%a: memref<4x4xf32>, %w: memref<4x4xbf16>) {
  // expected-error @+1 {{parts: order has part 3, but f32 has parts 0, 1 and 2}}
  blas.pack parts<order = [3], chunk = 512> ins(%a : memref<4x4xf32>) outs(%w : memref<4x4xbf16>)
  return
}

// -----

func.func @no_chunk(%a: memref<4x4xf32>, %w: memref<4x4xbf16>) {
  // expected-error @+1 {{parts: chunk = 0 is not in 1 .. 2^20}}
  blas.pack parts<order = [0], chunk = 0> ins(%a : memref<4x4xf32>) outs(%w : memref<4x4xbf16>)
  return
}

// -----

func.func @no_parts(%a: memref<4x4xf32>, %w: memref<4x4xbf16>) {
  // expected-error @+1 {{parts: order has 0 numbers, expected 1 to 9}}
  blas.pack parts<order = [], chunk = 8> ins(%a : memref<4x4xf32>) outs(%w : memref<4x4xbf16>)
  return
}
