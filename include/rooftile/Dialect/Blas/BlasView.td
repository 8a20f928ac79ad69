//===- BlasView.td - Another order of a tensor's elements -------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASVIEW_TD
#define ROOFTILE_DIALECT_BLAS_BLASVIEW_TD

def Blas_ViewOp : Blas_Op<"view", [Pure]> {
  let summary = "the elements of a tensor under other dimensions, without a copy";
  let description = [{
    Element `i` of the result is element `map(i)` of the source. Each result of the map is a sum of
    dimensions times constants that are not negative, so that the view of a memref with strides is
    again one: the stride of dimension `d` is the sum of the source's strides times the constants of
    `d`. Permutations, repeated matrices (a dimension that the map does not have), parts of a
    dimension and the windows of a convolution are such maps. `sizes` are the dynamic sizes of the
    result.

    It is for tensors what strides are for memrefs: convert-linalg-to-blas makes it for operands
    that a product reads, or writes, in another order than they have. Bufferization makes it a
    `memref.reinterpret_cast`. A map under which two elements of the result are the same element of
    the source is for operands that are read.

    ```mlir
    // The heads of an attention layer, as a batch: head h, position s, feature f.
    %heads = blas.view %x map (d0, d1, d2) -> (d1, d0 * 64 + d2)
      : tensor<128x256xf32> to tensor<4x128x64xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$source, Variadic<Index>:$sizes, AffineMapAttr:$map);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $source (`sizes` `(` $sizes^ `)`)? `map` $map attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The sizes of the result, constants or operands.
    ::llvm::SmallVector<::mlir::OpFoldResult> getMixedSizes();
    /// The view of a source of this type: a strided memref.
    ::mlir::MemRefType getViewOf(::mlir::MemRefType source);
  }];
}

#endif
