// A kernel that a process has assembled is not assembled again: two operations of one shape have two
// kernels of one name and content, one of another shape has its own.
// RUN: rm -f %t.log
// RUN: env CUDA_ROOT=%S/Inputs/counting ROOFTILE_PTXAS_LOG=%t.log gemm-opt %s --mlir-disable-threading --blas-to-nvvm="chip=h200 format=bin" 2>/dev/null | grep -c -o "gpu.binary @[a-z0-9_]*" | FileCheck %s --check-prefix=BINARIES
// RUN: FileCheck %s < %t.log

// BINARIES: 3

// CHECK: gemm_f32_nn_32x32x8
// CHECK-NEXT: gemm_f32_nn_32x32x8
// CHECK-NOT: {{.}}

#plan = #blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

func.func @products(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>,
                    %d: memref<64x64xf32>, %e: memref<96x64xf32>, %f: memref<96x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>) plan(#plan)
  blas.gemm ins(%b, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%d : memref<64x64xf32>) plan(#plan)
  blas.gemm ins(%e, %a : memref<96x64xf32>, memref<64x64xf32>) outs(%f : memref<96x64xf32>) plan(#plan)
  return
}
