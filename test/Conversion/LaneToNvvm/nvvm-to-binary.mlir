// PTX where it is asked for; a contract stays with the binary; a cubin needs ptxas, and the error names it.
// RUN: gemm-opt --nvvm-to-binary=format=isa %s | FileCheck %s
// RUN: gemm-opt --nvvm-to-binary=format=isa --nvvm-to-binary=format=isa %s | FileCheck %s
// RUN: not gemm-opt --nvvm-to-binary=format=text %s 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: sed "s/ .#nvvm.target<.*>. {/ {/" %s | not gemm-opt --nvvm-to-binary=format=isa 2>&1 | FileCheck %s --check-prefix=TARGET
// CHECK: gpu.binary @named {blas.kernels = [#blas.kernel<name = "scale", contract = <args = [<pointer c>], tile = [1, 1], output = [?, 4], workgroup = 32, sharedBytes = 0>>]} [#gpu.object<#nvvm.target{{.*}}assembly = "{{.*}}.visible .entry scale(
// CHECK: gpu.binary @plain [#gpu.object<
// FORMAT: for the --format option: Cannot find option named 'text'!
// TARGET: error: 'gpu.module' op has no #nvvm.target: run lane-to-nvvm first
module attributes {gpu.container_module} {
  gpu.module @named [#nvvm.target<chip = "sm_80">] {
    llvm.func @scale(%c: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel,
        blas.contract = #blas.contract<args = [<pointer c>], tile = [1, 1], output = [?, 4], workgroup = 32, sharedBytes = 0>} {
      llvm.return
    }
  }
  gpu.module @plain [#nvvm.target<chip = "sm_80">] {
    llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}
