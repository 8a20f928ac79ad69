//===- Roundings.cpp - How far two right results may be apart -------------===//

#include "Roundings.h"
#include "Encode.h"
#include "rooftile/Dialect/Element.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

/// Roundings that stand for one operation: the functions of C libraries and of GPUs differ by a
/// few units in the last place, and a result feeds others.
static constexpr double kPerOperation = 16;
/// What a softmax does to an element behind its maximum: subtract, exponential, divide.
static constexpr double kSoftmaxOperations = 3;

/// The float that a value holds or consists of; null for none.
static FloatType floatOf(Type type) {
  return dyn_cast<FloatType>(realTypeOf(getElementTypeOrSelf(type)));
}

static double roundoffOf(Type type) {
  FloatType format = floatOf(type);
  return format ? roundoffOfType(format) : 0;
}

/// Whether an operation rounds its result.
static bool rounds(mlir::Operation *op) {
  if (op->getNumResults() != 1 || !floatOf(op->getResult(0).getType()))
    return false;
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "math")
    return true;
  if (dialect == "complex")
    return !op->hasTrait<OpTrait::ConstantLike>();
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp,
             arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(op);
}

namespace {
/// Walks a function with what is around each operation.
struct Counter {
  ModuleOp module;
  int64_t longest;
  int depth = 0;

  double ofRegion(Region &region) {
    double sum = 0;
    for (mlir::Operation &op : region.getOps())
      sum += ofOperation(&op);
    return sum;
  }

  double ofLinalg(linalg::LinalgOp op) {
    double length = 0, sum = 0;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    for (auto [range, iterator] : llvm::zip_equal(ranges, op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction)
        length = std::max(length, 1.0) * double(ShapedType::isDynamic(range) ? longest : range);
    for (Value output : op.getDpsInits())
      sum += length * roundoffOf(output.getType());
    return sum + ofRegion(op->getRegion(0));
  }

  double ofSoftmax(linalg::SoftmaxOp op) {
    int64_t length = op.getInputOperandType().getDimSize(op.getDimension());
    return (double(ShapedType::isDynamic(length) ? longest : length) +
            kSoftmaxOperations * kPerOperation) *
           roundoffOf(op.getInputOperandType());
  }

  double tripsOf(scf::ForOp loop) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    return trips ? double(trips->getZExtValue()) : double(longest);
  }

  double ofCall(func::CallOp call) {
    auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal() || depth > 16)
      return 0;
    ++depth;
    double sum = ofRegion(callee.getBody());
    --depth;
    return sum;
  }

  /// Of an operation on vectors that adds up elements.
  double ofVector(mlir::Operation *op) {
    auto source = cast<VectorType>(op->getOperand(0).getType());
    return (double(source.getNumElements()) + kPerOperation) *
           roundoffOf(op->getResult(0).getType());
  }

  double ofOperation(mlir::Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return ofLinalg(linalgOp);
    if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
      return ofSoftmax(softmax);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return tripsOf(loop) * ofRegion(loop.getRegion());
    if (auto call = dyn_cast<func::CallOp>(op))
      return ofCall(call);
    if (isa<vector::ReductionOp, vector::MultiDimReductionOp, vector::ContractionOp>(op))
      return ofVector(op);
    if (isa<vector::FMAOp>(op) || rounds(op))
      return kPerOperation * roundoffOf(op->getResult(0).getType());
    double sum = 0;
    for (Region &region : op->getRegions())
      sum += (isa<scf::WhileOp>(op) ? double(longest) : 1) * ofRegion(region);
    return sum;
  }
};
} // namespace

double rooftile::run::roundingsOf(func::FuncOp function, int64_t longest) {
  Counter counter{function->getParentOfType<ModuleOp>(), longest};
  return counter.ofRegion(function.getBody());
}
