// Where workgroups share K and one may be left without a share, accumulators are chosen before they are stored under
// conditions: their last multiply-adds stay before these, and their fragments need no registers after them. (With
// them after these it needed 144, of 128 that four workgroups to a unit leave.)
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi60 format=isa" 2>/dev/null | FileCheck %s
// CHECK: #gpu.kernel_metadata<"gemm_f16_f16_f32_nt_32x128x32_partial", {{.*}}private_segment_fixed_size = 0 : i64, {{.*}}vgpr_count = {{[3-9][0-9]|1[01][0-9]}} : i64
func.func @update(%a: memref<?x4096xf16>, %b: memref<4096x4096xf16>, %c: memref<?x4096xf16>) {
  blas.gemm opB<t> ins(%a, %b : memref<?x4096xf16>, memref<4096x4096xf16>) outs(%c : memref<?x4096xf16>)
  return
}
