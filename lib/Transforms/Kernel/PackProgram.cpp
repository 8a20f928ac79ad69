//===- PackProgram.cpp - The kernel of a blas.pack ------------------------===//
//
// A workgroup copies one tile of W. Where op(A) is read along its columns, through registers:
//
//   tile <- op(A) in accesses along the columns
//   W <- tile
//
// Where it is read along its rows, the tile is transposed in shared memory:
//
//   tile <- op(A) in accesses along the rows
//   buffer <- tile, element by element; its rows are those of W, spread over the banks
//   W <- buffer, in accesses along the columns
//
// For a structure the tile is composed of the elements in the triangle and those outside: zeros, or
// the mirrored elements, which are read where they lie.
//
// For parts (#blas.parts) a tile of f32 is stored once for each block, in bf16.
//
// It is a tile program like that of a product, through the same passes. Beyond the edges of op(A)
// the nearest element is read: that is what padding holds.
//
//===----------------------------------------------------------------------===//

#include "RowsOfParts.h"
#include "TriangleMask.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"
#include "rooftile/Transforms/Kernel/MacroTile.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

/// Whether the tile is read along its rows.
static bool transposes(PackOp op) {
  PathAttr path = op.getPlanAttr().getPath();
  return path && path->via == Via::Shared;
}

/// Who reads what of op(A). Null when the tile does not divide evenly.
static tile::MapAttr readMap(PackOp op) {
  TilingAttr plan = op.getPlanAttr();
  CopyShape shape{plan.getTile()[0], plan.getTile()[1], plan.getVector()};
  if (transposes(op)) {
    shape.vector = plan.getPath()->vector, shape.lanes = plan.getPath()->lanes;
    shape.alongColumns = false;
  }
  return copyMap(op.getContext(), shape, plan.getThreads());
}

/// Who writes what of W.
static tile::MapAttr writeMap(PackOp op) {
  TilingAttr plan = op.getPlanAttr();
  return copyMap(op.getContext(), {plan.getTile()[0], plan.getTile()[1], plan.getVector()},
                 plan.getThreads());
}

/// The tile in shared memory, row by row.
static tile::BufferType bufferOf(PackOp op) {
  TilingAttr plan = op.getPlanAttr();
  PathAttr path = plan.getPath();
  return tile::BufferType::get(op.getContext(), 1, plan.getTile(),
                               memrefType(op.getA()).getElementType(),
                               {plan.getTile()[1] + path->pad, 1}, path->swizzle,
                               /*planeStride=*/0, /*panelStride=*/0);
}

/// Widest access to op(A) along its rows (`dim` 0) or columns.
static int64_t legalRead(PackOp op, int dim) {
  int64_t rank = memrefType(op.getA()).getRank();
  return getLegalVector(op.getA(), rank - 2 + (isTransposed(op.getTranspose()) ? 1 - dim : dim));
}

static int64_t legalWrite(PackOp op) {
  return getLegalVector(op.getW(), memrefType(op.getW()).getRank() - 1, op.getAligned());
}

/// Width of accesses to op(A).
static int64_t readVector(PackOp op) {
  TilingAttr plan = op.getPlanAttr();
  return transposes(op) ? plan.getPath()->vector : std::min(plan.getVector(), legalRead(op, 1));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static LogicalResult checkBuffer(PackOp op) {
  PathAttr path = op.getPlanAttr().getPath();
  ArrayRef<int64_t> tile = op.getPlanAttr().getTile();
  if (int64_t legal = legalRead(op, 0); path->vector > legal)
    return op.emitOpError("plan: path has vector = ")
           << path->vector << " but accesses to operand A, " << op.getA().getType()
           << ", are contiguous and aligned for " << legal << " at most along its rows";
  tile::BufferType buffer = bufferOf(op);
  int64_t moved = buffer.getSwizzled(path->swizzle, tile[0], buffer.getSwizzlePeriod());
  if (moved != 0 && tile[1] % moved != 0)
    return op.emitOpError("plan: path has swizzle = ")
           << path->swizzle << ": " << moved
           << " elements change places, which do not divide rows of " << tile[1];
  if (int64_t bytes = buffer.getBytes(); bytes > std::numeric_limits<int32_t>::max())
    return op.emitOpError("plan: ") << bytes << " bytes of shared memory, but a launch has at "
                                    << "most " << std::numeric_limits<int32_t>::max();
  return success();
}

static LogicalResult checkPack(PackOp op, ModuleOp module) {
  if (op.hasTensorSemantics())
    return op.emitOpError("macro-tile works on memrefs: bufferize first");
  if (!op.getPlanAttr())
    return op.emitOpError("has no plan: run tile-select first, or write one");
  if (failed(checkPlace(op, module, {{"A", op.getA()}, {"W", op.getW()}})) ||
      failed(
          checkGrid(op, "plan: ", {memrefType(op.getW()).getShape(), op.getPlanAttr().getTile()})))
    return failure();
  int64_t rows = op.getPlanAttr().getTile()[0];
  if (op.getParts() && op.getParts()->getChunk() % rows != 0)
    return op.emitOpError("plan: tile has ")
           << rows << " rows, which do not divide a chunk of " << op.getParts()->getChunk();
  if (int64_t legal = legalWrite(op); op.getPlanAttr().getVector() > legal)
    return op.emitOpError("plan: vector = ")
           << op.getPlanAttr().getVector() << " but accesses to operand W, " << op.getW().getType()
           << ", are contiguous and aligned for " << legal << " at most";
  if (!readMap(op) || !writeMap(op))
    return op.emitOpError("plan: the tile does not divide evenly among ")
           << op.getPlanAttr().getThreads() << " threads";
  return transposes(op) ? checkBuffer(op) : success();
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Edge behaviour of a tile of a matrix of these sizes.
static tile::EdgesAttr edgesOf(TilingAttr plan, ArrayRef<OpFoldResult> sizes,
                               tile::Edge otherwise) {
  auto edge = [&](int dim) {
    auto size = getConstantIntValue(sizes[dim]);
    return size && *size % plan.getTile()[dim] == 0 ? tile::Edge::Inside : otherwise;
  };
  return tile::EdgesAttr::get(plan.getContext(), edge(0), edge(1));
}

/// The tile in the order in which it is written.
static Value transposeTile(OpBuilder &builder, PackOp op, Value tile) {
  Location loc = op.getLoc();
  tile::BufferType type = bufferOf(op);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value buffer = tile::AllocOp::create(builder, loc, type);
  Value view = tile::ViewOp::create(builder, loc, type, buffer, zero, zero, zero);
  tile::StoreOp::create(builder, loc, tile, view, tile::EdgesAttr());
  auto written = tile::MatrixType::get(op.getContext(), op.getPlanAttr().getTile(),
                                       type.getElementType(), writeMap(op));
  return tile::LoadOp::create(builder, loc, written, view, Value(), Value(), tile::EdgesAttr(), 1);
}

namespace {
/// Tile of op(A) by its structure, held in the order in which it is written.
class Structured {
public:
  Structured(OpBuilder &builder, PackOp op, const KernelInterface::Matrix &a, tile::CoordOp coord,
             tile::EdgesAttr edges)
      : builder(builder), loc(op.getLoc()), op(op), a(a), coord(coord), edges(edges),
        structure(isTransposed(op.getTranspose()) ? transposed(op.getStructure())
                                                  : op.getStructure()) {}

  Value apply(Value tile);

private:
  /// `inside` in the triangle, with or without the diagonal, `outside` elsewhere.
  Value choose(Value inside, Value outside, bool strict = false) {
    bool isLower = structure == Structure::SymmetricLower || structure == Structure::HermitianLower;
    auto triangle = isLower ? tile::Triangle::Lower : tile::Triangle::Upper;
    return tile::ChooseOp::create(builder, loc, triangle, strict, inside, outside, coord.getM(),
                                  coord.getN());
  }
  Value mirrored(tile::MatrixType type) {
    Transpose other = isTransposed(op.getTranspose()) ? Transpose::None : Transpose::Trans;
    Value view = viewMatrix(builder, loc, a, other, coord.getBatch());
    return tile::LoadOp::create(builder, loc, type, view, coord.getM(), coord.getN(), edges,
                                /*vector=*/1);
  }
  tile::ComponentsOp split(Value tile) {
    auto type = cast<tile::MatrixType>(tile.getType());
    Type part = tile::MatrixType::get(op.getContext(), type.getShape(),
                                      realTypeOf(type.getElementType()), type.getMap());
    return tile::ComponentsOp::create(builder, loc, part, part, tile);
  }
  Value hermitian(Value tile);

  OpBuilder &builder;
  Location loc;
  PackOp op;
  const KernelInterface::Matrix &a;
  tile::CoordOp coord;
  tile::EdgesAttr edges;
  Structure structure; ///< Structure of op(A).
};
} // namespace

/// Conjugated where it is mirrored; the diagonal is real.
Value Structured::hermitian(Value tile) {
  Type type = tile.getType();
  tile::ComponentsOp own = split(tile), other = split(mirrored(cast<tile::MatrixType>(type)));
  auto imaginary = cast<tile::MatrixType>(own.getIm().getType());
  Value zero = tile::FillOp::create(builder, loc, imaginary,
                                    createScalar(builder, loc, imaginary.getElementType(), 0));
  Value minus = arith::NegFOp::create(builder, loc, other.getIm());
  Value conjugated = tile::JoinOp::create(builder, loc, type, other.getRe(), minus);
  Value real = tile::JoinOp::create(builder, loc, type, own.getRe(), zero);
  return choose(tile, choose(real, conjugated), /*strict=*/true);
}

Value Structured::apply(Value tile) {
  auto type = cast<tile::MatrixType>(tile.getType());
  switch (structure) {
  case Structure::General:
    return tile;
  case Structure::Lower:
  case Structure::Upper:
  case Structure::UnitLower:
  case Structure::UnitUpper:
    return TriangleMask(builder, loc, type, structure)
        .apply(builder, loc, tile, coord.getM(), coord.getN());
  case Structure::SymmetricLower:
  case Structure::SymmetricUpper:
    return choose(tile, mirrored(type));
  case Structure::HermitianLower:
  case Structure::HermitianUpper:
    return hermitian(tile);
  }
  llvm_unreachable("no other structure");
}

/// Rows of W for each of its blocks.
static OpFoldResult rowsOfBlock(OpBuilder &builder, PackOp op, OpFoldResult rows) {
  if (!op.getParts())
    return rows;
  Location loc = op.getLoc();
  int64_t blocks = op.getParts()->getOrder().size();
  return getAsOpFoldResult(
      builder.createOrFold<arith::DivUIOp>(loc, getValueOrCreateConstantIndexOp(builder, loc, rows),
                                           arith::ConstantIndexOp::create(builder, loc, blocks)));
}

/// Stores `tile` in W at `coord`, whose rows and columns are `sizes`.
static void emitStore(OpBuilder &builder, PackOp op, const KernelInterface::Matrix &w,
                      tile::CoordOp coord, ArrayRef<OpFoldResult> sizes, Value tile, Value row) {
  TilingAttr plan = op.getPlanAttr();
  Value target = viewMatrix(builder, op.getLoc(), w, Transpose::None, coord.getBatch());
  tile::UpdateOp::create(builder, op.getLoc(), tile, target, row, coord.getN(), Value(), Value(),
                         Value(), Value(), ValueRange(), edgesOf(plan, sizes, tile::Edge::Guard),
                         plan.getVector(), /*ahead=*/0, /*atomic=*/false, tile::TriangleAttr(),
                         /*realDiagonal=*/false,
                         /*extraVectors=*/ArrayAttr(),
                         /*epilogueCount=*/0);
}

static void emitPack(OpBuilder &builder, PackOp op, const KernelInterface::Arguments &arguments) {
  Location loc = op.getLoc();
  TilingAttr plan = op.getPlanAttr();
  const KernelInterface::Matrix &a = arguments.matrix(Role::A), &w = arguments.matrix(Role::C);
  SmallVector<OpFoldResult> sizesOfW(ArrayRef(w.sizes).take_back(2));
  sizesOfW[0] = rowsOfBlock(builder, op, sizesOfW[0]);
  SmallVector<OpFoldResult> sizesOfA(ArrayRef(a.sizes).take_back(2));
  if (isTransposed(op.getTranspose()))
    std::swap(sizesOfA[0], sizesOfA[1]);
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  auto coord = tile::CoordOp::create(builder, loc, value(sizesOfW[0]), value(sizesOfW[1]),
                                     plan.getTile(), /*raster=*/1);
  Value source = viewMatrix(builder, loc, a, op.getTranspose(), coord.getBatch());
  Type element = memrefType(op.getA()).getElementType();
  auto type = tile::MatrixType::get(op.getContext(), plan.getTile(), element, readMap(op));
  tile::EdgesAttr inside = edgesOf(plan, sizesOfA, tile::Edge::Clamp);
  if (op.getParts())
    inside = withZeroRows(inside, sizesOfA[0], sizesOfW[0]);
  Value tile = tile::LoadOp::create(builder, loc, type, source, coord.getM(), coord.getN(), inside,
                                    readVector(op));
  if (transposes(op))
    tile = transposeTile(builder, op, tile);
  if (!op.getParts()) {
    tile = Structured(builder, op, a, coord, inside).apply(tile);
    return emitStore(builder, op, w, coord, sizesOfW, tile, coord.getM());
  }
  RowsOfParts rows(builder, loc, op.getPartsAttr(), sizesOfW[0], coord.getM());
  for (int64_t block = 0; block < rows.getBlocks(); ++block) {
    KernelInterface::Matrix target = rows.blockOf(w, block);
    ArrayRef<OpFoldResult> sizes = ArrayRef(target.sizes).take_back(2);
    bool isLast = block + 1 == rows.getBlocks();
    Value part = tile::PartOp::create(builder, loc, tile.getType(),
                                      op.getParts()->getOrder()[block], isLast, tile);
    emitStore(builder, op, target, coord, sizes, part, rows.getRow());
  }
}

//===----------------------------------------------------------------------===//
// Kernel and launch
//===----------------------------------------------------------------------===//

/// The matrix that the tiles of the grid cover: W, or the rows of one block of parts.
static Value coveredBy(OpBuilder &builder, PackOp op) {
  if (!op.getParts())
    return op.getW();
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, op.getLoc(), op.getW());
  size_t rank = sizes.size();
  sizes[rank - 2] = rowsOfBlock(builder, op, sizes[rank - 2]);
  SmallVector<OpFoldResult> zeros(rank, builder.getIndexAttr(0)),
      ones(rank, builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, op.getLoc(), op.getW(), zeros, sizes, ones);
}

LogicalResult rooftile::macroTile(PackOp op, ModuleOp module) {
  if (failed(checkPack(op, module)))
    return failure();
  OpBuilder builder(op);
  TilingAttr plan = op.getPlanAttr();
  Type element = memrefType(op.getA()).getElementType();
  KernelInterface interface;
  interface.setNames(op);
  interface.addMatrix(builder, {Role::A, op.getA()}, readVector(op) * elementBytes(element));
  interface.addMatrix(builder, {Role::C, op.getW()}, plan.getVector() * elementBytes(element));
  KernelShape shape;
  shape.name = "pack_" + wordOf(element) + "_" + stringifyTranspose(op.getTranspose()).str();
  if (op.getParts())
    shape.name += "_parts";
  if (op.getStructure() != Structure::General)
    shape.name += "_" + stringifyStructure(op.getStructure()).str();
  shape.tile = llvm::to_vector(plan.getTile());
  shape.workgroup = plan.getThreads();
  shape.sharedBytes = transposes(op) ? bufferOf(op).getBytes() : 0;
  gpu::GPUFuncOp kernel = createKernel(module, op.getLoc(), interface, shape);
  OpBuilder inside = OpBuilder::atBlockBegin(&kernel.getBody().front());
  emitPack(inside, op, interface.unpack(inside, kernel.getArguments()));
  createLaunch(builder, kernel, interface, coveredBy(builder, op));
  op.erase();
  return success();
}
