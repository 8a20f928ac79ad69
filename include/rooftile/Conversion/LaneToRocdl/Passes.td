//===- Passes.td - Kernels for AMD GPUs --------------------*- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_LANETOROCDL_PASSES_TD
#define ROOFTILE_CONVERSION_LANETOROCDL_PASSES_TD

include "mlir/Pass/PassBase.td"

def RelaxSharedBarriers : Pass<"relax-shared-barriers", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let barriers order shared memory only, where no write of global memory precedes";
  let description = [{
    gpu.barrier orders all memory: on some AMD chips its fences wait until the loads of the
    next tile, which are to stay in flight, have arrived.

    Before: the code of one thread. After: a barrier that no write of global memory can come
    before, in the order of the program or of a loop around both, is a barrier between
    fences of shared memory.

    ```mlir
    gpu.barrier
    // becomes
    llvm.fence syncscope("workgroup") release {llvm.mmra = #mmra_tag} // synchronize-as local
    rocdl.s.barrier
    llvm.fence syncscope("workgroup") acquire {llvm.mmra = #mmra_tag}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect"];
  let statistics = [Statistic<"numBarriers", "barriers", "barriers that order shared memory only">];
}

def KeepSliceOrder : Pass<"keep-slice-order", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Keep accesses to shared memory after the multiply-adds of the previous slice";
  let description = [{
    The order of a pipelined loop is that of the program: LLVM's scheduler for AMD GPUs would
    read all slices first, and store the next tile before it multiplies.

    Before: the code of one thread. After: nothing passes an access to shared memory that
    follows multiply-adds or matrix instructions in its block, and loops of matrix instructions
    are not unrolled.

    ```mlir
    %s1 = math.fma %a0, %b0, %s0 : f32
    %a1 = memref.load %shared[%i] : memref<?xf32, #gpu.address_space<workgroup>>
    // becomes
    %s1 = math.fma %a0, %b0, %s0 : f32
    rocdl.sched.barrier 0
    %a1 = memref.load %shared[%i] : memref<?xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect"];
  let statistics = [Statistic<"numFences", "fences", "accesses that follow a fence">];
}

def GroupScalarLoads : Pass<"group-scalar-loads", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Keep loads of scalar registers in groups, each multiplied before the next one";
  let description = [{
    Loads that are marked as scalar (`via = scalar` of a plan) fill more registers than there are,
    and arrive in any order, so that a wave waits for all of them.

    Before: the code of one thread, loads of a slice together. After: groups of as many loads as
    fit, from constant memory, what uses a group between it and the next one. Where a chain of
    multiply-adds waits for nothing, those of one load follow each other.

    ```mlir
    %a0 = vector.load %a[%i] {lane.scalar} : memref<?xf32>, vector<8xf32>
    %a1 = vector.load %a[%j] {lane.scalar} : memref<?xf32>, vector<8xf32>
    // multiply-adds by %a0 and %a1
    // becomes, where there are 8 registers
    rocdl.sched.barrier 0
    %c = memref.memory_space_cast %a : memref<?xf32> to memref<?xf32, 4>
    %a0 = vector.load %c[%i] : memref<?xf32, 4>, vector<8xf32>
    %b0 = lane.compiler_fence scalar(%a0 : vector<8xf32>)
    // multiply-adds by %b0
    rocdl.sched.barrier 0
    %a1 = vector.load %c[%j] : memref<?xf32, 4>, vector<8xf32>
    %b1 = lane.compiler_fence scalar(%a1 : vector<8xf32>)
    // multiply-adds by %b1
    ```
  }];
  let dependentDialects = ["::rooftile::lane::LaneDialect", "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"numGroups", "groups", "groups of loads">];
}

def PackMultiplyAdds : Pass<"pack-multiply-adds", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Make f32 multiply-adds of one factor with a whole fragment one of vectors";
  let description = [{
    CDNA 2 and 3 multiply two pairs of f32 in one instruction. LLVM splits vectors into what the
    chip has.

    Before: the code of one thread, fragments are elements of vectors that were loaded. After:
    neighbours with no effect between them that multiply all elements of a fragment by one
    factor are one multiply-add. Loops carry fragments to their next iteration as vectors.

    ```mlir
    %e:2 = vector.to_elements %fragment : vector<2xf32>
    %s0 = math.fma %x, %e#0, %t0 : f32
    %s1 = math.fma %x, %e#1, %t1 : f32
    // becomes
    %factors = vector.broadcast %x : f32 to vector<2xf32>
    %sums = vector.from_elements %t0, %t1 : vector<2xf32>
    %result = llvm.intr.fma(%fragment, %factors, %sums) : (vector<2xf32>, ...) -> vector<2xf32>
    %s:2 = vector.to_elements %result : vector<2xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::vector::VectorDialect"];
  let statistics = [Statistic<"numPacked", "packed", "multiply-adds that are part of a vector">];
}

def LaneToRocdl : Pass<"lane-to-rocdl", "::mlir::ModuleOp"> {
  let summary = "Lower operations of one thread to ROCDL, and state the chip, residency and LDS";
  let description = [{
    Puts `#rocdl.target` of the module's `#blas.target` on each gpu.module, the
    workgroup size on each kernel, and on one with a contract the wavefronts that a
    SIMD is to hold. Shared memory becomes an array of the contract's bytes in LDS,
    which the code object states and the launch need not: its dynamic size is
    dropped. A kernel without a contract gets an external array of no size.
    math.fma becomes the instruction, which upstream would look for in a device library, and
    lane.mma the MFMA or WMMA that it names.

    Before: a `#blas.target` of an AMD chip on the module, and of `lane` only pointers, fences
    and matrix instructions that the chip has, else an error. After: no operation of `lane` is
    left; upstream's convert-gpu-to-rocdl can lower the kernels.

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
                           "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "kernels that were prepared">];
}

def DeviceAtomics : Pass<"device-atomics", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Let memory add floating-point numbers by itself, at device scope";
  let description = [{
    An addition that all of the system must see, and that keeps denormals, is a loop of
    compare-and-swap on AMD GPUs. Kernels of this compiler write memory of their own GPU, and
    atomic additions have no order, so that the instruction serves. It may flush denormals of f32.

    Before: LLVM operations. After: atomic additions of floating-point numbers to global memory
    are ordered among the threads of the device.

    ```mlir
    llvm.atomicrmw fadd %address, %value acq_rel : !llvm.ptr<1>, f32
    // becomes
    llvm.atomicrmw fadd %address, %value syncscope("agent") monotonic
      {rocdl.ignore_denormal_mode, rocdl.no_fine_grained_memory, rocdl.no_remote_memory}
      : !llvm.ptr<1>, f32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::ROCDL::ROCDLDialect"];
  let statistics = [Statistic<"numAtomics", "atomics", "additions at device scope">];
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
    (`format=bin`) or device library. On trial, for fit-plans, the rest is compiled after
    the error of a kernel with a plan, and the binary lists it as `blas.refused`.

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
                        "go on after the error of a kernel that needs scratch memory">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::ROCDL::ROCDLDialect"];
  let statistics = [Statistic<"numModules", "modules", "modules that were compiled">];
}

#endif
