//===- TileOps.td - The tile level -------------------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_TILE_TILEOPS_TD
#define ROOFTILE_DIALECT_TILE_TILEOPS_TD

include "rooftile/Dialect/Tile/TileTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_CoordOp : Tile_Op<"coord", [Pure]> {
  let summary = "the part of C that belongs to this workgroup";
  let description = [{
    Splits the linear workgroup index into batch, first row and first column of
    the tile. Workgroups walk down `raster` tiles of a column of tiles before
    they step to the next column, so that concurrent ones share A and B in L2.
    With `splits`, so many neighbours in the grid share a tile, and a fourth result counts them.

    Matrices of a batch come one after the other. With `batches`, how many there are, they are one
    matrix for this walk, side by side, or with `byRows` one above the other: what they share, A or
    B, is then used for all of them while it is in L2.

    With `backwards` the tiles of a matrix are walked from the last one to the first: the workgroups
    that have most to do where rows at the end of A are the longest.

    With `triangle` only the tiles that touch that triangle of a square C are walked, one matrix
    after the other: T (T + 1) / 2 workgroups for T x T tiles (Triangle.h), times the matrices and
    `splits`. Tiles are square, `raster` is 1. Row p and row T - 1 - p (of an odd T row T - 2 - p,
    with none for the last) are walked as one, so that all such pairs are of one length:

        lower, T = 4         walked as           upper: rows and columns exchanged
        a                    g h i j | a
        b c                  d e f | b c
        d e f
        g h i j

    ```mlir
    %batch, %m, %n = tile.coord %M, %N tile [128, 128] raster 8
    %batch, %m, %n, %split = tile.coord %M, %N tile [128, 128] raster 8 splits 4
    %batch, %m, %n = tile.coord %M, %N batches %count byRows tile [128, 128] raster 8
    %batch, %m, %n = tile.coord %M, %N backwards tile [128, 128] raster 8
    %batch, %m, %n = tile.coord %M, %M triangle lower tile [128, 128]
    ```
  }];
  let arguments = (ins Index:$rows, Index:$columns, Optional<Index>:$batches, UnitAttr:$byRows,
                       UnitAttr:$backwards,
                       OptionalAttr<Tile_TriangleAttr>:$triangle, DenseI64ArrayAttr:$tile,
                       DefaultValuedAttr<I64Attr, "1">:$raster,
                       DefaultValuedAttr<I64Attr, "1">:$splits);
  let results = (outs Index:$batch, Index:$m, Index:$n, Variadic<Index>:$split);
  let builders = [OpBuilder<(ins "::mlir::Value":$rows, "::mlir::Value":$columns,
                                 "::llvm::ArrayRef<int64_t>":$tile, "int64_t":$raster,
                                 CArg<"int64_t", "1">:$splits)>];
  let assemblyFormat = [{
    $rows `,` $columns (`batches` $batches^)? `` custom<Clause>("\"byRows\"", $byRows)
    (`backwards` $backwards^)? (`triangle` $triangle^)?
    `tile` custom<Walk>($tile, $raster, $splits, type($split)) attr-dict
  }];
  let extraClassDeclaration = [{
    /// Which of the workgroups of a tile this is; null where there is only one.
    ::mlir::Value getSplitOrNull() {
      return getSplit().empty() ? ::mlir::Value() : getSplit().front();
    }
  }];
  let hasVerifier = 1;
}

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a ring of tiles in shared memory, for the life of the workgroup";
  let description = [{
    Buffers lie one after the other. One that lies `over` the others begins where they begin, and
    ends what they hold: an access to it conflicts with theirs.

    With a swizzle, vectors must be long enough for the permutation of their elements.
  }];
  let arguments = (ins UnitAttr:$over);
  let results = (outs Tile_Buffer:$buffer);
  let assemblyFormat = "(`over` $over^)? attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

def Tile_ViewOp : Tile_Op<"view", [Pure]> {
  let summary = "one stage of a buffer, or a part of it";
  let description = [{
    `counter` names the stage (modulo the stages); the view begins at row and
    column `offsets` of that tile. With `transposed` its rows are the columns of the buffer, and the
    other way round, so that one tile is read as two operands. With `peer` it is the buffer of that
    workgroup of the cluster, for loads only.

    ```mlir
    %slice = tile.view %buffer[%i] [%c0, %k] : !tile.buffer<2 x 128x16xf32, strides = [1, 132]>
                                   -> !tile.buffer<1 x 128x1xf32, strides = [1, 132]>
    ```
  }];
  let arguments = (ins Tile_Buffer:$buffer, Index:$counter, Index:$row, Index:$column,
                       Optional<Index>:$peer, UnitAttr:$transposed);
  let results = (outs Tile_Buffer:$view);
  let builders = [OpBuilder<(ins "::mlir::Type":$view, "::mlir::Value":$buffer,
                                 "::mlir::Value":$counter, "::mlir::Value":$row,
                                 "::mlir::Value":$column), [{
    build($_builder, $_state, view, buffer, counter, row, column, /*peer=*/::mlir::Value(),
          /*transposed=*/false);
  }]>];
  let assemblyFormat = [{
    $buffer `[` $counter `]` `[` $row `,` $column `]` (`transposed` $transposed^)?
    (`peer` $peer^)?
    attr-dict `:` qualified(type($buffer)) `->` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Tile_FillOp : Tile_Op<"fill", [Pure]> {
  let summary = "a register matrix of one value";
  let arguments = (ins AnyType:$value);
  let results = (outs Tile_Matrix:$matrix);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` qualified(type($matrix))";
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments]> {
  let summary = "global or shared memory to registers";
  let description = [{
    From a memref at a row and a column, or from a buffer view. For a memref,
    `edges` is the behaviour beyond its sizes and `vector` is the width of an
    access in elements: the caller vouches that runs of the map are contiguous
    and aligned to it. From a view that ends before the matrix does, the last element stands for the
    rest (`clamp`); what lies beyond the buffer that it is a part of is 0 (`zero`).
    With `scalar` all threads have the same elements, from a memref: they belong in scalar
    registers.

    ```mlir
    %a = tile.load %A[%m, %k] edges <clamp, zero> vector 4 : memref<...> -> !tile.matrix<...>
    %f = tile.load %view : !tile.buffer<...> -> !tile.matrix<...>
    ```
  }];
  let arguments = (ins AnyTypeOf<[AnyMemRef, Tile_Buffer]>:$source, Optional<Index>:$row,
                       Optional<Index>:$column,
                       OptionalAttr<Tile_EdgesAttr>:$edges,
                       DefaultValuedAttr<I64Attr, "1">:$vector, UnitAttr:$scalar);
  let results = (outs Tile_Matrix:$matrix);
  let assemblyFormat = [{
    $source (`[` $row^ `,` $column `]`)? (`edges` $edges^)? (`vector` $vector^)?
    (`scalar` $scalar^)? attr-dict `:` qualified(type($source)) `->` qualified(type($matrix))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isGlobal() { return ::llvm::isa<::mlir::MemRefType>(getSource().getType()); }
  }];
}

def Tile_StoreOp : Tile_Op<"store", []> {
  let summary = "registers to a buffer view";
  let description = [{
    After a `guard` edge the view ends before the matrix does, and what lies beyond is not stored.
  }];
  let arguments = (ins Tile_Matrix:$matrix, Tile_Buffer:$view, OptionalAttr<Tile_EdgesAttr>:$edges);
  let assemblyFormat = [{
    $matrix `,` $view (`edges` $edges^)? attr-dict
    `:` qualified(type($matrix)) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_Op<"copy", []> {
  let summary = "global memory to a buffer view, asynchronously";
  let description = [{
    As a load and a store of a matrix with `map`, but without registers on the way: the
    elements arrive some time before a `tile.wait` for their group returns. A view must be
    neither read nor written while elements are on their way to it. `edges` and
    `vector` as for load; what lies outside a `zero` edge arrives as 0.

    With `bulk` the first values of the map are a whole vector of the view, which one copy moves: 16
    bytes or a multiple of them, that begin at multiples of 16 bytes on both sides, inside the
    matrix. What several threads hold the first of them copies. `tile.arrived` waits until it is
    there. Only such copies write to the ring, all with the same map.

    With a `descriptor` of the matrix one thread has the whole view copied: the map has one that
    holds all of it, and vectors follow each other without padding. What lies beyond the matrix
    arrives as 0.

    ```mlir
    tile.copy %A[%m, %k], %stage map <threads = [...], values = [...]> edges <clamp, zero> vector 4
      : memref<...>, !tile.buffer<...>
    tile.copy %A[%m, %k], %stage map <threads = [32:(0, 0), 8:(0, 1)], values = [128:(1, 0)]>
      vector 4 bulk : memref<...>, !tile.buffer<1 x 128x8xf32, strides = [1, 128]>
    tile.copy %A[%m, %k], %stage map <threads = [256:(0, 0)], values = [128:(1, 0), 8:(0, 1)]>
      vector 4 bulk descriptor(%d : !llvm.array<16 x i64>)
      : memref<...>, !tile.buffer<1 x 128x8xf32, strides = [1, 128]>
    ```
  }];
  let arguments = (ins AnyMemRef:$source, Index:$row, Index:$column, Tile_Buffer:$view,
                       Tile_MapAttr:$map, OptionalAttr<Tile_EdgesAttr>:$edges,
                       DefaultValuedAttr<I64Attr, "1">:$vector, UnitAttr:$bulk,
                       Optional<AnyType>:$descriptor);
  let assemblyFormat = [{
    $source `[` $row `,` $column `]` `,` $view `map` $map (`edges` $edges^)? (`vector` $vector^)?
    (`bulk` $bulk^)? (`descriptor` `(` $descriptor^ `:` type($descriptor) `)`)?
    attr-dict `:` type($source) `,` qualified(type($view))
  }];
  let hasVerifier = 1;
}

def Tile_ArrivedOp : Tile_Op<"arrived", []> {
  let summary = "waits until the bulk copies into a stage of a ring have arrived";
  let description = [{
    Counters from 0 on are filled once each, in order. Each thread waits by itself, and sees what
    has arrived without a barrier. One that waits for a counter that nothing fills waits for ever.

    ```mlir
    tile.arrived %ring[%i] : !tile.buffer<3 x 128x16xf32, strides = [1, 128]>
    ```
  }];
  let arguments = (ins Tile_Buffer:$ring, Index:$counter);
  let assemblyFormat = "$ring `[` $counter `]` attr-dict `:` qualified(type($ring))";
}

def Tile_MmaOp : Tile_Op<"mma", [AlwaysSpeculatable, AllTypesMatch<["c", "result"]>,
                                 DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "c + a * b on register matrices, or of two buffer views";
  let description = [{
    a is M x K, b is K x N, c is M x N. Each thread multiplies what it holds:
    the maps of a and b must give it the rows and columns of its part of c.

    Where G groups of threads hold a share of K each (`G:(0, K / G)` in the map of a, `G:(K / G, 0)`
    in that of b), c is G M x N, the G accumulators one above the other: `G:(M, 0)`.

    Elements of a and b may be narrower than those of c, which hold them exactly, and one of
    them real where c is complex. `conjugateA` and `conjugateB` multiply by the conjugate.

    With `instruction` the lanes of a subgroup multiply together: the maps are those of the
    instruction, over its lanes first and then over subgroups, repeated over the registers, for
    complex elements component by component. It specifies the offsets of its elements in the tile:
    #tile.instruction.

    An instruction that reads shared memory multiplies views of buffers, of which each subgroup, or
    warpgroup of four, reads the rows of a and the columns of b that it has of c. It runs on while
    the program does: until a wait for it the views must not be written to, and its sums are for
    another product or `tile.finish`. tile-sync places waits and fences.

    ```mlir
    %next = tile.mma %a, %b, %sum conjugateA : ...
    %t = tile.mma %a, %b, %s instruction(#m16n8k4_f64) : ...
    %u = tile.mma %viewA, %viewB, %s instruction(#wgmma_m64k16_f16)
      : !tile.buffer<1 x 128x64xf16, strides = [64, 1], swizzle = 8>, ...
    ```
  }];
  let arguments = (ins AnyTypeOf<[Tile_Matrix, Tile_Buffer]>:$a,
                       AnyTypeOf<[Tile_Matrix, Tile_Buffer]>:$b, Tile_Matrix:$c,
                       OptionalAttr<Tile_InstructionAttr>:$instruction,
                       UnitAttr:$conjugateA, UnitAttr:$conjugateB);
  let results = (outs Tile_Matrix:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$a, "::mlir::Value":$b, "::mlir::Value":$c), [{
    build($_builder, $_state, a, b, c, InstructionAttr());
  }]>];
  let assemblyFormat = [{
    $a `,` $b `,` $c `` custom<Clause>("\"conjugateA\"", $conjugateA)
    `` custom<Clause>("\"conjugateB\"", $conjugateB)
    (`instruction` `(` $instruction^ `)`)? attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($c))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether it multiplies views of buffers.
    bool readsViews() { return ::llvm::isa<BufferType>(getA().getType()); }
    /// The register matrices that it multiplies otherwise.
    ::mlir::TypedValue<MatrixType> getMatrixA() {
      return ::llvm::cast<::mlir::TypedValue<MatrixType>>(getA());
    }
    ::mlir::TypedValue<MatrixType> getMatrixB() {
      return ::llvm::cast<::mlir::TypedValue<MatrixType>>(getB());
    }
  }];
}

def Tile_AddOp : Tile_Op<"add", [Pure, SameOperandsAndResultType]> {
  let summary = "the sum of two register matrices of the same map";
  let description = [{
    As arith.addf, and for complex elements as well.

    ```mlir
    %sum = tile.add %left, %right : !tile.matrix<128x8xcomplex<f32>, MAP>
    ```
  }];
  let arguments = (ins Tile_Matrix:$left, Tile_Matrix:$right);
  let results = (outs Tile_Matrix:$result);
  let assemblyFormat = "$left `,` $right attr-dict `:` qualified(type($result))";
}

def Tile_AddKnownOp : Tile_Op<"add_known", [Pure, SameOperandsAndResultType]> {
  let summary = "the sum of two register matrices of real elements, without NaN";
  let description = [{
    left + right, and left alone where right is a NaN: the end of compensated summation, where what
    rounding lost of an infinite one is no number.

    ```mlir
    %sum = tile.add_known %high, %low : !tile.matrix<128x8xf32, MAP>
    ```
  }];
  let arguments = (ins Tile_Matrix:$left, Tile_Matrix:$right);
  let results = (outs Tile_Matrix:$result);
  let assemblyFormat = "$left `,` $right attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_PartOp : Tile_Op<"part", [Pure, AllTypesMatch<["matrix", "result"]>]> {
  let summary = "a part of f32 elements that bf16 holds exactly";
  let description = [{
    With cut(x) the upper 16 bits of x, part 0 is cut(x), part 1 cut(x - part 0), and part 2 what is
    left: the 24 significant bits of x in three times 8, each part with the sign of x. Of infinities
    and NaN all parts are 0; with `special` they are what they are.

    ```mlir
    %low = tile.part 2 of %x : !tile.matrix<32x128xf32, MAP>
    %high = tile.part 0 special of %x : !tile.matrix<32x128xf32, MAP>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<2>]>:$index,
                       UnitAttr:$special, Tile_Matrix:$matrix);
  let results = (outs Tile_Matrix:$result);
  let assemblyFormat = [{
    $index (`special` $special^)? `of` $matrix attr-dict `:` qualified(type($matrix))
  }];
  let hasVerifier = 1;
}

def Tile_ChooseOp : Tile_Op<"choose", [Pure, AllTypesMatch<["inside", "outside", "result"]>]> {
  let summary = "one register matrix in a triangle, another one outside";
  let description = [{
    The element at row i and column j of the tile is that of `inside` where row + i, column + j lies
    in the triangle of the matrix that the tile is a part of, else that of `outside`. The diagonal
    is inside, or with `strict` outside.

    ```mlir
    %w = tile.choose lower %a, %zeros at [%m, %n] : !tile.matrix<128x8xf32, MAP>
    ```
  }];
  let arguments = (ins Tile_TriangleAttr:$triangle, UnitAttr:$strict, Tile_Matrix:$inside,
                       Tile_Matrix:$outside, Index:$row, Index:$column);
  let results = (outs Tile_Matrix:$result);
  let assemblyFormat = [{
    (`strict` $strict^)? $triangle $inside `,` $outside `at` `[` $row `,` $column `]` attr-dict
    `:` qualified(type($result))
  }];
}

def Tile_ComponentsOp : Tile_Op<"components", [Pure, AllTypesMatch<["re", "im"]>]> {
  let summary = "real and imaginary components of a complex register matrix";
  let description = [{
    Matrices of reals with the same map: the same thread holds what it held before.

    ```mlir
    %re, %im = tile.components %a : !tile.matrix<128x8xcomplex<f64>, MAP>
      -> !tile.matrix<128x8xf64, MAP>
    ```
  }];
  let arguments = (ins Tile_Matrix:$matrix);
  let results = (outs Tile_Matrix:$re, Tile_Matrix:$im);
  let assemblyFormat = "$matrix attr-dict `:` qualified(type($matrix)) `->` qualified(type($re))";
  let hasVerifier = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["re", "im"]>]> {
  let summary = "a complex register matrix of its real and imaginary components";
  let description = [{
    ```mlir
    %a = tile.join %re, %im : !tile.matrix<128x8xf64, MAP> -> !tile.matrix<128x8xcomplex<f64>, MAP>
    ```
  }];
  let arguments = (ins Tile_Matrix:$re, Tile_Matrix:$im);
  let results = (outs Tile_Matrix:$matrix);
  let assemblyFormat = [{
    $re `,` $im attr-dict `:` qualified(type($re)) `->` qualified(type($matrix))
  }];
  let hasVerifier = 1;
}

include "rooftile/Dialect/Tile/TileUpdate.td"
include "rooftile/Dialect/Tile/TileWaits.td"

#endif
