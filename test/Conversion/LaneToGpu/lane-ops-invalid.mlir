// An operation that a chip has no instruction for is an error at the operation or kernel, on the way to either vendor.
// RUN: split-file %s %t
// RUN: not gemm-opt %t/barrier.mlir --blas-attach-target=chip=a100 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not gemm-opt %t/barrier.mlir --blas-attach-target=chip=mi300x --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: gemm-opt %t/barrier.mlir --blas-attach-target=chip=h200 --lane-to-nvvm | FileCheck %s --check-prefix=H200
// RUN: not gemm-opt %t/cluster.mlir --blas-attach-target=chip=a100 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=CLUSTER
// RUN: not gemm-opt %t/bulk.mlir --blas-attach-target=chip=a100 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=BULK
// RUN: not gemm-opt %t/bulk.mlir --blas-attach-target=chip=mi300x --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=BULK-AMD
// RUN: not gemm-opt %t/elect.mlir --blas-attach-target=chip=h200 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=ELECT
// RUN: not gemm-opt %t/copies.mlir --blas-attach-target=chip=v100 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=COPIES
// RUN: not gemm-opt %t/copies.mlir --blas-attach-target=chip=rx7900xtx --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=WAVE

// BARRIER: barrier.mlir:3:3: error: 'lane.cluster_barrier' op needs clusters of workgroups, which a100 does not have (clusterBlocks)
// AMD: barrier.mlir:3:3: error: 'lane.cluster_barrier' op has no instruction on mi300x
// H200: nvvm.cluster.wait
//--- barrier.mlir
gpu.module @m {
gpu.func @k() kernel {
  lane.cluster_barrier
  gpu.return
}
}

// CLUSTER: cluster.mlir:2:1: error: kernel is launched in clusters of 4 workgroups, but one of a100 has at most 1
//--- cluster.mlir
gpu.module @m {
gpu.func @k(%c: memref<f32>) kernel attributes {blas.contract = #blas.contract<args = [<pointer c>],
    tile = [1, 1], output = [4, 4], splits = 4, cluster = 4, workgroup = 32, sharedBytes = 0>} {
  gpu.return
}
}

// COPIES: copies.mlir:3:3: error: 'lane.commit' op needs copies without registers, which v100 does not have (asyncCopyBytes)
// WAVE: copies.mlir:3:3: error: 'lane.commit' op has no instruction on rx7900xtx
//--- copies.mlir
gpu.module @m {
gpu.func @k() kernel {
  lane.commit
  lane.wait 0
  gpu.return
}
}

// BULK: bulk.mlir:3:3: error: 'lane.arrived' op needs bulk copies, which a100 does not have (bulkCopy)
// BULK-AMD: bulk.mlir:3:3: error: 'lane.arrived' op has no instruction on mi300x
//--- bulk.mlir
gpu.module @m {
gpu.func @k(%counters: memref<?xi64, #gpu.address_space<workgroup>>, %i: index) kernel {
  lane.arrived %counters[%i] parity %i : memref<?xi64, #gpu.address_space<workgroup>>
  gpu.return
}
}

// ELECT: elect.mlir:3:10: error: 'lane.elect' op elects one of 8 threads, but a subgroup of h200 has 32
//--- elect.mlir
gpu.module @m {
gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %one = lane.elect 8
  gpu.return
}
}
