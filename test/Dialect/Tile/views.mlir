// Products of buffer views by an instruction that reads shared memory: read and printed again; what views must be.
// RUN: split-file %s %t
// RUN: gemm-opt %t/right.mlir | gemm-opt | FileCheck %s
// RUN: gemm-opt %t/right.mlir --mlir-print-op-generic | gemm-opt | FileCheck %s
// RUN: gemm-opt %t/right.mlir --cse --canonicalize | FileCheck %s --check-prefix=KEPT
// RUN: gemm-opt %t/invalid.mlir --split-input-file --verify-diagnostics

//--- right.mlir
#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
#sums = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(0, 8), 2:(8, 0)]>
!sums = !tile.matrix<64x16xf32, #sums>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x16xf16, strides = [1, 64], swizzle = 8>
// CHECK-LABEL: @multiply
func.func @multiply(%a: !a, %b: !b, %c: !sums) -> !sums {
  // CHECK: tile.fence
  tile.fence
  // CHECK: %[[SUMS:.*]] = tile.mma %{{.*}}, %{{.*}}, %{{.*}} instruction(#tile_instruction) : !tile.buffer<1 x 64x64xf16
  %s = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  // CHECK: tile.wait products 1
  tile.wait products 1
  // CHECK: tile.finish %[[SUMS]] : !tile.matrix<64x16xf32
  %d = tile.finish %s : !sums
  return %d : !sums
}
// Panels of 64 elements along M and N.
// CHECK-LABEL: @panels
!a2 = !tile.buffer<1 x 128x64xf16, strides = [1, 64], swizzle = 8, panelStride = 4096>
!b2 = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!c2 = !tile.matrix<128x64xf32, <threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 8:(0, 8), 2:(8, 0), 2:(64, 0)]>>
func.func @panels(%a: !a2, %b: !b2, %c: !c2) -> !c2 {
  // CHECK: tile.mma %{{.*}} : !tile.buffer<1 x 128x64xf16, strides = [1, 64], swizzle = 8, panelStride = 4096>
  %s = tile.mma %a, %b, %c instruction(#i) : !a2, !b2, !c2
  %d = tile.finish %s : !c2
  return %d : !c2
}
// Views hold something else then: the second product is not the first one.
// KEPT-LABEL: @twice
// KEPT: tile.mma
// KEPT: tile.mma
func.func @twice(%a: !a, %b: !b, %c: !sums, %A: memref<64x64xf16>, %i: index) -> (!sums, !sums) {
  %s = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  tile.copy %A[%i, %i], %a map <threads = [64:(1, 0), 2:(0, 32)], values = [32:(0, 1)]> vector 8 : memref<64x64xf16>, !a
  %t = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  return %s, %t : !sums, !sums
}

//--- invalid.mlir
#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!sums = !tile.matrix<64x8xf32, #c>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1]>
!b = !tile.buffer<1 x 64x8xf16, strides = [1, 64], swizzle = 8>
func.func @swizzle(%a: !a, %b: !b, %c: !sums) -> !sums {
  // expected-error @below {{'tile.mma' op reads a from shared memory: that needs vectors along K of 64 elements, or panels of such vectors along M or N, and swizzle = 8, but it is '!tile.buffer<1 x 64x64xf16, strides = [64, 1]>'}}
  %s = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  return %s : !sums
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!sums = !tile.matrix<64x8xf32, #c>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x8xf16, strides = [8, 1], swizzle = 8>
func.func @major(%a: !a, %b: !b, %c: !sums) -> !sums {
  // expected-error @below {{'tile.mma' op reads b from shared memory: that needs vectors along K of 64 elements}}
  %s = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  return %s : !sums
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!sums = !tile.matrix<64x8xf32, #c>
!a = !tile.matrix<64x16xf16, #a>
!b = !tile.matrix<16x8xf16, #b>
func.func @registers(%a: !a, %b: !b, %c: !sums) -> !sums {
  // expected-error @below {{'tile.mma' op wgmma_m64k16_f16 multiplies views of buffers, not '!tile.matrix<64x16xf16}}
  %s = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  return %s : !sums
}

// -----

#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
!sums = !tile.matrix<64x8xf32, #c>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x8xf16, strides = [1, 64], swizzle = 8>
func.func @multiply_adds(%a: !a, %b: !b, %c: !sums) -> !sums {
  // expected-error @below {{'tile.mma' op fma multiplies register matrices, not '!tile.buffer<1 x 64x64xf16}}
  %s = tile.mma %a, %b, %c : !a, !b, !sums
  return %s : !sums
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!sums = !tile.matrix<32x8xf32, <threads = [4:(0, 2), 8:(1, 0), 4:(8, 0)], values = [2:(0, 1)]>>
!a = !tile.buffer<1 x 32x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x8xf16, strides = [1, 64], swizzle = 8>
func.func @rows(%a: !a, %b: !b, %c: !sums) -> !sums {
  // expected-error @below {{'tile.mma' op reads 32 vectors of a, which are no multiple of 64}}
  %s = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  return %s : !sums
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!sums = !tile.matrix<64x8xf32, <threads = [4:(0, 2), 8:(1, 0), 4:(8, 0)], values = [2:(0, 1), 2:(32, 0)]>>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x8xf16, strides = [1, 64], swizzle = 8>
func.func @elsewhere(%a: !a, %b: !b, %c: !sums) -> !sums {
  // expected-error @below {{'tile.mma' op c is no repetition of instruction wgmma_m64k16_f16}}
  %s = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  return %s : !sums
}

// -----

// expected-error @below {{buffer: panelStride = 2048, but a panel needs 4096}}
func.func @short(%a: !tile.buffer<1 x 128x64xf16, strides = [1, 64], swizzle = 8, panelStride = 2048>) {
  return
}

// -----

// expected-error @below {{buffer: panelStride = 4096 of vectors of 96 needs a swizzle, no planeStride, and panels of 64 that divide vectors}}
func.func @rest(%a: !tile.buffer<1 x 96x64xf16, strides = [1, 64], swizzle = 8, panelStride = 4096>) {
  return
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!sums = !tile.matrix<64x8xf32, #c>
!a = !tile.buffer<1 x 64x64xf16, strides = [64, 1], swizzle = 8>
!b = !tile.buffer<1 x 64x8xf16, strides = [64, 1], swizzle = 8>
func.func @part(%a: !a, %b: !b, %c: !sums) -> !sums {
  // expected-error @below {{'tile.mma' op reads b from shared memory}}
  %s = tile.mma %a, %b, %c instruction(#i) : !a, !b, !sums
  return %s : !sums
}
