//===- BlasDispatch.td - Facts about a product, plans for each --*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASDISPATCH_TD
#define ROOFTILE_DIALECT_BLAS_BLASDISPATCH_TD

def Blas_ExtentAttr : AttrDef<Blas_Dialect, "Extent"> {
  let mnemonic = "extent";
  let summary = "what is known of a dynamic M, N or K";
  let description = [{
    At least `least`, at most `most` (0: no bound), a multiple of `multiple` elements.
  }];
  let parameters = (ins
    DefaultValuedParameter<"int64_t", "0">:$least,
    DefaultValuedParameter<"int64_t", "0">:$most,
    DefaultValuedParameter<"int64_t", "1">:$multiple
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Blas_GivenAttr : AttrDef<Blas_Dialect, "Given"> {
  let mnemonic = "given";
  let summary = "facts about a product that its types do not say";
  let description = [{
    `m`, `n`, `k` bound the sizes. `a = 4` says that accesses of 4 elements along the
    contiguous dimension of A are aligned: its base pointer lies at a multiple of
    4 elements; offset, other strides and the contiguous size are multiples of 4.

    As `when` of a case it is a condition for the host to test; on an operation it holds.

    ```mlir
    blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
      given(<m = <least = 128>, n = <least = 128>, k = <multiple = 16>, a = 4, b = 4, c = 4>)
    ```
  }];
  let parameters = (ins
    OptionalParameter<"::rooftile::blas::ExtentAttr">:$m,
    OptionalParameter<"::rooftile::blas::ExtentAttr">:$n,
    OptionalParameter<"::rooftile::blas::ExtentAttr">:$k,
    DefaultValuedParameter<"int64_t", "1">:$a,
    DefaultValuedParameter<"int64_t", "1">:$b,
    DefaultValuedParameter<"int64_t", "1">:$c
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What is known of M, N or K (`dim` 0, 1, 2); null: nothing.
    ExtentAttr getExtent(int dim) const;
    /// Access width of A, B or C (`operand` 0, 1, 2) in elements.
    int64_t getVector(int operand) const;
  }];
}

def Blas_CaseAttr : AttrDef<Blas_Dialect, "Case"> {
  let mnemonic = "case";
  let summary = "a plan, and when it is the one to run";
  let description = [{
    Cases are tried in order. The last has no `when`: it serves what is left.
  }];
  let parameters = (ins
    OptionalParameter<"::rooftile::blas::GivenAttr">:$when,
    "::rooftile::blas::PlanAttr":$plan
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
