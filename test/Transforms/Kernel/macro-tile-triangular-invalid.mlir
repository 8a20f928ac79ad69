// RUN: not gemm-opt %s --blas-attach-target=chip=h200 --macro-tile 2>&1 | FileCheck %s

// CHECK: 'blas.trmm' op plan: triangles and lines take 566272 bytes of shared memory, but a workgroup of h200 has at most 232448
func.func @shared(%a: memref<64x64xf64>, %b: memref<1024x64xf64>) {
  blas.trmm side<right> uplo<lower> ins(%a : memref<64x64xf64>) outs(%b : memref<1024x64xf64>) plan(<diagonal = 0, workgroup = 1024, a = shared, b = shared>)
  return
}
