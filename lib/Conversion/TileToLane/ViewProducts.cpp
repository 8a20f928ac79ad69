//===- ViewProducts.cpp - tile.mma by an instruction that reads shared memory -===//
//
//   tile.mma %a, %b, %c instruction(#wgmma_m64k16_f16)
//
// of views becomes a group of lane.async_mma: K from the outside, then the rows of each repetition,
// then as many columns at a time as one instruction multiplies. Views begin where the warpgroup's
// rows and columns of C do.
//
//===----------------------------------------------------------------------===//

#include "ThreadMap.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
/// Columns that one instruction multiplies for rows that begin at `row`: registers of C, repetition
/// after repetition.
struct Issue {
  int64_t row, column;
  SmallVector<int64_t> registers;
  int64_t repeated = 0;
};

/// A view as the instruction reads it.
class Factor {
public:
  /// A (`dim` 0) or B (1); `origin`: where the rows, or columns, of the warpgroup begin.
  Factor(OpBuilder &builder, MmaOp op, ValueRange parts, Value origin, int dim);
  /// The element for a row, or column, of the warpgroup, and a K, which are known.
  Value at(int64_t across, int64_t k) const;
  Value getFlat() const { return flat; }
  /// Bytes from one panel to the next; null where rows run along K.
  IntegerAttr getPanels() const { return panels; }

private:
  OpBuilder &builder;
  Location loc;
  Value flat, start;
  int64_t perK, perAcross, panelLength = 0, panelStride = 0;
  IntegerAttr panels;
};
} // namespace

/// The instructions for one slice of K.
static SmallVector<Issue> issuesOf(MapAttr c, const Instruction &own) {
  SmallVector<Issue> issues;
  MapAttr plain = MapAttr::get(c.getContext(), own.c.threads, own.c.values);
  std::map<std::pair<int64_t, int64_t>, SmallVector<int64_t>> repetitions;
  std::optional<SmallVector<Repetition>> found = repetitionsOf(c, plain);
  for (Repetition &each : *found)
    repetitions[each.origin] = std::move(each.registers);
  for (auto &[origin, registers] : repetitions) {
    auto [row, column] = origin;
    bool follows = !issues.empty() && issues.back().row == row &&
                   issues.back().column + issues.back().repeated * own.n == column &&
                   (issues.back().repeated + 1) * own.n <= own.mostN;
    if (!follows)
      issues.push_back({row, column, {}});
    llvm::append_range(issues.back().registers, registers);
    ++issues.back().repeated;
  }
  return issues;
}

/// Digits of the warpgroups alone.
static MapAttr ofWarpgroups(MapAttr c, size_t lanes) {
  SmallVector<Mode> threads(c.getThreads());
  for (Mode &lane : MutableArrayRef(threads).take_front(lanes))
    lane.row = lane.column = 0;
  return MapAttr::get(c.getContext(), threads, c.getValues());
}

/// Where the rows of C of this warpgroup begin (`dim` 0), or its columns: computed once, as all of
/// its threads have the same.
static Value originOf(OpBuilder &builder, Operation *op, MapAttr c, int dim) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op->getParentOfType<gpu::GPUFuncOp>().getBody().front());
  Value own = IndexMath(builder, op->getLoc()).threadOffset(c, dim == 0, dim == 1);
  if (getConstantIntValue(own))
    return own;
  return lane::UniformOp::create(builder, op->getLoc(), own);
}

Factor::Factor(OpBuilder &builder, MmaOp op, ValueRange parts, Value origin, int dim)
    : builder(builder), loc(op.getLoc()), flat(parts[0]) {
  IndexMath math(builder, loc);
  auto type = cast<BufferType>((dim == 0 ? op.getA() : op.getB()).getType());
  ArrayRef<int64_t> strides = type.getStrides();
  perAcross = strides[dim], perK = strides[1 - dim];
  Value across = math.add(parts[2 + dim], origin), k = parts[3 - dim];
  start = math.add(parts[1], math.mul(k, perK));
  if (perAcross != 1) {
    start = math.add(start, math.mul(across, perAcross));
    return;
  }
  // Views, and the rows of a warpgroup, begin with a panel.
  panelLength = perK, panelStride = type.getPanelStride();
  panels = builder.getI64IntegerAttr(panelStride * elementBytes(type.getElementType()));
  start = math.add(start, math.mul(math.div(across, panelLength), panelStride));
}

Value Factor::at(int64_t across, int64_t k) const {
  int64_t offset = panels ? across / panelLength * panelStride : across * perAcross;
  return IndexMath(builder, loc).add(start, offset + k * perK);
}

namespace {
struct ViewProductPattern : OpConversionPattern<MmaOp> {
  ViewProductPattern(const TypeConverter &types, MLIRContext *context)
      : OpConversionPattern(types, context, /*benefit=*/3) {}

  LogicalResult matchAndRewrite(MmaOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.readsViews())
      return failure();
    const Instruction &own = *findInstruction(op.getInstruction()->getName());
    Location loc = op.getLoc();
    MapAttr map = op.getC().getType().getMap(), groups = ofWarpgroups(map, own.c.threads.size());
    Factor a(rewriter, op, adaptor.getA(), originOf(rewriter, op, groups, 0), 0),
        b(rewriter, op, adaptor.getB(), originOf(rewriter, op, groups, 1), 1);
    InstructionAttr plain = plainInstruction(op.getContext(), own);
    SmallVector<Value> sums(adaptor.getC());
    SmallVector<Issue> issues = issuesOf(map, own);
    int64_t depth = cast<BufferType>(op.getA().getType()).getShape()[1];
    for (int64_t k = 0; k < depth; k += own.k)
      for (const Issue &issue : issues) {
        bool first = k == 0 && &issue == &issues.front();
        bool last = k + own.k == depth && &issue == &issues.back();
        SmallVector<Value> before;
        for (int64_t index : issue.registers)
          before.push_back(sums[index]);
        auto mma = lane::AsyncMmaOp::create(
            rewriter, loc, a.getFlat(), a.at(issue.row, k), b.getFlat(), b.at(issue.column, k),
            before, plain, issue.repeated, a.getPanels(), b.getPanels(), first, last);
        for (auto [index, sum] : llvm::zip_equal(issue.registers, mma.getAccumulators()))
          sums[index] = sum;
      }
    rewriter.replaceOpWithMultiple(op, {sums});
    return success();
  }
};

struct FinishPattern : OpConversionPattern<FinishOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(FinishOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto finished = lane::FinishOp::create(rewriter, op.getLoc(), adaptor.getSums());
    rewriter.replaceOpWithMultiple(op, {SmallVector<Value>(finished.getResults())});
    return success();
  }
};
} // namespace

void rooftile::populateViewProductPatterns(const TypeConverter &types,
                                           RewritePatternSet &patterns) {
  patterns.add<ViewProductPattern, FinishPattern>(types, patterns.getContext());
}
