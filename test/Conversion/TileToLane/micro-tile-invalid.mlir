// RUN: gemm-opt %s --split-input-file --micro-tile --verify-diagnostics --allow-unregistered-dialect

#one = #tile.map<threads = [4:(1, 0)], values = []>
gpu.module @kernels {
// expected-error @+1 {{has no known_block_size: maps need the number of threads}}
gpu.func @unknown_threads(%x: f32) kernel {
  %sum = tile.fill %x : f32 -> !tile.matrix<4x1xf32, #one>
  gpu.return
}
}

// -----

#one = #tile.map<threads = [4:(1, 0)], values = []>
gpu.module @kernels {
gpu.func @threads(%x: f32) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
  // expected-error @+1 {{has a map over 4 threads in a workgroup of 8}}
  %sum = tile.fill %x : f32 -> !tile.matrix<4x1xf32, #one>
  gpu.return
}
}

// -----

#one = #tile.map<threads = [4:(1, 0)], values = []>
gpu.module @kernels {
gpu.func @source(%A: memref<8x8xf32>, %i: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  // expected-error @+2 {{source must be a memref.reinterpret_cast of a pointer}}
  // expected-error @+1 {{failed to legalize operation 'tile.load'}}
  %a = tile.load %A[%i, %i] : memref<8x8xf32> -> !tile.matrix<4x1xf32, #one>
  gpu.return
}
}

// -----

// The thread modes agree, but the fragment has no register for the second row.
#a = #tile.map<threads = [4:(2, 0)], values = []>
#b = #tile.map<threads = [4:(0, 0)], values = []>
#c = #tile.map<threads = [4:(2, 0)], values = [2:(1, 0)]>
gpu.module @kernels {
gpu.func @rows(%x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %a = tile.fill %x : f32 -> !tile.matrix<8x1xf32, #a>
  %b = tile.fill %x : f32 -> !tile.matrix<1x1xf32, #b>
  %c = tile.fill %x : f32 -> !tile.matrix<8x1xf32, #c>
  // expected-error @+2 {{a thread lacks the row or column of an element that it holds of c}}
  // expected-error @+1 {{failed to legalize operation 'tile.mma'}}
  %sum = tile.mma %a, %b, %c : !tile.matrix<8x1xf32, #a>, !tile.matrix<1x1xf32, #b>, !tile.matrix<8x1xf32, #c>
  gpu.return
}
}

// -----

#one = #tile.map<threads = [4:(1, 0)], values = []>
gpu.module @kernels {
gpu.func @stranger(%x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %a = tile.fill %x : f32 -> !tile.matrix<4x1xf32, #one>
  // expected-error @+1 {{failed to legalize operation 'test.use'}}
  "test.use"(%a) : (!tile.matrix<4x1xf32, #one>) -> ()
  gpu.return
}
}
