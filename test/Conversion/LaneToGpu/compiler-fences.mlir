// A fence of the compiler is empty assembly: of memory, or of each value in a register of the vendor's. What has none is
// left alone, and the host needs none.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --lane-to-nvvm | FileCheck %s --check-prefix=NVVM
// RUN: gemm-opt %s --blas-attach-target=chip=mi300x --lane-to-rocdl | FileCheck %s --check-prefix=ROCDL
// RUN: gemm-opt %s --lane-to-cpu | FileCheck %s --check-prefix=CPU

// NVVM: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}" : () -> ()
// NVVM: llvm.inline_asm has_side_effects asm_dialect = att "", "=f,0" %{{.*}} : (f32) -> f32
// NVVM-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "=d,0" %{{.*}} : (f64) -> f64
// NVVM-NOT: inline_asm
// ROCDL: llvm.inline_asm has_side_effects asm_dialect = att "", "~{memory}" : () -> ()
// ROCDL: llvm.inline_asm has_side_effects asm_dialect = att "", "=v,0" %{{.*}} : (f32) -> f32
// ROCDL-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "=v,0" %{{.*}} : (f64) -> f64
// ROCDL-NEXT: llvm.inline_asm has_side_effects asm_dialect = att "", "=v,0" %{{.*}} : (f16) -> f16
// CPU-NOT: inline_asm
// CPU-NOT: compiler_fence
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @fences(%p: memref<f32>, %q: memref<f64>, %r: memref<f16>) kernel {
    %x = memref.load %p[] : memref<f32>
    lane.compiler_fence
    %y = memref.load %q[] : memref<f64>
    %z = memref.load %r[] : memref<f16>
    %fenced:3 = lane.compiler_fence(%x, %y, %z : f32, f64, f16)
    memref.store %fenced#0, %p[] : memref<f32>
    memref.store %fenced#1, %q[] : memref<f64>
    memref.store %fenced#2, %r[] : memref<f16>
    gpu.return
  }
}
func.func @launch(%p: memref<f32>, %q: memref<f64>, %r: memref<f16>) {
  %c1 = arith.constant 1 : index
  gpu.launch_func @kernels::@fences blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    args(%p : memref<f32>, %q : memref<f64>, %r : memref<f16>)
  return
}
}
