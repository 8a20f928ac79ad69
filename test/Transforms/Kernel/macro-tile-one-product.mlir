// Fragments are read ahead of the barrier where other products stand between the last one of a step and the first of
// the next; not where a subgroup has one matrix instruction's real sums.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --macro-tile | FileCheck %s

!a = memref<64x64xf64>
!z = memref<64x64xcomplex<f64>>

// CHECK-LABEL: gpu.func @gemm_f64_nn_32x16x16
// CHECK-NOT: tile.prefetch
// CHECK: } {tile.steps}
func.func @one(%a: !a, %b: !a, %c: !a) {
  blas.gemm ins(%a, %b : !a, !a) outs(%c : !a)
    plan(<macro = [32, 16, 16], micro = [2, 2], lanes = [8, 4], mma = m16n8k8_f64, a = <via = shared, copy = async>,
          b = <via = shared, copy = async>, stages = 3, prefetch = 1>)
  return
}

// CHECK-LABEL: gpu.func @gemm_f64_nn_32x32x16
// CHECK: } {tile.prefetch, tile.steps}
func.func @two(%a: !a, %b: !a, %c: !a) {
  blas.gemm ins(%a, %b : !a, !a) outs(%c : !a)
    plan(<macro = [32, 32, 16], micro = [2, 4], lanes = [8, 4], mma = m16n8k8_f64, a = <via = shared, copy = async>,
          b = <via = shared, copy = async>, stages = 3, prefetch = 1>)
  return
}

// CHECK-LABEL: gpu.func @gemm_c128_nn_32x16x16
// CHECK: } {tile.prefetch, tile.steps}
func.func @complex(%a: !z, %b: !z, %c: !z) {
  blas.gemm ins(%a, %b : !z, !z) outs(%c : !z)
    plan(<macro = [32, 16, 16], micro = [2, 2], lanes = [8, 4], mma = m16n8k4_f64, a = <via = shared>,
          b = <via = shared>, prefetch = 1>)
  return
}
