//===- Passes.td - One operation as several ----------------*- tablegen -*-===//
//
// Operations of the matrix level become others, in the order in which the pipeline runs these
// passes. All but the first carry out a plan.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_PARTITION_PASSES_TD
#define ROOFTILE_TRANSFORMS_PARTITION_PASSES_TD

include "mlir/Pass/PassBase.td"

def SymmetricSplit : Pass<"symmetric-split"> {
  let summary = "Make products of the operations with a symmetric matrix";
  let description = [{
    blas.syrk and blas.herk become one blas.gemm with a `triangle`, blas.syr2k and blas.her2k two.
    blas.symm and blas.hemm copy A, both triangles of it, into memory of their own, and become a
    blas.gemm of the copy. blas.trtri solves for the identity by blas.trsm. What several
    operations stand for lies in one scf.execute_region, which macro-tile launches as a whole.
    Errors name the operands of the operation that they stand for.

    Precondition: memrefs; what is on tensors is left alone. Postcondition: none of these operations
    is left on memrefs, and the new ones have no plan. A second run changes nothing.

    ```mlir
    blas.syr2k uplo<lower> ins(%a, %b : memref<6x4xf32>, memref<6x4xf32>)
               outs(%c : memref<6x6xf32>) alpha(%alpha : f32) beta(%beta : f32)
    // becomes
    scf.execute_region no_inline {
      blas.gemm opB<t> triangle<lower> ins(%a, %b : memref<6x4xf32>, memref<6x4xf32>)
        outs(%c : memref<6x6xf32>) alpha(%alpha : f32) beta(%beta : f32)
      blas.gemm opB<t> triangle<lower> ins(%b, %a : memref<6x4xf32>, memref<6x4xf32>)
        outs(%c : memref<6x6xf32>) alpha(%alpha : f32) beta(%one : f32)
      scf.yield
    }
    ```
  }];
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numSplit", "split", "operations that became others">];
}

def PlanDispatch : Pass<"plan-dispatch"> {
  let summary = "Make the choice among the plans of an operation visible host code";
  let description = [{
    Precondition: a blas.gemm with `plans` works on memrefs. Postcondition: no operation has
    `plans`; instead of it the first case whose condition holds is found from sizes, strides,
    offset and base pointers, and an scf.index_switch has an operation with one plan for
    each case, with `given` for what was tested; a stride that was found to be 1 (`orderA =
    row_major`) is in the type of the operand instead, by a memref.cast. The default serves what is
    left. A case that contradicts the types, or what is given, is left out with a warning.
    Operations with one plan stay as they are, but for orders that are given.

    ```mlir
    blas.gemm ins(%a, %b : memref<?x64xf32>, memref<64x64xf32>) outs(%c : memref<?x64xf32>)
      plans([#blas.case<when = <m = <least = 64>>, plan = #p>, #blas.case<plan = #q>])
    // becomes
    %m = memref.dim %c, %c0 : memref<?x64xf32>
    %holds = arith.cmpi uge, %m, %c64 : index
    %case = arith.select %holds, %c0, %c1 : index
    scf.index_switch %case
    case 0 {
      blas.gemm ins(%a, %b : memref<?x64xf32>, memref<64x64xf32>) outs(%c : memref<?x64xf32>)
        given(<m = <least = 64>>) plan(#p)
      scf.yield
    }
    default {
      blas.gemm ins(%a, %b : memref<?x64xf32>, memref<64x64xf32>) outs(%c : memref<?x64xf32>)
        plan(#q)
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numDispatched", "dispatched", "operations with several plans">];
}

def TriangularSplit : Pass<"triangular-split"> {
  let summary = "Cut triangular operations into blocks on the diagonal and products";
  let description = [{
    Carries out the plan `<diagonal = b>` of each blas.trmm and blas.trsm: one loop over the blocks
    of order b, each an operation of one block (`diagonal = 0`) and a blas.gemm for what depends on
    it, in one scf.execute_region, which macro-tile launches as a whole. A smaller block, where b
    does not divide the order, is one more operation. trmm needs no copy; trsm out of place
    copies B first. With `method = invert`, `product` or `mask` products replace what
    goes row after row (docs/Dialect.md).

    Precondition: memrefs, and a plan; else a located error. Postcondition: every
    triangular operation is one block; the new products have no plan yet
    (`plan-parts`). A second run changes nothing.

    ```mlir
    blas.trsm side<left> uplo<lower> ins(%a : memref<64x64xf32>) outs(%b : memref<64x48xf32>)
      plan(<diagonal = 16>)
    // becomes
    scf.execute_region no_inline {
      scf.for %step = %c0 to %c4 step %c1 {
        %i = arith.muli %step, %c16
        blas.trsm side<left> uplo<lower> ins(%a_ii) outs(%b_i) plan(<diagonal = 0>)
        %next = arith.addi %i, %c16
        blas.gemm ins(%a_rest_i, %b_i) outs(%b_rest) alpha(%minus_one : f32) beta(%one : f32)
      }
      scf.yield
    }
    ```
  }];
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numSplit", "split", "triangles that were cut into blocks">];
}

def OperandPack : Pass<"operand-pack", "::mlir::ModuleOp"> {
  let summary = "Copy operands into the order in which their kernel reads them";
  let description = [{
    Carries out `pack = 1` on the paths of a plan: a blas.pack copies op(A) so that its rows run
    along M, op(B) so that they run along N, padded to multiples of 16 bytes and beginning at
    multiples of 128, and the product reads the copies. A matrix that the whole batch shares is
    copied once.

    Precondition: memrefs; operations without such a plan are left alone. Postcondition: no plan
    has `pack`. Copies and product lie in one scf.execute_region, which macro-tile launches as a
    whole. The product is `padded` where a row of a copy may be longer than M or N. The copies have
    no plan yet: `plan-parts`. A second run changes nothing.

    The copies lie in the operand `workspace`, each from a multiple of 256 bytes on, A first, in
    front of the partial sums of `reduction = workspace`, to which the rest of it is left; without
    it they are allocated as reduction-select does it. A workspace holds elements of the accumulator
    type, so operands of another type cannot be packed into one: a located error.

    ```mlir
    blas.gemm ins(%a, %b : memref<62x32xf32>, memref<32x48xf32>) outs(%c : memref<62x48xf32>)
      plan(<..., a = <via = shared, vector = 4, pack = 1>, ...>)
    // becomes
    %w = memref.alloc() : memref<32x64xf32>
    scf.execute_region no_inline {
      blas.pack op<t> ins(%a : memref<62x32xf32>) outs(%w : memref<32x64xf32>)
      blas.gemm opA<t> padded ins(%w, %b : memref<32x64xf32>, memref<32x48xf32>)
        outs(%c : memref<62x48xf32>) plan(<..., a = <via = shared, vector = 4>, ...>)
      scf.yield
    }
    memref.dealloc %w : memref<32x64xf32>
    ```
  }];
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect"];
  let statistics = [Statistic<"numPacked", "packed", "operations with a packed operand">];
}

def TailSplit : Pass<"tail-split"> {
  let summary = "Split a product into whole tiles and edges";
  let description = [{
    Precondition: a blas.gemm whose plan has `tail = split` works on memrefs. Postcondition:
    no plan has `tail = split`. What whole tiles cover keeps the plan; the right edge and
    the bottom (with the corner) become operations without one, for tile-select with
    `plan-parts`; `blas.edge_of` is the type of their whole C, so that they get short code. The
    parts of C are disjoint. They lie in one scf.execute_region, which macro-tile launches as a
    whole. For dynamic sizes the parts are computed, and may be empty.

    ```mlir
    blas.gemm ins(%a, %b : memref<100x8xf32>, memref<8x64xf32>) outs(%c : memref<100x64xf32>)
      plan(<macro = [32, 32, 8], ..., tail = split>)
    // becomes
    scf.execute_region no_inline {
      %a0 = memref.subview %a[0, 0] [96, 8] [1, 1] : ...
      %c0 = memref.subview %c[0, 0] [96, 64] [1, 1] : ...
      blas.gemm ins(%a0, %b : ...) outs(%c0 : ...) plan(<macro = [32, 32, 8], ...>)
      %a1 = memref.subview %a[96, 0] [4, 8] [1, 1] : ...
      %c1 = memref.subview %c[96, 0] [4, 64] [1, 1] : ...
      blas.gemm ins(%a1, %b : ...) outs(%c1 : ...) {blas.edge_of = memref<100x64xf32>}
      scf.yield
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numSplit", "split", "operations that were cut">];
}

def ReductionSelect : Pass<"reduction-select", "::mlir::ModuleOp"> {
  let summary = "Carry out the K strategy of each plan: partial sums, atomic additions";
  let description = [{
    Precondition: memrefs; operations without a plan, and `reduction = none` or `cluster`, are
    left alone. Postcondition: `reduction = workspace` is a `blas.gemm partial` into S slices and a
    `blas.reduce` with beta and the epilogue; `reduction = atomic` has a beta of 1, C having been
    scaled by a `blas.reduce` of no slices. Both lie in one scf.execute_region, which macro-tile
    launches as a whole. The new operations have no plan yet: `plan-parts`.

    The slices lie in the operand `workspace` (contiguous, S * batch * M * N elements; where that is
    known at run time only, the runtime tests it, and without room nothing is launched and C stays
    as it was); without it they are allocated before the outermost loop around
    the operation that leaves the size of C alone, and freed after it.

    Errors: `reduction = atomic` on an operation without `anyOrder`, or with an epilogue.

    ```mlir
    blas.gemm ins(%a, %b : memref<16x4096xf32>, memref<4096x16xf32>) outs(%c : memref<16x16xf32>)
      beta(%beta : f32) workspace(%w : memref<1024xf32>)
      plan(<..., reduction = workspace, splits = 4>)
    // becomes
    %slices = memref.reinterpret_cast %w to offset: [0], sizes: [4, 16, 16], strides: [256, 16, 1]
    scf.execute_region no_inline {
      blas.gemm partial ins(%a, %b : memref<16x4096xf32>, memref<4096x16xf32>)
        outs(%slices : memref<4x16x16xf32>) plan(<..., reduction = workspace, splits = 4>)
      blas.reduce ins(%slices : memref<4x16x16xf32>) outs(%c : memref<16x16xf32>)
        beta(%beta : f32)
      scf.yield
    }
    ```
  }];
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::func::FuncDialect"];
  let statistics = [Statistic<"numReductions", "reductions", "operations with partial sums">];
}

#endif
