//===- Passes.td - From tile programs to threads and binaries ---*- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_PASSES_TD
#define ROOFTILE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "rooftile/Conversion/TileToLane/Passes.td"

def ApproximateMath : Pass<"approximate-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Compute exp, tanh and erf in f32 by polynomials";
  let description = [{
    The functions of an epilogue that are no instructions of every chip become upstream's
    approximations: fused multiply-adds, comparisons and integer arithmetic on the exponent, with no
    call of a library. math.absf, math.copysign and math.floor (of what an i32 holds) become
    arithmetic as well.

    Before: the code of one thread. After: of the dialect math fused multiply-adds are left, and
    exp, tanh and erf of f64.

    ```mlir
    %y = math.absf %x : f32
    // becomes
    %bits = arith.bitcast %x : f32 to i32
    %magnitude = arith.andi %bits, %c2147483647_i32 : i32
    %y = arith.bitcast %magnitude : i32 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def LaneToCpu : Pass<"lane-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into coroutines of the host, launches into calls of the runtime";
  let description = [{
    Each GPU thread is an LLVM coroutine: it suspends where it starts, at every
    barrier, after writing the number of that barrier to the thread's record, and
    at its end. The runtime resumes the threads of a workgroup in shuffled order,
    on shared memory that starts as NaN (rooftile/Runtime/Cpu/Cpu.h has the record).
    The workgroups of a cluster are resident together.

    With `record` a kernel reports every access to shared memory before it makes it,
    and describes its operations, so that the runtime finds races whatever the order.

    Before: kernels of `gpu`, `memref`, `vector`, `arith`, `math` and `cf`. After:
    `llvm.func`s without a gpu.module; the pipeline blas-to-cpu lowers the rest.

    ```mlir
    gpu.launch_func @m::@k blocks in (%grid, %c1, %c1) threads in (%c64, %c1, %c1)
      dynamic_shared_memory_size %bytes args(%p : memref<f32>)
    gpu.barrier
    // becomes
    llvm.call @rooftileCpuLaunch(%name, %m_k, %grid, %c64, %one, %bytes, %parameters,
      %sites, %granule) : (...) -> ()
    llvm.store %number, %barrier_field : i64, !llvm.ptr
    %resumed = llvm.intr.coro.suspend %none, %false : i8
    ```
  }];
  let options = [Option<"record", "record", "bool", /*default=*/"false",
                        "report accesses to shared memory to the runtime">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect"];
}

def ParallelKernel : Pass<"parallel-kernel", "::mlir::ModuleOp"> {
  let summary = "Turn parallel loops of host code into kernels";
  let description = [{
    Each outermost scf.parallel of a function becomes a gpu.launch: one iteration a
    thread, 256 threads a workgroup, row by row. Strided copies in functions that
    have kernels are such loops, too. Sizes may be dynamic. Small buffers of an iteration
    are memory of its thread. A loop that does what no thread can (launches, calls) becomes
    sequential loops of the host.

    Before: host code on memrefs. After: no scf.parallel without a reduction is
    left in it; kernels take only pointers (rank 0 memrefs) and numbers.

    ```mlir
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %x = memref.load %m[%i] : memref<?xf32>
      ...
    }
    // becomes
    %base, %offset, %size, %stride = memref.extract_strided_metadata %m : memref<?xf32> -> ...
    gpu.launch blocks(%b, ...) in (%gx = %groups, ...) threads(%t, ...) in (%bx = %c256, ...) {
      %view = memref.reinterpret_cast %base to offset: [0], sizes: [%size], strides: [1]
      %i = arith.addi %b256, %t : index
      scf.if %i_below_n { %x = memref.load %view[%i] : memref<?xf32> ... }
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
}

def DeviceMemory : Pass<"device-memory", "::mlir::ModuleOp"> {
  let summary = "Give host code memory of the GPU, and everything the stream of the caller";
  let description = [{
    Functions that launch kernels, call one that does or are called by one work on
    memory of the GPU: what they allocate and copy becomes gpu operations, constants
    become the copies that the runtime makes at their first use. These and the
    launches follow each other on one stream, which the runtime gets from the caller
    (`rooftileSetStream`); nothing waits. Kernels and other functions are left alone.

    Host code that touches elements of such memory works on a copy of the host's: before the
    outermost operation without a launch the runtime copies what it spans (`rooftileStage`) and
    waits, behind it what it may have written goes back (`rooftileUnstage`). A remark says so.

    Before: kernels are outlined. After: a function of the device allocates no memory
    of the host, and launches on a stream. A kernel that would reach memory of the host's stack
    is an error.

    ```mlir
    %m = memref.alloc(%n) : memref<?xf32>
    gpu.launch_func @kernels::@k blocks in ... args(%m : memref<?xf32>)
    // becomes
    %handle = call @rooftileGetStream() : () -> !llvm.ptr
    %stream = builtin.unrealized_conversion_cast %handle : !llvm.ptr to !gpu.async.token
    %m, %done = gpu.alloc async [%stream] (%n) : memref<?xf32>
    %launched = gpu.launch_func async [%stream] @kernels::@k blocks in ... args(%m : memref<?xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect"];
}

def LaneToNvvm : Pass<"lane-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Prepare kernels for NVVM: target of the chip, dynamic shared memory";
  let description = [{
    Puts `#nvvm.target` of the module's `#blas.target` on each gpu.module, and
    gives dynamic shared memory one external array of no size (upstream's lowering
    is a static variable, which would lie over static buffers). math.fma becomes the
    instruction, which upstream would look for in libdevice.

    Before: a `#blas.target` of an NVIDIA chip on the module, else an error. After:
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
}

def LaneToRocdl : Pass<"lane-to-rocdl", "::mlir::ModuleOp"> {
  let summary = "Prepare kernels for ROCDL: target of the chip, shared memory, residency";
  let description = [{
    Puts `#rocdl.target` of the module's `#blas.target` on each gpu.module, the
    workgroup size on each kernel, and on one with a contract the wavefronts that a
    SIMD is to hold. Shared memory becomes an array of the contract's bytes in LDS,
    which the code object states and the launch need not: its dynamic size is
    dropped. A kernel without a contract gets an external array of no size.
    The order of a pipelined loop is kept from LLVM's scheduler by
    `rocdl.sched.barrier`, f32 multiply-adds of a whole fragment become one of
    vectors, and barriers that no write of global memory precedes order shared
    memory only.

    Before: a `#blas.target` of an AMD chip on the module, else an error. After:
    upstream's convert-gpu-to-rocdl can lower the kernels.

    ```mlir
    gpu.module @m { gpu.func @k() kernel attributes {blas.contract = ...} {
      %s = gpu.dynamic_shared_memory : memref<?xi8, ...> } }
    // becomes
    gpu.module @m [#rocdl.target<O = 3, chip = "gfx906", abi = "500">] {
      llvm.mlir.global internal @k_shared() {addr_space = 3 : i32, alignment = 16 : i64}
        : !llvm.array<33280 x i8>
      gpu.func @k() kernel attributes {passthrough = [["amdgpu-waves-per-eu", "2,2"]],
                                       rocdl.flat_work_group_size = "256,256", ...} {
        %s = llvm.mlir.addressof @k_shared : !llvm.ptr<3> }
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::arith::ArithDialect"];
}

def RocdlToBinary : Pass<"rocdl-to-binary", "::mlir::ModuleOp"> {
  let summary = "Compile kernels for AMD GPUs to ISA or code objects, without ROCm";
  let description = [{
    Each gpu.module of LLVM and ROCDL operations becomes a gpu.binary: ISA text, or
    a linked code object. Device libraries are linked where a kernel calls one, and
    the numbers of registers and bytes that the object states of each kernel are
    kept in the kernel table, the contracts of kernels as `blas.kernels` of the
    binary.

    Before: gpu.modules with a `#rocdl.target`. After: gpu.binary operations. A
    kernel that needs scratch memory is an error, as is a missing linker
    (`format=bin`) or device library. On trial, for fit-plans, a kernel with a plan
    that needs scratch memory is none: its entry has the plan as `refused_plan`.

    ```mlir
    gpu.module @m [#rocdl.target<chip = "gfx90a">] { llvm.func @k() attributes {rocdl.kernel} }
    // becomes
    gpu.binary @m [#gpu.object<#rocdl.target<chip = "gfx90a">, kernels = <[
      #gpu.kernel_metadata<"k", !llvm.func<void ()>, metadata = {vgpr_count = 1 : i64, ...}>]>,
      bin = "...">]
    ```
  }];
  let options = [Option<"format", "format", "::rooftile::Format", "::rooftile::Format::Auto",
                        "how kernels are embedded", [{::rooftile::rocdlFormats()}]>,
                 Option<"trial", "trial", "bool", "false",
                        "keep kernels that need scratch memory, with their plans, in the table">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::ROCDL::ROCDLDialect"];
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
    a kernel whose registers do not fit (only ptxas knows: `format=bin`) is a
    warning at its operation, with the bytes it spills and its plan.

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
}

#endif
