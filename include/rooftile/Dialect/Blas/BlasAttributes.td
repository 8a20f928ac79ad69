//===- BlasAttributes.td - Plan and contract --------------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASATTRIBUTES_TD
#define ROOFTILE_DIALECT_BLAS_BLASATTRIBUTES_TD

include "rooftile/Dialect/Blas/BlasDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/EnumAttr.td"

class Blas_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::rooftile::blas";
}

// --- Attributes of the operations -------------------------------------------

def Blas_Transpose : Blas_Enum<"Transpose", "how an operand enters the product", [
  I32EnumCase<"None", 0, "n">,       // X
  I32EnumCase<"Trans", 1, "t">,      // X^T
  I32EnumCase<"Adjoint", 2, "c">,    // conj(X)^T
  I32EnumCase<"Conj", 3, "j">        // conj(X)
]>;
def Blas_TransposeAttr : EnumAttr<Blas_Dialect, Blas_Transpose, "op"> {
  let assemblyFormat = "`<` $value `>`";
}

def Blas_MathMode : Blas_Enum<"MathMode", "what arithmetic may stand in for the type's own", [
  I32EnumCase<"Strict", 0, "strict">,      // every product in the accumulator type
  I32EnumCase<"Emulated", 1, "emulated">,  // other products, of an error bound like it (3xTF32, 3M)
  I32EnumCase<"Tf32", 2, "tf32">           // factors of f32 with 11 significant bits
]>;
def Blas_MathModeAttr : EnumAttr<Blas_Dialect, Blas_MathMode, "math"> {
  let assemblyFormat = "`<` $value `>`";
}

def Blas_Side : Blas_Enum<"Side", "where the triangular matrix stands", [
  I32EnumCase<"Left", 0, "left">,    // op(A) B
  I32EnumCase<"Right", 1, "right">   // B op(A)
]>;
def Blas_SideAttr : EnumAttr<Blas_Dialect, Blas_Side, "side"> {
  let assemblyFormat = "`<` $value `>`";
}

def Blas_Uplo : Blas_Enum<"Uplo", "the triangle of a matrix, as stored, that counts", [
  I32EnumCase<"Lower", 0, "lower">,
  I32EnumCase<"Upper", 1, "upper">
]>;
def Blas_UploAttr : EnumAttr<Blas_Dialect, Blas_Uplo, "uplo"> {
  let assemblyFormat = "`<` $value `>`";
}

def Blas_Diag : Blas_Enum<"Diag", "what stands on the diagonal of A", [
  I32EnumCase<"NonUnit", 0, "nonunit">,  // what is stored
  I32EnumCase<"Unit", 1, "unit">         // ones; what is stored is not read
]>;
// Reads `non_unit` of older text as well, with a warning.
def Blas_DiagAttr : EnumAttr<Blas_Dialect, Blas_Diag, "diag"> {
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1;
}

def Blas_Structure : Blas_Enum<"Structure", "which elements of an operand are read", [
  I32EnumCase<"General", 0, "general">,        // all
  I32EnumCase<"Lower", 1, "lower">,            // on and below the diagonal, zeros above
  I32EnumCase<"Upper", 2, "upper">,            // on and above the diagonal, zeros below
  I32EnumCase<"UnitLower", 3, "unit_lower">,   // below, ones on the diagonal
  I32EnumCase<"UnitUpper", 4, "unit_upper">,   // above, ones on the diagonal
  I32EnumCase<"SymmetricLower", 5, "symmetric_lower">, // as for lower, mirrored above
  I32EnumCase<"SymmetricUpper", 6, "symmetric_upper">, // as for upper, mirrored below
  I32EnumCase<"HermitianLower", 7, "hermitian_lower">, // so, conjugated, with a real diagonal
  I32EnumCase<"HermitianUpper", 8, "hermitian_upper">
]>;
def Blas_StructureAttr : EnumAttr<Blas_Dialect, Blas_Structure, "structure"> {
  let assemblyFormat = "`<` $value `>`";
}

include "rooftile/Dialect/Blas/BlasPlan.td"

// --- Batches by pointers -----------------------------------------------------

def Blas_PointersAttr : AttrDef<Blas_Dialect, "Pointers", [
    DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
                                ["isIdentity", "verifyLayout", "getStridesAndOffset"]>]> {
  let mnemonic = "pointers";
  let summary = "the layout of a batch whose matrices lie anywhere";
  let description = [{
    Element (b, i, j) lies `i * strides[0] + j * strides[1]` elements after the address that
    entry b of an array of pointers holds; `?` is a stride that is known at run time. The first
    elements lie at multiples of `align` bytes (a power of 2; 0: of one element), which nobody
    tests. Made by blas.batch.

    ```mlir
    memref<1000x16x32xf32, #blas.pointers<strides = [32, 1], align = 16>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$strides,
                        DefaultValuedParameter<"int64_t", "0">:$align);
  let assemblyFormat = "`<` struct(custom<Extents>($strides), $align) `>`";
  let genVerifyDecl = 1;
}

// --- Kernel contract ---------------------------------------------------------

def Blas_ArgKind : Blas_Enum<"ArgKind", "what a kernel argument is", [
  I32EnumCase<"Pointer", 0, "pointer">,   // first element, offset not applied; or a scalar
  I32EnumCase<"Offset", 1, "offset">,     // i64, elements from the pointer
  I32EnumCase<"Size", 2, "size">,         // i64, elements along `dim`
  I32EnumCase<"Stride", 3, "stride">,     // i64, elements between neighbours along `dim`
  I32EnumCase<"Scalar", 4, "scalar">,     // alpha or beta, by value
  I32EnumCase<"Workspace", 5, "workspace">,
  I32EnumCase<"Table", 6, "table">,       // i64 addresses of the first elements of all matrices
  I32EnumCase<"Descriptor", 7, "descriptor"> // of a matrix, for copies of boxes, by value
]>;
def Blas_Role : Blas_Enum<"Role", "which operand an argument belongs to", [
  I32EnumCase<"A", 0, "a">, I32EnumCase<"B", 1, "b">, I32EnumCase<"C", 2, "c">,
  I32EnumCase<"Alpha", 3, "alpha">, I32EnumCase<"Beta", 4, "beta">,
  I32EnumCase<"W", 5, "w">, // the workspace: partial sums for blas.reduce, packed operands
  I32EnumCase<"E", 6, "e">  // an extra operand of an epilogue; `index` is its position
]>;

def Blas_ArgAttr : AttrDef<Blas_Dialect, "Arg"> {
  let mnemonic = "arg";
  let summary = "one argument of a kernel";
  let description = [{
    `dim` counts the dimensions of the operand as stored (batch first);
    `align` is the alignment in bytes that the kernel assumes of a pointer, or of each address of a
    table. `index` counts the
    extra operands of an epilogue: `<pointer e(1) align 16>`. `box` is what a copy by a descriptor
    moves, vectors and real elements of each: `<descriptor a box [16, 128]>`. A third number is the
    bytes of the hardware's swizzle: `<descriptor a box [128, 64, 128]>`.
  }];
  let parameters = (ins
    EnumParameter<Blas_ArgKind>:$kind,
    EnumParameter<Blas_Role>:$role,
    DefaultValuedParameter<"int64_t", "0">:$dim,
    DefaultValuedParameter<"int64_t", "0">:$align,
    DefaultValuedParameter<"int64_t", "0">:$index,
    OptionalArrayRefParameter<"int64_t">:$box
  );
  let builders = [
    AttrBuilder<(ins "::rooftile::blas::ArgKind":$kind, "::rooftile::blas::Role":$role,
                     "int64_t":$dim, "int64_t":$align, CArg<"int64_t", "0">:$index), [{
      return $_get($_ctxt, kind, role, dim, align, index, ::llvm::ArrayRef<int64_t>());
    }]>
  ];
  let assemblyFormat = [{
    `<` $kind $role (`(` $index^ `)`)? (`[` $dim^ `]`)? (`align` $align^)?
    (`box` custom<Sizes>($box)^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Blas_ContractAttr : AttrDef<Blas_Dialect, "Contract"> {
  let mnemonic = "contract";
  let summary = "how a kernel is called";
  let description = [{
    On each gpu.func: the ordered arguments (bare pointers, i64 values; what
    is static is compiled in), and the launch: a one-dimensional grid of
    ceil(batch / matrices) * ceil(M / tile[0]) * ceil(N / tile[1]) * splits workgroups of
    `workgroup` threads with `sharedBytes` of dynamic shared memory, `residency` of which fit on
    a unit. `cluster` neighbours in the grid are launched together as a cluster.
    With `structure = lower` or `upper` there are workgroups only for the tiles that touch that
    triangle of C, of which tiles and matrices are square: T (T + 1) / 2 for T x T tiles.
    `output` are the sizes of C as stored, batch first, `?` where the caller has them:
    those are arguments, too.
  }];
  let parameters = (ins
    ArrayRefParameter<"::rooftile::blas::ArgAttr">:$args,
    ArrayRefParameter<"int64_t">:$tile,
    OptionalArrayRefParameter<"int64_t">:$output,
    "int64_t":$workgroup,
    "int64_t":$sharedBytes,
    DefaultValuedParameter<"int64_t", "1">:$residency,
    DefaultValuedParameter<"int64_t", "1">:$splits,
    DefaultValuedParameter<"int64_t", "1">:$cluster,
    DefaultValuedParameter<"::rooftile::blas::Structure",
                           "::rooftile::blas::Structure::General">:$structure,
    DefaultValuedParameter<"int64_t", "1">:$matrices
  );
  let assemblyFormat = [{
    `<` struct(custom<Args>($args), custom<Sizes>($tile), custom<Extents>($output), $workgroup,
               $sharedBytes, $residency, $splits, $cluster, $structure,
               $matrices) `>`
  }];
  let genVerifyDecl = 1;
}

def Blas_KernelAttr : AttrDef<Blas_Dialect, "Kernel"> {
  let mnemonic = "kernel";
  let summary = "a kernel of a binary, and how it is called";
  let description = [{
    A binary has no functions to carry a contract: its attribute `blas.kernels` lists
    them, `name` being the symbol in the binary.
  }];
  let parameters = (ins
    StringRefParameter<"symbol in the binary">:$name,
    "::rooftile::blas::ContractAttr":$contract
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

include "rooftile/Dialect/Blas/BlasDispatch.td"
include "rooftile/Dialect/Blas/BlasTarget.td"

#endif
