// The line for AMD GPUs in MLIR's own mlir-opt: to ISA, and to a code object, beside another dialect.
// RUN: mlir-opt %plugin --allow-unregistered-dialect --pass-pipeline="builtin.module(blas-to-rocdl{chip=mi300x format=isa})" %s 2>/dev/null | FileCheck %s
// RUN: mlir-opt %plugin --allow-unregistered-dialect --pass-pipeline="builtin.module(blas-to-rocdl{chip=mi300x format=bin})" %s 2>/dev/null | %python %S/../Pipelines/object.py > %t.hsaco
// RUN: llvm-readelf --file-headers --dyn-syms %t.hsaco | FileCheck %s --check-prefix=OBJECT
// REQUIRES: plugin, ld.lld

// CHECK: llvm.func @product
// CHECK: gpu.launch_func {{.*}}@gemm_f32_nn_
// CHECK: "other.note"() : () -> ()
// CHECK: gpu.binary @gemm_f32_nn_{{.*}}[#gpu.object<#rocdl.target<{{.*}}chip = "gfx942"{{.*}}assembly = "

// OBJECT: Machine: EM_AMDGPU
// OBJECT: Flags: {{.*}}, gfx942
// OBJECT: OBJECT {{.*}} gemm_f32_nn_{{[0-9x]+}}.kd
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  "other.note"() : () -> ()
  return
}
