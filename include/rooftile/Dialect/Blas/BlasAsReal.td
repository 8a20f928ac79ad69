//===- BlasAsReal.td - Complex elements as real ones -------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASASREAL_TD
#define ROOFTILE_DIALECT_BLAS_BLASASREAL_TD

def Blas_AsRealOp : Op<Blas_Dialect, "as_real", [
    Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a complex matrix as one of its real and imaginary components";
  let description = [{
    The same memory. The dimension along which complex elements are contiguous has twice as many
    real ones, real and imaginary components alternating; offset and the other strides, which are
    known, are twice as many, too; one stride is 1, and the size there is known.

    `reduction-select` makes it for plans with `complex = induced`, for the blas.gemm of these, and
    nothing is left of it after macro-tile. Nothing else is meant to read or write it.

    ```mlir
    %r = blas.as_real %a : memref<1000x7xcomplex<f64>> to memref<1000x14xf64>
    ```
  }];
  let arguments = (ins AnyMemRef:$source);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// The view of a memref of complex elements; null where there is none.
    static ::mlir::MemRefType getViewOf(::mlir::MemRefType matrix);
    /// The dimension that has twice as many elements.
    int64_t getDoubled();
  }];
}

#endif
