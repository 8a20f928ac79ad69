// The whole line to PTX in MLIR's own mlir-opt, as one pipeline and as its passes.
// RUN: mlir-opt %plugin --allow-unregistered-dialect --pass-pipeline="builtin.module(blas-to-nvvm{chip=h200 format=isa})" %s 2>/dev/null | FileCheck %s
// RUN: mlir-opt %plugin --allow-unregistered-dialect --pass-pipeline="builtin.module(one-shot-bufferize,tile-select{chip=h200},macro-tile,canonicalize,leap-frog,canonicalize,tile-sync,gpu.module(unroll-slices,micro-tile,carry-counters,spread-copies))" %s 2>/dev/null | FileCheck %s --check-prefix=PASSES
// REQUIRES: plugin

// CHECK: llvm.func @product
// CHECK: gpu.launch_func {{.*}}@gemm_f32_nn_
// CHECK: "other.note"() : () -> ()
// CHECK: gpu.binary @gemm_f32_nn_{{.*}}[#gpu.object<#nvvm.target<{{.*}}chip = "sm_90a"{{.*}}assembly = "

// PASSES: gpu.launch_func {{.*}}@gemm_f32_nn_
// PASSES: "other.note"() : () -> ()
// PASSES: gpu.func @gemm_f32_nn_
// PASSES-SAME: blas.contract = #blas.contract<
// PASSES: math.fma
// PASSES-NOT: {{tile\.[a-z]}}
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  "other.note"() : () -> ()
  return
}
