// What micro-tile refuses, and why.
// RUN: gemm-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(gpu.module(micro-tile))'

!acc = !tile.matrix<16x16xf32, <threads = [8:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>>

gpu.module @kernels {
  gpu.func @slices(%n: index, %init: f32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{a slice loop must have constant bounds}}
    scf.for %s = %c0 to %n step %c1 {
      %acc = tile.fill %init : f32 -> !acc
    } {tile.slices}
    gpu.return
  }
}
