//===- BulkCopies.cpp - Plans that copy whole rows of a tile --------------===//
//
// A bulk copy moves one row of the shared tile, macro M or macro N elements, as it is: nothing is
// transposed, clamped or filled with zeros on the way. So the operand runs along M (A) or N (B),
// all tiles lie inside the matrix and begin at multiples of 16 bytes, and there is no partial step
// of K. (A tile that would cross the edge is moved back inside; packing transposes an operand.)
//
// A tensor copy moves all rows of a tile, which may cross every edge, since its hardware knows
// where the matrix ends and fills in zeros. Tiles begin at multiples of 16 bytes, too: elsewhere an
// H200 calls the instruction illegal.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "TileOperand.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;
using tile::Mode;

tile::MapAttr rooftile::bulkCopyMap(MLIRContext *context, const CopyShape &shape, int64_t threads,
                                    int64_t subgroup) {
  auto along = [&](int64_t size) {
    return shape.alongColumns ? Mode{size, 0, 1} : Mode{size, 1, 0};
  };
  auto across = [&](int64_t size, int64_t stride) {
    return shape.alongColumns ? Mode{size, stride, 0} : Mode{size, 0, stride};
  };
  int64_t length = shape.alongColumns ? shape.columns : shape.rows;
  int64_t lines = shape.alongColumns ? shape.rows : shape.columns;
  int64_t subgroups = threads / subgroup;
  int64_t copiers = shape.lanes ? shape.lanes : std::gcd(subgroups, lines);
  if (lines % copiers != 0 || subgroups % copiers != 0)
    return {};
  SmallVector<Mode> modes{
      {subgroup, 0, 0}, across(copiers, lines / copiers), {subgroups / copiers, 0, 0}};
  llvm::erase_if(modes, [](const Mode &mode) { return mode.size == 1; });
  SmallVector<Mode> values{along(length)};
  if (lines > copiers)
    values.push_back(across(lines / copiers, 1));
  return tile::MapAttr::get(context, modes, values);
}

/// Whether rows and columns of `matrix` are known to follow each other upward: of a view, whose
/// type may leave that open, because those of what it is a part of do.
static bool followsUpward(Value matrix) {
  while (!runsForward(cast<ShapedType>(matrix.getType()))) {
    auto part = matrix.getDefiningOp<memref::SubViewOp>();
    auto cast = matrix.getDefiningOp<memref::CastOp>();
    bool upward = part && llvm::all_of(part.getStaticStrides(), [](int64_t s) { return s > 0; });
    if (!upward && !cast)
      return false;
    matrix = cast ? cast.getSource() : part.getSource();
  }
  return true;
}

using Refuse = function_ref<InFlightDiagnostic()>;

/// Tiles begin at multiples of 16 bytes, and lie `inside` the matrix.
static LogicalResult checkPlaces(GemmOp op, bool isA, bool inside, Refuse refuse) {
  int dim = isA ? 0 : 1;
  int64_t extent = op.getPlanAttr()->macro()[dim];
  bool moved = !isMultiple(op, dim, extent) && overlaps(op, dim);
  int64_t vector = (isA ? op.getPlanAttr()->a : op.getPlanAttr()->b).vector;
  if (inside && (!moved || isMultiple(op, dim, vector)))
    return success();
  return refuse() << "tiles of " << extent << " cross the edge of " << "MN"[dim] << " = "
                  << (isA ? op.getM() : op.getN()) << ", or begin at no multiple of "
                  << tile::kBulkBytes << " bytes";
}

/// Rows: of whole steps, inside the matrix.
static LogicalResult checkRows(GemmOp op, bool isA, Refuse refuse) {
  int64_t macroK = op.getPlanAttr()->macroK;
  if (!isMultiple(op, 2, macroK))
    return refuse() << "K = " << op.getK()
                    << " is not known to be a multiple of macro K = " << macroK;
  return checkPlaces(op, isA, loadEdgeOf(op, isA ? 0 : 1) == tile::Edge::Inside, refuse);
}

/// Whole tiles: one matrix, whose lines the hardware can follow. All stages begin where boxes may.
static LogicalResult checkTensorCopy(GemmOp op, bool isA, Refuse refuse) {
  Value matrix = isA ? op.getA() : op.getB();
  auto type = cast<MemRefType>(matrix.getType());
  if (!isShared(type))
    return refuse() << "operand " << "AB"[!isA] << ", " << type << ", is a batch";
  if (!followsUpward(matrix))
    return refuse() << "lines of operand " << "AB"[!isA] << ", " << type
                    << ", are not known to follow each other upward";
  auto [lines, length] = tensorBoxOf(op, isA);
  if (std::max(lines, length) > tile::kMostBox)
    return refuse() << "a tile of " << lines << " lines of " << length
                    << " numbers has a side of more than " << tile::kMostBox;
  return checkPlaces(op, isA, /*inside=*/true, refuse);
}

LogicalResult rooftile::checkBulkCopy(GemmOp op, bool isA) {
  PlanAttr plan = op.getPlanAttr();
  const PathData &path = isA ? plan->a : plan->b;
  if (!arrivesInBulk(path.copy))
    return success();
  int dim = isA ? 0 : 1;
  auto type = cast<MemRefType>((isA ? op.getA() : op.getB()).getType());
  int64_t bytes = elementBytes(type.getElementType()), extent = plan->macro()[dim];
  auto refuse = [&]() -> InFlightDiagnostic {
    return op.emitOpError("plan: path ")
           << "ab"[dim] << " has copy = " << stringifyCopy(path.copy) << ", but ";
  };
  if (path.vector * bytes != tile::kBulkBytes)
    return refuse() << "vector = " << path.vector << " of " << type.getElementType() << " is not "
                    << tile::kBulkBytes << " bytes, at which rows must begin";
  for (auto [name, elements] : {std::pair("rows of the tile have ", extent),
                                {"rows of the tile and their padding have ", extent + path.pad}})
    if (elements * bytes % tile::kBulkBytes != 0)
      return refuse() << name << elements * bytes << " bytes, no multiple of " << tile::kBulkBytes;
  if (extent * plan->macroK * bytes > tile::kMostBulkBytes)
    return refuse() << "a tile of " << extent * plan->macroK * bytes << " bytes is more than the "
                    << tile::kMostBulkBytes << " that are counted";
  auto modes = operandCopyMap(op, isA).getValues();
  if ((isA ? modes[0].row : modes[0].column) != 1)
    return refuse() << "operand " << "AB"[dim] << ", " << type << ", runs along K there: pack = 1 "
                    << "transposes it first";
  return path.copy == Copy::Tensor ? checkTensorCopy(op, isA, refuse) : checkRows(op, isA, refuse);
}

//===----------------------------------------------------------------------===//
// Descriptors of matrices, for tensor copies
//
// A tensor copy names what it moves by its place in a matrix. Where that lies is said by a
// descriptor of 128 bytes, an argument of the kernel by value. The host has the runtime make it,
// on its stack, for each launch:
//
//   bool rooftileTensorMap(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
//                          int64_t lines, int64_t lineBytes, int64_t boxLength, int64_t boxLines)
//
// `length` numbers of `numberBytes` in a line, `lines` of these, `lineBytes` apart.
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kTensorMapName = "rooftileTensorMap";
/// Its numbers, behind the place of the descriptor.
static constexpr int64_t kNumbers = 7;

static FunctionType typeOf(MLIRContext *context) {
  SmallVector<Type> inputs(kNumbers + 1, IntegerType::get(context, 64));
  inputs[0] = LLVM::LLVMPointerType::get(context);
  return FunctionType::get(context, inputs, IntegerType::get(context, 1));
}

LogicalResult rooftile::checkTensorMapName(ModuleOp module) {
  Operation *present = module.lookupSymbol(kTensorMapName);
  auto function = dyn_cast_or_null<func::FuncOp>(present);
  if (!present || (function && function.getFunctionType() == typeOf(module.getContext())))
    return success();
  return present->emitOpError("takes the name '")
         << kTensorMapName << "', which compiled code calls";
}

TensorBox rooftile::tensorBoxOf(GemmOp op, bool isA) {
  std::array<int64_t, 3> macro = op.getPlanAttr()->macro();
  auto type = cast<MemRefType>((isA ? op.getA() : op.getB()).getType());
  return {macro[2], macro[isA ? 0 : 1] * componentsOf(type.getElementType())};
}

DescribedMatrix rooftile::describeMatrix(OpBuilder &builder, ModuleOp module, Value matrix,
                                         TensorBox box) {
  Location loc = matrix.getLoc();
  Type i64 = builder.getI64Type(), i1 = builder.getI1Type();
  auto type = cast<MemRefType>(matrix.getType());
  int64_t bytes = elementBytes(type.getElementType()),
          components = componentsOf(type.getElementType());
  auto number = [&](Value index, int64_t factor) -> Value {
    Value wide = arith::IndexCastOp::create(builder, loc, i64, index);
    Value times = arith::ConstantIntOp::create(builder, loc, factor, 64);
    return arith::MulIOp::create(builder, loc, wide, times);
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  if (!module.lookupSymbol(kTensorMapName)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    func::FuncOp::create(top, module.getLoc(), kTensorMapName, typeOf(builder.getContext()))
        .setPrivate();
  }
  int64_t inner = getContiguousDim(type), outer = 2 * type.getRank() - 3 - inner;
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, matrix);
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, metadata.getBaseBuffer());
  Value address =
      arith::AddIOp::create(builder, loc, number(base, 1), number(metadata.getOffset(), bytes));
  Type descriptorType = lane::descriptorType(builder.getContext());
  Value place = reserveOnStack(builder, loc, descriptorType, 1);
  Value numbers[] = {place,
                     address,
                     constant(bytes / components),
                     number(metadata.getSizes()[inner], components),
                     number(metadata.getSizes()[outer], 1),
                     number(metadata.getStrides()[outer], bytes),
                     constant(box[1]),
                     constant(box[0])};
  Value made =
      func::CallOp::create(builder, loc, kTensorMapName, TypeRange{i1}, numbers).getResult(0);
  return {LLVM::LoadOp::create(builder, loc, descriptorType, place), made};
}
