// Plans with an instruction that reads shared memory: from the plan to PTX, and the plans that it refuses.
// RUN: split-file %s %t
// RUN: gemm-opt %t/right.mlir --blas-attach-target=chip=h200 --macro-tile --leap-frog --canonicalize --cse --tile-sync \
// RUN:   | FileCheck %s --check-prefix=TILE
// RUN: gemm-opt %t/right.mlir --blas-to-nvvm="chip=h200 format=isa" 2>&1 | FileCheck %s
// RUN: gemm-opt %t/invalid.mlir --split-input-file --verify-diagnostics
// RUN: not gemm-opt %t/right.mlir --blas-to-nvvm=chip=a100 2>&1 | FileCheck %s --check-prefix=A100
// RUN: gemm-opt %t/triangle.mlir --blas-attach-target=chip=h200 --macro-tile --verify-diagnostics
// A100: error: 'blas.gemm' op plan does not fit: mma: a100 has no such instruction for elements of 32 bits

//--- right.mlir
// Two warpgroups, of 64 rows and 128 columns each, copies two steps ahead.
// TILE: tile.alloc : !tile.buffer<3 x 128x64xbf16, strides = [64, 1], swizzle = 8>
// TILE: tile.alloc : !tile.buffer<3 x 64x128xbf16, strides = [1, 64], swizzle = 8>
// TILE: scf.for
// TILE: tile.wait 1
// TILE-NEXT: tile.fence
// TILE-NEXT: gpu.barrier
// TILE-NEXT: %[[SUMS:.*]] = tile.mma
// TILE: tile.wait products 1
// TILE-NEXT: gpu.barrier
// TILE-NEXT: scf.if
// TILE: scf.yield %[[SUMS]]
// TILE: tile.finish
// TILE-NEXT: tile.update
// CHECK: remark: kept plan 128x128x64, micro 2x32, 3 stages, asynchronous, wgmma_m64k16_bf16
// CHECK: wgmma.fence.sync.aligned
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// CHECK: wgmma.commit_group.sync.aligned
#path = #blas.path<via = shared, copy = async, vector = 8, swizzle = 8, major = k>
func.func @gemm(%a: memref<256x512xbf16>, %b: memref<256x512xbf16>, %c: memref<256x256xbf16>) {
  blas.gemm opB<t> ins(%a, %b : memref<256x512xbf16>, memref<256x512xbf16>) outs(%c : memref<256x256xbf16>)
    plan(<macro = [128, 128, 64], micro = [2, 32], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16,
          a = #path, b = #path, stages = 3>)
  return
}

//--- triangle.mlir
#path = #blas.path<via = shared, vector = 8, swizzle = 8, major = k>
func.func @masked(%a: memref<128x128xbf16>, %b: memref<128x128xbf16>, %c: memref<128x128xbf16>) {
  // expected-error @below {{plan: mma = wgmma_m64k16_bf16 reads shared memory, where elements beside the triangle of a masked operand are no zeros}}
  blas.gemm opB<t> structureA<lower> masked ins(%a, %b : memref<128x128xbf16>, memref<128x128xbf16>) outs(%c : memref<128x128xbf16>)
    plan(<macro = [128, 128, 64], micro = [2, 32], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16,
          a = #path, b = #path, stages = 2>)
  return
}

//--- invalid.mlir
// expected-error @below {{plan: wgmma_m64k16_bf16 reads shared memory: that needs both operands via = shared, swizzle = 8, no pad and no flat, 64 elements along K, with major = mn (of 16 bits) as many along M or N of a warpgroup or a multiple, vector up to 2, and neither slicedK, unroll, prefetch nor summation = compensated}}
#short = #blas.plan<macro = [64, 64, 32], micro = [2, 16], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16,
  a = <via = shared, swizzle = 8, major = k>, b = <via = shared, swizzle = 8, major = k>>

// -----

// expected-error @below {{plan: wgmma_m64k16_f16 reads shared memory: that needs both operands via = shared}}
#panels = #blas.plan<macro = [64, 64, 64], micro = [2, 8], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_f16,
  a = <via = shared, swizzle = 8, major = k>, b = <via = shared, swizzle = 8>>

// -----

// expected-error @below {{plan: wgmma_m64k16_f16 reads shared memory}}
#wide = #blas.plan<macro = [128, 64, 64], micro = [4, 16], lanes = [32, 4], vector = 4, mma = wgmma_m64k16_f16,
  a = <via = shared, swizzle = 8, major = k>, b = <via = shared, swizzle = 8, major = k>>

// -----

// expected-error @below {{plan: lanes = [8, 4], but those of wgmma_m64k16_f16 lie [32, 4]}}
#lanes = #blas.plan<macro = [64, 64, 64], micro = [8, 16], lanes = [8, 4], vector = 2, mma = wgmma_m64k16_f16,
  a = <via = shared, swizzle = 8, major = k>, b = <via = shared, swizzle = 8, major = k>>
