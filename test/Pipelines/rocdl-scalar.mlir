// SGEMM with A in scalar registers, as its inventors describe it for MI25 and MI60: one row of 64 threads, each
// with a column of 64 elements; A by s_load_dwordx8, 64 registers at a time; B by global_load_dwordx4, two
// slices at a time; no LDS, no barrier; each accumulator multiplied along K in place; 3 waves a SIMD.
// RUN: gemm-opt %s --blas-to-rocdl="chip=gfx906 format=isa" 2>%t.err | sed -e 's/\\0A/\n/g' -e 's/\\09/ /g' > %t.isa
// RUN: FileCheck %s < %t.isa
// RUN: FileCheck %s --check-prefix=SAID < %t.err
// RUN: grep -c 'v_fmac_f32.* s[0-9]' %t.isa | FileCheck %s --check-prefix=ALL
// RUN: not grep -E 's_barrier|ds_read|ds_write|v_fmac_f32_e32 v[0-9]+, v' %t.isa
// CHECK: group_segment_fixed_size = 0
// CHECK-SAME: vgpr_count = {{8[0-4]|7[0-9]}} :
// CHECK-SAME: vgpr_spill_count = 0
// CHECK: {{^}}.LBB0_1:
// CHECK: global_load_dwordx4
// CHECK: global_load_dwordx4
// CHECK: s_load_dwordx8
// CHECK: s_waitcnt lgkmcnt(0)
// CHECK: v_fmac_f32_e32 [[SUM:v[0-9]+]], s{{[0-9]+}}, [[B0:v[0-9]+]]
// CHECK-NEXT: v_fmac_f32_e32 [[SUM]], s{{[0-9]+}}, v
// CHECK-NEXT: v_fmac_f32_e32 [[SUM]], s{{[0-9]+}}, v
// CHECK-NEXT: v_fmac_f32_e32 [[SUM]], s{{[0-9]+}}, v
// CHECK-NEXT: s_waitcnt vmcnt
// CHECK-NEXT: v_fmac_f32_e32 [[SUM]], s{{[0-9]+}}, v
// CHECK-NEXT: v_fmac_f32_e32 [[SUM]], s{{[0-9]+}}, v
// CHECK-NEXT: v_fmac_f32_e32 [[SUM]], s{{[0-9]+}}, v
// CHECK-NEXT: v_fmac_f32_e32 [[SUM]], s{{[0-9]+}}, v
// CHECK-NEXT: v_fmac_f32_e32 [[NEXT:v[0-9]+]], s{{[0-9]+}}, [[B0]]
// The second group, whole.
// CHECK: s_load_dwordx8
// CHECK-NEXT: s_load_dwordx8
// CHECK-NEXT: s_load_dwordx8
// CHECK-NEXT: s_load_dwordx8
// CHECK-NEXT: s_load_dwordx8
// CHECK-NEXT: s_load_dwordx8
// CHECK-NEXT: s_load_dwordx8
// CHECK-NEXT: s_load_dwordx8
// CHECK-NEXT: s_waitcnt lgkmcnt(0)
// The loop, and its last step: 64 x 16 each, all with a scalar source.
// ALL: 2048
// SAID: kept plan 64x64x16, micro 64x1
func.func @sgemm(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>) {
  blas.gemm opB<t> ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
    plan(<macro = [64, 64, 16], micro = [64, 1], lanes = [1, 64], depth = 8,
          a = <via = scalar, vector = 4, major = k>, b = <via = register, vector = 4, major = k>,
          stages = 1, prefetch = 1, residency = 12>)
  return
}
