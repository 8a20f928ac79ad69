// Functions of complex numbers around products, for which neither vendor's lowering has an operation.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" | FileCheck %s
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" | FileCheck %s
// RUN: gemm-opt %s --blas-to-cpu -o /dev/null

// CHECK-LABEL: llvm.func @functions
// CHECK: gpu.launch_func
func.func @functions(%a: memref<64xcomplex<f32>>, %b: memref<64xcomplex<f32>>, %c: memref<64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : memref<64xcomplex<f32>>) outs(%b, %c : memref<64xcomplex<f32>>, memref<64xf32>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>, %z: f32):
    %0 = complex.exp %x : complex<f32>
    %1 = complex.conj %0 : complex<f32>
    %2 = complex.sqrt %1 : complex<f32>
    %3 = complex.neg %2 : complex<f32>
    %4 = complex.abs %x : complex<f32>
    linalg.yield %3, %4 : complex<f32>, f32
  }
  return
}
