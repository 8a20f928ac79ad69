// Kernels become coroutines of the host, barriers suspend points, launches calls of the runtime.
// RUN: gemm-opt %s --lane-to-cpu | FileCheck %s
// Without launches and gpu modules there is nothing to do.
// RUN: gemm-opt %s --lane-to-cpu > %t.once
// RUN: gemm-opt %t.once --lane-to-cpu | diff - %t.once
// The output is LLVM that LLVM accepts.
// RUN: gemm-opt %s --lane-to-cpu | mlir-opt --convert-scf-to-cf --convert-to-llvm --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=LLVM

// LLVM: declare void @rooftileCpuLaunch(ptr, ptr, i64, i64, i64, i64, ptr, ptr, i64)
// LLVM: define internal ptr @kernels_exchange(ptr %0, ptr %1) #[[ATTRIBUTES:[0-9]+]]
// LLVM: call token @llvm.coro.id
// LLVM: attributes #[[ATTRIBUTES]] = { presplitcoroutine }

module attributes {gpu.container_module} {
// CHECK-NOT: gpu.module
// CHECK: llvm.mlir.global private constant @kernels_exchange_name("exchange\00")
// CHECK: llvm.func @rooftileCpuLaunch(!llvm.ptr, !llvm.ptr, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64)
gpu.module @kernels {
  gpu.func @exchange(%p: memref<f32>, %n: i64) kernel {
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %shared = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %view = memref.view %shared[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<4xf32, #gpu.address_space<workgroup>>
    %x = memref.load %p[] : memref<f32>
    memref.store %x, %view[%thread] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %view[%block] : memref<4xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %y, %p[] : memref<f32>
    gpu.return
  }
  gpu.func @ranks(%p: memref<f32>) kernel {
    %rank = gpu.cluster_block_id x
    %blocks = gpu.cluster_dim_blocks x
    %sum = arith.addi %rank, %blocks : index
    %number = arith.index_cast %sum : index to i64
    %x = arith.sitofp %number : i64 to f32
    memref.store %x, %p[] : memref<f32>
    gpu.return
  }
}

// Arguments cross as an array of addresses of values; a memref as its pointer. Stages on the stack lie in
// the entry block, so that a launch in a loop does not grow the stack.
// CHECK-LABEL: func.func @launch
// CHECK-SAME: %[[P:[a-z0-9_]+]]: memref<f32>, %[[N:[a-z0-9_]+]]: i64, %[[GRID:[a-z0-9_]+]]: index
// CHECK-COUNT-3: llvm.alloca
// CHECK: scf.for
// CHECK-NOT: llvm.alloca
// CHECK:   %[[SLOT0:[a-z0-9_]+]] = llvm.getelementptr %[[PARAMS:[a-z0-9_]+]][0]
// CHECK:   %[[INDEX:[a-z0-9_]+]] = memref.extract_aligned_pointer_as_index %[[P]]
// CHECK:   %[[BITS:[a-z0-9_]+]] = arith.index_cast %[[INDEX]]
// CHECK:   %[[POINTER:[a-z0-9_]+]] = llvm.inttoptr %[[BITS]]
// CHECK:   llvm.store %[[POINTER]], %[[VALUE0:[a-z0-9_]+]]
// CHECK:   llvm.store %[[VALUE0]], %[[SLOT0]]
// CHECK:   %[[SLOT1:[a-z0-9_]+]] = llvm.getelementptr %[[PARAMS]][1]
// CHECK:   llvm.store %[[N]], %[[VALUE1:[a-z0-9_]+]]
// CHECK:   llvm.store %[[VALUE1]], %[[SLOT1]]
// CHECK:   %[[BYTES:[a-z0-9_]+]] = llvm.sext %{{.*}} : i32 to i64
// CHECK:   %[[CLUSTER:[a-z0-9_]+]] = llvm.mlir.constant(1 : i64)
// CHECK:   %[[KERNEL:[a-z0-9_]+]] = llvm.mlir.addressof @kernels_exchange :
// CHECK:   %[[BLOCKS:[a-z0-9_]+]] = arith.index_cast %[[GRID]]
// CHECK:   %[[THREADS:[a-z0-9_]+]] = arith.index_cast %{{.*}}
// CHECK:   llvm.call @rooftileCpuLaunch(%{{.*}}, %[[KERNEL]], %[[BLOCKS]], %[[THREADS]], %[[CLUSTER]], %[[BYTES]], %[[PARAMS]], %{{.*}}, %{{.*}})
func.func @launch(%p: memref<f32>, %n: i64, %grid: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.constant 16 : i32
  scf.for %i = %c0 to %grid step %c1 {
    gpu.launch_func @kernels::@exchange blocks in (%grid, %c1, %c1) threads in (%c4, %c1, %c1) dynamic_shared_memory_size %bytes args(%p : memref<f32>, %n : i64)
  }
  return
}

// Two launches of one kernel share it. Without dynamic shared memory there are 0 bytes of it.
// CHECK-LABEL: func.func @again
// CHECK: %[[NONE:[a-z0-9_]+]] = llvm.mlir.constant(0 : i64)
// CHECK: llvm.mlir.addressof @kernels_exchange_name
// CHECK: llvm.call @rooftileCpuLaunch(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[NONE]], %{{.*}}, %{{.*}}, %{{.*}})
func.func @again(%p: memref<f32>, %n: i64) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<f32>, %n : i64)
  return
}

// Clusters of two blocks.
// CHECK-LABEL: func.func @pairs
// CHECK: %[[TWO:[a-z0-9_]+]] = arith.index_cast %c2
// CHECK: llvm.call @rooftileCpuLaunch(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[TWO]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
func.func @pairs(%p: memref<f32>, %n: i64) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch_func @kernels::@ranks clusters in (%c2, %c1, %c1) blocks in (%c2, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : memref<f32>)
  return
}

// CHECK-LABEL: llvm.func internal @kernels_exchange
// CHECK-SAME: (%[[PARAMS:[a-z0-9_]+]]: !llvm.ptr, %[[THREAD:[a-z0-9_]+]]: !llvm.ptr) -> !llvm.ptr
// CHECK-SAME: passthrough = ["presplitcoroutine"]
// CHECK: %[[ID:[a-z0-9_]+]] = llvm.intr.coro.id
// CHECK: %[[SIZE:[a-z0-9_]+]] = llvm.intr.coro.size
// CHECK: %[[MEMORY:[a-z0-9_]+]] = llvm.call @malloc(%[[SIZE]])
// CHECK: %[[HANDLE:[a-z0-9_]+]] = llvm.intr.coro.begin %[[ID]], %[[MEMORY]]
// CHECK: llvm.intr.coro.suspend
// CHECK: llvm.getelementptr %[[THREAD]][0]
// CHECK: llvm.getelementptr %[[THREAD]][8]
// CHECK: llvm.getelementptr %[[THREAD]][16]
// CHECK-NOT: gpu.
// CHECK: memref.store {{.*}} : memref<4xf32>
// Each barrier writes its number, so that the runtime sees who waits where.
// CHECK: %[[FIRST:[a-z0-9_]+]] = llvm.mlir.constant(1 : i64)
// CHECK: %[[PLACE:[a-z0-9_]+]] = llvm.getelementptr %[[THREAD]][24]
// CHECK: llvm.store %[[FIRST]], %[[PLACE]]
// CHECK: llvm.intr.coro.suspend
// CHECK: memref.load {{.*}} : memref<4xf32>
// CHECK: %[[SECOND:[a-z0-9_]+]] = llvm.mlir.constant(2 : i64)
// CHECK: llvm.store %[[SECOND]]
// CHECK: llvm.intr.coro.suspend
// CHECK: memref.store
// The end is a barrier of its own, -1.
// CHECK: %[[END:[a-z0-9_]+]] = llvm.mlir.constant(-1 : i64)
// CHECK: llvm.store %[[END]]
// CHECK: %[[FINAL:[a-z0-9_]+]] = llvm.mlir.constant(true)
// CHECK: llvm.intr.coro.suspend %{{.*}}, %[[FINAL]]
// CHECK: %[[FRAME:[a-z0-9_]+]] = llvm.intr.coro.free %[[ID]], %[[HANDLE]]
// CHECK: llvm.call @free(%[[FRAME]])
// CHECK: llvm.intr.coro.end %[[HANDLE]]
// CHECK: llvm.return %[[HANDLE]]

// A block's rank in its cluster and the cluster's size.
// CHECK-LABEL: llvm.func internal @kernels_ranks
// CHECK: %[[RANK_PLACE:[a-z0-9_]+]] = llvm.getelementptr %{{.*}}[32]
// CHECK: %[[RANK_BITS:[a-z0-9_]+]] = llvm.load %[[RANK_PLACE]]
// CHECK: %[[RANK:[a-z0-9_]+]] = arith.index_cast %[[RANK_BITS]]
// CHECK: %[[SIZE_PLACE:[a-z0-9_]+]] = llvm.getelementptr %{{.*}}[40]
// CHECK: %[[SIZE_BITS:[a-z0-9_]+]] = llvm.load %[[SIZE_PLACE]]
// CHECK: %[[SIZE:[a-z0-9_]+]] = arith.index_cast %[[SIZE_BITS]]
// CHECK: arith.addi %[[RANK]], %[[SIZE]]
}
