// RUN: gemm-opt %s --unroll-slices --verify-diagnostics --allow-unregistered-dialect

gpu.module @kernels {
gpu.func @slices(%n: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{a slice loop must have constant bounds}}
  scf.for %s = %c0 to %n step %c1 {
    "test.use"(%s) : (index) -> ()
  } {tile.slices}
  gpu.return
}
}
