// RUN: gemm-opt %s --split-input-file --tile-sync --verify-diagnostics

#map = #tile.map<threads = [4:(1, 0)], values = [2:(0, 1)]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
gpu.module @kernels {
gpu.func @loop(%tile: !tile.matrix<4x2xf32, #map>, %any: i1) kernel {
  %c0 = arith.constant 0 : index
  %buffer = tile.alloc : !one
  scf.while : () -> () {
    scf.condition(%any)
  } do {
    %stage = tile.view %buffer[%c0] [%c0, %c0] : !one -> !one
    // expected-error @+1 {{stands in scf.while: tile-sync supports scf.for and scf.if only}}
    tile.store %tile, %stage : !tile.matrix<4x2xf32, #map>, !one
    scf.yield
  }
  gpu.return
}
}

// -----

#map = #tile.map<threads = [4:(1, 0)], values = [2:(0, 1)]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
gpu.module @kernels {
gpu.func @branches(%tile: !tile.matrix<4x2xf32, #map>, %any: i1) kernel {
  %c0 = arith.constant 0 : index
  %buffer = tile.alloc : !one
  %stage = tile.view %buffer[%c0] [%c0, %c0] : !one -> !one
  cf.br ^again
^again:
  // expected-error @+1 {{stands in branches: tile-sync supports scf.for and scf.if only}}
  tile.store %tile, %stage : !tile.matrix<4x2xf32, #map>, !one
  cf.cond_br %any, ^again, ^end
^end:
  gpu.return
}
}

// -----

#map = #tile.map<threads = [4:(1, 0)], values = [2:(0, 1)]>
#lines = #tile.map<threads = [2:(0, 0), 2:(0, 1)], values = [4:(1, 0)]>
!ring = !tile.buffer<2 x 4x2xf32, strides = [1, 4]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
gpu.module @kernels {
gpu.func @counters(%A: memref<8x8xf32>, %i: index, %j: index) kernel {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  %other = tile.view %ring[%j] [%i, %i] : !ring -> !one
  tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x8xf32>, !one
  // expected-error @+1 {{touches what a bulk copy may be on its way to, and no counter gives stage to wait for}}
  %read = tile.load %other : !one -> !tile.matrix<4x2xf32, #map>
  gpu.return
}
}

// -----

#lines = #tile.map<threads = [2:(0, 0), 2:(0, 1)], values = [4:(1, 0)]>
!ring = !tile.buffer<2 x 4x2xf32, strides = [1, 4]>
!one = !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
gpu.module @kernels {
gpu.func @twice(%A: memref<8x8xf32>, %i: index) kernel {
  %ring = tile.alloc : !ring
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !one
  tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x8xf32>, !one
  // expected-error @+1 {{touches what a bulk copy may be on its way to, and no counter gives stage to wait for}}
  tile.copy %A[%i, %i], %stage map #lines bulk : memref<8x8xf32>, !one
  gpu.return
}
}
