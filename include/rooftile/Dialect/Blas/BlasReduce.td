//===- BlasReduce.td - The sum of partial results ---------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASREDUCE_TD
#define ROOFTILE_DIALECT_BLAS_BLASREDUCE_TD

def Blas_ReduceOp : Blas_Op<"reduce", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, IsolatedFromAbove,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    DeclareOpInterfaceMethods<Blas_EpilogueOpInterface, ["getOutput", "getSumType"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "C = alpha * sum of the slices of W + beta * C";
  let description = [{
    W has one leading dimension more than C, of any number of slices; they are added in order,
    from the first to the last, so that results are the same for every run. Without slices the
    sum is 0. Accumulators are of W's element type, which holds C's. Without `alpha` it is 1;
    without `beta` it is 0 and C is not read. Memrefs may have any strides. An `epilogue` is as that
    of blas.gemm, and so are `triangle` and `realDiagonal`: no element of W outside the triangle
    counts. With `compensated` the sum of the slices keeps what rounding lost, so that its error
    does not grow with their number.

    ```mlir
    %d = blas.reduce ins(%w : tensor<4x64x128xf32>) outs(%c : tensor<64x128xf32>)
                     alpha(%alpha : f32) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins
    Blas_Matrix:$w, Blas_Matrix:$c, Optional<Blas_Element>:$alpha, Optional<Blas_Element>:$beta,
    Variadic<Blas_Extra>:$extras, UnitAttr:$compensated,
    OptionalAttr<Blas_UploAttr>:$triangle, UnitAttr:$realDiagonal,
    OptionalAttr<Blas_TilingAttr>:$plan,
    OptionalAttr<Blas_DimLists>:$extraDims);
  let regions = (region VariadicRegion<AnyRegion>:$epilogue);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    (`compensated` $compensated^)? (`triangle` `` $triangle^)?
    `` custom<Clause>("\"realDiagonal\"", $realDiagonal)
    `ins` `(` $w `:` type($w) `)` `outs` `(` $c `:` type($c) `)`
    (`alpha` `(` $alpha^ `:` type($alpha) `)`)? (`beta` `(` $beta^ `:` type($beta) `)`)?
    (`plan` `(` $plan^ `)`)? attr-dict (`->` type($results)^)?
    (`epilogue` `` custom<Epilogue>($extras, type($extras), $extraDims, $epilogue)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); }
    bool hasTensorSemantics() { return !getResults().empty(); }
    /// False where beta is known to be 0: C is only written.
    bool readsC();
    /// Slices of W, or kDynamic.
    int64_t getSlices();
  }];
}

#endif
