// RUN: gemm-opt %s --micro-tile | FileCheck %s --check-prefix=MICRO
// RUN: gemm-opt %s --micro-tile --lane-to-nvvm | FileCheck %s --check-prefix=NVVM

!sums = !tile.matrix<2x4xf32, <threads = [2:(0, 2), 2:(1, 0)], values = [2:(0, 1)]>>
!buffer = !tile.buffer<1 x 2x4xf32, strides = [4, 1]>

module attributes {gpu.container_module, blas.target = #blas.target<
    chip = "h200", vendor = nvidia, arch = "sm_90a", units = 132, clockMHz = 1980, subgroup = 32,
    schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256,
    sharedBytesPerUnit = 233472, sharedBytesPerBlock = 232448, sharedBytesReserved = 1024,
    sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048,
    threadsPerBlock = 1024, blocksPerUnit = 32, clusterBlocks = 8, fmaF32PerClock = 128,
    fmaF64PerClock = 64, l2Bytes = 62914560, l2GBps = 8500, dramReadGBps = 4680,
    dramCopyGBps = 4080, dramWriteGBps = 4320, dramLatencyCycles = 690, l2LatencyCycles = 290,
    sharedLatencyCycles = 29, fmaLatencyCycles = 4, launchNs = 3700>} {
  gpu.module @kernels {
    // Another workgroup's memory: the same address there, in wide loads.
    // MICRO-LABEL: gpu.func @cluster
    // MICRO:         %[[THERE:.*]] = lane.peer %{{.*}}, %{{.*}} : memref<?xf32, #gpu.address_space<workgroup>>
    // MICRO:         vector.load %[[THERE]][%{{.*}}] {{.*}} vector<2xf32>
    // MICRO:         lane.cluster_barrier
    // NVVM-LABEL:  gpu.func @cluster
    // NVVM-SAME:     nvvm.cluster_dim = array<i32: 4, 1, 1>
    // NVVM:          nvvm.mapa %{{.*}}, %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
    // NVVM:          vector.load %{{.*}} : memref<?xf32, 7{{.*}}>, vector<2xf32>
    // NVVM:          nvvm.cluster.arrive {aligned}
    // NVVM-NEXT:     nvvm.cluster.wait {aligned}
    gpu.func @cluster(%c: memref<f32>, %rank: index) kernel
        attributes {known_block_size = array<i32: 4, 1, 1>,
                    blas.contract = #blas.contract<args = [], tile = [2, 4], workgroup = 4, sharedBytes = 32, splits = 4, cluster = 4>} {
      %c0 = arith.constant 0 : index
      %C = memref.reinterpret_cast %c to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<f32> to memref<2x4xf32, strided<[4, 1]>>
      %buffer = tile.alloc : !buffer
      %other = tile.view %buffer[%c0] [%c0, %c0] peer %rank : !buffer -> !buffer
      %sums = tile.load %other : !buffer -> !sums
      lane.cluster_barrier
      tile.update %sums, %C[%c0, %c0] vector 2 : !sums, memref<2x4xf32, strided<[4, 1]>>
      gpu.return
    }

    // One addition an element.
    // MICRO-LABEL: gpu.func @atomic
    // MICRO-COUNT-2: memref.atomic_rmw addf %{{.*}}, %{{.*}}[%{{.*}}] : (f32, memref<?xf32>) -> f32
    gpu.func @atomic(%c: memref<f32>, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
      %c0 = arith.constant 0 : index
      %C = memref.reinterpret_cast %c to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<f32> to memref<2x4xf32, strided<[4, 1]>>
      %sums = tile.fill %x : f32 -> !sums
      tile.update atomic %sums, %C[%c0, %c0] vector 2 : !sums, memref<2x4xf32, strided<[4, 1]>>
      gpu.return
    }
  }
}
