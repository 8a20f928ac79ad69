//===- PlanDispatch.cpp - The choice among plans at run time --------------===//
//
// One module serves every M, N and K (AutoGEMM's kernel selection: exact match,
// fallback): the conditions of an operation's plans become host code on sizes,
// strides, offsets and base pointers, and each plan an operation of its own,
// which gets the tested facts. A stride that was found to be 1 goes into the type of
// the operand (memref.cast), where every later pass sees it. Cases with a price compete: host code
// computes the time of each by the cost model, for the actual sizes. All conditions and prices are
// evaluated; together they are some hundred integer instructions.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Partition/PlanDispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Product.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "plan-dispatch"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_PLANDISPATCH
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

namespace {
/// Emits the conditions of one operation; what is static folds on the way.
class Conditions {
public:
  Conditions(OpBuilder &builder, ProductOpInterface op)
      : builder(builder), loc(op.getLoc()), op(op) {}

  Value holds(GivenAttr given);
  /// (C22) As an i64.
  Value picoseconds(PriceAttr price, const PlanData &plan);

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value both(Value left, Value right) {
    return left ? builder.createOrFold<arith::AndIOp>(loc, left, right) : right;
  }
  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return builder.createOrFold<arith::CmpIOp>(loc, predicate, left, right);
  }
  Value sizeOf(int dim);
  Value batch();
  template <typename Op> Value compute(Value left, int64_t right) {
    return builder.createOrFold<Op>(loc, left, index(right));
  }
  Value sizeWithin(int dim, ExtentAttr extent);
  Value ordered(Value matrix, Order order);
  Value aligned(Value matrix, int64_t contiguous, int64_t vector);

  OpBuilder &builder;
  Location loc;
  ProductOpInterface op;
};
} // namespace

/// M, N or K (`dim` 0, 1, 2).
Value Conditions::sizeOf(int dim) {
  int64_t known = dim == 0 ? op.getM() : dim == 1 ? op.getN() : op.getK();
  if (!ShapedType::isDynamic(known))
    return index(known);
  Value matrix = dim == 2 ? op.getMatrixA() : op.getMatrixC();
  int64_t rank = cast<MemRefType>(matrix.getType()).getRank();
  bool first = dim == 2 ? isTransposed(op.getTransposeA()) : dim == 0;
  return memref::DimOp::create(builder, loc, matrix, rank - (first ? 2 : 1));
}

/// Matrices: what lies before rows and columns.
Value Conditions::batch() {
  Value c = op.getMatrixC(), count = index(1);
  for (int64_t dim = 0; dim < cast<MemRefType>(c.getType()).getRank() - 2; ++dim)
    count = builder.createOrFold<arith::MulIOp>(
        loc, count, memref::DimOp::create(builder, loc, c, dim).getResult());
  return count;
}

Value Conditions::picoseconds(PriceAttr price, const PlanData &plan) {
  auto add = [&](Value left, Value right) {
    return builder.createOrFold<arith::AddIOp>(loc, left, right);
  };
  auto multiply = [&](Value left, Value right) {
    return builder.createOrFold<arith::MulIOp>(loc, left, right);
  };
  Value high = compute<arith::CeilDivUIOp>(sizeOf(0), plan.macroM);
  Value wide = compute<arith::CeilDivUIOp>(sizeOf(1), plan.macroN);
  Value workgroups = compute<arith::MulIOp>(multiply(multiply(high, wide), batch()), plan.splits);
  Value steps =
      compute<arith::CeilDivUIOp>(compute<arith::CeilDivUIOp>(sizeOf(2), plan.macroK), plan.splits);
  auto wave = [&](int64_t step, int64_t rest) {
    return compute<arith::AddIOp>(compute<arith::MulIOp>(steps, step), rest);
  };
  Value one = wave(price.getStep(), price.getRest()),
        full = wave(price.getFullStep(), price.getFullRest());
  int64_t resident = price.getUnits() * price.getBlocks();
  Value waves = compute<arith::DivUIOp>(workgroups, resident),
        rest = compute<arith::RemUIOp>(workgroups, resident), last = one;
  if (price.getBlocks() > 1) {
    Value more = compute<arith::SubIOp>(compute<arith::CeilDivUIOp>(rest, price.getUnits()), 1);
    Value longer = builder.createOrFold<arith::SubIOp>(loc, full, one);
    last = add(one, compute<arith::DivUIOp>(multiply(longer, more), price.getBlocks() - 1));
  }
  Value none = compare(arith::CmpIPredicate::eq, rest, index(0));
  last = builder.createOrFold<arith::SelectOp>(loc, none, index(0), last);
  return compute<arith::AddIOp>(add(multiply(waves, full), last), price.getStart());
}

Value Conditions::sizeWithin(int dim, ExtentAttr extent) {
  using Predicate = arith::CmpIPredicate;
  Value size = sizeOf(dim), result;
  if (extent.getLeast() > 0)
    result = both(result, compare(Predicate::uge, size, index(extent.getLeast())));
  if (extent.getMost() > 0)
    result = both(result, compare(Predicate::ule, size, index(extent.getMost())));
  if (extent.getMultiple() > 1) {
    Value rest = builder.createOrFold<arith::RemUIOp>(loc, size, index(extent.getMultiple()));
    result = both(result, compare(Predicate::eq, rest, index(0)));
  }
  return result;
}

/// The stride along the dimension that `order` means is 1; null where the type has that stride.
Value Conditions::ordered(Value matrix, Order order) {
  auto type = cast<MemRefType>(matrix.getType());
  int64_t dim = type.getRank() - (order == Order::Rows ? 1 : 2);
  if (order == Order::Any || hasUnitStride(type, dim))
    return {};
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, matrix);
  return compare(arith::CmpIPredicate::eq, metadata.getStrides()[dim], index(1));
}

/// Offset, strides and size of the contiguous dimension are multiples of `vector`, the base
/// pointer of as many elements: no bit below is set in any of them. Null where nothing is dynamic.
Value Conditions::aligned(Value matrix, int64_t contiguous, int64_t vector) {
  auto type = cast<MemRefType>(matrix.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, matrix);
  int64_t bytes = elementBytes(type.getElementType());
  SmallVector<OpFoldResult> numbers{metadata.getConstifiedMixedOffset(),
                                    metadata.getConstifiedMixedSizes()[contiguous]};
  bool byPointers = static_cast<bool>(getPointers(type)); // from one matrix to the next: no stride
  for (auto [dim, stride] : llvm::enumerate(metadata.getConstifiedMixedStrides()))
    if (static_cast<int64_t>(dim) != contiguous && type.getDimSize(dim) != 1 &&
        !(byPointers && dim == 0))
      numbers.push_back(stride);
  Value bits;
  for (OpFoldResult number : numbers)
    if (!getConstantIntValue(number)) { // the verifier checks those
      Value value = getValueOrCreateConstantIndexOp(builder, loc, number);
      bits = bits ? builder.createOrFold<arith::OrIOp>(loc, bits, value) : value;
    }
  Value result, zero = index(0);
  if (bits)
    result = compare(arith::CmpIPredicate::eq,
                     builder.createOrFold<arith::AndIOp>(loc, bits, index(vector - 1)), zero);
  if (byPointers) // their alignment is that of the type
    return result;
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, matrix);
  Value low = builder.createOrFold<arith::AndIOp>(loc, pointer, index(vector * bytes - 1));
  return both(result, compare(arith::CmpIPredicate::eq, low, zero));
}

Value Conditions::holds(GivenAttr given) {
  Value result;
  for (int dim : {0, 1, 2})
    if (ExtentAttr extent = given.getExtent(dim))
      if (Value within = sizeWithin(dim, extent))
        result = both(result, within);
  for (int operand : {0, 1, 2}) {
    Value matrix = op.getMatrix(operand);
    Order order = given.getOrder(operand);
    if (Value unit = ordered(matrix, order))
      result = both(result, unit);
    int64_t contiguous = getContiguousDim(withOrder(cast<ShapedType>(matrix.getType()), order));
    if (int64_t vector = given.getVector(operand); vector > 1)
      if (Value fits = aligned(matrix, contiguous, vector))
        result = both(result, fits);
  }
  return result ? result : arith::ConstantIntOp::create(builder, loc, 1, 1).getResult();
}

Value rooftile::emitCondition(OpBuilder &builder, ProductOpInterface op, GivenAttr given) {
  return Conditions(builder, op).holds(given);
}

/// Makes given strides part of the types of the operands. False where none is given.
static bool stateOrders(OpBuilder &builder, Location loc, ProductFields &fields) {
  if (!fields.given || fields.given == fields.given.withoutOrders())
    return false;
  Value *matrices[] = {&fields.a, &fields.b, &fields.c};
  for (int operand : {0, 1, 2}) {
    Value &matrix = *matrices[operand];
    ShapedType type = withOrder(cast<ShapedType>(matrix.getType()), fields.given.getOrder(operand));
    if (type != matrix.getType())
      matrix = memref::CastOp::create(builder, loc, type, matrix);
  }
  fields.given = fields.given.withoutOrders();
  return true;
}

/// The operation with the plan of one case, and what that case has tested.
static void createFor(OpBuilder &builder, ProductOpInterface op, CaseAttr each) {
  ProductFields fields(op);
  fields.plans = {};
  fields.plan = each.getPlan();
  fields.given = intersect(op.getGivenAttr(), each.getWhen());
  stateOrders(builder, op.getLoc(), fields);
  op.createLike(builder, fields);
}

/// The cases that can hold for the types as they are now. The last one has no condition.
static SmallVector<CaseAttr> possibleCases(ProductOpInterface op) {
  SmallVector<CaseAttr> cases;
  for (auto [index, each] : llvm::enumerate(op.getPlansAttr().getAsRange<CaseAttr>())) {
    auto refuse = [&, number = index] {
      return op.emitWarning("plans: case ") << number << " is left out, it never holds: ";
    };
    if (!each.getWhen() || succeeded(canHold(op, each.getWhen(), refuse)))
      cases.push_back(each);
  }
  return cases;
}

/// The number of the cheapest of the cases with a price that hold.
static Value cheapest(OpBuilder &builder, ProductOpInterface op, ArrayRef<CaseAttr> cases,
                      ArrayRef<Value> conditions) {
  Location loc = op.getLoc();
  Value number, lowest;
  for (auto [index, each] : llvm::enumerate(cases)) {
    if (!each.getPrice())
      continue;
    Value own = arith::ConstantIndexOp::create(builder, loc, index);
    Value price = Conditions(builder, op).picoseconds(each.getPrice(), *each.getPlan());
    if (index < conditions.size()) {
      Value never = arith::ConstantIndexOp::create(builder, loc, INT64_MAX);
      price = builder.createOrFold<arith::SelectOp>(loc, conditions[index], price, never);
    }
    if (!number) {
      number = own, lowest = price;
      continue;
    }
    Value less = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, price, lowest);
    number = arith::SelectOp::create(builder, loc, less, own, number);
    lowest = arith::SelectOp::create(builder, loc, less, price, lowest);
  }
  return number;
}

/// The number of the case to run. The last of `cases` has no condition.
static Value chooseCase(OpBuilder &builder, ProductOpInterface op, ArrayRef<CaseAttr> cases) {
  Location loc = op.getLoc();
  SmallVector<Value> conditions;
  for (CaseAttr each : cases.drop_back())
    conditions.push_back(emitCondition(builder, op, each.getWhen()));
  Value best = cheapest(builder, op, cases, conditions);
  auto numberOf = [&](size_t index) -> Value {
    return cases[index].getPrice() ? best : arith::ConstantIndexOp::create(builder, loc, index);
  };
  Value chosen = numberOf(conditions.size());
  for (size_t index = conditions.size(); index-- > 0;)
    chosen = builder.createOrFold<arith::SelectOp>(loc, conditions[index], numberOf(index), chosen);
  return chosen;
}

LogicalResult rooftile::dispatchPlans(RewriterBase &rewriter, ProductOpInterface op) {
  rewriter.setInsertionPoint(op);
  if (!op.getPlansAttr()) {
    ProductFields fields(op);
    if (stateOrders(rewriter, op.getLoc(), fields))
      rewriter.replaceOp(op, op.createLike(rewriter, fields));
    return success();
  }
  if (op.hasTensorSemantics())
    return op.emitOpError("plan-dispatch works on memrefs: bufferize first");
  SmallVector<CaseAttr> cases = possibleCases(op);
  Location loc = op.getLoc();
  int64_t last = cases.size() - 1;
  Value chosen = chooseCase(rewriter, op, cases);
  auto numbers = llvm::to_vector(llvm::seq<int64_t>(0, last));
  auto choice = scf::IndexSwitchOp::create(rewriter, loc, TypeRange(), chosen, numbers, last);
  for (auto [index, each] : llvm::enumerate(cases)) {
    bool isDefault = static_cast<int64_t>(index) == last;
    Region &region = isDefault ? choice.getDefaultRegion() : choice.getCaseRegions()[index];
    OpBuilder inside = OpBuilder::atBlockBegin(&region.emplaceBlock());
    createFor(inside, op, each);
    scf::YieldOp::create(inside, loc);
  }
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct PlanDispatchPass : rooftile::impl::PlanDispatchBase<PlanDispatchPass> {
  void runOnOperation() override {
    SmallVector<ProductOpInterface> ops;
    getOperation()->walk([&](ProductOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ProductOpInterface op : ops) {
      if (op.getPlansAttr()) {
        LDBG() << "plans " << op.getPlansAttr() << " at " << op.getLoc();
        ++numDispatched;
      }
      if (failed(dispatchPlans(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace
