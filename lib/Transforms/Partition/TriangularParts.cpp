//===- TriangularParts.cpp - Copies and views of parts --------------------===//

#include "TriangularParts.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Whether neighbours in memory are those of a column.
static bool isByColumns(MemRefType type) {
  int64_t rank = type.getRank();
  return hasUnitStride(type, rank - 2) && !hasUnitStride(type, rank - 1);
}

static Value transposed(OpBuilder &builder, Location loc, Value matrix) {
  int64_t rank = memrefType(matrix).getRank();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order[rank - 2], order[rank - 1]);
  auto map = AffineMapAttr::get(AffineMap::getPermutationMap(order, builder.getContext()));
  return memref::TransposeOp::create(builder, loc, matrix, map);
}

void rooftile::copyMatrix(OpBuilder &builder, Location loc, Value from, Value to,
                          std::array<Role, 2> roles) {
  if (isByColumns(memrefType(to)))
    from = transposed(builder, loc, from), to = transposed(builder, loc, to);
  auto pack = PackOp::create(builder, loc, TypeRange(), from, to, Transpose::None,
                             Structure::General, /*aligned=*/1, TilingAttr());
  pack->setAttr(BlasDialect::kOperandsName,
                operandNames(builder.getContext(), {roles[0], roles[0], roles[1]}));
}

MatrixCopy rooftile::allocateLike(OpBuilder &builder, Location loc, Value matrix) {
  MemRefType type = memrefType(matrix);
  int64_t rank = type.getRank();
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, matrix);
  bool byColumns = isByColumns(type);
  if (byColumns)
    std::swap(sizes[rank - 2], sizes[rank - 1]);
  Value memory = memref::AllocOp::create(builder, loc, sizes, type.getElementType());
  return {memory, byColumns ? transposed(builder, loc, memory) : memory};
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on numbers of a layout, folded where they are known.
struct Numbers {
  OpBuilder &builder;
  Location loc;

  OpFoldResult multiply(OpFoldResult number, int64_t by) {
    if (auto known = getConstantIntValue(number))
      return builder.getIndexAttr(*known * by);
    Value factor = arith::ConstantIndexOp::create(builder, loc, by);
    return arith::MulIOp::create(builder, loc, cast<Value>(number), factor).getResult();
  }
  OpFoldResult add(OpFoldResult left, OpFoldResult right) {
    auto l = getConstantIntValue(left), r = getConstantIntValue(right);
    if (l && r)
      return builder.getIndexAttr(*l + *r);
    if (l == 0 || r == 0)
      return l == 0 ? right : left;
    return arith::AddIOp::create(builder, loc, cast<Value>(left), asValue(right)).getResult();
  }

private:
  Value asValue(OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  }
};
} // namespace

Value rooftile::viewParts(OpBuilder &builder, Location loc, Value matrix, const Places &places) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, matrix);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes(),
                            strides = metadata.getConstifiedMixedStrides();
  Numbers numbers{builder, loc};
  int64_t rank = sizes.size();
  OpFoldResult row = strides[rank - 2], column = strides[rank - 1];
  OpFoldResult batch = rank > 2 ? strides[rank - 3] : builder.getIndexAttr(0);
  auto stepOf = [&](int64_t matrices, int64_t rows, int64_t columns) {
    return numbers.add(numbers.multiply(batch, matrices),
                       numbers.add(numbers.multiply(row, rows), numbers.multiply(column, columns)));
  };
  OpFoldResult offset =
      numbers.add(metadata.getConstifiedMixedOffset(), stepOf(0, places.row, places.column));
  OpFoldResult rows = sizes[rank - 2], columns = sizes[rank - 1];
  if (places.rows != Places::kWhole)
    rows = builder.getIndexAttr(places.rows);
  if (places.columns != Places::kWhole)
    columns = builder.getIndexAttr(places.columns);
  // A dimension of the batch that is stepped over is a dimension of the parts.
  bool inBatch = llvm::any_of(places.steps, [](auto &step) { return step[0] != 0; });
  sizes.resize(rank - 2 - inBatch), strides.resize(rank - 2 - inBatch);
  for (auto [count, step] : llvm::zip_equal(places.counts, places.steps)) {
    sizes.push_back(builder.getIndexAttr(count));
    strides.push_back(stepOf(step[0], step[1], step[2]));
  }
  sizes.append({rows, columns}), strides.append({row, column});
  return memref::ReinterpretCastOp::create(builder, loc, metadata.getBaseBuffer(), offset, sizes,
                                           strides);
}
