// With ld.lld, format=bin and auto embed a code object: an ELF file with the kernel, its descriptor and
// its metadata, for each architecture.
// REQUIRES: ld.lld
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi60 format=bin" 2>/dev/null | %python %S/object.py > %t.gfx906
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi250x" 2>/dev/null | %python %S/object.py > %t.gfx90a
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x" 2>/dev/null | %python %S/object.py > %t.gfx942
// RUN: gemm-opt %s --blas-to-rocdl="chip=rx7900xtx" 2>/dev/null | %python %S/object.py > %t.gfx1100
// RUN: llvm-readelf --file-headers --dyn-syms --notes %t.gfx906 | FileCheck %s -DARCH=gfx906
// RUN: llvm-readelf --file-headers --dyn-syms --notes %t.gfx90a | FileCheck %s -DARCH=gfx90a
// RUN: llvm-readelf --file-headers --dyn-syms --notes %t.gfx942 | FileCheck %s -DARCH=gfx942
// RUN: llvm-readelf --file-headers --dyn-syms --notes %t.gfx1100 | FileCheck %s -DARCH=gfx1100
// CHECK: Type: DYN (Shared object file)
// CHECK: Machine: EM_AMDGPU
// CHECK: Flags: {{.*}}, [[ARCH]]{{,|$}}
// CHECK-DAG: FUNC GLOBAL PROTECTED {{.*}} gemm_f32_nn_{{[0-9x]+ *$}}
// CHECK-DAG: OBJECT GLOBAL {{.*}} gemm_f32_nn_{{[0-9x]+}}.kd
// CHECK: .name: gemm_f32_nn_
// CHECK: .private_segment_fixed_size: 0
// CHECK: .vgpr_count:
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
