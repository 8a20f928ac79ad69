//===- Rounding.cpp - How far two right results may be apart --------------===//

#include "Rounding.h"
#include "Operands/Array.h"
#include "rooftile/Dialect/Element.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

//===----------------------------------------------------------------------===//
// Whether integers stay integers
//===----------------------------------------------------------------------===//

static constexpr double kUnknown = std::numeric_limits<double>::infinity();

namespace {
/// Bounds on the magnitudes of integers, by value; infinite where a value may be no integer, or one
/// that is rounded.
class Magnitudes {
public:
  explicit Magnitudes(double range) : range(range) {}

  /// Whether all results of the function are bounded.
  bool ofFunction(func::FuncOp function) {
    if (!function.getBody().hasOneBlock())
      return false;
    for (BlockArgument argument : function.getArguments()) {
      if (isa<MemRefType>(argument.getType()))
        return false; // values in memory are not followed
      bounds[argument] = range;
    }
    for (mlir::Operation &op : function.getBody().front().without_terminator())
      visit(&op);
    return llvm::all_of(function.getBody().front().getTerminator()->getOperands(),
                        [&](Value result) { return boundOf(result) < kUnknown; });
  }

private:
  static bool isFloat(Type type) { return isa<FloatType>(realTypeOf(getElementTypeOrSelf(type))); }

  /// Integers are exact in themselves; what is made floats of them is not followed.
  double boundOf(Value value) {
    auto known = bounds.find(value);
    return known != bounds.end() ? known->second : isFloat(value.getType()) ? kUnknown : 0;
  }

  /// The bound, unknown where the type rounds such integers.
  static double held(double bound, Type type) {
    if (!isFloat(type))
      return bound;
    return bound <= 1 / roundoffOfType(getElementTypeOrSelf(type)) ? bound : kUnknown;
  }

  static double ofConstant(mlir::Operation *op) {
    DenseElementsAttr elements;
    FloatAttr scalar;
    auto integral = [](const APFloat &value) {
      double number = std::fabs(value.convertToDouble());
      return std::isfinite(number) && number == std::floor(number) ? number : kUnknown;
    };
    if (matchPattern(op, m_Constant(&scalar)))
      return scalar.getType().getIntOrFloatBitWidth() <= 64 &&
                     (scalar.getType().isF32() || scalar.getType().isF64())
                 ? integral(scalar.getValue())
                 : (scalar.getValue().isZero() ? 0 : kUnknown);
    if (matchPattern(op, m_Constant(&elements)) && elements.getElementType().isF32()) {
      double bound = 0;
      for (const APFloat &value : elements.getValues<APFloat>())
        bound = std::max(bound, integral(value));
      return bound;
    }
    return kUnknown;
  }

  /// The largest bound of the operands that are floats.
  double largest(mlir::Operation *op) {
    double bound = 0;
    for (Value operand : op->getOperands())
      if (isFloat(operand.getType()))
        bound = std::max(bound, boundOf(operand));
    return bound;
  }

  double ofPad(tensor::PadOp pad) {
    Value around = pad.getConstantPaddingValue();
    return around ? std::max(boundOf(pad.getSource()), boundOf(around)) : kUnknown;
  }

  /// Error of one operation on scalars or tensors of them.
  double ofScalars(mlir::Operation *op) {
    auto operand = [&](int index) { return boundOf(op->getOperand(index)); };
    if (isa<arith::AddFOp, arith::SubFOp>(op))
      return operand(0) + operand(1);
    if (isa<arith::MulFOp>(op)) // infinite times 0 is no number
      return std::max(operand(0), operand(1)) < kUnknown ? operand(0) * operand(1) : kUnknown;
    bool moves = isa<arith::NegFOp, arith::ExtFOp, arith::TruncFOp, arith::SelectOp,
                     arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
    return moves ? largest(op) : kUnknown;
  }

  /// Whether a reduction goes on from its output by nothing but additions, maxima and minima.
  static bool accumulates(Value output) {
    return llvm::all_of(output.getUsers(), [](mlir::Operation *user) {
      return isa<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                 arith::MinNumFOp, arith::CmpFOp>(user);
    });
  }

  /// A body adds what it yields for an output of 0 to the output, once a step.
  void visitLinalg(linalg::LinalgOp op) {
    double steps = 1;
    bool reduces = false;
    for (auto [size, iterator] :
         llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
      if (iterator == utils::IteratorType::reduction) {
        steps *= ShapedType::isDynamic(size) ? kUnknown : double(size);
        reduces = true;
      }
    Block *body = op.getBlock();
    for (auto [operand, argument] : llvm::zip(op->getOperands(), body->getArguments()))
      bounds[argument] = boundOf(operand);
    for (BlockArgument output : op.getRegionOutputArgs())
      if (reduces)
        bounds[output] = accumulates(output) ? 0 : kUnknown;
    for (mlir::Operation &inner : body->without_terminator())
      visit(&inner);
    for (auto [index, result] : llvm::enumerate(op->getResults())) {
      double once = boundOf(body->getTerminator()->getOperand(index));
      double all = reduces ? boundOf(op.getDpsInits()[index]) + steps * once : once;
      bounds[result] = held(all, result.getType());
    }
  }

  void visit(mlir::Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return visitLinalg(linalgOp);
    for (Value result : op->getResults()) {
      double bound = kUnknown;
      if (!isFloat(result.getType()))
        bound = 0;
      else if (op->hasTrait<OpTrait::ConstantLike>())
        bound = ofConstant(op);
      else if (isa<tensor::EmptyOp>(op))
        bound = 0;
      else if (auto pad = dyn_cast<tensor::PadOp>(op))
        bound = ofPad(pad);
      else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ExtractSliceOp,
                   tensor::InsertSliceOp, tensor::CastOp, tensor::ExtractOp, tensor::ConcatOp,
                   linalg::PackOp, linalg::UnPackOp>(op))
        bound = largest(op);
      else if (op->getNumRegions() == 0 && op->getNumResults() == 1)
        bound = ofScalars(op);
      bounds[result] = held(bound, result.getType());
    }
  }

  double range;
  llvm::DenseMap<Value, double> bounds;
};
} // namespace

bool rooftile::verify::staysExact(func::FuncOp function, double range) {
  return Magnitudes(range).ofFunction(function);
}

//===----------------------------------------------------------------------===//
// Sum of all roundings
//===----------------------------------------------------------------------===//

/// Roundings that stand for one operation: the functions of C libraries and of GPUs differ by a
/// few units in the last place, and a result feeds others.
static constexpr double kPerOperation = 16;
/// Operations of a softmax on an element after its maximum: subtract, exponential, divide.
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

  /// Roundings of a vector operation that adds up elements.
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

double rooftile::verify::roundingsOf(func::FuncOp function, int64_t longest) {
  Counter counter{function->getParentOfType<ModuleOp>(), longest};
  return counter.ofRegion(function.getBody());
}
