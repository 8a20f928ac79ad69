// A user's kernel with buffers in its signature, before dynamic shared memory: the same on all lines. A barrier
// too few is noticed in them as well.
// RUN: gemm-run %s --device=cpu --repeat=0 | FileCheck %s
// RUN: sed 's/gpu.barrier/arith.constant 0 : i32/' %s > %t.mlir
// RUN: not gemm-run %t.mlir --device=cpu --repeat=0 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o /dev/null 2>/dev/null
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null 2>/dev/null

// CHECK: PASS product#0 f32 gemm nn 8x8x8
// RACE: FAIL product#0
gpu.module @mine {
  gpu.func @k(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>)
      workgroup(%s: memref<64xf32, #gpu.address_space<workgroup>>) private(%p: memref<1xf32, #gpu.address_space<private>>) kernel
      attributes {blas.contract = #blas.contract<args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>],
          tile = [8, 8], workgroup = 64, sharedBytes = 256>, known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %i = arith.divui %t, %c8 : index
    %j = arith.remui %t, %c8 : index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [64], strides: [1] : memref<f32> to memref<64xf32, strided<[1]>>
    %dynamic = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %r = memref.view %dynamic[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    %x0 = memref.load %A[%t] : memref<64xf32, strided<[1]>>
    memref.store %x0, %s[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %y0 = memref.load %B[%t] : memref<64xf32, strided<[1]>>
    memref.store %y0, %r[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %zero, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    gpu.barrier
    scf.for %l = %c0 to %c8 step %c1 {
      %row = arith.muli %i, %c8 : index
      %from = arith.addi %row, %l : index
      %down = arith.muli %l, %c8 : index
      %at = arith.addi %down, %j : index
      %x = memref.load %s[%from] : memref<64xf32, #gpu.address_space<workgroup>>
      %y = memref.load %r[%at] : memref<64xf32, #gpu.address_space<workgroup>>
      %part = memref.load %p[%c0] : memref<1xf32, #gpu.address_space<private>>
      %product = arith.mulf %x, %y : f32
      %next = arith.addf %part, %product : f32
      memref.store %next, %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    }
    %sum = memref.load %p[%c0] : memref<1xf32, #gpu.address_space<private>>
    memref.store %sum, %C[%t] : memref<64xf32, strided<[1]>>
    gpu.return
  }
}
func.func @product(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  blas.gemm ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>) {blas.kernel = @mine::@k}
  return
}
