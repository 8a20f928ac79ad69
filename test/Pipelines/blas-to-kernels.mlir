// Kernels for a compiler with its own runtime: the contract specifies all that a launch needs, the host code is
// left as it was around gpu.launch_func, without a call of a runtime, an allocation or a stream.
// RUN: gemm-opt %s --blas-to-kernels="chip=h200 format=isa" 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-kernels="chip=h200 format=func" 2>/dev/null | FileCheck %s --check-prefix=FUNC

// CHECK-LABEL: func.func @layer
// CHECK-SAME: %{{[a-z0-9_]+}}: memref<?x64xf32>
// CHECK: %[[BASE:[a-z0-9_]+]], {{.*}} = memref.extract_strided_metadata
// CHECK: gpu.launch_func @[[MODULE:[a-z0-9_]+]]::@[[KERNEL:gemm_f32_nn_32x32x8[a-z0-9_]*]] blocks in (%{{.*}}, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %c{{[0-9]+}}_i32 args(%[[BASE]] : memref<f32>
// CHECK-NOT: llvm.call
// CHECK: linalg.generic
// CHECK: return
// CHECK: gpu.binary @[[MODULE]] {blas.kernels = [#blas.kernel<name = "[[KERNEL]]", contract = <args = [<pointer a align 16>, <size a>, <pointer b align 16>, <pointer c align 16>, <size c>], tile = [32, 32], output = [?, 128], workgroup = 64, sharedBytes = {{[0-9]+}}>>]} [#gpu.object<{{.*}}assembly = "

// FUNC: linalg.generic
// FUNC: gpu.func @gemm_f32_nn_32x32x8
// FUNC-SAME: blas.contract = #blas.contract<args = [
// FUNC: math.fma
// FUNC-NOT: {{ tile\.[a-z]+[ (]}}
#both = affine_map<(i, j) -> (i, j)>
func.func @layer(%x: memref<?x64xf32>, %w: memref<64x128xf32>, %y: memref<?x128xf32>) {
  blas.gemm ins(%x, %w : memref<?x64xf32>, memref<64x128xf32>) outs(%y : memref<?x128xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 4,
          a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>>)
  linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]}
      outs(%y : memref<?x128xf32>) {
  ^bb0(%o: f32):
    %s = arith.addf %o, %o : f32
    linalg.yield %s : f32
  }
  return
}
