// Where a product cannot be launched from, and memory that kernels do not work on.
// RUN: gemm-opt --blas-attach-target=chip=h200 --macro-tile --split-input-file --verify-diagnostics %s

#plan = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 1,
                   a = <via = shared>, b = <via = shared>, stages = 2>
func.func @in_parallel(%a: memref<4x8xf32>, %b: memref<8x8xf32>, %c: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    // expected-error @+1 {{lies inside scf.parallel: kernels are launched by sequential code of the host, such as scf.for}}
    blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x8xf32>) outs(%c : memref<4x8xf32>) {plan = #plan}
  }
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 1,
                   a = <via = shared>, b = <via = shared>, stages = 2>
gpu.module @kernels {
  gpu.func @in_kernel(%a: memref<4x8xf32>, %b: memref<8x8xf32>, %c: memref<4x8xf32>) kernel {
    // expected-error @+1 {{lies inside gpu.func: kernels are launched by sequential code}}
    blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x8xf32>) outs(%c : memref<4x8xf32>) {plan = #plan}
    gpu.return
  }
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 1,
                   a = <via = shared>, b = <via = shared>, stages = 2>
module {
  module @inner {
    func.func @nested(%a: memref<4x8xf32>, %b: memref<8x8xf32>, %c: memref<4x8xf32>) {
      // expected-error @+1 {{lies in a module inside the module: run the pass on the inner one}}
      blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x8xf32>) outs(%c : memref<4x8xf32>) {plan = #plan}
      return
    }
  }
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 1,
                   a = <via = shared>, b = <via = shared>, stages = 2>
func.func @shared_memory(%a: memref<4x8xf32>, %b: memref<8x8xf32, 3>, %c: memref<4x8xf32>) {
  // expected-error @+1 {{operand B is in memory space 3 : i64: kernels work on the default memory space}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x8xf32, 3>) outs(%c : memref<4x8xf32>) {plan = #plan}
  return
}

// -----

#plan = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 1,
                   a = <via = shared>, b = <via = shared>, stages = 2>
func.func @in_affine_parallel(%a: memref<4x8xf32>, %b: memref<8x8xf32>, %c: memref<4x8xf32>) {
  affine.parallel (%i) = (0) to (3) {
    // expected-error @+1 {{lies inside affine.parallel: kernels are launched by sequential code of the host, such as scf.for}}
    blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x8xf32>) outs(%c : memref<4x8xf32>) {plan = #plan}
  }
  return
}

// -----

// More shared memory than the chip gives a workgroup.
gpu.module @mine { gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {
  blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>], tile = [8, 8], workgroup = 64, sharedBytes = 232449>} { gpu.return } }
func.func @shared_bytes(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{kernel @mine::@dots: 232449 bytes of shared memory, but a workgroup of h200 has at most 232448}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@dots}
  return
}

// -----

// Names that compiled code calls.
// expected-error @+1 {{has the name 'rooftileIsAligned', which compiled code calls}}
func.func private @rooftileIsAligned(f32)
func.func @named(%a: memref<4x8xf32>, %b: memref<8x8xf32>, %c: memref<4x8xf32>) {
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x8xf32>) outs(%c : memref<4x8xf32>)
    plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func private @rooftileIsAligned(i64, i64, i64) -> i1
func.func @declared(%a: memref<4x8xf32>, %b: memref<8x8xf32>, %c: memref<4x8xf32>) {
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x8xf32>) outs(%c : memref<4x8xf32>)
    plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>>)
  return
}
