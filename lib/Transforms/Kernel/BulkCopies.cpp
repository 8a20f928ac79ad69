//===- BulkCopies.cpp - Plans that copy whole rows of a tile --------------===//
//
// Which plans may: the rules about bulk copies (ProductRules).
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
  int64_t vectors = shape.alongColumns ? shape.rows : shape.columns;
  int64_t subgroups = threads / subgroup;
  int64_t copiers = shape.lanes ? shape.lanes : std::gcd(subgroups, vectors);
  if (vectors % copiers != 0 || subgroups % copiers != 0)
    return {};
  SmallVector<Mode> modes{
      {subgroup, 0, 0}, across(copiers, vectors / copiers), {subgroups / copiers, 0, 0}};
  llvm::erase_if(modes, [](const Mode &mode) { return mode.size == 1; });
  SmallVector<Mode> values{along(length)};
  if (vectors > copiers)
    values.push_back(across(vectors / copiers, 1));
  return tile::MapAttr::get(context, modes, values);
}

bool rooftile::followsUpward(Value matrix) {
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

//===----------------------------------------------------------------------===//
// Descriptors of matrices, for tensor copies
//
// A tensor copy names its source by coordinates in a matrix. The memory of that is described by a
// descriptor of 128 bytes, an argument of the kernel by value. The host has the runtime make it,
// on its stack, for each launch:
//
//   bool rooftileTensorMap(void *descriptor, int64_t address, int64_t realBytes, int64_t length,
//                          int64_t vectors, int64_t vectorBytes, int64_t boxLength, int64_t
//                          boxVectors, int64_t swizzleBytes)
//
// `length` real elements of `realBytes` in a vector, `vectors` of these, `vectorBytes` apart; with
// `realBytes` = kToTf32 elements of f32 are rounded to tf32; with
// `swizzleBytes` = 128 units of 16 bytes change places in vectors of 128 bytes of the box.
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kTensorMapName = "rooftileTensorMap";
/// Its values, after the address of the descriptor.
static constexpr int64_t kNumbers = 8;

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
  return present->emitOpError("has the name '") << kTensorMapName << "', which compiled code calls";
}

TensorBox rooftile::tensorBoxOf(ProductOpInterface op, bool isA) {
  std::array<int64_t, 3> macro = op.getPlanAttr()->macro();
  auto type = cast<MemRefType>(op.getMatrix(isA ? 0 : 1).getType());
  const PathData &path = op.getPlanAttr()->path(isA ? 0 : 1);
  auto [vectors, length] = vectorsOf(macro[isA ? 0 : 1], macro[2], path.major);
  if (path.swizzle) // of longer vectors a box is a panel
    length = std::min(length, kSwizzleBytes / elementBytes(type.getElementType()));
  return {vectors, length * componentsOf(type.getElementType()), path.swizzle ? kSwizzleBytes : 0};
}

DescribedMatrix rooftile::describeMatrix(OpBuilder &builder, ModuleOp module, Value matrix,
                                         TensorBox box, bool toTf32) {
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
                     constant(toTf32 ? kToTf32 : bytes / components),
                     number(metadata.getSizes()[inner], components),
                     number(metadata.getSizes()[outer], 1),
                     number(metadata.getStrides()[outer], bytes),
                     constant(box[1]),
                     constant(box[0]),
                     constant(box[2])};
  Value made =
      func::CallOp::create(builder, loc, kTensorMapName, TypeRange{i1}, numbers).getResult(0);
  return {LLVM::LoadOp::create(builder, loc, descriptorType, place), made};
}
