//===- BlasTriangularOps.td - Operations with a triangular matrix -*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASTRIANGULAROPS_TD
#define ROOFTILE_DIALECT_BLAS_BLASTRIANGULAROPS_TD

class Blas_TriangularOp<string mnemonic> : Blas_Op<mnemonic, [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Blas_Level3OpInterface,
      ["getM", "getN", "getK", "getBatch", "getMatrixA", "getMatrixB", "getMatrixC",
       "readsC", "getTransposeA", "getTransposeB", "getAccumulatorType", "getStructureA",
       "getStructureB", "getFlops", "getBytes"]>,
    DeclareOpInterfaceMethods<Blas_TriangularOpInterface>]> {
  let arguments = (ins
    Blas_Matrix:$a, Optional<Blas_Matrix>:$b, Blas_Matrix:$c,
    Optional<Blas_Element>:$alpha,
    Blas_SideAttr:$side, Blas_UploAttr:$uplo,
    DefaultValuedAttr<Blas_TransposeAttr, "::rooftile::blas::Transpose::None">:$opA,
    DefaultValuedAttr<Blas_DiagAttr, "::rooftile::blas::Diag::NonUnit">:$diag,
    OptionalAttr<Blas_BlocksAttr>:$plan, UnitAttr:$exact);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `side` `` $side `uplo` `` $uplo `` custom<Clause>("\"opA\"", $opA) (`diag` `` $diag^)?
    `ins` `(` $a (`,` $b^)? `:` type($a) (`,` type($b)^)? `)` `outs` `(` $c `:` type($c) `)`
    (`alpha` `(` $alpha^ `:` type($alpha) `)`)?
    (`plan` `(` $plan^ `)`)? attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); }
    bool hasTensorSemantics() { return !getResults().empty(); }
  }];
}

def Blas_TrmmOp : Blas_TriangularOp<"trmm"> {
  let summary = "C = alpha * op(A) * B or alpha * B * op(A), A triangular";
  let description = [{
    A is triangular, of the order of B's rows (`side<left>`) or columns
    (`side<right>`); only its `uplo` triangle, as stored, is read, and with
    `diag<unit>` not its diagonal, which counts as ones. op is as for blas.gemm.
    Without B among the inputs the output is B itself, in place. Leading
    dimensions are a batch, equal on all operands, or absent on A.
    With alpha = 0 the result is 0, and neither A nor B is read.
    `exact`: each element is the sum of those terms that the triangle has. Else plans may
    multiply by zeros for the other triangle, which make infinities of B NaN.

    ```mlir
    blas.trmm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) {exact}
    blas.trmm side<right> uplo<upper> opA<t> diag<unit>
              ins(%a, %b : memref<6x6xf32>, memref<8x6xf32>) outs(%c : memref<8x6xf32>)
              alpha(%alpha : f32)
    ```
  }];
}

def Blas_TrsmOp : Blas_TriangularOp<"trsm"> {
  let summary = "Solves op(A) * X = alpha * B or X * op(A) = alpha * B, A triangular";
  let description = [{
    The inverse of blas.trmm, of the same form: C (or B, in place) becomes X.
    A zero on the diagonal gives infinities and NaN, as in BLAS; no test is made.
    With alpha = 0 the result is 0, and neither A nor B is read.
    `exact`: by substitution, row after row. Else plans may multiply by inverses
    of blocks of A, whose error grows with the condition of these blocks.

    ```mlir
    blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf32>) outs(%b : memref<8x6xf32>) {exact}
    %x = blas.trsm side<right> uplo<lower> opA<t> ins(%a : tensor<6x6xf64>)
                   outs(%b : tensor<8x6xf64>) alpha(%alpha : f64) -> tensor<8x6xf64>
    ```
  }];
}

#endif
