//===- Passes.td - A tile program as the code of one thread *- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_TILETOLANE_PASSES_TD
#define ROOFTILE_CONVERSION_TILETOLANE_PASSES_TD

include "mlir/Pass/PassBase.td"

def NameOperations : Pass<"name-operations", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Name the operations of tile programs in their locations";
  let description = [{
    Each operation of `tile` gets a location with its name and its number among those of
    the kernel. What becomes of it inherits the location, so that messages about a kernel
    and races that the CPU runtime finds name it.

    Before: kernels whose operations all come from one location of the user's program.
    After: the same program.

    ```mlir
    %b = tile.load %slice : ... loc("gemm.mlir":3:5)
    // becomes
    %b = tile.load %slice : ... loc("tile.load 1"("gemm.mlir":3:5))
    ```
  }];
  let statistics = [Statistic<"numOperations", "operations", "operations that were named">];
}

def UnrollSlices : Pass<"unroll-slices", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Unroll the loops over the slices of a K step";
  let description = [{
    A loop that is marked as one over slices (`tile.slices`) is written out, or with
    `tile.unroll = n` as many of its iterations at a time, and the remainder after it.
    Directives keep LLVM and ptxas from unrolling the remaining loop further.

    Before: slice loops have constant bounds, else a located error. After: no loop is
    marked as one over slices.

    ```mlir
    scf.for %k = %c0 to %c8 step %c1 {
      %slice = tile.view %stage[%c0] [%c0, %k] : ...
    } {tile.slices, tile.unroll = 2 : i64}
    // becomes
    scf.for %k = %c0 to %c8 step %c2 {
      %slice0 = tile.view %stage[%c0] [%c0, %k] : ...
      %next = arith.addi %k, %c1 : index
      %slice1 = tile.view %stage[%c0] [%c0, %next] : ...
    } {loop_annotation = #loop_annotation}
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numLoops", "loops", "loops over slices that were unrolled">];
}

def MicroTile : Pass<"micro-tile", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn a tile program into the code of one thread";
  let description = [{
    Every register matrix becomes the scalars that one thread holds, every map
    index arithmetic on the thread id and vector accesses, every buffer a part of
    dynamic shared memory; elementwise operations of other dialects act on every
    register.

    Before: kernels with a known_block_size, whose maps are over that many threads;
    else a located error. Slice loops are unrolled. After: no operation of `tile` is
    left; the barriers stay where they were, and K loops are marked (`tile.steps`) for
    carry-counters.

    ```mlir
    // 8 threads x 2 registers, in runs of 2
    %b = tile.load %slice : !tile.buffer<1 x 1x16xf32, strides = [16, 1]>
      -> !tile.matrix<1x16xf32, <threads = [8:(0, 2)], values = [2:(0, 1)]>>
    // becomes
    %t = gpu.thread_id x
    %column = arith.muli %t, %c2 : index
    %run = vector.load %shared[%column] : memref<16xf32, ...>, vector<2xf32>
    %b:2 = vector.to_elements %run : vector<2xf32>
    ```
  }];
  let dependentDialects = ["::rooftile::lane::LaneDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::complex::ComplexDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "tile programs that were converted">];
}

def CarryCounters : Pass<"carry-counters", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Carry the stages of rings, and their phases, from one K step to the next";
  let description = [{
    Where the number of stages is no power of two, a step would begin with a division by it, in
    front of its first access to the ring. The K loop carries the stage and the parity of the
    phase instead, and counts them on among the multiplications of the step before.

    Before: the code of one thread, K loops are marked (`tile.steps`). After: no loop is.

    ```mlir
    scf.for %i = %c0 to %n step %c1 {
      %stage = arith.remui %i, %c3 : index
    } {tile.steps}
    // becomes
    scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0_i32, %parity = %c0_i32) -> (i32, i32) {
      %stage = arith.index_castui %s : i32 to index
      %more = arith.addi %s, %c1_i32 : i32
      %wraps = arith.cmpi eq, %more, %c3_i32 : i32
      %next = arith.select %wraps, %c0_i32, %more : i32
      scf.yield %next, ... : i32, i32
    }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numCounters", "counters", "counters that K loops carry">];
}

def SpreadCopies : Pass<"spread-copies", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Spread the asynchronous copies of a K step among its multiplications";
  let description = [{
    Copies that are issued together hold up what comes after them. They move to even
    distances among the multiply-adds or matrix instructions of their step, up to its next
    wait or barrier; a condition around them becomes one of each copy. Loops of few steps,
    whose copies are late already, and steps of very many multiply-adds are left alone.

    Before: the code of one thread, a step issues its copies before its multiplications.
    After: the same copies in the same groups.

    ```mlir
    scf.if %more { lane.copy %global[%i], %shared[%j] elements 4 : ... }
    lane.commit
    %s1 = math.fma %a0, %b0, %s0 : f32
    %s2 = math.fma %a1, %b1, %s1 : f32
    // becomes
    %s1 = math.fma %a0, %b0, %s0 : f32
    %s2 = math.fma %a1, %b1, %s1 : f32
    lane.copy %global[%i], %shared[%j] elements 4 inside(%more) : ...
    lane.commit
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numCopies", "copies", "copies that were moved">];
}

#endif
