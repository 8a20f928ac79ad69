// RUN: split-file %s %t
// RUN: not gemm-opt %t/scratch.mlir --rocdl-to-binary=format=isa 2>&1 | FileCheck %s --check-prefix=SCRATCH
// RUN: not gemm-opt %t/target.mlir --rocdl-to-binary=format=isa 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not gemm-opt %t/chip.mlir --rocdl-to-binary=format=isa 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not gemm-opt %t/chip.mlir --rocdl-to-binary=format=elf 2>&1 | FileCheck %s --check-prefix=FORMAT

// A kernel that needs scratch is an error at the kernel, with its plan.
// SCRATCH: scratch.mlir:2:3: error: kernel stack needs {{[0-9]+}} bytes of scratch memory a thread on gfx906; its plan is #blas.plan<macro = [64, 64, 8]
// SCRATCH-NOT: gpu.binary
//--- scratch.mlir
gpu.module @kernels [#rocdl.target<O = 3, chip = "gfx906">] {
  llvm.func @stack(%index: i32, %to: !llvm.ptr<1>) attributes {rocdl.kernel,
      blas.plan = #blas.plan<macro = [64, 64, 8], micro = [8, 8], lanes = [8, 8],
                             a = <via = shared>, b = <via = shared>>} {
    %count = llvm.mlir.constant(100 : i32) : i32
    %array = llvm.alloca %count x i32 : (i32) -> !llvm.ptr<5>
    %place = llvm.getelementptr %array[%index] : (!llvm.ptr<5>, i32) -> !llvm.ptr<5>, i32
    llvm.store volatile %index, %place : i32, !llvm.ptr<5>
    %x = llvm.load volatile %array : !llvm.ptr<5> -> i32
    llvm.store %x, %to : i32, !llvm.ptr<1>
    llvm.return
  }
}

// TARGET: target.mlir:1:1: error: 'gpu.module' op has no #rocdl.target: run lane-to-rocdl first
//--- target.mlir
gpu.module @kernels {
}

// CHIP: chip.mlir:1:1: error: LLVM supports no AMD GPU 'gfx000x'
// FORMAT: for the --format option: Cannot find option named 'elf'!
//--- chip.mlir
gpu.module @kernels [#rocdl.target<chip = "gfx000x">] {
}
