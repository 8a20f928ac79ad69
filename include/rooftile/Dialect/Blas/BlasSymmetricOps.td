//===- BlasSymmetricOps.td - Operations with a symmetric matrix -*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASSYMMETRICOPS_TD
#define ROOFTILE_DIALECT_BLAS_BLASSYMMETRICOPS_TD

/// An operation that has no kernel: symmetric-split makes others of it.
class Blas_SplitOp<string mnemonic, dag matrices, dag attributes, string head, string matrixText>
    : Blas_Op<mnemonic, [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Blas_SplitOpInterface>]> {
  let arguments = !con(matrices,
    (ins Optional<Blas_Element>:$alpha, Optional<Blas_Element>:$beta), attributes);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = head # matrixText # [{
    `outs` `(` $c `:` type($c) `)`
    (`alpha` `(` $alpha^ `:` type($alpha) `)`)? (`beta` `(` $beta^ `:` type($beta) `)`)?
    attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); }
    bool hasTensorSemantics() { return !getResults().empty(); }
  }];
}

//===----------------------------------------------------------------------===//
// C = alpha op(A) op(A)^T + beta C, and of two matrices
//===----------------------------------------------------------------------===//

class Blas_RankUpdateOp<string mnemonic, dag matrices, string matrixText>
    : Blas_SplitOp<mnemonic, matrices, (ins Blas_UploAttr:$uplo,
        DefaultValuedAttr<Blas_TransposeAttr, "::rooftile::blas::Transpose::None">:$transpose),
        "`uplo` `` $uplo (`op` `` $transpose^)?", matrixText>;

class Blas_RankKOp<string mnemonic> : Blas_RankUpdateOp<mnemonic,
    (ins Blas_Matrix:$a, Blas_Matrix:$c), "`ins` `(` $a `:` type($a) `)`">;

class Blas_Rank2KOp<string mnemonic> : Blas_RankUpdateOp<mnemonic,
    (ins Blas_Matrix:$a, Blas_Matrix:$b, Blas_Matrix:$c),
    "`ins` `(` $a `,` $b `:` type($a) `,` type($b) `)`">;

def Blas_SyrkOp : Blas_RankKOp<"syrk"> {
  let summary = "C = alpha * op(A) * op(A)^T + beta * C, one triangle of C";
  let description = [{
    C is symmetric, of the order of op(A)'s rows; its `uplo` triangle, as stored, is computed, and
    of the other one nothing is read or written. op is `n` (as stored) or `t` (transposed). alpha,
    beta, strides and batches are as for blas.gemm.

    ```mlir
    blas.syrk uplo<lower> ins(%a : memref<6x4xf32>) outs(%c : memref<6x6xf32>)
    %d = blas.syrk uplo<upper> op<t> ins(%a : tensor<4x6xf64>) outs(%c : tensor<6x6xf64>)
                   alpha(%alpha : f64) beta(%beta : f64) -> tensor<6x6xf64>
    ```
  }];
}

def Blas_HerkOp : Blas_RankKOp<"herk"> {
  let summary = "C = alpha * op(A) * op(A)^H + beta * C, one triangle of a Hermitian C";
  let description = [{
    As blas.syrk, for complex elements: alpha and beta are real, and so is the diagonal of C, of
    which imaginary components are not read, and become 0. op is `n` or `c` (adjoint).

    ```mlir
    blas.herk uplo<lower> op<c> ins(%a : memref<4x6xcomplex<f32>>)
              outs(%c : memref<6x6xcomplex<f32>>) alpha(%alpha : f32)
    ```
  }];
}

def Blas_Syr2kOp : Blas_Rank2KOp<"syr2k"> {
  let summary = "C = alpha * (op(A) * op(B)^T + op(B) * op(A)^T) + beta * C, one triangle of C";
  let description = [{
    As blas.syrk, of two matrices of one shape.

    ```mlir
    blas.syr2k uplo<lower> ins(%a, %b : memref<6x4xf32>, memref<6x4xf32>)
               outs(%c : memref<6x6xf32>)
    ```
  }];
}

def Blas_Her2kOp : Blas_Rank2KOp<"her2k"> {
  let summary = "C = alpha * op(A) * op(B)^H + conj(alpha) * op(B) * op(A)^H + beta * C";
  let description = [{
    As blas.herk, of two matrices of one shape: one triangle of C; alpha is complex, beta is real.

    ```mlir
    blas.her2k uplo<upper> ins(%a, %b : memref<6x4xcomplex<f64>>, memref<6x4xcomplex<f64>>)
               outs(%c : memref<6x6xcomplex<f64>>) beta(%beta : f64)
    ```
  }];
}

//===----------------------------------------------------------------------===//
// C = alpha A B + beta C, A symmetric
//===----------------------------------------------------------------------===//

class Blas_SymmetricProductOp<string mnemonic> : Blas_SplitOp<mnemonic,
    (ins Blas_Matrix:$a, Blas_Matrix:$b, Blas_Matrix:$c),
    (ins Blas_SideAttr:$side, Blas_UploAttr:$uplo), "`side` `` $side `uplo` `` $uplo",
    "`ins` `(` $a `,` $b `:` type($a) `,` type($b) `)`">;

def Blas_SymmOp : Blas_SymmetricProductOp<"symm"> {
  let summary = "C = alpha * A * B + beta * C or alpha * B * A + beta * C, A symmetric";
  let description = [{
    Of A, which stands on the left or on the right, the `uplo` triangle, as stored, is read.
    alpha, beta, strides and batches are as for blas.gemm.

    ```mlir
    blas.symm side<left> uplo<lower> ins(%a, %b : memref<8x8xf32>, memref<8x6xf32>)
              outs(%c : memref<8x6xf32>)
    ```
  }];
}

def Blas_HemmOp : Blas_SymmetricProductOp<"hemm"> {
  let summary = "C = alpha * A * B + beta * C or alpha * B * A + beta * C, A Hermitian";
  let description = [{
    As blas.symm, for complex elements; imaginary components on the diagonal of A count as 0.

    ```mlir
    blas.hemm side<right> uplo<upper>
              ins(%a, %b : memref<6x6xcomplex<f32>>, memref<8x6xcomplex<f32>>)
              outs(%c : memref<8x6xcomplex<f32>>) alpha(%alpha : complex<f32>)
    ```
  }];
}

//===----------------------------------------------------------------------===//
// C = A^-1, A triangular
//===----------------------------------------------------------------------===//

def Blas_TrtriOp : Blas_SplitOp<"trtri", (ins Optional<Blas_Matrix>:$a, Blas_Matrix:$c),
    (ins Blas_UploAttr:$uplo,
         DefaultValuedAttr<Blas_DiagAttr, "::rooftile::blas::Diag::NonUnit">:$diag),
    "`uplo` `` $uplo (`diag` `` $diag^)?", "(`ins` `(` $a^ `:` type($a) `)`)?"> {
  let summary = "C = the inverse of a triangular matrix A";
  let description = [{
    Of A the `uplo` triangle is read, and of C, or of A itself where there is no C, that triangle is
    written; with `diag<unit>` neither has its diagonal read or written, which counts as ones. It
    has no alpha and no beta. A zero on the diagonal gives infinities and NaN.

    ```mlir
    blas.trtri uplo<lower> ins(%a : memref<8x8xf32>) outs(%c : memref<8x8xf32>)
    blas.trtri uplo<upper> diag<unit> outs(%a : memref<8x8xf64>)
    ```
  }];
}

#endif
