//===- Passes.td - From tile programs to threads and binaries ---*- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_PASSES_TD
#define ROOFTILE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"
include "rooftile/Conversion/TileToLane/Passes.td"
include "rooftile/Conversion/LaneToGpu/Passes.td"
include "rooftile/Conversion/LaneToNvvm/Passes.td"
include "rooftile/Conversion/LaneToRocdl/Passes.td"
include "rooftile/Conversion/LaneToCpu/Passes.td"

def ParallelKernel : Pass<"parallel-kernel", "::mlir::ModuleOp"> {
  let summary = "Turn parallel loops of host code into kernels";
  let description = [{
    Each outermost scf.parallel of a function becomes a gpu.launch: one iteration a
    thread, 256 threads a workgroup, row by row. Strided copies in functions that
    have kernels are such loops, too. Sizes may be dynamic. Small buffers of an iteration
    are memory of its thread. A loop that does what no thread can (launches, calls) becomes
    sequential loops of the host.

    Before: host code on memrefs. After: no scf.parallel without a reduction is
    left in it; kernels have only pointers (rank 0 memrefs) and integers as arguments.

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
  let statistics = [Statistic<"numKernels", "kernels", "loops that became kernels">];
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
    waits, after it what it may have written goes back (`rooftileUnstage`). A remark reports it.

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
  let statistics = [Statistic<"numFunctions", "functions", "functions that work on the stream">];
}

#endif
