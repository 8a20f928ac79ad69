// RUN: gemm-opt %s --tile-sync -split-input-file -verify-diagnostics | FileCheck %s
// RUN: gemm-opt %s --tile-sync --tile-sync -split-input-file -verify-diagnostics | FileCheck %s

!sums = !tile.matrix<4x4xf32, <threads = [4:(1, 0)], values = [4:(0, 1)]>>
!share = !tile.matrix<2x4xf32, <threads = [2:(0, 2), 2:(1, 0)], values = [2:(0, 1)]>>
!buffer = !tile.buffer<1 x 4x4xf32, strides = [4, 1]>
!part = !tile.buffer<1 x 2x4xf32, strides = [4, 1]>

gpu.module @exchange {
  // The workgroups meet between what they store and what others read of it, and before the memory
  // goes; a barrier of one workgroup is not enough, and none is needed beside.
  // CHECK-LABEL: gpu.func @exchange
  // CHECK:         tile.store
  // CHECK-NOT:     gpu.barrier
  // CHECK:         lane.cluster_barrier
  // CHECK-NEXT:    tile.load
  // CHECK:         tile.load
  // CHECK-NOT:     barrier
  // CHECK:         lane.cluster_barrier
  // CHECK-NEXT:    gpu.return
  gpu.func @exchange(%sums: !sums, %row: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %buffer = tile.alloc : !buffer
    %own = tile.view %buffer[%c0] [%c0, %c0] : !buffer -> !buffer
    tile.store %sums, %own : !sums, !buffer
    %first = tile.view %buffer[%c0] [%row, %c0] peer %c0 : !buffer -> !part
    %a = tile.load %first : !part -> !share
    %second = tile.view %buffer[%c0] [%row, %c0] peer %c1 : !buffer -> !part
    %b = tile.load %second : !part -> !share
    gpu.return
  }

  // A second store waits until others have read the first.
  // CHECK-LABEL: gpu.func @twice
  // CHECK:         tile.store
  // CHECK:         lane.cluster_barrier
  // CHECK:         tile.load
  // CHECK:         lane.cluster_barrier
  // CHECK-NEXT:    tile.store
  // CHECK-NEXT:    gpu.return
  gpu.func @twice(%sums: !sums, %row: index, %rank: index) kernel {
    %c0 = arith.constant 0 : index
    %buffer = tile.alloc : !buffer
    %own = tile.view %buffer[%c0] [%c0, %c0] : !buffer -> !buffer
    tile.store %sums, %own : !sums, !buffer
    %other = tile.view %buffer[%c0] [%row, %c0] peer %rank : !buffer -> !part
    %a = tile.load %other : !part -> !share
    tile.store %sums, %own : !sums, !buffer
    gpu.return
  }
}

// -----

!sums = !tile.matrix<4x4xf32, <threads = [4:(1, 0)], values = [4:(0, 1)]>>
!buffer = !tile.buffer<1 x 4x4xf32, strides = [4, 1]>

gpu.module @looped {
  gpu.func @looped(%n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %buffer = tile.alloc : !buffer
    scf.for %i = %c0 to %n step %c1 {
      %other = tile.view %buffer[%c0] [%c0, %c0] peer %i : !buffer -> !buffer
      // expected-error @+1 {{stands in scf.for: a buffer that other workgroups read is accessed in straight code only}}
      %a = tile.load %other : !buffer -> !sums
    }
    gpu.return
  }
}

// -----

!sums = !tile.matrix<4x4xf32, <threads = [4:(1, 0)], values = [4:(0, 1)]>>
!buffer = !tile.buffer<1 x 4x4xf32, strides = [4, 1]>

func.func @foreign_store(%buffer: !buffer, %sums: !sums, %i: index) {
  %other = tile.view %buffer[%i] [%i, %i] peer %i : !buffer -> !buffer
  // expected-error @+1 {{to the buffer of another workgroup, which only loads may reach}}
  tile.store %sums, %other : !sums, !buffer
  return
}
