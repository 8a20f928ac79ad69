//===- TileUpdate.td - From registers to C ----------------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_TILE_TILEUPDATE_TD
#define ROOFTILE_DIALECT_TILE_TILEUPDATE_TD

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, HasParent<"UpdateOp">]> {
  let summary = "the element of C that an epilogue makes";
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Tile_Widths : TypedArrayAttrBase<DenseI64ArrayAttr, "one width each">;

def Tile_UpdateOp : Tile_Op<"update", [
    AttrSizedOperandSegments, IsolatedFromAbove,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "C = f(alpha * matrix + beta * C) in global memory";
  let description = [{
    Without `alpha` it is 1, without `beta` C is not read. Rows and columns before
    `from`, which a neighbouring workgroup computes too, are not written. `edges` guard means
    that elements beyond the sizes of C are not written; `vector` as for load.
    `beta` may be 0 at run time: C is then not read either. `atomic` means that each element is
    added to C in one atomic step: workgroups may update the same tile, in any order.
    With `triangle` elements of C outside that triangle, by their row and column in C, are neither
    read nor written. `realDiagonal` goes with it: C counts as real on the diagonal, and
    what is written there is one.

    A read of C that follows a write waits for it, as an assembler must assume that both have one
    address. With `ahead` a thread has read so many accesses, of `vector` elements each, before it
    writes the first of them; fewer than those of one row of its own count as none.

    An `epilogue` is f: a region on the element, before it is rounded to C's type, and on the
    element at the same index of each extra operand: a scalar, or a memref of C's sizes with a
    stride of 0 along a dimension that it lacks. The number before its type is the width of
    accesses along the runs of the map.

    ```mlir
    tile.update %acc, %C[%m, %n] alpha(%alpha : f32) edges <guard, guard> vector 4
      : !tile.matrix<...>, memref<...>
    tile.update %acc, %C[%m, %n] beta(%beta : f32) triangle lower vector 4 ahead 8
      : !tile.matrix<...>, memref<...>
    tile.update %acc, %C[%m, %n] : !tile.matrix<...>, memref<...>
      epilogue(%sum : f32, %x = %bias[4] : memref<64x48xf32, strided<[0, 1]>>) {
        %0 = arith.addf %sum, %x : f32
        tile.yield %0 : f32
      }
    ```
  }];
  let arguments = (ins Tile_Matrix:$matrix, AnyMemRef:$target, Index:$row, Index:$column,
                       Optional<AnyType>:$alpha, Optional<AnyType>:$beta,
                       Optional<Index>:$fromRow, Optional<Index>:$fromColumn,
                       Variadic<AnyType>:$extras,
                       OptionalAttr<Tile_EdgesAttr>:$edges,
                       DefaultValuedAttr<I64Attr, "1">:$vector,
                       DefaultValuedAttr<I64Attr, "0">:$ahead, UnitAttr:$atomic,
                       OptionalAttr<Tile_TriangleAttr>:$triangle, UnitAttr:$realDiagonal,
                       OptionalAttr<Tile_Widths>:$extraVectors);
  let regions = (region VariadicRegion<AnyRegion>:$epilogue);
  let assemblyFormat = [{
    (`atomic` $atomic^)? $matrix `,` $target `[` $row `,` $column `]`
    (`alpha` `(` $alpha^ `:` type($alpha) `)`)? (`beta` `(` $beta^ `:` type($beta) `)`)?
    (`from` `(` $fromRow^ `,` $fromColumn `)`)?
    (`triangle` $triangle^)? `` custom<Clause>("\"realDiagonal\"", $realDiagonal) (`edges` $edges^)?
    (`vector` $vector^)? (`ahead` $ahead^)? attr-dict `:` qualified(type($matrix)) `,` type($target)
    (`epilogue` `` custom<Epilogue>($extras, type($extras), $extraVectors, $epilogue)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif
