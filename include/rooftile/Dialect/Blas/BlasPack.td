//===- BlasPack.td - A matrix in the order of its reader --------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASPACK_TD
#define ROOFTILE_DIALECT_BLAS_BLASPACK_TD

def Blas_PackOp : Blas_Op<"pack", [
    DestinationStyleOpInterface, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "W = op(A), a copy in the order in which a kernel reads it";
  let description = [{
    op is `n` (as stored) or `t` (transposed). W has the batch of A, and as many rows and columns as
    op(A) or more: what it has more is padding, whose elements are unspecified afterwards. Element
    types are equal, without `parts`. Memrefs may have any strides.

    With `parts` A is of f32, W of bf16, and W has the rows of op(A) in parts, as #blas.parts
    describes them: six blocks of K rows for each K rows of op(A) where `order` has six numbers.

    With a `structure` A is square, and W = op(T) of the matrix T that it specifies: `lower` or
    `upper`, `unit_lower` or `unit_upper` of a triangle as stored, with zeros beside it, and ones on
    the diagonal of a unit one; `symmetric_lower`, .. `hermitian_upper` of a triangle that stands
    for all of a symmetric or Hermitian matrix. Nothing that it does not name gets into W: a NaN
    there stays out.

    `aligned` states what a type with dynamic sizes does not specify of W: the number of its
    columns, its other strides and its offset are multiples of so many elements, and so is its
    address.

    ```mlir
    blas.pack op<t> ins(%a : memref<1023x512xf32>) outs(%w : memref<512x1024xf32>)
      plan(<tile = [32, 128], threads = 256, vector = 4, path = <via = shared, pad = 4, lanes = 8>>)
    ```
  }];
  let arguments = (ins
    Blas_Matrix:$a, Blas_Matrix:$w,
    DefaultValuedAttr<Blas_TransposeAttr, "::rooftile::blas::Transpose::None">:$transpose,
    DefaultValuedAttr<Blas_StructureAttr, "::rooftile::blas::Structure::General">:$structure,
    OptionalAttr<Blas_PartsAttr>:$parts,
    DefaultValuedAttr<I64Attr, "1">:$aligned,
    OptionalAttr<Blas_TilingAttr>:$plan);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    (`op` `` $transpose^)? (`structure` `` $structure^)? (`parts` `` $parts^)?
    `ins` `(` $a `:` type($a) `)` `outs` `(` $w `:` type($w) `)`
    (`aligned` `(` $aligned^ `)`)? (`plan` `(` $plan^ `)`)? attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getWMutable(); }
    bool hasTensorSemantics() { return !getResults().empty(); }
  }];
}

#endif
