// Kernels as coroutines: LLVM, with nothing of gpu left, and a suspend point a barrier.
// RUN: gemm-opt %s --blas-to-cpu=chip=h200 -o %t.mlir 2>/dev/null
// RUN: FileCheck %s < %t.mlir
// RUN: sed -E 's/blas.target = #blas.target<[^>]*>,//; s/blas.contract = #blas.contract<args = .*sharedBytes = [0-9]+>, //' %t.mlir | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: opt -passes="coro-early,cgscc(coro-split),coro-cleanup" -disable-output %t.ll

// CHECK-NOT: {{gpu\.(func|module|launch|barrier)|unrealized_conversion_cast|!tile|memref\.}}
// CHECK: llvm.func @product
// CHECK: llvm.call @rooftileCpuLaunch
// CHECK: llvm.func internal @gemm_f32_nn_4x4x2_module_gemm_f32_nn_4x4x2
// CHECK-SAME: passthrough = ["presplitcoroutine"]
// CHECK: llvm.intr.coro.id
// CHECK: llvm.intr.coro.begin
// The start, the barrier of the loop, the one before the last step, the end.
// CHECK-COUNT-4: llvm.intr.coro.suspend
// CHECK-NOT: llvm.intr.coro.suspend
// CHECK: llvm.intr.coro.end
func.func @product(%a: memref<8x16xf32>, %b: memref<16x8xf32>, %c: memref<8x8xf32>) {
  blas.gemm ins(%a, %b : memref<8x16xf32>, memref<16x8xf32>) outs(%c : memref<8x8xf32>)
    plan(<macro = [4, 4, 2], micro = [2, 2], lanes = [2, 2], vector = 2,
          a = <via = shared, pad = 4>, b = <via = shared, vector = 2>>)
  return
}
