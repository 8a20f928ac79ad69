// Lines of a shared tile run along M or N, or with `major = k` along K: the copy and the fragments are the same, the
// strides of the ring are not.
// RUN: gemm-opt %s --macro-tile | FileCheck %s

#k = #blas.plan<macro = [32, 16, 16], micro = [4, 4], lanes = [8, 4], mma = m16n8k8_f64,
                a = <via = shared, copy = async, vector = 2, pad = 4, major = k>,
                b = <via = shared, copy = async, vector = 2, pad = 4>, stages = 3>
#both = #blas.plan<macro = [32, 16, 16], micro = [4, 4], lanes = [8, 4], mma = m16n8k8_f64,
                   a = <via = shared, vector = 2, pad = 4, major = k>,
                   b = <via = shared, vector = 2, pad = 2, major = k>>
// CHECK-LABEL: gpu.func @gemm_f64_nn_32x16x16(
// CHECK: tile.alloc : !tile.buffer<3 x 32x16xf64, strides = [20, 1]>
// CHECK: tile.alloc : !tile.buffer<3 x 16x16xf64, strides = [20, 1]>
// CHECK-LABEL: gpu.func @gemm_f64_nt_32x16x16(
// CHECK: tile.alloc : !tile.buffer<2 x 32x16xf64, strides = [20, 1]>
// CHECK: tile.alloc : !tile.buffer<2 x 16x16xf64, strides = [1, 18]>
// CHECK: tile.store {{.*}}strides = [1, 18]
func.func @gemm(%a: memref<64x64xf64>, %c: memref<64x64xf64>) {
  blas.gemm ins(%a, %a : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>) plan(#k)
  blas.gemm opB<t> ins(%a, %a : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>) plan(#both)
  return
}
