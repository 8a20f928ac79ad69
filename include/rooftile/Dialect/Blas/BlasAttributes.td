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
  I32EnumCase<"Emulated", 1, "emulated">   // other products, of an error bound like it (3xTF32, 3M)
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

def Blas_Uplo : Blas_Enum<"Uplo", "the triangle of A, as stored, that is read", [
  I32EnumCase<"Lower", 0, "lower">,
  I32EnumCase<"Upper", 1, "upper">
]>;
def Blas_UploAttr : EnumAttr<Blas_Dialect, Blas_Uplo, "uplo"> {
  let assemblyFormat = "`<` $value `>`";
}

def Blas_Diag : Blas_Enum<"Diag", "what stands on the diagonal of A", [
  I32EnumCase<"NonUnit", 0, "non_unit">,  // what is stored
  I32EnumCase<"Unit", 1, "unit">          // ones; what is stored is not read
]>;
def Blas_DiagAttr : EnumAttr<Blas_Dialect, Blas_Diag, "diag"> {
  let assemblyFormat = "`<` $value `>`";
}

def Blas_Structure : Blas_Enum<"Structure", "which elements of an operand are read, as stored", [
  I32EnumCase<"General", 0, "general">,        // all
  I32EnumCase<"Lower", 1, "lower">,            // on and below the diagonal, zeros above
  I32EnumCase<"Upper", 2, "upper">,            // on and above the diagonal, zeros below
  I32EnumCase<"UnitLower", 3, "unit_lower">,   // below, ones on the diagonal
  I32EnumCase<"UnitUpper", 4, "unit_upper">    // above, ones on the diagonal
]>;

// --- Plan --------------------------------------------------------------------

def Blas_Via : Blas_Enum<"Via", "where an operand waits on its way to the multipliers", [
  I32EnumCase<"Shared", 0, "shared">,      // registers -> shared memory -> fragments
  I32EnumCase<"Register", 1, "register">   // global memory -> fragments
]>;
def Blas_Copy : Blas_Enum<"Copy", "how an operand reaches shared memory", [
  I32EnumCase<"Register", 0, "register">,  // load to registers, store to shared memory
  I32EnumCase<"Async", 1, "async">,        // without registers, in groups that are waited for
  I32EnumCase<"Bulk", 2, "bulk">,          // whole rows of the shared tile, each slot waited for
  I32EnumCase<"Tensor", 3, "tensor">       // the whole tile at once, as bulk otherwise
]>;
def Blas_Major : Blas_Enum<"Major", "the dimension along which neighbours of a shared tile lie", [
  I32EnumCase<"MN", 0, "mn">,              // M (of A) or N (of B)
  I32EnumCase<"K", 1, "k">
]>;
def Blas_Reduction : Blas_Enum<"Reduction", "how partial sums over K are combined", [
  I32EnumCase<"None", 0, "none">,          // one workgroup sums all of K
  I32EnumCase<"Workspace", 1, "workspace">, // partial sums to memory, then blas.reduce
  I32EnumCase<"Atomic", 2, "atomic">,       // atomic additions to C, in any order
  I32EnumCase<"Cluster", 3, "cluster">      // partial sums in shared memory of a cluster
]>;
def Blas_Tail : Blas_Enum<"Tail", "what happens where a tile crosses the matrix edge", [
  I32EnumCase<"Guard", 0, "guard">,        // clamped loads, guarded stores
  I32EnumCase<"Overlap", 1, "overlap">,    // the last tile is moved back inside
  I32EnumCase<"Split", 2, "split">         // edges are operations of their own (tail-split)
]>;

def Blas_PathAttr : AttrDef<Blas_Dialect, "Path"> {
  let mnemonic = "path";
  let summary = "the way of one operand from global memory to the multipliers";
  let description = [{
    `vector` is the width of a global access in elements, `pad` the elements
    added to each row of the shared tile so that rows start in different banks.
    `swizzle` makes elements of such rows change places, as in !tile.buffer.
    `lanes` neighbouring threads copy along the contiguous dimension of the operand before
    the next ones take the next row of it; 0: as many as there are accesses.
    `copy = bulk` moves whole rows of the shared tile, started by one thread of each of the first
    `lanes` subgroups (0: of all): the operand runs along M (A) or N (B), `vector` elements are 16
    bytes, there is no swizzle, and K is a multiple of macro K.
    `copy = tensor` moves the whole tile at the request of one thread, which names it by its place
    in the matrix: a descriptor of that is an argument of the kernel. There is no padding either,
    tiles have at most 256 real numbers along each side, slots are multiples of 128 bytes, and the
    matrix is not one of a batch. Tiles may cross its edges, and K have any length.
    With `pack = 1` a kernel of its own first copies the operand into a workspace, where its rows
    run along M (A) or N (B) and begin at multiples of 16 bytes (operand-pack); the rest of the
    path is about that copy.
    `major` says along which dimension neighbours of the shared tile lie: M (A) or N (B), so that a
    multiply-add reads runs of them (`mn`), or K (`k`), so that an operand along K is copied as it
    lies in memory, not turned. Lanes of a matrix instruction read one as well as the other.
  }];
  let parameters = (ins
    EnumParameter<Blas_Via>:$via,
    DefaultValuedParameter<"::rooftile::blas::Copy", "::rooftile::blas::Copy::Register">:$copy,
    DefaultValuedParameter<"int64_t", "1">:$vector,
    DefaultValuedParameter<"int64_t", "0">:$pad,
    DefaultValuedParameter<"int64_t", "0">:$swizzle,
    DefaultValuedParameter<"int64_t", "0">:$lanes,
    DefaultValuedParameter<"int64_t", "0">:$pack,
    DefaultValuedParameter<"::rooftile::blas::Major", "::rooftile::blas::Major::MN">:$major
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Blas_PlanAttr : AttrDef<Blas_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "what to do with one operation: every decision, in one place";
  let description = [{
    * `macro = [M, N, K]`: the tile of one workgroup and its K step, in elements.
    * `micro = [M, N]`: the elements of C that one thread accumulates. The
      workgroup has (macro M / micro M) * (macro N / micro N) threads.
    * `lanes = [M, N]`: how the threads of one subgroup lie over the tile.
    * `vector`: width of the fragment reads from shared memory and of the
      accesses to C, in elements; a thread's rows and columns come in runs of it.
    * `mma`: the multiplying instruction: `fma`, or a matrix instruction, which the lanes of a
      subgroup execute together (docs/Tile.md lists them). Then `lanes` are those of the
      instruction, and the micro tile is still what one thread accumulates.
    * `a`, `b`: the path of each operand. `stages`: slots of the shared ring
      (1: none of the loads overlaps the multiplications; 2: leap-frog; more: asynchronous
      copies of that many steps less one are on their way).
    * `c`: `register`: each thread writes what it has summed; `shared`: the tile passes through
      shared memory, so that neighbouring threads write neighbouring elements. That pays where
      accesses to C are narrower than `vector`; a cluster does it anyway.
    * `products`: real products that a complex one takes, 4, or 3 where the operation says
      `math<emulated>` (3M): the third is that of the sums of real and imaginary parts.
    * `ahead`: 1 if the first fragments of a step are read before the last slice of the
      previous step is multiplied, which hides the barrier between them.
    * `unroll`: slices of a step that are written out in the code of its loop; 0: all of
      them, without a loop. Deep steps need less code then, which compiles faster and stays
      in the instruction cache.
    * `raster`: workgroups that share a column band of C before the next band
      starts, in macro tiles along M (1 = row by row).

    * `reduction`, `splits`: the K steps of a tile are shared out among `splits` workgroups;
      the reduction says how their partial sums are combined. Share i of S has the steps
      floor(i steps / S) .. floor((i + 1) steps / S) - 1, maybe none.
    * `tail`: the last tile of M or N is moved back inside the matrix (`overlap`; its
      neighbour computes the same elements), or reads the nearest row or column and does
      not store beyond the edge (`guard`; also where a matrix may be smaller than a tile),
      or is left to operations of their own (`split`, see tail-split).
    * `residency`: workgroups that one unit is to hold at a time; registers are
      bounded so that they fit.

    ```mlir
    #blas.plan<macro = [128, 128, 16], micro = [8, 8], lanes = [4, 8], vector = 4, mma = fma,
               a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>,
               stages = 2, reduction = none, tail = overlap, raster = 8, residency = 2>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$macro,
    ArrayRefParameter<"int64_t">:$micro,
    ArrayRefParameter<"int64_t">:$lanes,
    DefaultValuedParameter<"int64_t", "1">:$vector,
    StringRefParameter<"fma, or a matrix instruction", [{"fma"}]>:$mma,
    DefaultValuedParameter<"int64_t", "4">:$products,
    "::rooftile::blas::PathAttr":$a,
    "::rooftile::blas::PathAttr":$b,
    DefaultValuedParameter<"::rooftile::blas::Via", "::rooftile::blas::Via::Register">:$c,
    DefaultValuedParameter<"int64_t", "2">:$stages,
    DefaultValuedParameter<"int64_t", "0">:$ahead,
    DefaultValuedParameter<"int64_t", "0">:$unroll,
    DefaultValuedParameter<"::rooftile::blas::Reduction",
                           "::rooftile::blas::Reduction::None">:$reduction,
    DefaultValuedParameter<"int64_t", "1">:$splits,
    DefaultValuedParameter<"::rooftile::blas::Tail", "::rooftile::blas::Tail::Overlap">:$tail,
    DefaultValuedParameter<"int64_t", "1">:$raster,
    DefaultValuedParameter<"int64_t", "1">:$residency
  );
  let assemblyFormat = [{
    `<` struct(custom<Sizes>($macro), custom<Sizes>($micro), custom<Sizes>($lanes),
               $vector, custom<Keyword>($mma), $products, $a, $b, $c, $stages, $ahead,
               $unroll, $reduction, $splits, $tail, $raster, $residency) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Threads of one workgroup: (macro M / micro M) * (macro N / micro N).
    int64_t getThreads() const;
    /// The matrix instruction, or null for fma.
    const ::rooftile::tile::Instruction *getInstruction() const;
    /// The same plan for an operation whose operands are packed.
    PlanAttr withoutPacks() const;
    /// True where an operand is to be packed.
    bool packs() const { return getA().getPack() || getB().getPack(); }
    /// True where the tile of C passes through shared memory: `c` says so, or a cluster.
    bool exchangesC() const;
    /// Bytes of shared memory for elements of the given widths (all stages, padding included,
    /// and the tile of C where it passes, of the wider type).
    int64_t getSharedBytes(int64_t bytesOfA, int64_t bytesOfB, int64_t bytesOfSum) const;
  }];
}

def Blas_BlocksAttr : AttrDef<Blas_Dialect, "Blocks"> {
  let mnemonic = "blocks";
  let summary = "what to do with one triangular operation";
  let description = [{
    * `diagonal`: order of the blocks on the diagonal of A, in elements. Everything outside of
      them becomes blas.gemm. 0: the whole matrix is one block, which becomes one kernel.
    * `workgroup`: threads of a workgroup of the kernel of one block; a thread computes one
      column of the output (one row with `side<right>`).

    ```mlir
    #blas.blocks<diagonal = 64, workgroup = 128>
    ```
  }];
  let parameters = (ins
    "int64_t":$diagonal,
    DefaultValuedParameter<"int64_t", "64">:$workgroup
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Blas_TilingAttr : AttrDef<Blas_Dialect, "Tiling"> {
  let mnemonic = "tiling";
  let summary = "the plan of an operation that works element by element, such as blas.reduce";
  let description = [{
    One workgroup of `threads` threads takes a tile of the output of `tile = [rows, columns]`
    elements, in accesses of `vector` elements along the columns. `path` is the way of an input
    that the tile may have to turn (blas.pack): `via = shared` where it is read along the rows of
    the tile, in accesses of the path's `vector`, and turned in shared memory, whose rows `pad`
    and `swizzle` spread over the banks; null or `via = register` where it is read along the
    columns as well.

    ```mlir
    #blas.tiling<tile = [8, 128], threads = 256, vector = 4>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$tile, "int64_t":$threads,
                        DefaultValuedParameter<"int64_t", "1">:$vector,
                        OptionalParameter<"::rooftile::blas::PathAttr">:$path);
  let assemblyFormat = "`<` struct(custom<Sizes>($tile), $threads, $vector, $path) `>`";
  let genVerifyDecl = 1;
}

// --- Batches by pointers -----------------------------------------------------

def Blas_PointersAttr : AttrDef<Blas_Dialect, "Pointers", [
    DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
                                ["isIdentity", "verifyLayout", "getStridesAndOffset"]>]> {
  let mnemonic = "pointers";
  let summary = "the layout of a batch whose matrices lie anywhere";
  let description = [{
    Element (b, i, j) lies `i * strides[0] + j * strides[1]` elements behind the address that
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
  I32EnumCase<"Pointer", 0, "pointer">,   // first element of the matrix, offset not applied
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
  I32EnumCase<"E", 6, "e">  // an extra operand of an epilogue; `index` says which
]>;

def Blas_ArgAttr : AttrDef<Blas_Dialect, "Arg"> {
  let mnemonic = "arg";
  let summary = "one argument of a kernel";
  let description = [{
    `dim` counts the dimensions of the operand as stored (batch first);
    `align` is the alignment in bytes that the kernel assumes of a pointer, or of each address of a
    table. `index` counts the
    extra operands of an epilogue: `<pointer e(1) align 16>`. `box` is what a copy by a descriptor
    moves, lines and real numbers of each: `<descriptor a box [16, 128]>`.
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
    On each gpu.func: the ordered arguments (bare pointers, i64 numbers; what
    is static is compiled in), and the launch: a one-dimensional grid of
    batch * ceil(M / tile[0]) * ceil(N / tile[1]) * splits workgroups of `workgroup`
    threads with `sharedBytes` of dynamic shared memory, `residency` of which fit on a unit.
    `cluster` neighbours in the grid are launched together as a cluster.
    `output` are the sizes of C as stored, batch first, `?` where the caller knows them:
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
    DefaultValuedParameter<"int64_t", "1">:$cluster
  );
  let assemblyFormat = [{
    `<` struct(custom<Args>($args), custom<Sizes>($tile), custom<Extents>($output), $workgroup,
               $sharedBytes, $residency, $splits, $cluster) `>`
  }];
  let genVerifyDecl = 1;
}

def Blas_KernelAttr : AttrDef<Blas_Dialect, "Kernel"> {
  let mnemonic = "kernel";
  let summary = "a kernel of a binary, and how it is called";
  let description = [{
    A binary has no functions to carry a contract: its attribute `blas.kernels` lists
    them, `name` being the symbol that the driver knows.
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
