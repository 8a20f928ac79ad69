// RUN: gemm-opt %s -split-input-file -verify-diagnostics

func.func @no_addresses(%p: memref<4xi32>) {
  // expected-error @below {{pointers are 'memref<4xi32>', expected a contiguous memref of rank 1 of i64}}
  %a = blas.batch %p : memref<4xi32> to memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>
  return
}

// -----

func.func @apart(%p: memref<4xi64, strided<[2]>>) {
  // expected-error @below {{pointers are 'memref<4xi64, strided<[2]>>', expected a contiguous memref of rank 1 of i64}}
  %a = blas.batch %p : memref<4xi64, strided<[2]>> to memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>
  return
}

// -----

func.func @strided(%p: memref<4xi64>) {
  // expected-error @below {{matrices are 'memref<4x2x2xf32>', expected a memref with a layout #blas.pointers}}
  %a = blas.batch %p : memref<4xi64> to memref<4x2x2xf32>
  return
}

// -----

func.func @elements(%p: memref<4xi64>) {
  // expected-error @below {{matrices have elements of 'i8', expected f16, bf16}}
  %a = blas.batch %p : memref<4xi64> to memref<4x2x2xi8, #blas.pointers<strides = [2, 1]>>
  return
}

// -----

func.func @count(%p: memref<4xi64>) {
  // expected-error @below {{pointers are 'memref<4xi64>' but the batch of the matrices, 'memref<5x2x2xf32, #blas.pointers<strides = [2, 1]>>', has another size}}
  %a = blas.batch %p : memref<4xi64> to memref<5x2x2xf32, #blas.pointers<strides = [2, 1]>>
  return
}

// -----

func.func @align(%p: memref<4xi64>) {
  // expected-error @below {{matrices are aligned to 8 bytes, but an element has 16}}
  %a = blas.batch %p : memref<4xi64> to memref<4x2x2xcomplex<f64>, #blas.pointers<strides = [2, 1], align = 8>>
  return
}

// -----

func.func @sizes(%p: memref<4xi64>, %n: index) {
  // expected-error @below {{has 1 sizes, expected 2: the dynamic ones of 'memref<4x?x?xf32, #blas.pointers<strides = [2, 1]>>'}}
  %a = blas.batch %p sizes [%n] : memref<4xi64> to memref<4x?x?xf32, #blas.pointers<strides = [2, 1]>>
  return
}

// -----

func.func @strides(%p: memref<4xi64>) {
  // expected-error @below {{has 0 strides, expected 1: the dynamic ones of 'memref<4x2x2xf32, #blas.pointers<strides = [?, 1]>>'}}
  %a = blas.batch %p : memref<4xi64> to memref<4x2x2xf32, #blas.pointers<strides = [?, 1]>>
  return
}

// -----

// expected-error @below {{pointers: strides needs 2 values (of rows and columns), got 3}}
func.func @layout_strides(%a: memref<4x2x2xf32, #blas.pointers<strides = [4, 2, 1]>>) {
  return
}

// -----

// expected-error @below {{pointers: stride -2 is negative; addresses are those of the first elements in memory}}
func.func @layout_negative(%a: memref<4x2x2xf32, #blas.pointers<strides = [-2, 1]>>) {
  return
}

// -----

// expected-error @below {{pointers: align = 12 is no power of 2, nor 0}}
func.func @layout_align(%a: memref<4x2x2xf32, #blas.pointers<strides = [2, 1], align = 12>>) {
  return
}

// -----

// expected-error @below {{#blas.pointers is the layout of a batch of matrices, of rank 3, not of rank 2}}
func.func @layout_rank(%a: memref<2x2xf32, #blas.pointers<strides = [2, 1]>>) {
  return
}

// -----

func.func @wide(%p: memref<4xi64>, %b: memref<2x4xf32>, %c: memref<4x2x4xf32>) {
  %a = blas.batch %p : memref<4xi64> to memref<4x2x2xf32, #blas.pointers<strides = [2, 1], align = 4>>
  // expected-error @below {{given: a = 2 but operand A, 'memref<4x2x2xf32, #blas.pointers<strides = [2, 1], align = 4>>', allows 1}}
  blas.gemm ins(%a, %b : memref<4x2x2xf32, #blas.pointers<strides = [2, 1], align = 4>>, memref<2x4xf32>) outs(%c : memref<4x2x4xf32>) given(<a = 2>)
  return
}

// -----

func.func @views(%a: memref<4x2x2xf32>, %p: memref<4xi64>, %c: memref<4x2x2xf32>) {
  %b = blas.batch %p : memref<4xi64> to memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>
  // expected-error @below {{plan: tail = split makes views of operands, but operand B is a batch by pointers}}
  blas.gemm ins(%a, %b : memref<4x2x2xf32>, memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>) outs(%c : memref<4x2x2xf32>)
    plan(<macro = [4, 4, 4], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>, tail = split>)
  return
}

// -----

func.func @copied(%a: memref<4x2x2xf32>, %p: memref<4xi64>, %c: memref<4x2x2xf32>) {
  %b = blas.batch %p : memref<4xi64> to memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>
  // expected-error @below {{plan: pack copies operand B first, but it is a batch by pointers}}
  blas.gemm ins(%a, %b : memref<4x2x2xf32>, memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>) outs(%c : memref<4x2x2xf32>)
    plan(<macro = [4, 4, 4], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared, pack = 1>>)
  return
}

// -----

func.func @second_kernel(%a: memref<4x2x9xf32>, %b: memref<4x9x2xf32>, %p: memref<4xi64>) {
  %c = blas.batch %p : memref<4xi64> to memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>
  // expected-error @below {{plan: reduction = workspace writes C by a second kernel, but operand C is a batch by pointers}}
  blas.gemm ins(%a, %b : memref<4x2x9xf32>, memref<4x9x2xf32>) outs(%c : memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>)
    plan(<macro = [4, 4, 4], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 2>)
  return
}

// -----

func.func @sum(%w: memref<3x4x2x2xf32>, %p: memref<4xi64>) {
  %c = blas.batch %p : memref<4xi64> to memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>
  // expected-error @below {{operand C is a batch by pointers, 'memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>': blas.gemm alone accepts these}}
  blas.reduce ins(%w : memref<3x4x2x2xf32>) outs(%c : memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>)
  return
}

// -----

func.func @residual(%a: memref<4x2x2xf32>, %p: memref<4xi64>, %c: memref<4x2x2xf32>) {
  %r = blas.batch %p : memref<4xi64> to memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>
  // expected-error @below {{extra operand 0 is a batch by pointers}}
  blas.gemm ins(%a, %a : memref<4x2x2xf32>, memref<4x2x2xf32>) outs(%c : memref<4x2x2xf32>)
    epilogue(%sum : f32, %x = %r[0, 1, 2] : memref<4x2x2xf32, #blas.pointers<strides = [2, 1]>>) {
      %0 = arith.addf %sum, %x : f32
      blas.yield %0 : f32
    }
  return
}
