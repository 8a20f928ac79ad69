//===- FlatAddress.cpp - Runs of elements in memory -----------------------===//

#include "rooftile/Transforms/Thread/FlatAddress.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include <limits>

using namespace mlir;
using namespace rooftile;

Value rooftile::flatten(OpBuilder &builder, Location loc, Value pointer) {
  auto source = cast<MemRefType>(pointer.getType());
  Type element = source.getElementType();
  if (componentsOf(element) > 1)
    pointer = lane::AsRealOp::create(builder, loc, pointer);
  auto type = MemRefType::get({ShapedType::kDynamic}, realTypeOf(element), AffineMap(),
                              source.getMemorySpace());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  // Longer than any matrix.
  Value all = arith::ConstantIndexOp::create(builder, loc, std::numeric_limits<int64_t>::max());
  return memref::ReinterpretCastOp::create(builder, loc, type, pointer, zero, OpFoldResult(all),
                                           one);
}

FlatMatrix FlatMatrix::of(OpBuilder &builder, memref::ReinterpretCastOp view) {
  Value pointer = view.getSource();
  Type element = cast<MemRefType>(pointer.getType()).getElementType();
  SmallVector<OpFoldResult> strides = view.getMixedStrides();
  return {flatten(builder, view.getLoc(), pointer),
          view.getMixedOffsets()[0],
          {strides[0], strides[1]},
          componentsOf(element)};
}

/// (An access to a view with strides of its own becomes unsigned products.)
FlatAddress FlatMatrix::at(OpBuilder &builder, Location loc, Value i, Value j) const {
  auto value = [&](OpFoldResult number) {
    return getValueOrCreateConstantIndexOp(builder, loc, number);
  };
  auto term = [&](Value index, OpFoldResult stride) {
    return builder.createOrFold<arith::MulIOp>(loc, index, value(stride));
  };
  Value place = builder.createOrFold<arith::AddIOp>(loc, value(offset), term(i, strides[0]));
  place = builder.createOrFold<arith::AddIOp>(loc, place, term(j, strides[1]));
  return {flat, place, components};
}

static Value realIndex(OpBuilder &builder, Location loc, const FlatAddress &place) {
  if (place.components == 1)
    return place.index;
  Value components = arith::ConstantIndexOp::create(builder, loc, place.components);
  return builder.createOrFold<arith::MulIOp>(loc, place.index, components);
}

static llvm::Align alignment(Value flat, int64_t reals) {
  return llvm::Align(reals * cast<MemRefType>(flat.getType()).getElementTypeBitWidth() / 8);
}

SmallVector<Value> rooftile::loadRun(OpBuilder &builder, Location loc, const FlatAddress &place,
                                     int64_t vector) {
  Value index = realIndex(builder, loc, place);
  int64_t reals = vector * place.components;
  if (reals == 1)
    return {memref::LoadOp::create(builder, loc, place.flat, index)};
  auto type = VectorType::get(reals, cast<MemRefType>(place.flat.getType()).getElementType());
  Value run = vector::LoadOp::create(builder, loc, type, place.flat, index, false,
                                     alignment(place.flat, reals));
  auto elements = vector::ToElementsOp::create(builder, loc, run);
  return SmallVector<Value>(elements->getResults());
}

void rooftile::storeRun(OpBuilder &builder, Location loc, ValueRange values,
                        const FlatAddress &place) {
  Value index = realIndex(builder, loc, place);
  int64_t reals = values.size();
  if (reals == 1) {
    memref::StoreOp::create(builder, loc, values[0], place.flat, index);
    return;
  }
  auto type = VectorType::get(reals, values[0].getType());
  Value run = vector::FromElementsOp::create(builder, loc, type, values);
  vector::StoreOp::create(builder, loc, run, place.flat, index, false,
                          alignment(place.flat, reals));
}
