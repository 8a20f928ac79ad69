//===- Passes.td - From blas operations to tile programs ---*- tablegen -*-===//
#ifndef ROOFTILE_TRANSFORMS_PASSES_TD
#define ROOFTILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

/// Dialects that raising creates. Passes that call it declare these.
defvar raisedDialects = [
  "::rooftile::blas::BlasDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
  "::mlir::tensor::TensorDialect", "::mlir::linalg::LinalgDialect", "::mlir::affine::AffineDialect",
  "::mlir::scf::SCFDialect"];

def ConvertLinalgToBlas : Pass<"convert-linalg-to-blas"> {
  let summary = "Raise linalg matrix products to blas.gemm";
  let description = [{
    Rewrites what is a matrix product, on tensors or memrefs, whatever linalg calls it: `matmul`,
    `batch_matmul`, `contract`, `mmt4d`, a `linalg.generic` of the same body, matrix-vector and dot
    products (a side of 1), batch-reduce products and convolutions. A product added to zeros has no
    beta. Dimensions that all operands walk through together become one (a batch that shares B is
    one taller matrix); any other order of dimensions, a batch that an operand has in part, and the
    windows of a convolution are strides: `blas.view` of tensors, a `memref.reinterpret_cast` of
    memrefs. Several loops of the sum that are not one become a loop around a product that adds.
    A product of which a factor is masked to a triangle becomes blas.trmm.

    On tensors operands are read through transpositions, broadcasts, reshapes and `linalg.pack`,
    and the result is written where a transposition or `linalg.unpack` of it puts it, as long as
    neighbours in memory stay neighbours and there are no more products than before. The elementwise
    operations after a product that alone read it, after a reshape too, become its epilogue, where
    results stay the same bit by bit.

    Afterwards, what is left is what blas.gemm cannot express (integers and other types, operands
    wider than C, tensors with an encoding, memory that is not global, sizes that contradict each
    other, depthwise convolutions, broadcast rows or columns), and products inside of parallel
    regions, which are parts of somebody's kernel; a remark names the reason, for products of front
    ends (TOSA, StableHLO, Torch) the pass that lowers them to linalg (with
    `--remarks-filter=convert-linalg-to-blas` as one of MLIR's structured remarks).

    ```mlir
    %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
    %d = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>)
                       outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
    // becomes
    %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>)
                   outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
    ```
  }];
  let options = [Option<"remarks", "remarks", "bool", "true",
                        "report what stays as it was, and why">];
  let dependentDialects = raisedDialects;
}

def HostTypes : Pass<"host-types", "::mlir::ModuleOp"> {
  let summary = "Leave global memory out of types, and report what host code cannot hold";
  let description = [{
    Memrefs in memory space 1 or `#gpu.address_space<global>` become memrefs of the default space:
    that is where operands of kernels lie. Tensors with an encoding, memory of a workgroup or a
    thread, and inner modules are not host code: each is a located error that names the value.
    `set-aside` removes them first, where they shall stay.

    Precondition: none; kernels (gpu.module, gpu.launch) may hold what they like. Postcondition:
    tensors of host code are dense, and its memrefs have no memory space.

    ```mlir
    func.func @product(%a: memref<16x8xf32, 1>, %b: memref<8x24xf32, 1>) {..}
    // becomes
    func.func @product(%a: memref<16x8xf32>, %b: memref<8x24xf32>) {..}
    ```
  }];
}

def ExchangeOperands : Pass<"exchange-operands"> {
  let summary = "Make C of products row-major by views: C^T = op(B)^T op(A)^T";
  let description = [{
    Plans are for a row-major C. Where C has the strides of a column-major matrix, the operation
    becomes one on transposed views, A and B exchanged. Where both its strides are dynamic, the
    host compares them when it runs, and selects the views; A and B must then be alike, of
    one element type, both conjugated or none, M and N dynamic, the epilogue without operands, and
    no triangle of C or of a masked operand. Transposes are then part of the views. Triangles change
    sides, and errors go on naming operands as the user did.

    Precondition: memrefs. Operations with plans or facts, on tensors or batches by pointers stay.
    Postcondition: no such C is column-major. A second run makes the same choices once more, for
    dynamic strides.

    ```mlir
    blas.gemm opA<t> ins(%a, %b : memref<8x4xf32>, memref<8x6xf32>)
              outs(%c : memref<4x6xf32, strided<[1, 4]>>)
    // becomes
    %x = memref.reinterpret_cast %base_b .. : memref<f32> to memref<6x8xf32, strided<[1, 6]>>
    %y = memref.reinterpret_cast %base_a .. : memref<f32> to memref<4x8xf32, strided<[1, 4]>>
    %z = memref.reinterpret_cast %base_c .. : memref<f32> to memref<6x4xf32, strided<[4, 1]>>
    blas.gemm opB<t> ins(%x, %y : ..) outs(%z : ..)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"numExchanged", "exchanged", "operations whose operands change">];
}

def FreeIntermediates : Pass<"free-intermediates"> {
  let summary = "Free what bufferization allocates between operations";
  let description = [{
    Precondition: memrefs (after bufferization). Postcondition: each `memref.alloc` whose memory
    stays in its block is freed at the end of it; what a loop hands from one iteration to the next,
    at the end of the next, and its last at the end of the loop's block. What is returned or freed
    already is left alone: it has an owner. A constant that is returned is copied for its new one.

    ```mlir
    %t = memref.alloc() : memref<4x4xf32>
    blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
    memref.copy %t, %c : memref<4x4xf32> to memref<4x4xf32>
    // becomes
    %t = memref.alloc() : memref<4x4xf32>
    blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%t : memref<4x4xf32>)
    memref.copy %t, %c : memref<4x4xf32> to memref<4x4xf32>
    memref.dealloc %t : memref<4x4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def BlasAttachTarget : Pass<"blas-attach-target", "::mlir::ModuleOp"> {
  let summary = "Put the #blas.target of a chip on the module";
  let description = [{
    Precondition: none. Postcondition: the module has an attribute `blas.target`,
    the only description of the hardware that later passes read.

    `chip=` names a chip (docs/Targets.md) or an architecture such as sm_90a,
    and replaces a target that is there. Without it a target that is there
    stays; a module without one gets the GPU present, else h200, and a remark
    names it. An unknown name is an error with the list and the nearest name.

    ```mlir
    module {}
    // --blas-attach-target=chip=mi60
    module attributes {blas.target = #blas.target<chip = "mi60", vendor = amd, ...>} {}
    ```
  }];
  let dependentDialects = ["::rooftile::blas::BlasDialect"];
  let options = [Option<"chip", "chip", "std::string", "\"\"",
                        "chip or architecture name, such as h200 or sm_90a; empty: the module's "
                        "target, else the GPU present, else h200">];
}

def RequireVendor : Pass<"require-vendor", "::mlir::ModuleOp"> {
  let summary = "Report a chip that is not of the vendor a pipeline compiles for";
  let description = [{
    Precondition: none. Postcondition: the module has a target, as by tile-select (its own, else
    that of `chip=`, else the GPU present, else h200), of a chip of `vendor`; another one is an
    error that names the chip, where it comes from, and the pipeline that compiles for it.

    The pipelines for GPUs begin with it, so that nothing is planned for a chip of the other vendor.

    ```mlir
    module {}
    // --require-vendor="vendor=amd chip=mi60"
    module attributes {blas.target = #blas.target<chip = "mi60", vendor = amd, ...>} {}
    // --require-vendor="vendor=nvidia chip=mi60"
    // error: chip 'mi60' (named by chip=) is made by AMD, but this pipeline compiles for ...
    ```
  }];
  let dependentDialects = ["::rooftile::blas::BlasDialect"];
  let options = [Option<"vendor", "vendor", "::rooftile::blas::Vendor",
                        "::rooftile::blas::Vendor::Nvidia", "who makes the chip",
                        [{::llvm::cl::values(
                          clEnumValN(::rooftile::blas::Vendor::Nvidia, "nvidia", "NVIDIA"),
                          clEnumValN(::rooftile::blas::Vendor::Amd, "amd", "AMD"))}]>,
                 Option<"chip", "chip", "std::string", "\"\"",
                        "chip or architecture name, used when the module has no target; empty: "
                        "the GPU present, else h200">];
}

def TileSelect : Pass<"tile-select", "::mlir::ModuleOp"> {
  let summary = "Choose a #blas.plan for every blas operation and report why";
  let description = [{
    Precondition: none; linalg products are raised first, as by
    convert-linalg-to-blas. Tensors count as contiguous row-major. Postcondition: the
    module has a target, and every blas operation a plan that fits it, or where sizes or
    strides are dynamic a set of plans with conditions (see plan-dispatch).

    The plan is the fastest of about a thousand candidates by the formulas of
    docs/CostModel.md; candidates that would spill or exceed a limit of the
    target are rejected. A plan already there is checked and kept. A remark on
    each operation gives the side of the roofline, occupancy and its limiter,
    waves, the predicted time, what limits, and the runner-up; with
    `--remarks-filter=tile-select` and its relatives they come as MLIR's
    structured remarks instead.

    With `plans=FILE` plans come from a user's list, `PATTERN -> #blas.plan<...>` a line, where a
    pattern matches the operation (docs/Dialect.md): of the plans that fit, the fastest by the
    same formulas; a line may name a kernel instead. The model's own plans serve what no
    pattern matches. Lines after `chip NAME` are for that chip; on others they are left out, with a
    remark. An operation that names a kernel (`blas.kernel`) needs no plan.

    With `objective=energy` it is the candidate of the least energy (docs/CostModel.md, C31), which
    need not be the fastest: one that reads registers and shared memory less. That is for products
    of known sizes; others get the fastest.

    Errors: an operation for which no kernel exists (anything but f32 or f64
    throughout), a plan that does not fit (named key, both values), an
    unknown chip.

    ```mlir
    blas.gemm ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>)
              outs(%c : memref<4096x4096xf32>)
    // --tile-select=chip=h200
    blas.gemm ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>)
              outs(%c : memref<4096x4096xf32>)
      plan(<macro = [128, 256, 8], micro = [8, 16], lanes = [8, 4], vector = 4,
            a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>,
            raster = 16>)
    ```
  }];
  let dependentDialects = raisedDialects;
  let options = [Option<"chip", "chip", "std::string", "\"\"",
                        "chip or architecture name, used when the module has no target; empty: "
                        "the GPU present, else h200">,
                 Option<"plans", "plans", "std::string", "\"\"",
                        "file with a user's own plans and kernels, each after a pattern of "
                        "operations; empty: the model's plans alone">,
                 Option<"objective", "objective", "std::string", "\"time\"",
                        "time, or energy: what plans of products of known sizes are chosen for">];
  let statistics = [Statistic<"numOperations", "operations", "operations that have a plan">];
}

def PlanParts : Pass<"plan-parts", "::mlir::ModuleOp"> {
  let summary = "Give each operation that other passes have made one plan";
  let description = [{
    Plan what carries out the plan of another operation: products of blocks and edges, copies,
    reductions of slices. Each gets one plan, for dynamic sizes too, and none that packs operands:
    the passes that do it have run. Operations that have a plan, plans or a kernel are neither
    checked nor reported. Plans come from the cost model, and from what an assembler refused; a
    user's list names operations of the user.

    Precondition: a target on the module, else that of `chip`, as for tile-select. Postcondition:
    every blas operation has a plan. A second run changes nothing.

    ```mlir
    blas.gemm ins(%edge, %b : memref<7x64xf32>, memref<64x64xf32>) outs(%c : memref<7x64xf32>)
    // --plan-parts=chip=h200
    blas.gemm ins(%edge, %b : memref<7x64xf32>, memref<64x64xf32>) outs(%c : memref<7x64xf32>)
      plan(<macro = [8, 32, 64], micro = [1, 2], ...>)
    ```
  }];
  let options = [Option<"chip", "chip", "std::string", "\"\"",
                        "chip or architecture name, used when the module has no target; empty: "
                        "the GPU present, else h200">];
  let statistics = [Statistic<"numOperations", "operations", "operations that have a plan">];
}

include "rooftile/Transforms/Partition/Passes.td"

def MacroTile : Pass<"macro-tile", "::mlir::ModuleOp"> {
  let summary = "Turn each planned blas operation into a kernel: a tile program for one workgroup";
  let description = [{
    Carries out the plan of each blas.pack, each blas.reduce (one loop, over slices) and
    each blas.gemm: two loops, over K steps (tiles of A and B to the buffers) and inside
    over slices (fragments, mma), then the update of C. The K remainder comes first, or
    last for flat vectors that would not begin at cache lines, and is zero-filled,
    rows and columns beyond the edges are clamped on loads and guarded on stores; where
    sizes prove that nothing crosses an edge there is no guard.

    A blas.trmm or blas.trsm of one block (`diagonal = 0`) becomes a kernel with one thread for
    each vector of the output.

    Before: blas operations on memrefs, each with a plan, of f32 or f64; else a
    located error. After: a gpu.launch_func and a kernel with a `#blas.contract`
    for each of them, and nothing of blas in the host code but for a blas.batch, which has no use
    once its sizes are folded.

    The kernel of a batch by pointers has the array of addresses as an argument (`table`), and each
    workgroup reads that of its matrix. Where a batch shares A or B alone, its tiles are walked as
    those of one matrix.

    A kernel with wide accesses is launched only if the runtime finds its pointers aligned
    (`rooftileIsAligned`, else an error that names the operand). Where passes have cut an operation
    into parts, in an scf.execute_region with `no_inline`, all pointers are tested before
    it: the parts are launched together or not at all.

    ```mlir
    blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
      plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, ...>)
    // becomes
    gpu.launch_func @gemm_f32_nn_16x16x8_module::@gemm_f32_nn_16x16x8 blocks in (%c12, %c1, %c1) ...
    gpu.func @gemm_f32_nn_16x16x8(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel {
      %batch, %m, %n = tile.coord %c64, %c48 tile [16, 16]
      %sum = scf.for %i = %c0 to %c4 step %c1 iter_args(%outer = %zero) {
        %a_tile = tile.load %A[%m, %k] edges <inside, inside>
        tile.store %a_tile, %a_slot
        ...
        %part = scf.for %s = %c0 to %c8 step %c1 iter_args(%inner = %outer) {
          %new = tile.mma %a_fragment, %b_fragment, %inner
        } {tile.slices}
      } {tile.steps}
      tile.update %sum, %C[%m, %n] edges <inside, inside>
    }
    ```
  }];
  let dependentDialects = ["::rooftile::tile::TileDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::func::FuncDialect", "::rooftile::lane::LaneDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::complex::ComplexDialect"];
  let statistics = [Statistic<"numOperations", "operations", "operations that became kernels">];
}

def LeapFrog : Pass<"leap-frog"> {
  let summary = "Pipeline the K loop and the slice loop of a tile program";
  let description = [{
    While the slices of step k are multiplied, the global loads of step k + 1 are
    in flight; while slice s is multiplied, the fragments of slice s + 1 are read.
    Known as leap-frog from Ernst et al. Asynchronous copies into S stages are issued
    S - 1 steps ahead, under a condition in the last steps. With `tile.prefetch` on the K
    loop the first fragments of step k + 1 come before the last slice of step k.

    Before: the loops that macro-tile marks `tile.steps` and `tile.slices`, with at
    least one iteration. After: the same loops with one iteration less, marked
    `tile.pipelined`, a prologue and an epilogue (with asynchronous copies: as many
    iterations as before, and a prologue). A K loop that fills a buffer of one
    stage or none, and a loop that is pipelined already, are left alone.

    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      %tile = tile.load %A[%m, %k]
      tile.store %tile, %stage_i
      multiply(%stage_i)
    } {tile.steps}
    // becomes
    %first = tile.load %A[%m, %c0]
    tile.store %first, %stage_0
    scf.for %i = %c0 to %c3 step %c1 {
      %next = tile.load %A[%m, %k_next]
      multiply(%stage_i)
      tile.store %next, %stage_next
    } {tile.steps}
    multiply(%stage_3)
    ```
  }];
  let dependentDialects = ["::rooftile::tile::TileDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numSliceLoops", "slice-loops", "pipelined loops over slices">,
                    Statistic<"numStepLoops", "step-loops", "pipelined loops over K steps">];
}

def TileSync : Pass<"tile-sync"> {
  let summary = "Insert the barriers and waits that the uses of shared buffers need";
  let description = [{
    A barrier goes before the first access to a buffer stage that conflicts (one of
    the two writes) with an access since the last barrier, around loops too. Stages
    are distinguished by their counters; counters that cannot be compared count as
    equal. One barrier a step for two stages, two for one stage; a second run of the
    pass inserts none. A `lane.cluster_barrier` stands between a store and the load of another
    workgroup of the cluster (a view with `peer`), and after the last such load. Copies that
    stand together become a group (tile.commit); before
    the first access to a stage that a group fills, a tile.wait leaves those on their way
    that were closed after it. Both stand before a condition that an access is under. Where bulk
    copies fill a stage it is a tile.arrived for the counter of the access, and no barrier.

    Before: accesses to buffers stand in straight code, scf.for and scf.if only; counters of rings
    that bulk copies fill differ by constants, and a K loop waits for each step that they fill; else
    a located error. After: between two accesses that conflict all threads have met, and
    what was copied has arrived.

    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      %tile = tile.load %stage_i
      tile.store %next, %stage_next
    }
    // becomes
    scf.for %i = %c0 to %c4 step %c1 {
      gpu.barrier
      %tile = tile.load %stage_i
      tile.store %next, %stage_next
    }
    ```
  }];
  let dependentDialects = ["::rooftile::lane::LaneDialect", "::mlir::gpu::GPUDialect"];
  let statistics = [Statistic<"numBarriers", "barriers", "barriers and waits that were inserted">];
}

#endif
