//===- Passes.td - Kernels for NVIDIA GPUs -----------------*- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_LANETONVVM_PASSES_TD
#define ROOFTILE_CONVERSION_LANETONVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def KeepCarriedLoads : Pass<"keep-carried-loads", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Keep what a loop loads for its next iteration where it stands";
  let description = [{
    leap-frog reads fragments of the next step before multiplications, whose time
    hides the latency. LLVM would move these loads after the multiplications, to the head of
    the next iteration. A `lane.compiler_fence` after the last such load keeps them.

    Before: the code of one thread, structured loops. After: the same, with fences.

    ```mlir
    scf.for ... iter_args(%now = %first) -> f64 {
      %next = memref.load %shared[%i] : memref<?xf64, 3>
      ...
      scf.yield %next : f64
    }
    // becomes
    scf.for ... iter_args(%now = %first) -> f64 {
      %next = memref.load %shared[%i] : memref<?xf64, 3>
      lane.compiler_fence
      ...
      scf.yield %next : f64
    }
    ```
  }];
  let dependentDialects = ["::rooftile::lane::LaneDialect"];
  let statistics = [Statistic<"numFences", "fences", "loops with a fence after their loads">];
}

def KeepMatrixLoops : Pass<"keep-matrix-loops", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Keep ptxas from unrolling loops of f64 matrix instructions";
  let description = [{
    ptxas 13.0 for sm_90 forgets to wait for an f64 matrix instruction at the end of a loop
    that it unrolls, where the first instruction of the loop adds to the same accumulators:
    results are wrong. So such loops have a directive against unrolling.

    Before: the code of one thread, structured loops. After: the same, with an annotation on
    loops that hold a `lane.mma` of f64.

    ```mlir
    scf.for ... iter_args(%sum = %zero) -> f64 {
      %next = lane.mma<m8n8k4_f64> (%a) (%b) (%sum ..) : ..
    }
    // becomes
    scf.for ... {
      ...
    } {loop_annotation = #llvm.loop_annotation<unroll = <disable = true>>}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numLoops", "loops", "loops that stay rolled">];
}

def LaneToNvvm : Pass<"lane-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lower operations of one thread to NVVM, and name the chip and the shared memory";
  let description = [{
    Puts `#nvvm.target` of the module's `#blas.target` on each gpu.module, and
    gives dynamic shared memory one external array of no size (upstream's lowering
    is a static variable, which would lie over static buffers). The operations of `lane`
    become instructions, and so does math.fma, which upstream would look for in libdevice.

    Before: a `#blas.target` of an NVIDIA chip on the module, and no operation that the
    chip has no instruction for, else an error. After: no operation of `lane` is left;
    upstream's convert-gpu-to-nvvm can lower the kernels.

    ```mlir
    gpu.module @m { gpu.func @k() kernel { %s = gpu.dynamic_shared_memory : memref<?xi8, ...> } }
    // becomes
    gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">] {
      llvm.mlir.global external @rooftile_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
        : !llvm.array<0 x i8>
      gpu.func @k() kernel { %s = llvm.mlir.addressof @rooftile_shared : !llvm.ptr<3> }
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "kernels that were prepared">,
                    Statistic<"numAsyncCopies", "async-copies", "lane.copy operations">,
                    Statistic<"numBulkCopies", "bulk-copies", "bulk and tensor copies">,
                    Statistic<"numMatrixInstructions", "matrix-instructions",
                              "lane.mma operations">];
}

def DependentLaunch : Pass<"dependent-launch", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let kernels begin while the previous kernel still runs";
  let description = [{
    Each kernel waits for the end of the previous one before its first access to memory,
    and an array `rooftile_dependent` marks it for an early launch by the runtime.
    Nothing is done where the chip cannot (`dependentLaunch`), or where a kernel of the
    module has no contract: when those may begin is unknown.

    Before: a `#blas.target` of an NVIDIA chip on the module around, else an error;
    lane-to-nvvm has run. After: kernels wait.

    ```mlir
    gpu.func @k(%p: memref<4xf32>) kernel attributes {blas.contract = ...} {
      %x = memref.load %p[%i] : memref<4xf32>
    // becomes
    llvm.mlir.global external constant @rooftile_dependent(1 : i8) {addr_space = 1 : i32} : i8
    gpu.func @k(%p: memref<4xf32>) kernel attributes {blas.contract = ...} {
      nvvm.griddepcontrol wait
      %x = memref.load %p[%i] : memref<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "kernels that may begin early">];
}

def PassDescriptors : Pass<"pass-descriptors", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Pass the descriptors of tensor copies by value, where the hardware reads them";
  let description = [{
    A tensor copy reads its descriptor among the arguments of the kernel. The argument
    becomes a pointer that is passed by value, aligned, and constant for the grid.

    Before: kernels with a contract as llvm.func, tensor copies use a cast of the
    argument to a pointer. After: they use the argument.

    ```mlir
    llvm.func @k(%descriptor: !llvm.array<16 x i64>) attributes {blas.contract = ...} {
      %pointer = builtin.unrealized_conversion_cast %descriptor : !llvm.array<16 x i64> to !llvm.ptr
    // becomes
    llvm.func @k(%descriptor: !llvm.ptr {llvm.align = 64 : i64,
        llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant}) attributes {blas.contract = ...} {
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
  let statistics = [Statistic<"numDescriptors", "descriptors", "arguments that are descriptors">];
}

def NvvmToBinary : Pass<"nvvm-to-binary", "::mlir::ModuleOp"> {
  let summary = "Compile kernels of NVVM to PTX or cubins";
  let description = [{
    Each gpu.module of LLVM and NVVM operations becomes a gpu.binary: PTX, or a
    cubin. ptxas and CUDA's libdevice are looked for in CUDA_ROOT, CUDA_HOME and
    CUDA_PATH, else in /usr/local/cuda, ptxas also in PATH; libdevice is linked
    where a kernel calls it. The numbers of registers and bytes that ptxas states of
    each kernel are kept in the kernel table, the contracts of kernels as
    `blas.kernels` of the binary.

    Before: gpu.modules in the LLVM and NVVM dialects with one #nvvm.target. After:
    gpu.binary operations. A missing ptxas (`format=bin`) or libdevice is an error;
    a kernel whose registers do not fit (by ptxas alone: `format=bin`) is a
    warning at its operation, with the bytes it spills and its plan, and in the list
    `blas.refused` of the binary, for fit-plans. Where `auto` finds no ptxas, a remark
    reports that nothing was checked.

    ```mlir
    gpu.module @m [#nvvm.target<...>] { llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {...} }
    // becomes
    gpu.binary @m [#gpu.object<#nvvm.target<...>, kernels = <[
      #gpu.kernel_metadata<"k", !llvm.func<void ()>, metadata = {registers = 8 : i64,
        spill_bytes = 0 : i64, stack_bytes = 0 : i64}>]>, bin = "...">]
    ```
  }];
  let options = [Option<"format", "format", "::rooftile::Format", "::rooftile::Format::Auto",
                        "how kernels are embedded", [{::rooftile::nvvmFormats()}]>];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
  let statistics = [Statistic<"numModules", "modules", "modules that were compiled">];
}

#endif
