//===- TileTypes.td - Matrices and buffers -----------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_TILE_TILETYPES_TD
#define ROOFTILE_DIALECT_TILE_TILETYPES_TD

include "rooftile/Dialect/Tile/TileAttributes.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/BuiltinTypes.td"

def Tile_Matrix : TypeDef<Tile_Dialect, "Matrix", [ShapedTypeInterface, ValueSemantics]> {
  let mnemonic = "matrix";
  let summary = "a matrix in the registers of a workgroup";
  let description = [{
    ```mlir
    !tile.matrix<128x8xf32, <threads = [...], values = [...]>>
    ```
    ShapedType with value semantics: operations of arith and math apply elementwise.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::rooftile::tile::MapAttr":$map);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    MatrixType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape,
                         ::mlir::Type elementType) const;
  }];
}

def Tile_Buffer : TypeDef<Tile_Dialect, "Buffer", []> {
  let mnemonic = "buffer";
  let summary = "a ring of tiles in shared memory";
  let description = [{
    `stages` stages, each a rows x columns tile with the given strides in
    elements. A stage is named by a counter; counter i means stage i mod stages.

    The vectors of a tile are its rows, or columns, whose elements are contiguous. With `swizzle` s,
    element e of vector v lies where e XOR s * ((v / 8) mod 4) would: vectors that start in the same
    banks hold their elements in different ones. Where all vectors start at multiples of 128 bytes,
    the banks, s is less than these and every vector counts: e XOR s * (v mod w), of w times
    s elements in 128 bytes.

    With `planeStride = d` the components of complex elements are two tiles of real elements with
    these strides, the imaginary ones d elements after the real ones.

    ```mlir
    !tile.buffer<2 x 128x16xf32, strides = [1, 132], swizzle = 8>
    !tile.buffer<2 x 64x16xcomplex<f64>, strides = [20, 1], planeStride = 1280>
    ```

    With `panelStride = d` vectors are cut into panels, as long as vectors lie apart: of these s
    elements, element e of vector v lies at (e / s) d + v s + e mod s.

    ```mlir
    !tile.buffer<2 x 128x64xf16, strides = [1, 64], swizzle = 8, panelStride = 4096>
    ```
  }];
  let parameters = (ins "int64_t":$stages, ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType, ArrayRefParameter<"int64_t">:$strides,
                        "int64_t":$swizzle, "int64_t":$planeStride, "int64_t":$panelStride);
  let builders = [
    TypeBuilder<(ins "int64_t":$stages, "::llvm::ArrayRef<int64_t>":$shape,
                     "::mlir::Type":$elementType, "::llvm::ArrayRef<int64_t>":$strides), [{
      return $_get($_ctxt, stages, shape, elementType, strides, 0, 0, 0);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Elements from one stage to the next: `planeStride`, or the footprint of a tile, rounded up
    /// to 128 bytes.
    int64_t getStageElements() const;
    /// Panels of a vector, and elements of one.
    int64_t getPanels() const;
    int64_t getPanelLength() const;
    /// Real elements by which a stride of 1 moves: those of an element, or one where components lie
    /// apart.
    int64_t getRealsPerStep() const;
    /// Bytes of these: what is a neighbour of the next access.
    int64_t getStepBytes() const;
    /// Bytes of the whole ring.
    int64_t getBytes() const;
    /// The dimension (0: rows, 1: columns) along which the elements of a vector are counted.
    int getInnerDim() const { return getStrides()[0] == 1 ? 0 : 1; }
    /// Vectors v with equal `v / vectors mod ways` have the same permutation.
    struct SwizzlePeriod { int64_t vectors = kSwizzleVectors, ways = kSwizzleWays; };
    static constexpr int64_t kSwizzleVectors = 8, kSwizzleWays = 4;
    /// Those of vectors that begin `stride` steps of `stepBytes` bytes apart.
    static SwizzlePeriod getSwizzlePeriod(int64_t swizzle, int64_t stride, int64_t stepBytes);
    SwizzlePeriod getSwizzlePeriod() const;
    /// Elements among which those of `vectors` vectors are permuted.
    static int64_t getSwizzled(int64_t swizzle, int64_t vectors, SwizzlePeriod period);
  }];
}

#endif
