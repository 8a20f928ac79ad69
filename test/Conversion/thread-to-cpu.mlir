// A kernel as a coroutine of the host, a launch as a call of the runtime.
// RUN: gemm-opt %s --thread-to-cpu | FileCheck %s

module attributes {gpu.container_module} {
  // The arguments go by an array of pointers to them, as for a driver.
  // CHECK-LABEL: func.func @host
  // CHECK-SAME:      %{{.*}}: memref<f32>, %{{.*}}: memref<f32>, %[[N:.*]]: i64
  // CHECK:         %[[COUNT:.*]] = llvm.mlir.constant(3 : i64)
  // CHECK:         %[[PARAMETERS:.*]] = llvm.alloca %[[COUNT]] x !llvm.ptr
  // CHECK:         %[[LAST:.*]] = llvm.getelementptr %[[PARAMETERS]][2]
  // CHECK:         llvm.store %[[N]], %[[SLOT:.*]] : i64
  // CHECK:         llvm.store %[[SLOT]], %[[LAST]]
  // CHECK:         llvm.call @rooftileCpuLaunch(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[PARAMETERS]])
  // CHECK-NOT:     gpu.launch_func
  func.func @host(%p: memref<f32>, %q: memref<f32>, %n: i64) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %shared = arith.constant 256 : i32
    gpu.launch_func @kernels::@reverse blocks in (%c4, %c1, %c1) threads in (%c64, %c1, %c1)
      dynamic_shared_memory_size %shared args(%p : memref<f32>, %q : memref<f32>, %n : i64)
    return
  }

  // CHECK-LABEL: llvm.func @kernels_reverse
  // CHECK-SAME:      (%[[PARAMETERS:.*]]: !llvm.ptr, %[[THREAD:.*]]: !llvm.ptr) -> !llvm.ptr
  // CHECK-SAME:      presplitcoroutine
  // CHECK:         %[[SIZE:.*]] = llvm.intr.coro.size
  // CHECK:         llvm.call @malloc(%[[SIZE]])
  // CHECK:         %[[HANDLE:.*]] = llvm.intr.coro.begin
  // Suspended at the start,
  // CHECK:         llvm.intr.coro.suspend
  // thread id, block id and shared memory come from the thread's record,
  // CHECK:         llvm.getelementptr %[[THREAD]][0]
  // CHECK:         llvm.getelementptr %[[THREAD]][8]
  // CHECK:         llvm.getelementptr %[[THREAD]][16]
  // CHECK:         memref.store
  // suspended at barrier 1,
  // CHECK:         %[[BARRIER:.*]] = llvm.mlir.constant(1 : i64)
  // CHECK:         %[[FIELD:.*]] = llvm.getelementptr %[[THREAD]][24]
  // CHECK:         llvm.store %[[BARRIER]], %[[FIELD]]
  // CHECK:         llvm.intr.coro.suspend
  // CHECK:         memref.load
  // and at the end, which is -1.
  // CHECK:         %[[END:.*]] = llvm.mlir.constant(-1 : i64)
  // CHECK:         llvm.store %[[END]]
  // CHECK:         %[[FINAL:.*]] = llvm.mlir.constant(true)
  // CHECK:         llvm.intr.coro.suspend %{{.*}}, %[[FINAL]]
  // CHECK:         llvm.intr.coro.free
  // CHECK:         llvm.call @free
  // CHECK:         llvm.return %[[HANDLE]]
  // CHECK-NOT:     gpu.
  gpu.module @kernels {
    gpu.func @reverse(%p: memref<f32>, %q: memref<f32>, %n: i64) kernel {
      %c0 = arith.constant 0 : index
      %c63 = arith.constant 63 : index
      %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
      %view = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>>
        to memref<64xf32, #gpu.address_space<workgroup>>
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %x = memref.load %p[] : memref<f32>
      memref.store %x, %view[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %other = arith.subi %c63, %t : index
      %y = memref.load %view[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %y, %q[] : memref<f32>
      gpu.return
    }
  }
}
