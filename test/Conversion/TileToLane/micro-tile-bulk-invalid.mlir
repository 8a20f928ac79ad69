// RUN: gemm-opt %s --split-input-file --micro-tile --verify-diagnostics

#lines = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>
#other = #tile.map<threads = [4:(0, 0)], values = [8:(1, 0), 4:(0, 1)]>
!ring = !tile.buffer<2 x 8x4xf32, strides = [1, 8]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
gpu.module @kernels {
gpu.func @maps(%A: memref<8x4xf32>, %i: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x4xf32>, !one
  // expected-error @+1 {{bulk: another copy fills the same ring with another map}}
  tile.copy %A[%i, %i], %stage map #other bulk : memref<8x4xf32>, !one
  gpu.return
}
}

// -----

#lines = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>
!ring = !tile.buffer<2 x 8x4xf32, strides = [1, 8]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
gpu.module @kernels {
gpu.func @stores(%A: memref<8x4xf32>, %i: index, %tile: !tile.matrix<8x4xf32, #lines>) kernel
    attributes {known_block_size = array<i32: 4, 1, 1>} {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x4xf32>, !one
  // expected-error @+1 {{writes to a ring that bulk copies fill}}
  tile.store %tile, %stage : !tile.matrix<8x4xf32, #lines>, !one
  gpu.return
}
}

// -----

#lines = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>
!ring = !tile.buffer<2 x 8x4xf32, strides = [1, 8]>
gpu.module @kernels {
gpu.func @nothing(%i: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %ring = tile.alloc : !ring
  // expected-error @+1 {{waits for ever: no bulk copy fills the ring}}
  tile.arrived %ring[%i] : !ring
  gpu.return
}
}

// -----

#lines = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
gpu.module @kernels {
gpu.func @unknown(%A: memref<8x4xf32>, %i: index, %stage: !one) kernel
    attributes {known_block_size = array<i32: 4, 1, 1>} {
  // expected-error @+1 {{bulk: the view is no stage of a tile.alloc}}
  tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x4xf32>, !one
  gpu.return
}
}
