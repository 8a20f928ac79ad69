// RUN: gemm-opt %s --split-input-file --macro-tile --verify-diagnostics

func.func @tensors(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{macro-tile works on memrefs: bufferize first}}
  %d = blas.gemm ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

func.func @unplanned(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{has no plan: run tile-select first, or write one}}
  blas.gemm ins(%a, %b : memref<8x4xf32>, memref<4x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

#plan = #blas.plan<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>>
func.func @sum(%a: memref<8x4xf16>, %b: memref<4x8xf16>, %c: memref<8x8xf16>) {
  // expected-error @+1 {{accumulator 'f16': kernels sum in f32 or f64}}
  blas.gemm acc(f16) ins(%a, %b : memref<8x4xf16>, memref<4x8xf16>) outs(%c : memref<8x8xf16>) plan(#plan)
  return
}

// -----

#plan = #blas.plan<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>>
func.func @rounded_twice(%a: memref<8x4xf32>, %b: memref<4x8xf16>, %c: memref<8x8xbf16>) {
  // expected-error @+1 {{accumulator 'f64' with C of 'bf16': accumulators are rounded to f32 and f64, those of f32 to f16 and bf16 as well}}
  blas.gemm acc(f64) ins(%a, %b : memref<8x4xf32>, memref<4x8xf16>) outs(%c : memref<8x8xbf16>) plan(#plan)
  return
}

// -----

#plan = #blas.plan<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>>
func.func @atomic_types(%a: memref<8x4xf16>, %b: memref<4x8xf16>, %c: memref<8x8xf16>) {
  %one = arith.constant 1.0 : f32
  // expected-error @+1 {{plan: reduction = atomic adds accumulators of 4 bytes to elements of C of 2}}
  blas.gemm anyOrder ins(%a, %b : memref<8x4xf16>, memref<4x8xf16>) outs(%c : memref<8x8xf16>) beta(%one : f32)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>, reduction = atomic, splits = 2>)
  return
}

// -----

func.func @narrow_copy(%a: memref<8x4xf16>, %b: memref<4x8xf16>, %c: memref<8x8xf16>) {
  // expected-error @+1 {{plan: a: copy = async moves 2 bytes at a time, but asynchronous copies move 4 or more}}
  blas.gemm ins(%a, %b : memref<8x4xf16>, memref<4x8xf16>) outs(%c : memref<8x8xf16>)
    plan(<macro = [4, 4, 4], micro = [2, 2], lanes = [2, 2], vector = 2, a = <via = shared, copy = async, vector = 4>, b = <via = shared>, stages = 2>)
  return
}

// -----

func.func @alignment(%a: memref<8x6xf32>, %b: memref<6x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{plan: a: vector = 4, but strides, offset and sizes of the operand allow 2; operand A is 'memref<8x6xf32>'}}
  blas.gemm ins(%a, %b : memref<8x6xf32>, memref<6x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [8, 8, 4], micro = [4, 4], lanes = [2, 2], vector = 4, a = <via = shared, vector = 4>, b = <via = shared>>)
  return
}

// -----

func.func @unknown_alignment(%a: memref<8x8xf32>, %b: memref<?x8xf32, strided<[?, 1], offset: ?>>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{plan: b: vector = 2, but strides, offset and sizes of the operand allow 1; operand B is 'memref<?x8xf32, strided<[?, 1], offset: ?>>'}}
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<?x8xf32, strided<[?, 1], offset: ?>>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2, a = <via = shared>, b = <via = shared, vector = 2>>)
  return
}

// -----

func.func @async(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{plan: stages = 6, but rings filled that way have at most 5 stages}}
  blas.gemm ins(%a, %b : memref<8x4xf32>, memref<4x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared, copy = async>, b = <via = shared>, stages = 6>)
  return
}

// -----

// A fragment of A holds rows, but A is contiguous along K.
func.func @register_rows(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{plan: a: vector = 2, but strides, offset and sizes of the operand allow 1; operand A is 'memref<8x4xf32>'}}
  blas.gemm ins(%a, %b : memref<8x4xf32>, memref<4x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2, a = <via = register, vector = 2>, b = <via = shared>>)
  return
}

// -----

func.func @register_runs(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{plan: b: vector = 4, but fragments come in runs of 2}}
  blas.gemm ins(%a, %b : memref<8x4xf32>, memref<4x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [8, 8, 2], micro = [4, 4], lanes = [2, 2], vector = 2, a = <via = shared>, b = <via = register, vector = 4>>)
  return
}

// -----

func.func @stages(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{plan: stages = 3, but rings filled that way have at most 2 stages}}
  blas.gemm ins(%a, %b : memref<8x4xf32>, memref<4x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], a = <via = shared>, b = <via = shared>, stages = 3>)
  return
}

// -----

func.func @threads(%a: memref<8x4xf32>, %b: memref<4x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{plan: a: 12 accesses of one macro tile do not divide among 16 threads}}
  blas.gemm ins(%a, %b : memref<8x4xf32>, memref<4x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 3], micro = [1, 1], lanes = [4, 4], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

// The tile would divide along M, but A is contiguous along K.
func.func @layout(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: a: vector = 4 does not divide the 2 elements of the macro tile along the contiguous dimension}}
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [8, 8, 2], micro = [4, 4], lanes = [2, 2], vector = 4, a = <via = shared, vector = 4, pad = 4>, b = <via = shared>>)
  return
}

// -----

func.func @workgroup(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: 4096 threads, but a workgroup has at most 1024}}
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 8], micro = [1, 1], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @unrolled(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: micro tile 1048576x1048576 times 1048576 along K is more than the 65536 multiply-adds that are unrolled}}
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [1048576, 1048576, 1048576], micro = [1048576, 1048576], lanes = [1, 1], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @shared_bytes(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
  // expected-error @+1 {{plan: 2148532224 bytes of shared memory, but a launch has at most 2147483647}}
  blas.gemm ins(%a, %b : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>)
    plan(<macro = [1024, 1, 65536], micro = [1, 1], lanes = [32, 1], a = <via = shared, pad = 1024>, b = <via = shared>>)
  return
}

// -----

func.func @set(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{has a set of plans: run plan-dispatch first}}
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plans([#blas.case<plan = <macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>])
  return
}

// -----

func.func @split(%a: memref<65x64xf32>, %b: memref<64x64xf32>, %c: memref<65x64xf32>) {
  // expected-error @+1 {{plan: tail = split: run tail-split first}}
  blas.gemm ins(%a, %b : memref<65x64xf32>, memref<64x64xf32>) outs(%c : memref<65x64xf32>)
    plan(<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, tail = split>)
  return
}

// -----

// `given` of A is about its contiguous dimension.
func.func @given(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{plan: a: vector = 4, but strides, offset and sizes of the operand allow 2; operand A is 'memref<?x?xf32>'}}
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    given(<a = 2>)
    plan(<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared, vector = 4>, b = <via = shared>>)
  return
}

// -----

func.func @swizzle(%a: memref<8x32xf32>, %b: memref<32x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @+1 {{plan: a: the swizzle permutes units of 8 elements, which do not divide rows of 4}}
  blas.gemm ins(%a, %b : memref<8x32xf32>, memref<32x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 16], micro = [2, 2], lanes = [2, 2], a = <via = shared, swizzle = 4>, b = <via = shared>>)
  return
}

// -----

func.func @swizzled_copy(%a: memref<32x64xf32>, %b: memref<64x32xf32>, %c: memref<32x32xf32>) {
  // expected-error @+1 {{plan: b: asynchronous copies move 4 elements at a time, which a swizzle of 2 separates}}
  blas.gemm ins(%a, %b : memref<32x64xf32>, memref<64x32xf32>) outs(%c : memref<32x32xf32>)
    plan(<macro = [32, 32, 16], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared, copy = async, vector = 4, swizzle = 2>>)
  return
}

// -----

func.func @grid(%a: memref<65536x4xf32>, %b: memref<4x65536xf32>, %c: memref<3x65536x65536xf32>) {
  // expected-error @+1 {{plan: tiles of 2x2 make 3221225472 workgroups, but a launch has at most 2147483647}}
  blas.gemm ins(%a, %b : memref<65536x4xf32>, memref<4x65536xf32>) outs(%c : memref<3x65536x65536xf32>)
    plan(<macro = [2, 2, 2], micro = [1, 1], lanes = [2, 2], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @instruction(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: mma = m16n8k8_f64 multiplies f64 and complex elements of it, but the operands are of other types}}
  blas.gemm ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [8, 4], mma = m16n8k8_f64, a = <via = shared>, b = <via = shared>>)
  return
}

// -----

// Workgroups that share a tile count, too.
func.func @splits(%a: memref<65536x64xf32>, %b: memref<64x65536xf32>, %c: memref<65536x65536xf32>) {
  // expected-error @+1 {{plan: tiles of 2x2, each shared by 2, make 2147483648 workgroups, but a launch has at most 2147483647}}
  blas.gemm ins(%a, %b : memref<65536x64xf32>, memref<64x65536xf32>) outs(%c : memref<65536x65536xf32>)
    plan(<macro = [2, 2, 2], micro = [2, 1], lanes = [1, 2], a = <via = shared>, b = <via = shared>, reduction = cluster, splits = 2>)
  return
}

// -----

// More entries of a batch than 64 bits count.
!wide = memref<4294967296x4294967296x4x4xf32, strided<[68719476736, 16, 4, 1]>>
func.func @batch(%a: memref<4x4xf32>, %c: !wide) {
  // expected-error @+1 {{plan: tiles of 2x2 make 73786976294838206464 workgroups, but a launch has at most 2147483647}}
  blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : !wide)
    plan(<macro = [2, 2, 2], micro = [1, 1], lanes = [2, 2], a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @grid_of_sums(%w: memref<2x40000000x90000000xf32>, %c: memref<40000000x90000000xf32>) {
  // expected-error @+1 {{plan: tiles of 4x32 make 28125000000000 workgroups, but a launch has at most 2147483647}}
  blas.reduce ins(%w : memref<2x40000000x90000000xf32>) outs(%c : memref<40000000x90000000xf32>)
    plan(<tile = [4, 32], threads = 32>)
  return
}

// -----

func.func @grid_of_copies(%a: memref<3000000000x4000000xf32>, %w: memref<4000000x3000000000xf32>) {
  // expected-error @+1 {{plan: tiles of 8x16 make 93750000000000 workgroups, but a launch has at most 2147483647}}
  blas.pack op<t> ins(%a : memref<3000000000x4000000xf32>) outs(%w : memref<4000000x3000000000xf32>)
    plan(<tile = [8, 16], threads = 32>)
  return
}

// -----

func.func @grid_of_solves(%a: memref<4x4xf32>, %b: memref<4x900000000000xf32>) {
  // expected-error @+1 {{plan: tiles of 4x128 make 7031250000 workgroups, but a launch has at most 2147483647}}
  blas.trsm side<left> uplo<upper> ins(%a : memref<4x4xf32>) outs(%b : memref<4x900000000000xf32>)
    plan(<diagonal = 0, workgroup = 128>)
  return
}

// -----

func.func @grid_of_products(%a: memref<5x5xf64>, %b: memref<3000000000x7x5xf64>, %c: memref<3000000000x7x5xf64>) {
  // expected-error @+1 {{plan: tiles of 64x5 make 3000000000 workgroups, but a launch has at most 2147483647}}
  blas.trmm side<right> uplo<upper> ins(%a, %b : memref<5x5xf64>, memref<3000000000x7x5xf64>)
    outs(%c : memref<3000000000x7x5xf64>) plan(<diagonal = 0, workgroup = 64>)
  return
}

// -----

func.func @reals(%a: memref<64x8xcomplex<f64>>, %b: memref<64x8xcomplex<f64>>, %c: memref<8x8xcomplex<f64>>) {
  // expected-error @+1 {{plan: complex = induced makes a product of real elements: run reduction-select}}
  blas.gemm opA<t> ins(%a, %b : memref<64x8xcomplex<f64>>, memref<64x8xcomplex<f64>>) outs(%c : memref<8x8xcomplex<f64>>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], complex = induced, a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 2>)
  return
}

// -----

func.func @uses(%a: memref<64x8xcomplex<f64>>) -> f64 {
  %c0 = arith.constant 0 : index
  %0 = blas.as_real %a : memref<64x8xcomplex<f64>> to memref<64x16xf64>
  // expected-error @+1 {{uses complex elements as real ones, 'memref<64x16xf64>': blas.gemm and blas.pack alone do}}
  %1 = memref.load %0[%c0, %c0] : memref<64x16xf64>
  return %1 : f64
}

// -----

func.func @larger(%a: memref<9x4x4xf32>, %b: memref<9x4x4xf32>, %c: memref<9x4x4xf32>) {
  // expected-error @+1 {{plan: matrices need a tile that holds all of C: macro = [2, 2], but C is 4x4}}
  blas.gemm ins(%a, %b : memref<9x4x4xf32>, memref<9x4x4xf32>) outs(%c : memref<9x4x4xf32>)
    plan(<macro = [2, 2, 4], micro = [2, 2], lanes = [1, 1], a = <via = register>, b = <via = register>, stages = 1, matrices = 8>)
  return
}

// -----

func.func @one(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+1 {{plan: matrices = 8, of which each thread has one, but C is no batch}}
  blas.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
    plan(<macro = [4, 4, 4], micro = [4, 4], lanes = [1, 1], a = <via = register>, b = <via = register>, stages = 1, matrices = 8>)
  return
}
