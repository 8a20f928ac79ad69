//===- TileWaits.td - Waits for what runs on --------------*- tablegen -*-===//
//
// Part of TileOps.td: groups of copies and of products of views that are on their way.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_TILE_TILEWAITS_TD
#define ROOFTILE_DIALECT_TILE_TILEWAITS_TD

def Tile_CommitOp : Tile_Op<"commit", []> {
  let summary = "closes a group: the copies started since the last commit";
  let assemblyFormat = "attr-dict";
}

def Tile_WaitOp : Tile_Op<"wait", []> {
  let summary = "waits until at most the last `pending` groups are on their way";
  let description = [{
    Each thread waits for its own copies: a barrier after it makes them visible to all. With
    `products` it waits for products of views, each `tile.mma` of which is a group: what they read
    may then be overwritten, but their sums are there after a `tile.finish` only.

    ```mlir
    tile.wait 2
    tile.wait products 1
    ```
  }];
  let arguments = (ins UnitAttr:$products, ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "(`products` $products^)? $pending attr-dict";
}

def Tile_FinishOp : Tile_Op<"finish", [AllTypesMatch<["sums", "result"]>]> {
  let summary = "waits for all products of views that add up to a register matrix";
  let description = [{
    What `tile.mma` of views returns are sums that may not be there yet: they may be added to by
    another one, be carried by a loop, and end here.

    ```mlir
    %c = tile.finish %sums : !tile.matrix<128x256xf32, MAP>
    ```
  }];
  let arguments = (ins Tile_Matrix:$sums);
  let results = (outs Tile_Matrix:$result);
  let assemblyFormat = "$sums attr-dict `:` qualified(type($sums))";
}

def Tile_ClearOp : Tile_Op<"clear", [Pure, AllTypesMatch<["matrix", "result"]>]> {
  let summary = "zeros in the place of a register matrix";
  let description = [{
    Unlike `tile.fill` it stays after what computes the matrix: accumulators of products of views
    begin again after a `tile.finish`, not before it.

    ```mlir
    %zeros = tile.clear %c : !tile.matrix<128x256xf32, MAP>
    ```
  }];
  let arguments = (ins Tile_Matrix:$matrix);
  let results = (outs Tile_Matrix:$result);
  let assemblyFormat = "$matrix attr-dict `:` qualified(type($matrix))";
}

def Tile_FenceOp : Tile_Op<"fence", []> {
  let summary = "what this thread wrote to shared memory is there for products of views";
  let description = [{
    Products of views read shared memory by another way than loads: after stores and copies a fence
    of each thread, and a barrier, make them see what was written. Bulk copies need none.

    ```mlir
    tile.fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif
