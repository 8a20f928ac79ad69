// RUN: gemm-opt %s --split-input-file --macro-tile --verify-diagnostics

func.func @wide(%a: memref<16x8xf64>, %b: memref<8x16xf64>, %c: memref<16x16xf64>) {
  blas.gemm ins(%a, %b : memref<16x8xf64>, memref<8x16xf64>) outs(%c : memref<16x16xf64>)
      plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>>)
    epilogue(%sum: f64) {
      // expected-error @+1 {{in f64: kernels have it in f32 and narrower types}}
      %0 = math.tanh %sum : f64
      blas.yield %0 : f64
    }
  return
}

// -----

func.func @atomic(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{plan: reduction = atomic adds in an order that changes from run to run, but the operation lacks anyOrder, or has an epilogue, which needs complete accumulators}}
  blas.gemm anyOrder ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>) beta(%one : f32)
      plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>, reduction = atomic, splits = 2>)
    epilogue(%sum: f32) {
      %0 = arith.negf %sum : f32
      blas.yield %0 : f32
    }
  return
}

// -----

func.func @space(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>, %bias: memref<16xf32, 1>) {
  // expected-error @+1 {{extra operand 0 is in memory space 1 : i64: kernels work on the default memory space}}
  blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>)
      plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>>)
    epilogue(%sum: f32, %x = %bias[0] : memref<16xf32, 1>) {
      %0 = arith.addf %sum, %x : f32
      blas.yield %0 : f32
    }
  return
}

// -----

gpu.module @mine {
  gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
      blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 0>} {
    gpu.return
  }
}
func.func @kernel(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) {
  // expected-error @+1 {{kernel @mine::@dots does not get the operation's epilogue}}
  blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>) {blas.kernel = @mine::@dots}
    epilogue(%sum: f32) {
      %0 = arith.negf %sum : f32
      blas.yield %0 : f32
    }
  return
}
