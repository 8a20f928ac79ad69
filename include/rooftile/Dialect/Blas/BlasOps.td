//===- BlasOps.td - Operations of the matrix level ---------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASOPS_TD
#define ROOFTILE_DIALECT_BLAS_BLASOPS_TD

include "rooftile/Dialect/Blas/BlasAttributes.td"
include "rooftile/Dialect/Blas/BlasInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Blas_Element : AnyTypeOf<[F16, BF16, F32, F64, Complex<F32>, Complex<F64>],
                             "f16, bf16, f32, f64, complex<f32> or complex<f64>">;
// The verifier, which names the operand, checks elements and strides.
def Blas_Matrix : AnyTypeOf<[AnyRankedTensor, AnyMemRef], "ranked tensor or memref">;

def Blas_Cases : TypedArrayAttrBase<Blas_CaseAttr, "array of #blas.case">;

def Blas_DimLists : TypedArrayAttrBase<DenseI64ArrayAttr, "lists of dimensions of C">;
def Blas_Extra : AnyTypeOf<[AnyRankedTensor, AnyMemRef, Blas_Element],
                           "ranked tensor, memref or scalar">;

def Blas_YieldOp : Op<Blas_Dialect, "yield", [Pure, Terminator,
                                              ParentOneOf<["GemmOp", "ReduceOp"]>]> {
  let summary = "the element of C that an epilogue makes";
  let arguments = (ins Blas_Element:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Blas_BatchOp : Blas_Op<"batch", [
    Pure, AttrSizedOperandSegments, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "matrices anywhere in memory as a batch";
  let description = [{
    `pointers` holds the address of the first element of each matrix, as i64 values, one after
    the other; all matrices have the same sizes and strides, in elements: the dynamic ones of
    the result's type are operands. A, B or C of a blas.gemm may be the result, or several of them;
    nothing else reads or writes it. The addresses are read when the product runs, by its kernel,
    in memory that it can reach. Inputs may stand for several entries, outputs must not overlap.

    ```mlir
    %a = blas.batch %pa : memref<1000xi64>
      to memref<1000x16x32xf32, #blas.pointers<strides = [32, 1], align = 16>>
    %b = blas.batch %pb sizes [%k, %n] strides [%ldb] : memref<?xi64>
      to memref<?x?x?xf32, #blas.pointers<strides = [?, 1]>>
    ```
  }];
  let arguments = (ins AnyMemRef:$pointers, Variadic<Index>:$sizes, Variadic<Index>:$strides);
  let results = (outs AnyMemRef:$matrices);
  let assemblyFormat = [{
    $pointers (`sizes` `[` $sizes^ `]`)? (`strides` `[` $strides^ `]`)? attr-dict
    `:` type($pointers) `to` type($matrices)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::rooftile::blas::PointersAttr getLayout() {
      return ::llvm::cast<::rooftile::blas::PointersAttr>(
          ::llvm::cast<::mlir::MemRefType>(getMatrices().getType()).getLayout());
    }
    /// Rows and columns (dimension 1 and 2 of the batch), and their strides.
    ::mlir::OpFoldResult getSize(int64_t dim);
    ::mlir::OpFoldResult getStride(int64_t dim);
  }];
}

def Blas_GemmOp : Blas_Op<"gemm", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, IsolatedFromAbove,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Blas_EpilogueOpInterface, ["getOutput", "getSumType"]>,
    DeclareOpInterfaceMethods<Blas_Level3OpInterface,
      ["getM", "getN", "getK", "getBatch", "getMatrixA", "getMatrixB", "getMatrixC",
       "readsC", "getTransposeA", "getTransposeB", "getAccumulatorType", "getFlops", "getBytes"]>,
    DeclareOpInterfaceMethods<Blas_ProductOpInterface>]> {
  let summary = "C = alpha * op(A) * op(B) + beta * C";
  let description = [{
    op(A) is M x K, op(B) is K x N, C is M x N; leading dimensions are a batch,
    equal on all operands, or absent on A or B (the same matrix for the whole
    batch). op is `n` (as stored), `t` (transposed), `c` (adjoint) or `j`
    (conjugated). Matrices of a batch that lie anywhere in memory are those of a blas.batch.
    Without `alpha` it is 1; without `beta` it is 0 and C is not
    read: a NaN there stays out. Memrefs may have any strides. `acc` is the type
    in which products are summed (default: C's type, f32 for f16 and bf16).

    Results are the same for every run; `anyOrder` allows an order of
    summation that changes from run to run. `compensated` requests summation whose error does not
    grow with K (docs/Dialect.md states the bound).

    `given` states facts about dynamic sizes and about alignment, as plan-dispatch has
    tested them. An operation has one `plan`, or a set of `plans` with conditions.

    With `partial`, C has a leading dimension of S slices (before the batch) that add up to
    alpha * op(A) * op(B); which products a slice holds is the plan's affair. There is no beta.
    `workspace` is memory for the packed operands and the partial sums of a plan with `pack` or
    `reduction = workspace`, of getWorkspaceElements() elements of the accumulator type;
    operand-pack and reduction-select allocate what is not given.

    With `padded`, op(A) may have more rows than C and op(B) more columns: they are padding, which
    may be read and counts for nothing.

    With `structureA<lower>` op(A) is known to hold zeros above its diagonal, with `upper` below
    it, and so op(B) with `structureB`: products with these may be left out, of whatever they are.
    With `masked` they are zeros whatever memory holds there, and elements on the diagonal of
    `unit_lower` and `unit_upper`, which no other product accepts, are ones.

    `triangle<lower>` or `triangle<upper>` is the triangle of a square C, with its diagonal, that is
    computed; of the other one nothing is read or written. With `realDiagonal` C is Hermitian: the
    imaginary components on its diagonal are not read, and become 0.

    With an `epilogue` C is f(alpha * op(A) * op(B) + beta * C, extra elements). f is its region:
    scalar arithmetic on the sum, in the accumulator type, and on an element of each extra operand,
    which dimensions of C index. It yields in the accumulator type, and
    the store rounds that once to C's.

    ```mlir
    %d = blas.gemm opA<t> ins(%a, %b : tensor<64x128xf32>, tensor<64x256xf32>)
                   outs(%c : tensor<128x256xf32>) alpha(%alpha : f32) -> tensor<128x256xf32>

    blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
      epilogue(%sum : f32, %x = %bias[1] : memref<48xf32>) {
        %0 = arith.addf %sum, %x : f32
        blas.yield %0 : f32
      }
    ```
  }];
  let arguments = (ins
    Blas_Matrix:$a, Blas_Matrix:$b, Blas_Matrix:$c,
    Optional<Blas_Element>:$alpha, Optional<Blas_Element>:$beta, Optional<AnyMemRef>:$workspace,
    Variadic<Blas_Extra>:$extras,
    DefaultValuedAttr<Blas_TransposeAttr, "::rooftile::blas::Transpose::None">:$opA,
    DefaultValuedAttr<Blas_TransposeAttr, "::rooftile::blas::Transpose::None">:$opB,
    DefaultValuedAttr<Blas_MathModeAttr, "::rooftile::blas::MathMode::Strict">:$math,
    UnitAttr:$anyOrder, UnitAttr:$compensated, UnitAttr:$partial, UnitAttr:$padded,
    DefaultValuedAttr<Blas_StructureAttr, "::rooftile::blas::Structure::General">:$structureA,
    DefaultValuedAttr<Blas_StructureAttr, "::rooftile::blas::Structure::General">:$structureB,
    UnitAttr:$masked, OptionalAttr<Blas_UploAttr>:$triangle, UnitAttr:$realDiagonal,
    OptionalAttr<TypeAttr>:$acc,
    OptionalAttr<Blas_GivenAttr>:$given,
    OptionalAttr<Blas_PlanAttr>:$plan,
    OptionalAttr<Blas_Cases>:$plans,
    OptionalAttr<Blas_DimLists>:$extraDims);
  let regions = (region VariadicRegion<AnyRegion>:$epilogue);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `` custom<Clause>("\"opA\"", $opA) `` custom<Clause>("\"opB\"", $opB) (`math` `` $math^)?
    `` custom<Clause>("\"anyOrder\"", $anyOrder)
    (`compensated` $compensated^)? (`partial` $partial^)? (`padded` $padded^)?
    `` custom<Clause>("\"structureA\"", $structureA)
    `` custom<Clause>("\"structureB\"", $structureB) (`masked` $masked^)?
    (`triangle` `` $triangle^)? `` custom<Clause>("\"realDiagonal\"", $realDiagonal)
    (`acc` `(` $acc^ `)`)?
    `ins` `(` $a `,` $b `:` type($a) `,` type($b) `)` `outs` `(` $c `:` type($c) `)`
    (`alpha` `(` $alpha^ `:` type($alpha) `)`)? (`beta` `(` $beta^ `:` type($beta) `)`)?
    (`workspace` `(` $workspace^ `:` type($workspace) `)`)?
    (`given` `(` $given^ `)`)? (`plan` `(` $plan^ `)`)? (`plans` `(` $plans^ `)`)?
    attr-dict (`->` type($results)^)?
    (`epilogue` `` custom<Epilogue>($extras, type($extras), $extraDims, $epilogue)^)?
  }];
  let builders = [
    // Without partial sums, a triangle, workspace, facts, sets of plans and an epilogue.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::Value":$a, "::mlir::Value":$b,
                   "::mlir::Value":$c, "::mlir::Value":$alpha, "::mlir::Value":$beta,
                   "::rooftile::blas::Transpose":$opA, "::rooftile::blas::Transpose":$opB,
                   "::rooftile::blas::MathMode":$math, "bool":$anyOrder, "::mlir::TypeAttr":$acc,
                   "::rooftile::blas::PlanAttr":$plan), [{
      build($_builder, $_state, results, a, b, c, alpha, beta, /*workspace=*/::mlir::Value(),
            /*extras=*/::mlir::ValueRange(), opA, opB, math, anyOrder, /*compensated=*/false,
            /*partial=*/false, /*padded=*/false, Structure::General, Structure::General,
            /*masked=*/false, /*triangle=*/UploAttr(), /*realDiagonal=*/false, acc,
            /*given=*/GivenAttr(), plan, /*plans=*/::mlir::ArrayAttr(),
            /*extraDims=*/::mlir::ArrayAttr(), /*epilogueCount=*/0);
    }]>
  ];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); }
  }];
}

include "rooftile/Dialect/Blas/BlasTriangularOps.td"
include "rooftile/Dialect/Blas/BlasSymmetricOps.td"
include "rooftile/Dialect/Blas/BlasReduce.td"
include "rooftile/Dialect/Blas/BlasPack.td"
include "rooftile/Dialect/Blas/BlasAsReal.td"
include "rooftile/Dialect/Blas/BlasView.td"

#endif
