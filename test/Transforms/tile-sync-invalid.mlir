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
    %slot = tile.view %buffer[%c0] [%c0, %c0] : !one -> !one
    // expected-error @+1 {{stands in scf.while: tile-sync knows scf.for and scf.if only}}
    tile.store %tile, %slot : !tile.matrix<4x2xf32, #map>, !one
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
  %slot = tile.view %buffer[%c0] [%c0, %c0] : !one -> !one
  cf.br ^again
^again:
  // expected-error @+1 {{stands in branches: tile-sync knows scf.for and scf.if only}}
  tile.store %tile, %slot : !tile.matrix<4x2xf32, #map>, !one
  cf.cond_br %any, ^again, ^end
^end:
  gpu.return
}
}
