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

def Blas_Order : Blas_Enum<"Order", "the dimension of a matrix along which the stride is 1", [
  I32EnumCase<"Any", 0, "any">,            // maybe neither
  I32EnumCase<"Rows", 1, "row_major">,     // the last: elements of a row lie side by side
  I32EnumCase<"Columns", 2, "column_major"> // the last but one
]>;

def Blas_GivenAttr : AttrDef<Blas_Dialect, "Given"> {
  let mnemonic = "given";
  let summary = "facts about a product that its types do not specify";
  let description = [{
    `m`, `n`, `k` bound the sizes. With `a = 4` accesses of 4 elements along the
    contiguous dimension of A are aligned: its base pointer lies at a multiple of
    4 elements; offset, other strides and the contiguous size are multiples of 4.
    With `orderA = row_major` the stride of A along that dimension, which its type leaves
    open, is 1.

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
    DefaultValuedParameter<"int64_t", "1">:$c,
    DefaultValuedParameter<"::rooftile::blas::Order", "::rooftile::blas::Order::Any">:$orderA,
    DefaultValuedParameter<"::rooftile::blas::Order", "::rooftile::blas::Order::Any">:$orderB,
    DefaultValuedParameter<"::rooftile::blas::Order", "::rooftile::blas::Order::Any">:$orderC
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "ExtentAttr":$m, "ExtentAttr":$n, "ExtentAttr":$k,
                     "::llvm::ArrayRef<int64_t>":$vectors,
                     "::llvm::ArrayRef<::rooftile::blas::Order>":$orders), [{
      return $_get($_ctxt, m, n, k, vectors[0], vectors[1], vectors[2], orders[0], orders[1],
                   orders[2]);
    }]>
  ];
  let extraClassDeclaration = [{
    /// Known bounds of M, N or K (`dim` 0, 1, 2); null: none.
    ExtentAttr getExtent(int dim) const;
    /// Access width of A, B or C (`operand` 0, 1, 2) in elements.
    int64_t getVector(int operand) const;
    /// Which stride of A, B or C is 1 though it is dynamic in the type.
    Order getOrder(int operand) const;
    /// True where all that `other` states follows from this.
    bool implies(GivenAttr other) const;
    /// The facts that are left without those about orders; null for none.
    GivenAttr withoutOrders() const;
  }];
}

def Blas_AddressAttr : AttrDef<Blas_Dialect, "Address"> {
  let mnemonic = "address";
  let summary = "facts about the base pointer of a memref";
  let description = [{
    As `blas.given` of a function's argument: the base pointer is a multiple of `align` bytes, a
    power of 2, and nothing wider is presumed of it or of its views. `?`: each call has its own
    alignment, which sets of plans test. Without it, base pointers are presumed to be aligned for
    all accesses that types allow.

    ```mlir
    func.func @f(%a: memref<128x64xf32> {blas.given = #blas.address<align = 4>},
                 %b: memref<64x32xf32> {blas.given = #blas.address<align = ?>})
    ```
  }];
  let parameters = (ins "int64_t":$align);
  let assemblyFormat = "`<` struct(custom<Number>($align)) `>`";
  let genVerifyDecl = 1;
}

def Blas_PriceAttr : AttrDef<Blas_Dialect, "Price"> {
  let mnemonic = "price";
  let summary = "the time of a kernel by the cost model, for any sizes";
  let description = [{
    Picoseconds. Workgroups run in waves of `units` times `blocks`. A wave lasts `fullStep` for each
    of its K steps, and `fullRest` for what is not a step; with one workgroup on each unit it lasts
    `step` and `rest`, with numbers in between a linear interpolation. `start` comes once.
    docs/CostModel.md, (C22), has the formula.
  }];
  let parameters = (ins
    "int64_t":$units,
    "int64_t":$blocks,
    "int64_t":$start,
    "int64_t":$step,
    "int64_t":$rest,
    "int64_t":$fullStep,
    "int64_t":$fullRest
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// (C22) Of a product with these sizes by `plan`.
    int64_t picoseconds(const PlanData &plan, int64_t m, int64_t n, int64_t k, int64_t batch) const;
  }];
}

def Blas_CaseAttr : AttrDef<Blas_Dialect, "Case"> {
  let mnemonic = "case";
  let summary = "a plan, and when it is the one to run";
  let description = [{
    Cases are tried in order. The last has no `when`: it serves what is left. Where the first case
    that holds has a `price`, the one with the lowest price of all that hold runs.
  }];
  let parameters = (ins
    OptionalParameter<"::rooftile::blas::GivenAttr">:$when,
    "::rooftile::blas::PlanAttr":$plan,
    OptionalParameter<"::rooftile::blas::PriceAttr">:$price
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif
