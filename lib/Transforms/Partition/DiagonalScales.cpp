//===- DiagonalScales.cpp - Divisors whose reciprocals are finite ---------===//
//
// The reciprocal of a denormal number may overflow where a quotient by it does not. So unknowns
// that belong to one are solved for in another unit:
//
//   s[i] = |A[i, i]| < least normal number ? 2^p : 1
//   (T s) Y = B, X = s Y      and with A on the right      Y (s T) = B, X = Y s
//
// T is a block of op(A) on the diagonal, of which a copy is scaled; X is in the epilogue of the
// product with its inverse. p is the precision of the type plus one: the smallest denormal number
// becomes a normal one.
//
//===----------------------------------------------------------------------===//

#include "TriangularSteps.h"
#include "Workspace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Blas/Product.h"
#include "rooftile/Dialect/Element.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Real elements of an element.
static SmallVector<Value> realsOf(OpBuilder &builder, Location loc, Value element) {
  if (!isa<ComplexType>(element.getType()))
    return {element};
  return {complex::ReOp::create(builder, loc, element),
          complex::ImOp::create(builder, loc, element)};
}

/// s of an element of the diagonal, a real number.
static Value scaleOf(OpBuilder &builder, Location loc, Value diagonal) {
  auto real = cast<FloatType>(realTypeOf(diagonal.getType()));
  const llvm::fltSemantics &semantics = real.getFloatSemantics();
  auto constant = [&](const APFloat &value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(real, value));
  };
  APFloat normal = APFloat::getSmallestNormalized(semantics), unit(semantics, 1);
  Value least = constant(normal), minus = constant(-normal), one = constant(unit);
  Value scale = constant(
      scalbn(unit, int(APFloat::semanticsPrecision(semantics)) + 1, APFloat::rmNearestTiesToEven));
  for (Value part : realsOf(builder, loc, diagonal))
    for (auto [predicate, bound] : {std::pair(arith::CmpFPredicate::OLT, least),
                                    std::pair(arith::CmpFPredicate::OGT, minus)}) {
      Value isWithin = arith::CmpFOp::create(builder, loc, predicate, part, bound);
      scale = arith::SelectOp::create(builder, loc, isWithin, scale, one);
    }
  return scale;
}

static Value multiply(OpBuilder &builder, Location loc, Value element, Value real) {
  SmallVector<Value> parts = realsOf(builder, loc, element);
  for (Value &part : parts)
    part = arith::MulFOp::create(builder, loc, part, real);
  return parts.size() == 1
             ? parts[0]
             : complex::CreateOp::create(builder, loc, element.getType(), parts[0], parts[1])
                   .getResult();
}

void rooftile::copyScaled(OpBuilder &builder, Location loc, Value blocks,
                          std::array<Value, 2> toAndIdentities, bool byColumns, Scaling scaling) {
  auto type = cast<MemRefType>(blocks.getType());
  int64_t rank = type.getRank();
  MLIRContext *context = builder.getContext();
  AffineMap inMemory = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineExpr> places(inMemory.getResults());
  if (byColumns)
    std::swap(places[rank - 2], places[rank - 1]);
  SmallVector<AffineExpr> onDiagonal(places);
  onDiagonal[rank - 2] = onDiagonal[rank - 1] = places[rank - 1 - (scaling == Scaling::Rows)];
  SmallVector<AffineMap> maps{AffineMap::get(rank, 0, places, context),
                              AffineMap::get(rank, 0, onDiagonal, context), inMemory, inMemory};
  SmallVector<Value> inputs{blocks, blocks};
  if (scaling == Scaling::None)
    inputs.pop_back(), maps.erase(maps.begin() + 1);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  Value one = createScalar(builder, loc, type.getElementType(), 1),
        zero = createScalar(builder, loc, type.getElementType(), 0);
  auto body = [&](OpBuilder &inside, Location at, ValueRange elements) {
    Value element = elements[0];
    if (scaling != Scaling::None)
      element = multiply(inside, at, element, scaleOf(inside, at, elements[1]));
    Value identity = chooseOnDiagonal(inside, at, rank, one, zero);
    linalg::YieldOp::create(inside, at, ValueRange{element, identity});
  };
  linalg::GenericOp::create(builder, loc, TypeRange(), inputs, ValueRange(toAndIdentities), maps,
                            loops, body);
}

/// The diagonal of a square matrix, or of each of a batch.
static Value diagonalOf(OpBuilder &builder, Location loc, Value block) {
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, block);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes(),
                            strides = metadata.getConstifiedMixedStrides();
  OpFoldResult column = strides.pop_back_val();
  strides.back() = addNumbers(builder, loc, strides.back(), column);
  sizes.pop_back();
  return memref::ReinterpretCastOp::create(builder, loc, metadata.getBaseBuffer(),
                                           metadata.getConstifiedMixedOffset(), sizes, strides);
}

void rooftile::scaleResult(OpBuilder &builder, GemmOp gemm, Value block, bool byRows) {
  Location loc = gemm.getLoc();
  Value diagonal = diagonalOf(builder, loc, block);
  int64_t rank = cast<MemRefType>(gemm.getC().getType()).getRank();
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::seq<int64_t>(0, cast<MemRefType>(block.getType()).getRank() - 2));
  dims.push_back(rank - 1 - byRows);
  Region function;
  Block &body = function.emplaceBlock();
  Value sum = body.addArgument(gemm.getAccumulatorType(), loc);
  Value element = body.addArgument(getElementTypeOrSelf(diagonal.getType()), loc);
  OpBuilder inside(builder.getContext()); // The function is in no operation yet.
  inside.setInsertionPointToEnd(&body);
  Value scale = scaleOf(inside, loc, element);
  blas::YieldOp::create(inside, loc, multiply(inside, loc, sum, scale));
  ProductFields fields(gemm);
  fields.epilogue.extras = {diagonal};
  fields.epilogue.dims = builder.getArrayAttr(builder.getDenseI64ArrayAttr(dims));
  fields.epilogue.function = &function;
  gemm.createLike(builder, fields);
  gemm.erase();
}
