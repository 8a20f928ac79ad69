// Functions of an epilogue are code of the kernel on every target: nothing is called.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=PTX
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=ISA
// RUN: gemm-opt %s --blas-to-cpu 2>/dev/null | FileCheck %s --check-prefix=CPU

// PTX: .visible .entry gemm_f32_nn_
// PTX-NOT: .extern .func
// PTX-NOT: call.uni
// PTX: ret;
// ISA: gemm_f32_nn_
// ISA-NOT: s_swappc
// ISA: s_endpgm
// CPU-NOT: llvm.func @{{tanhf|expf|erff}}
func.func @functions(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>, %bias: memref<64xf32>) {
  blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    epilogue(%sum: f32, %x = %bias[1] : memref<64xf32>) {
      %0 = arith.addf %sum, %x : f32
      %1 = math.tanh %0 : f32
      %2 = math.exp %1 : f32
      %3 = math.erf %2 : f32
      %4 = math.absf %3 : f32
      %5 = arith.maximumf %4, %x : f32
      blas.yield %5 : f32
    }
  return
}
