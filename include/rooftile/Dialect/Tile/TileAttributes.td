//===- TileAttributes.td - Dialect and attributes of the tile level -*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_TILE_TILEATTRIBUTES_TD
#define ROOFTILE_DIALECT_TILE_TILEATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::rooftile::tile";
  let summary = "the program of one workgroup on register matrices and shared buffers";
  let description = [{
    The tile level of Rooftile: *how* one workgroup computes its tile. A
    `!tile.matrix` is an SSA value spread over the registers of the threads; a
    `!tile.buffer` is a mutable ring of tiles in shared memory. Every operation
    here is a collective of the workgroup: all its threads execute it together.
    docs/Tile.md shows each kernel family in this dialect.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Unit attributes of scf.for: the loop over K steps, one whose first fragments are to be
    /// read ahead of the barrier, the loop over the slices of a step, and a loop that leap-frog
    /// has pipelined. Counts: on a slice loop the slices that are written out in its body; on a
    /// loop over K steps whose count is not known a lower bound of the steps; of one whose
    /// last step, not the first, has the remainder of K.
    static constexpr ::llvm::StringLiteral kStepsName = "tile.steps";
    static constexpr ::llvm::StringLiteral kLeastStepsName = "tile.least_steps";
    static constexpr ::llvm::StringLiteral kPrefetchName = "tile.prefetch";
    static constexpr ::llvm::StringLiteral kRemainderLastName = "tile.remainder_last";
    static constexpr ::llvm::StringLiteral kSlicesName = "tile.slices";
    static constexpr ::llvm::StringLiteral kUnrollName = "tile.unroll";
    static constexpr ::llvm::StringLiteral kPipelinedName = "tile.pipelined";
  private:
    void registerAttributes();
    void registerTypes();
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Tile_MapAttr : AttrDef<Tile_Dialect, "Map"> {
  let mnemonic = "map";
  let summary = "who holds which element: shape:stride over threads and registers";
  let description = [{
    A thread index, and a register index, are split into digits, the first mode
    being the fastest. Each mode has a size and a stride in rows and columns;
    the coordinate of an element is the sum of digit * stride over all modes:

        row = sum_i digit_i * row_i,   column = sum_i digit_i * column_i

    A thread mode with stride (0, 0) replicates the element over its threads.

    ```mlir
    // 16 x 16 threads, each with 8 x 8 elements as 2 x 2 runs of 4 x 4
    #tile.map<threads = [16:(0, 4), 16:(4, 0)],
              values = [4:(0, 1), 2:(0, 64), 4:(1, 0), 2:(64, 0)]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::rooftile::tile::Mode">:$threads,
                        ArrayRefParameter<"::rooftile::tile::Mode">:$values);
  let assemblyFormat = "`<` struct(custom<Modes>($threads), custom<Modes>($values)) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Number of threads, of registers per thread.
    int64_t getNumThreads() const;
    int64_t getNumValues() const;
    /// Row and column that register `index` adds to the thread's own coordinate.
    std::pair<int64_t, int64_t> getValueOffset(int64_t index) const;
  }];
}

def Tile_Edge : I32Enum<"Edge", "what an access does where the tile crosses the matrix", [
  I32EnumCase<"Inside", 0, "inside">,   // it never does
  I32EnumCase<"Clamp", 1, "clamp">,     // reads the nearest element; the value is not used
  I32EnumCase<"Zero", 2, "zero">,       // reads 0
  I32EnumCase<"Guard", 3, "guard">,     // does not write
  I32EnumCase<"Step", 4, "step">        // never does within a step; reads 0 after it
]> {
  let cppNamespace = "::rooftile::tile";
}

def Tile_Triangle : I32Enum<"Triangle", "a half of a square matrix, with the diagonal", [
  I32EnumCase<"Lower", 0, "lower">,   // row >= column
  I32EnumCase<"Upper", 1, "upper">    // row <= column
]> {
  let cppNamespace = "::rooftile::tile";
}

def Tile_TriangleAttr : EnumAttr<Tile_Dialect, Tile_Triangle, "triangle"> {
  let assemblyFormat = "$value";
}

def Tile_EdgesAttr : AttrDef<Tile_Dialect, "Edges"> {
  let mnemonic = "edges";
  let summary = "edge behaviour of an access along rows and columns";
  let description = [{
    Threads that copy the vectors of a step as one run may reach beyond them: `of` is the number of
    their elements, as in `<zero, inside, of 3200>`, or `<step, inside, of 3200>` for steps inside
    the matrix.
  }];
  let parameters = (ins EnumParameter<Tile_Edge>:$rows, EnumParameter<Tile_Edge>:$columns,
                        DefaultValuedParameter<"int64_t", "0">:$length);
  let assemblyFormat = "`<` $rows `,` $columns (`,` `of` $length^)? `>`";
  let builders = [AttrBuilder<(ins "::rooftile::tile::Edge":$rows,
                                   "::rooftile::tile::Edge":$columns),
                              [{ return $_get($_ctxt, rows, columns, 0); }]>];
  let genVerifyDecl = 1;
}

def Tile_InstructionAttr : AttrDef<Tile_Dialect, "Instruction"> {
  let mnemonic = "instruction";
  let summary = "a matrix instruction: C (M x N) += A (M x K) * B (K x N) "
                "by the lanes of a subgroup";
  let description = [{
    Shape, types of the elements of A, B and C, and for each operand who holds which element in
    which register. All instructions are rows of a table (Instructions.h), by name.

    On `tile.mma` rows, columns and K may lie elsewhere in the tile than in the instruction, as
    long as a row is the same row of A and C, a column the same of B and C, and a K the same
    of A and B: the product does not change.

    ```mlir
    #tile.instruction<name = "m16n8k4_f64", shape = [16, 8, 4], types = [f64, f64, f64],
      a = <threads = [4:(0, 1), 8:(1, 0)], values = [2:(8, 0)]>,
      b = <threads = [4:(1, 0), 8:(0, 1)], values = []>,
      c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>>
    ```
  }];
  let parameters = (ins StringRefParameter<"as in mma = of a plan">:$name,
                        ArrayRefParameter<"int64_t">:$shape,
                        ArrayRefParameter<"::mlir::Type">:$types,
                        "::rooftile::tile::MapAttr":$a, "::rooftile::tile::MapAttr":$b,
                        "::rooftile::tile::MapAttr":$c);
  let assemblyFormat = [{
    `<` struct($name, custom<Shape>($shape), custom<Types>($types), $a, $b, $c) `>`
  }];
  let genVerifyDecl = 1;
}

#endif
