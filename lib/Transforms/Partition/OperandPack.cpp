//===- OperandPack.cpp - Copies of operands for their reader --------------===//
//
// A kernel reads op(A) best along M and op(B) along N, in accesses of 16 bytes. Operands that run
// along K cross shared memory element by element, to be transposed; rows of odd length are read
// element by element. Where the plan has `pack`, a kernel of its own copies the operand first
// (BLIS and its ancestors pack for the caches of CPUs in the same way):
//
//   A (M x K)  --pack op<t>-->  W (K x M, rows of whole cache lines)  --opA<t>-->  blas.gemm
//
// With major = k the tile has vectors along K, and so has the copy: W is M x K (or N x K).
//
// That pays where the product is large: copies cost M K, multiplications M N K.
//
// * A matrix that all of a batch share is copied once; a batch matrix by matrix.
// * The copies lie in the workspace, before partial sums, or are allocated (Workspace.h).
// * The product is `padded` where a row of a copy may be longer than M or N: what the
//   padding holds is read by the last workgroups, but no element of C depends on it.
// * Conjugation stays with the product.
// * With products = 6 the copies have the parts of f32 elements in bf16, and the product of these
//   is one of bf16 with K six times as long (SixProducts.h).
// * With complex = induced they are copied twice: here those that do not lie along M, N, as complex
//   elements, and when reduction-select has made a product of real elements these in parts.
// * Of an operand that is masked the copy has the zeros, and the ones of a unit diagonal.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Partition/OperandPack.h"
#include "PackedOperand.h"
#include "Workspace.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/PackedRow.h"
#include "rooftile/Dialect/Blas/Product.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "operand-pack"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_OPERANDPACK
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

namespace {
class Packer {
public:
  Packer(RewriterBase &rewriter, ProductOpInterface op);
  bool hasOperands() const { return !operands.empty(); }
  void pack();

private:
  OpFoldResult placeCopies();
  Value restOfWorkspace(OpFoldResult used);
  void createProduct(Value rest);
  GivenAttr facts();
  Structure structureOfSource(const PackedOperand &operand);
  bool leavesMask();
  bool isPadded();
  void nameOperands(Operation *part, ArrayRef<Role> roles);

  RewriterBase &rewriter;
  ProductOpInterface op;
  SmallVector<PackedOperand, 2> operands;
};
} // namespace

SmallVector<OpFoldResult> PackedOperand::sizes(OpBuilder &builder) const {
  Location loc = source.getLoc();
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, source);
  if (transposition() == Transpose::Trans)
    std::swap(sizes[sizes.size() - 2], sizes.back());
  if (!alongK)
    sizes.back() = roundUp(builder, loc, sizes.back(), multiple);
  if (parts) {
    OpFoldResult &rows = sizes[sizes.size() - 2];
    rows = multiplyNumbers(builder, loc, roundUp(builder, loc, rows, kPartRows),
                           builder.getIndexAttr(parts.getOrder().size()));
  }
  return sizes;
}

SmallVector<OpFoldResult> PackedOperand::memorySizes(OpBuilder &builder) const {
  SmallVector<OpFoldResult> all = sizes(builder);
  all.back() = roundUp(builder, source.getLoc(), all.back(), packedRow(elementOfCopy()));
  return all;
}

Value PackedOperand::viewOf(OpBuilder &builder, Value memory) const {
  SmallVector<OpFoldResult> all = sizes(builder);
  int64_t present = cast<MemRefType>(memory.getType()).getShape().back();
  if (!ShapedType::isDynamic(present) && getConstantIntValue(all.back()) == present)
    return memory;
  SmallVector<OpFoldResult> zeros(all.size(), builder.getIndexAttr(0)),
      ones(all.size(), builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, source.getLoc(), memory, zeros, all, ones);
}

Packer::Packer(RewriterBase &rewriter, ProductOpInterface op) : rewriter(rewriter), op(op) {
  PlanAttr plan = op.getPlanAttr();
  bool six = plan->products == kPartBlocks && !plan->isInduced();
  auto add = [&](bool ofA, Value matrix, Transpose transpose) {
    PackedOperand operand{ofA, matrix, transpose, 1};
    operand.alongK = !six && (ofA ? plan->a : plan->b).major == Major::K;
    if (six)
      operand.parts = PartsAttr::get(op.getContext(), ofA ? kPartsOfA : kPartsOfB,
                                     plan->promote * plan->macroK / kPartBlocks);
    operand.multiple = packedMultiple(operand.elementOfCopy());
    operands.push_back(operand);
  };
  auto isCopied = [&](bool ofA) {
    return (ofA ? plan->a : plan->b).pack && !(plan->isInduced() && liesAsReals(op, ofA));
  };
  if (isCopied(true))
    add(true, op.getMatrixA(), op.getTransposeA());
  if (isCopied(false))
    add(false, op.getMatrixB(), op.getTransposeB());
}

/// Makes room for the copies; the elements of the user's workspace that they need, 0 without one.
OpFoldResult Packer::placeCopies() {
  Location loc = op.getLoc();
  OpFoldResult used = rewriter.getIndexAttr(0);
  int64_t whole = kWorkspaceAlign / elementBytes(op.getAccumulatorType());
  for (PackedOperand &operand : operands) {
    auto sizes = [&](OpBuilder &builder) { return operand.memorySizes(builder); };
    WorkspacePart part{op, operand.source, operand.elementOfCopy(), sizes};
    if (!op.getWorkspace()) {
      operand.copy = operand.viewOf(rewriter, allocate(rewriter, part));
      continue;
    }
    operand.copy = operand.viewOf(rewriter, viewWorkspace(rewriter, part, used));
    OpFoldResult elements = elementsOf(rewriter, loc, operand.memorySizes(rewriter));
    used = addNumbers(rewriter, loc, used, roundUp(rewriter, loc, elements, whole));
  }
  return used;
}

/// Messages call what is copied by its name, and a copy in the user's workspace that.
void Packer::nameOperands(Operation *part, ArrayRef<Role> roles) {
  auto old = op->getAttrOfType<ArrayAttr>(BlasDialect::kOperandsName);
  bool ownNames = isa<ProductOpInterface>(part) || (!old && roles[0] == Role::A);
  if (!op.getWorkspace() && ownNames)
    return;
  SmallVector<Role> names;
  for (Role role : roles)
    names.push_back(old && role != Role::W ? cast<ArgAttr>(old[int(role)]).getRole() : role);
  part->setAttr(BlasDialect::kOperandsName, operandNames(op.getContext(), names));
}

/// Facts of A or B hold for its copy by its type; else that rows are whole.
GivenAttr Packer::facts() {
  GivenAttr given = op.getGivenAttr();
  SmallVector<int64_t> vectors(3, 1);
  SmallVector<Order> orders(3, Order::Any);
  for (int operand = 0; given && operand < 3; ++operand)
    vectors[operand] = given.getVector(operand), orders[operand] = given.getOrder(operand);
  for (const PackedOperand &operand : operands) {
    vectors[operand.ofA ? 0 : 1] = operand.stated();
    orders[operand.ofA ? 0 : 1] = Order::Any;
  }
  ExtentAttr m, n, k;
  if (given)
    m = given.getM(), n = given.getN(), k = given.getK();
  if (operands.front().parts) // which has other rows
    k = {};
  auto facts = GivenAttr::get(op.getContext(), m, n, k, vectors, orders);
  auto nothing =
      GivenAttr::get(op.getContext(), {}, {}, {}, {1, 1, 1}, {Order::Any, Order::Any, Order::Any});
  return facts == nothing ? GivenAttr() : facts;
}

bool Packer::isPadded() {
  return llvm::any_of(operands, [&](const PackedOperand &operand) {
    return !operand.alongK && !isMultiple(op, operand.ofA ? 0 : 1, operand.multiple);
  });
}

/// Structure of an operand, as it is stored, for the copy.
Structure Packer::structureOfSource(const PackedOperand &operand) {
  if (!op.getMasked())
    return Structure::General;
  Structure entering = operand.ofA ? op.getStructureA() : op.getStructureB();
  return isTransposed(operand.op) ? transposed(entering) : entering;
}

/// An operand that is masked is not copied.
bool Packer::leavesMask() {
  const PlanData &plan = op.getPlanAttr().getData();
  return op.getMasked() && ((op.getStructureA() != Structure::General && !plan.a.pack) ||
                            (op.getStructureB() != Structure::General && !plan.b.pack));
}

/// The workspace after the copies is for partial sums: null without these.
Value Packer::restOfWorkspace(OpFoldResult used) {
  bool slices = op.getPlanAttr()->reduction == Reduction::Workspace && !op.getPartial();
  if (!op.getWorkspace() || !slices)
    return {};
  Location loc = op.getLoc();
  OpFoldResult size = memref::getMixedSize(rewriter, loc, op.getWorkspace(), 0);
  Value present = getValueOrCreateConstantIndexOp(rewriter, loc, size);
  Value less = getValueOrCreateConstantIndexOp(rewriter, loc, used);
  less = rewriter.createOrFold<arith::MinUIOp>(loc, less, present);
  OpFoldResult rest = getAsOpFoldResult(rewriter.createOrFold<arith::SubIOp>(loc, present, less));
  return memref::SubViewOp::create(rewriter, loc, op.getWorkspace(), {used}, {rest},
                                   {rewriter.getIndexAttr(1)});
}

void Packer::createProduct(Value rest) {
  ProductFields fields(op);
  SmallVector<Role> roles{Role::A, Role::B, Role::C};
  for (const PackedOperand &operand : operands) {
    (operand.ofA ? fields.a : fields.b) = operand.copy;
    (operand.ofA ? fields.transposeA : fields.transposeB) = operand.enters();
    roles[operand.ofA ? 0 : 1] = Role::W;
    Structure &structure = operand.ofA ? fields.structureA : fields.structureB;
    if (structure != Structure::General)
      structure = isLower(structure) ? Structure::Lower : Structure::Upper;
  }
  fields.masked = leavesMask();
  fields.padded = op.getPadded() || isPadded();
  if (!op.getPlanAttr()->isInduced()) // whose real elements are copied, too
    fields.plan = PlanAttr::get(op.getContext(), op.getPlanAttr()->withoutPacks());
  fields.given = facts();
  fields.workspace = rest;
  nameOperands(op.createLike(rewriter, fields), roles);
}

void Packer::pack() {
  Location loc = op.getLoc();
  OpFoldResult used = placeCopies(), needed = used;
  if (op.getWorkspace() && op.getPlanAttr()->reduction == Reduction::Workspace) {
    SmallVector<OpFoldResult> slices = memref::getMixedSizes(rewriter, loc, op.getMatrixC());
    slices.push_back(rewriter.getIndexAttr(op.getPlanAttr()->splits));
    needed = addNumbers(rewriter, loc, used, elementsOf(rewriter, loc, slices));
  }
  Value fits = testWorkspace(rewriter, op, needed);
  scf::ExecuteRegionOp parts = beginParts(rewriter, op);
  if (fits) {
    auto branch = scf::IfOp::create(rewriter, loc, fits, /*withElse=*/false);
    rewriter.setInsertionPointToStart(branch.thenBlock());
  }
  for (const PackedOperand &operand : operands) {
    auto copy = PackOp::create(rewriter, loc, TypeRange(), operand.source, operand.copy,
                               operand.transposition(), structureOfSource(operand), operand.parts,
                               operand.stated(), TilingAttr());
    Role role = operand.ofA ? Role::A : Role::B;
    nameOperands(copy, {role, role, Role::W});
  }
  createProduct(restOfWorkspace(used));
  endParts(rewriter, parts);
  rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The user's workspace begins where the accesses to copies can.
static LogicalResult checkOffset(ProductOpInterface op) {
  if (!op.getWorkspace())
    return success();
  int64_t offset = cast<MemRefType>(op.getWorkspace().getType()).getStridesAndOffset().second;
  int64_t multiple = packedMultiple(op.getAccumulatorType());
  if (!ShapedType::isDynamic(offset) && offset % multiple == 0)
    return success();
  return op.emitOpError("workspace is ")
         << op.getWorkspace().getType() << ", but packed operands need an offset that is known "
         << "to be a multiple of " << multiple << " elements";
}

LogicalResult rooftile::packOperands(RewriterBase &rewriter, ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  if (!plan || !plan->packs() || op.hasTensorSemantics())
    return success();
  if (!op->getParentOfType<ModuleOp>())
    return op.emitOpError("operand-pack declares functions of the runtime: this is in no module");
  if (failed(checkTestNames(op->getParentOfType<ModuleOp>())))
    return failure();
  // A dynamic number of elements is a very small one here.
  if (op.getWorkspaceElements() > kMostElements)
    return op.emitOpError("plan: packed operands and partial sums are more than 2^60 elements");
  if (failed(checkOffset(op)))
    return failure();
  if (std::string why = plan->isInduced() ? whyNotInducedInParts(op) : ""; !why.empty())
    return op.emitOpError("plan: complex = induced, but ") << why;
  rewriter.setInsertionPoint(op);
  Packer packer(rewriter, op);
  if (packer.hasOperands())
    packer.pack();
  return success();
}

namespace {
struct OperandPackPass : rooftile::impl::OperandPackBase<OperandPackPass> {
  void runOnOperation() override {
    SmallVector<ProductOpInterface> ops;
    getOperation()->walk([&](ProductOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (ProductOpInterface op : ops) {
      if (op.getPlanAttr() && op.getPlanAttr()->packs()) {
        LDBG() << "plan " << op.getPlanAttr() << " at " << op.getLoc();
        ++numPacked;
      }
      if (failed(packOperands(rewriter, op)))
        return signalPassFailure();
    }
  }
};
} // namespace
