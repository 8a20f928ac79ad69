// Kernels remember the operation they stand for, through every stage: an error of a late pass points to the
// source, and a debugger or profiler can.
// RUN: gemm-opt %s --blas-to-kernels="chip=h200 format=func" --mlir-print-debuginfo --mlir-print-local-scope 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa source-lines=true" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=PTX
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa lines=true" 2>&1 >/dev/null | FileCheck %s --check-prefix=OLDER
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | FileCheck %s --check-prefix=WITHOUT

// OLDER: note: option 'lines' is called 'source-lines' now

// CHECK: gpu.launch_func {{.*}} loc("{{.*}}locations.mlir":[[#PRODUCT:]]:3)
// CHECK: gpu.func @gemm_f32_nn
// CHECK: math.fma {{.*}} loc("{{.*}}locations.mlir":[[#PRODUCT]]:3)
// CHECK: gpu.return loc("{{.*}}locations.mlir":[[#PRODUCT]]:3)

// PTX: .loc [[#FILE:]] [[#LINE:]] 3
// PTX: fma.rn.f32
// PTX: .file [[#FILE]] \22{{.*}}locations.mlir\22
// WITHOUT-NOT: .loc
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}
