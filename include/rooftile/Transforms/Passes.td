//===- Passes.td - From blas operations to tile programs --------*- tablegen -*-===//
#ifndef ROOFTILE_TRANSFORMS_PASSES_TD
#define ROOFTILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToBlas : Pass<"convert-linalg-to-blas"> {
  let summary = "Raise linalg matrix products to blas.gemm";
  let description = [{
    Rewrites `linalg.matmul`, `linalg.batch_matmul`, `linalg.contract` and a `linalg.generic`
    of the same body, on tensors or memrefs, in every transposed form. A product added to zeros
    has no beta. Transposing producers become op(A) and op(B). Dimensions that all operands
    walk through together become one (a batch that shares B is one taller matrix); on memrefs any
    other order of dimensions, and a batch that an operand has in part, become strides.

    Afterwards, what is left of them is what blas.gemm cannot say (integers, operands wider than
    C, several reduction loops that lie apart, broadcast rows or columns); a remark names the reason
    (with `--remarks-filter=convert-linalg-to-blas` as one of MLIR's structured remarks).

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
                        "say what stays as it was, and why">];
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::affine::AffineDialect"];
}

def FreeIntermediates : Pass<"free-intermediates"> {
  let summary = "Free what bufferization allocates between operations";
  let description = [{
    Precondition: memrefs (after bufferization). Postcondition: each `memref.alloc` whose memory
    stays in its block is freed at the end of it. What is returned, carried around a loop or freed
    already is left alone: it has an owner.

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
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def BlasAttachTarget : Pass<"blas-attach-target", "::mlir::ModuleOp"> {
  let summary = "Put the #blas.target of a chip on the module";
  let description = [{
    Precondition: none. Postcondition: the module has an attribute `blas.target`,
    the only place where later passes look for what the hardware is.

    `chip=` names a chip (docs/Targets.md) or an architecture such as sm_90a,
    and replaces a target that is there. Without it a target that is there
    stays; a module without one gets the GPU present, else h200, and a remark
    says which. An unknown name is an error with the list and the nearest name.

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

def TileSelect : Pass<"tile-select", "::mlir::ModuleOp"> {
  let summary = "Choose a #blas.plan for every blas operation and say why";
  let description = [{
    Precondition: none; linalg products are raised first, as by
    convert-linalg-to-blas. Tensors count as contiguous row-major, a dynamic M,
    N or K as 4096. Postcondition: the module has a target, and every blas
    operation a plan that fits it.

    The plan is the fastest of about a thousand candidates by the formulas of
    docs/CostModel.md; candidates that would spill or exceed a limit of the
    target are rejected. A plan already there is checked and kept. A remark on
    each operation gives the side of the roofline, occupancy and its limiter,
    waves, the predicted time, what limits, and the runner-up; with
    `--remarks-filter=tile-select` and its relatives they come as MLIR's
    structured remarks instead.

    Errors: an operation for which no kernel exists (anything but f32 or f64
    throughout), a plan that does not fit (named field, both numbers), an
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
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::arith::ArithDialect"];
  let options = [Option<"chip", "chip", "std::string", "\"\"",
                        "chip or architecture name, used when the module has no target; empty: "
                        "the GPU present, else h200">,
                 Option<"newOnly", "new-only", "bool", "false",
                        "plan only operations without a plan; those with one are neither checked "
                        "nor reported">];
}

def ReductionSelect : Pass<"reduction-select"> {
  let summary = "Carry out the K strategy of each plan: partial sums, atomic additions";
  let description = [{
    Precondition: memrefs; operations without a plan, and `reduction = none` or `cluster`, are
    left alone. Postcondition: `reduction = workspace` is a `blas.gemm partial` into S slices and a
    `blas.reduce` with beta; `reduction = atomic` has a beta of 1, C having been scaled
    by a `blas.reduce` of no slices. The new operations have no plan yet: `tile-select=new-only`.

    The slices lie in the operand `workspace` (contiguous, S * batch * M * N elements: a dynamic one
    must be long enough); without it they are allocated before the outermost loop around
    the operation that leaves the size of C alone, and freed behind it.

    Errors: `reduction = atomic` on an operation without `any_order`.

    ```mlir
    blas.gemm ins(%a, %b : memref<16x4096xf32>, memref<4096x16xf32>) outs(%c : memref<16x16xf32>)
      beta(%beta : f32) workspace(%w : memref<1024xf32>)
      plan(<..., reduction = workspace, splits = 4>)
    // becomes
    %slices = memref.reinterpret_cast %w to offset: [0], sizes: [4, 16, 16], strides: [256, 16, 1]
    blas.gemm partial ins(%a, %b : memref<16x4096xf32>, memref<4096x16xf32>)
      outs(%slices : memref<4x16x16xf32>) plan(<..., reduction = workspace, splits = 4>)
    blas.reduce ins(%slices : memref<4x16x16xf32>) outs(%c : memref<16x16xf32>) beta(%beta : f32)
    ```
  }];
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect"];
}

def MacroTile : Pass<"macro-tile", "::mlir::ModuleOp"> {
  let summary = "Turn each planned blas operation into a kernel: a tile program for one workgroup";
  let description = [{
    Carries out the plan of each blas.reduce (one loop, over slices) and
    each blas.gemm: two loops, over K steps (tiles of A and B to the buffers) and inside
    over slices (fragments, mma), then the update of C. The K remainder comes first and is
    zero-filled, rows and columns beyond
    the edges are clamped on loads and guarded on stores; where sizes prove that
    nothing crosses an edge there is no guard.

    Before: blas operations on memrefs, each with a plan, of f32 or f64; else a
    located error. After: a gpu.launch_func and a kernel with a `#blas.contract`
    for each of them, and nothing of blas in the host code.

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
                           "::mlir::arith::ArithDialect"];
}

def LeapFrog : Pass<"leap-frog"> {
  let summary = "Pipeline the K loop and the slice loop of a tile program";
  let description = [{
    While the slices of step k are multiplied, the global loads of step k + 1 are
    in flight; while slice s is multiplied, the fragments of slice s + 1 are read.
    Known as leap-frog from Ernst et al.

    Before: the loops that macro-tile marks `tile.steps` and `tile.slices`, with at
    least one iteration. After: the same loops with one iteration less, marked
    `tile.pipelined`, a prologue and an epilogue. A K loop that fills a buffer of one
    slot or none, and a loop that is pipelined already, are left alone.

    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      %tile = tile.load %A[%m, %k]
      tile.store %tile, %slot_i
      multiply(%slot_i)
    } {tile.steps}
    // becomes
    %first = tile.load %A[%m, %c0]
    tile.store %first, %slot_0
    scf.for %i = %c0 to %c3 step %c1 {
      %next = tile.load %A[%m, %k_next]
      multiply(%slot_i)
      tile.store %next, %slot_next
    } {tile.steps}
    multiply(%slot_3)
    ```
  }];
  let dependentDialects = ["::rooftile::tile::TileDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def TileSync : Pass<"tile-sync"> {
  let summary = "Insert the barriers that the uses of shared buffers need";
  let description = [{
    A barrier goes before the first access to a buffer slot that conflicts (one of
    the two writes) with an access since the last barrier, around loops too. Slots
    are told apart by their counters; counters that cannot be compared count as
    equal. One barrier a step for two slots, two for one slot; a second run of the
    pass inserts none.

    Before: accesses to buffers stand in straight code, scf.for and scf.if only; else
    a located error. After: between two accesses that conflict all threads have met.

    ```mlir
    scf.for %i = %c0 to %c4 step %c1 {
      %tile = tile.load %slot_i
      tile.store %next, %slot_next
    }
    // becomes
    scf.for %i = %c0 to %c4 step %c1 {
      gpu.barrier
      %tile = tile.load %slot_i
      tile.store %next, %slot_next
    }
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

#endif
