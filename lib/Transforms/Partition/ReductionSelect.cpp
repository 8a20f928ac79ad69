//===- ReductionSelect.cpp - Carry out the K strategy of a plan -----------===//
//
// A product of few tiles and a long K leaves most of the chip idle, so the plan
// shares the K steps of a tile out among S workgroups (clBLAS and AutoGEMM leave such
// shapes alone; Ernst et al. reduce over all of them). This pass makes visible in the
// IR what that needs besides the kernel:
//
// * workspace: partial sums in memory (S slices of C) and a blas.reduce that adds
//   them up in order, so that the result is the same in every run. beta goes to the reduce, and
//   so does an epilogue. There are two for complex elements as real ones (InducedProduct.h).
// * atomic: C is scaled by beta first (a blas.reduce of no slices), then workgroups add
//   to it in any order, which the operation must allow. No workgroup has a sum to which an
//   epilogue could be applied: with one it is an error.
// * cluster: nothing; the workgroups exchange partial sums in their shared memory.
//
// A workspace that is not given is allocated (Workspace.h).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Partition/ReductionSelect.h"
#include "InducedProduct.h"
#include "Workspace.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Blas/PlanRules.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "reduction-select"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_REDUCTIONSELECT
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

//===----------------------------------------------------------------------===//
// Workspace
//===----------------------------------------------------------------------===//

/// splits, and the sizes of C; for products of real elements twice as many rows.
static SmallVector<OpFoldResult> slicedSizes(OpBuilder &builder, ProductOpInterface op) {
  SmallVector<OpFoldResult> sizes{builder.getIndexAttr(op.getPlanAttr()->splits)};
  llvm::append_range(sizes, memref::getMixedSizes(builder, op.getLoc(), op.getMatrixC()));
  if (op.getPlanAttr()->isInduced())
    sizes[1] = builder.getIndexAttr(2 * op.getM());
  return sizes;
}

/// Slices, each contiguous: of the user's workspace, or of memory of their own.
static Value memoryForSlices(OpBuilder &builder, ProductOpInterface op) {
  auto sizes = [&](OpBuilder &builder) { return slicedSizes(builder, op); };
  WorkspacePart part{op, op.getMatrixC(), op.getAccumulatorType(), sizes};
  return op.getWorkspace() ? viewWorkspace(builder, part, builder.getIndexAttr(0))
                           : allocate(builder, part);
}

/// An i1 that is true where the workspace of the user has room for all slices; null where the
/// verifier checks that.
static Value testRoom(OpBuilder &builder, ProductOpInterface op) {
  if (!op.getWorkspace())
    return {};
  return testWorkspace(builder, op, elementsOf(builder, op.getLoc(), slicedSizes(builder, op)));
}

/// Facts of C hold for its slices only where both are contiguous along rows.
static GivenAttr factsOfSlices(ProductOpInterface op) {
  GivenAttr given = op.getGivenAttr();
  if (!given)
    return {};
  auto c = cast<ShapedType>(op.getMatrixC().getType());
  bool rows = getContiguousDim(withOrder(c, given.getOrderC())) == c.getRank() - 1;
  int64_t widest = std::max<int64_t>(1, kMaxAccessBytes / elementBytes(op.getAccumulatorType()));
  return GivenAttr::get(op.getContext(), given.getM(), given.getN(), given.getK(),
                        {given.getA(), given.getB(), rows ? std::min(given.getC(), widest) : 1},
                        {given.getOrderA(), given.getOrderB(), Order::Any});
}

/// A partial sum is a part of what `op` is a part of.
static void keepNames(ReduceOp sum, ProductOpInterface op) {
  if (Attribute names = op->getAttr(BlasDialect::kOperandsName))
    sum->setAttr(BlasDialect::kOperandsName, names);
}

/// C = f(factor * sum of `slices` + beta * C)
static void addSlices(OpBuilder &builder, ProductOpInterface op, Value slices, Value factor,
                      Value beta, const Epilogue &epilogue) {
  auto sum = ReduceOp::create(builder, op.getLoc(), TypeRange(), slices, op.getMatrixC(), factor,
                              beta, epilogue.extras, op.getPlanAttr()->compensates(),
                              op.getTriangleAttr(), op.getRealDiagonal(), TilingAttr(),
                              epilogue.dims, epilogue.function ? 1 : 0);
  cloneFunction(epilogue, sum);
  keepNames(sum, op);
}

/// The product of `fields` to slices: what is done with their sum is no affair of its own.
static void createPartial(OpBuilder &builder, ProductOpInterface op, ProductFields fields) {
  fields.beta = fields.workspace = Value();
  fields.epilogue = {};
  fields.partial = true;
  op.createLike(builder, fields);
}

/// The product, whose alpha stays with it, so that alpha = 0 at run time leaves A and B unread.
static void splitNative(OpBuilder &builder, ProductOpInterface op, Value slices) {
  ProductFields fields(op);
  fields.c = slices;
  fields.given = factsOfSlices(op);
  createPartial(builder, op, fields);
  addSlices(builder, op, slices, /*factor=*/Value(), op.getBeta(), epilogueOf(op));
}

/// The product of real elements, and what its rows are of C.
static void splitInduced(OpBuilder &builder, ProductOpInterface op, Value slices) {
  createPartial(builder, op, inducedProduct(builder, op, slices));
  addSlices(builder, op, rowsOf(builder, slices, Component::Re),
            factorOf(builder, op, Component::Re), op.getBeta(), Epilogue());
  Value one = createScalar(builder, op.getLoc(), op.getAccumulatorType(), 1);
  addSlices(builder, op, rowsOf(builder, slices, Component::Im),
            factorOf(builder, op, Component::Im), one, epilogueOf(op));
}

/// Without room for all slices nothing runs: C stays as it was.
static void splitOverWorkspace(RewriterBase &rewriter, ProductOpInterface op) {
  Value slices = memoryForSlices(rewriter, op);
  Value fits = testRoom(rewriter, op);
  scf::ExecuteRegionOp parts = beginParts(rewriter, op);
  if (fits) {
    auto branch = scf::IfOp::create(rewriter, op.getLoc(), fits, /*withElse=*/false);
    rewriter.setInsertionPointToStart(branch.thenBlock());
  }
  op.getPlanAttr()->isInduced() ? splitInduced(rewriter, op, slices)
                                : splitNative(rewriter, op, slices);
  endParts(rewriter, parts);
  rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// Atomic additions
//===----------------------------------------------------------------------===//

/// C = beta * C, or 0: the sum of no slices.
static void scaleOutput(OpBuilder &builder, ProductOpInterface op) {
  Location loc = op.getLoc();
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, op.getMatrixC());
  SmallVector<OpFoldResult> sizes{builder.getIndexAttr(0)}, strides{builder.getIndexAttr(0)};
  llvm::append_range(sizes, metadata.getConstifiedMixedSizes());
  llvm::append_range(strides, metadata.getConstifiedMixedStrides());
  Value nothing = memref::ReinterpretCastOp::create(
      builder, loc, op.getMatrixC(), metadata.getConstifiedMixedOffset(), sizes, strides);
  auto sum = ReduceOp::create(builder, loc, TypeRange(), nothing, op.getMatrixC(),
                              /*alpha=*/Value(), op.getBeta(), /*extras=*/ValueRange(),
                              /*compensated=*/false, op.getTriangleAttr(), op.getRealDiagonal(),
                              TilingAttr(), /*extraDims=*/ArrayAttr(),
                              /*epilogueCount=*/0);
  keepNames(sum, op);
}

static void addAtomically(RewriterBase &rewriter, ProductOpInterface op) {
  if (op.getConstantBeta() == std::complex<double>(1))
    return;
  scf::ExecuteRegionOp parts = beginParts(rewriter, op);
  scaleOutput(rewriter, op);
  ProductFields fields(op);
  fields.beta = createScalar(rewriter, op.getLoc(), op.getAccumulatorType(), 1);
  op.createLike(rewriter, fields);
  endParts(rewriter, parts);
  rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult rooftile::selectReduction(RewriterBase &rewriter, ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  if (!plan || op.getPartial() || op.hasTensorSemantics())
    return success();
  if (!op->getParentOfType<ModuleOp>())
    return op.emitOpError(
        "reduction-select declares functions of the runtime: this is in no module");
  if (failed(checkTestNames(op->getParentOfType<ModuleOp>())))
    return failure();
  rewriter.setInsertionPoint(op);
  // A dynamic number of elements is a very small one here.
  if (op.getWorkspaceElements() > kMostElements)
    return op.emitOpError("plan: the partial sums of ")
           << plan->splits << " splits are more than 2^60 elements";
  if (std::string why = plan->isInduced() ? whyNotInduced(op) : ""; !why.empty())
    return op.emitOpError("plan: complex = induced, but ") << why;
  if (plan->reduction == Reduction::Workspace)
    splitOverWorkspace(rewriter, op);
  if (plan->reduction != Reduction::Atomic)
    return success();
  if (auto violation = checkProduct(PlanRule::Order, *plan, ProductFacts::of(op)))
    return op.emitOpError("plan: ") << describe(*violation);
  addAtomically(rewriter, op);
  return success();
}

namespace {
struct ReductionSelectPass : rooftile::impl::ReductionSelectBase<ReductionSelectPass> {
  void runOnOperation() override {
    SmallVector<ProductOpInterface> ops;
    getOperation()->walk([&](ProductOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ProductOpInterface op : ops) {
      if (op.getPlanAttr() && op.getPlanAttr()->reduction == Reduction::Workspace) {
        LDBG() << "plan " << op.getPlanAttr() << " at " << op.getLoc();
        ++numReductions;
      }
      if (failed(selectReduction(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace
