// Asynchronous copies and clusters hold on every chip whose architecture has them, and on no other.
// RUN: gemm-opt %s --blas-to-nvvm="chip=a100 format=isa" | FileCheck %s --check-prefix=PTX
// RUN: not gemm-opt %s --blas-to-nvvm="chip=v100 format=isa" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: sed 's/stages = 3/stages = 3, reduction = cluster, splits = 4/' %s > %t.mlir
// RUN: gemm-opt %t.mlir --blas-to-nvvm="chip=h100 format=isa" | FileCheck %s --check-prefixes=PTX,CLUSTER
// RUN: not gemm-opt %t.mlir --blas-to-nvvm="chip=a100 format=isa" 2>&1 | FileCheck %s --check-prefix=ALONE

// PTX: cp.async.
// CLUSTER: barrier.cluster.arrive
// NONE: error: {{.*}}a: copy = async moves 4 bytes at a time, but v100 has asynchronous copies of at most 0
// ALONE: error: {{.*}}reduction = cluster: splits = 4, but a cluster of a100 has at most 1 workgroups
func.func @product(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  blas.gemm ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>) outs(%c : memref<256x256xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 4,
          a = <via = shared, copy = async, vector = 4>, b = <via = shared, copy = async, vector = 4>, stages = 3>)
  return
}
