// Kernels that cannot stand in for an operation: located errors, nothing half done.
// RUN: gemm-opt %s --macro-tile -split-input-file -verify-diagnostics

func.func @absent(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots is missing: neither a gpu.func of this name nor a gpu.binary @mine}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

// expected-error @+1 {{attribute 'blas.kernel' is "dots", expected a symbol such as @module::@function}}
func.func private @text() attributes {blas.kernel = "dots"}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0>} { gpu.return } }
func.func @triangle(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots has the structure general, but of C the triangle lower is computed}}
  blas.gemm triangle<lower> ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>) kernel { gpu.return } }
func.func @no_contract(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots has no blas.contract}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0>} { gpu.return } }
func.func @count(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots has 3 arguments but its contract 2}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0>} { gpu.return } }
func.func @type(%a: memref<8x8xf64>, %b: memref<8x8xf64>, %c: memref<8x8xf64>) {
  // expected-error @+1 {{kernel @mine::@dots has argument 0 as 'memref<f32>'; #blas.arg<pointer a align 4> is passed as 'memref<f64>'}}
  blas.gemm ins(%a, %b : memref<8x8xf64>, memref<8x8xf64>) outs(%c : memref<8x8xf64>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0>} { gpu.return } }
func.func @dynamic(%a: memref<?x8xf32>, %b: memref<8x8xf32>, %c: memref<?x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots does not ask for size and stride of dimension 0 of a, 'memref<?x8xf32>'}}
  blas.gemm ins(%a, %b : memref<?x8xf32>, memref<8x8xf32>) outs(%c : memref<?x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0>} { gpu.return } }
func.func @beta(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>, %beta: f32) {
  // expected-error @+1 {{kernel @mine::@dots does not ask for beta, which the operation has}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) beta(%beta : f32) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>, %s: i64) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>, <size a[2]>], tile = [8, 8], workgroup = 64, sharedBytes = 0>} { gpu.return } }
func.func @dim(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots asks for #blas.arg<size a[2]>, but the operand is 'memref<8x8xf32>'}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 32>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0>} { gpu.return } }
func.func @align(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots asks for #blas.arg<pointer a align 32>, but pointers are aligned to 16 bytes}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0>,
  known_block_size = array<i32: 32, 1, 1>} { gpu.return } }
func.func @threads(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots has known_block_size 32 but its contract a workgroup of 64}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0, splits = 2>} { gpu.return } }
func.func @grid(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<1073741824x8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots: tiles of 8x8, each shared by 2, make 2147483648 workgroups, but a launch has at most 2147483647}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<1073741824x8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 2147483648>} { gpu.return } }
func.func @shared(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots: 2147483648 bytes of shared memory, but a workgroup of any chip has at most 2147483647}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}
