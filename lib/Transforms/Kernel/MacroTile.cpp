//===- MacroTile.cpp - One kernel per operation ---------------------------===//
//
// Each planned product on memrefs (ProductOpInterface: blas.gemm) becomes a gpu.launch_func of a
// kernel of its own: a tile program for one workgroup that computes one macro tile of C (AutoGEMM's
// G x H tile, Li/Dongarra/Tomov's block BM x BN). The plan decides everything.
// Each blas.trmm and blas.trsm of one block becomes one, too (TriangularProgram.cpp). Operations
// without a plan, or that the pipeline cannot lower yet, are located errors. Others are left alone.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Kernel/MacroTile.h"
#include "BulkCopies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"
#include "rooftile/Transforms/Kernel/TileEpilogue.h"
#include "rooftile/Transforms/Kernel/TriangularKernel.h"
#include "rooftile/Transforms/Kernel/UserKernel.h"
#include "rooftile/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "macro-tile"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

namespace rooftile {
#define GEN_PASS_DEF_MACROTILE
#include "rooftile/Transforms/Passes.h.inc"
} // namespace rooftile

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

static Type elementOf(Value value) { return memrefType(value).getElementType(); }

/// gemm_f32_nt_128x128x16; with the types of A, B and C where these differ.
static std::string kernelName(ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  std::string a = wordOf(elementOf(op.getMatrixA())), b = wordOf(elementOf(op.getMatrixB())),
              c = wordOf(elementOf(op.getMatrixC()));
  std::string name = op->getName().stripDialect().str();
  name += a != c || b != c ? "_" + a + "_" + b + "_" + c : "_" + c;
  llvm::raw_string_ostream(name) << '_' << stringifyTranspose(op.getTransposeA())
                                 << stringifyTranspose(op.getTransposeB()) << '_' << plan->macroM
                                 << 'x' << plan->macroN << 'x' << plan->macroK;
  if (op.getTriangleAttr())
    name += "_" + stringifyStructure(op.getStructureC()).str();
  if (op.getPartial())
    name += "_partial";
  if (op.hasEpilogue())
    name += "_epilogue";
  return name;
}

/// Descriptors of the operands whose tiles are copied whole, after the test of their pointers.
static void addDescriptors(OpBuilder &builder, ProductOpInterface op, KernelInterface &interface) {
  PlanAttr plan = op.getPlanAttr();
  auto module = op->getParentOfType<ModuleOp>();
  auto copiesWhole = [](const PathData &path) { return path.copy == Copy::Tensor; };
  if (copiesWhole(plan->a) || copiesWhole(plan->b))
    interface.testAlignment(builder, module);
  for (auto [role, path, matrix] : {std::tuple(Role::A, plan->a, op.getMatrixA()),
                                    std::tuple(Role::B, plan->b, op.getMatrixB())}) {
    if (!copiesWhole(path))
      continue;
    bool toTf32 = plan->instruction && plan->instruction->isOfTf32();
    TensorBox box = tensorBoxOf(op, role == Role::A);
    DescribedMatrix described = describeMatrix(builder, module, matrix, box, toTf32);
    ArrayRef<int64_t> stated(box);
    interface.addDescriptor(role, described.descriptor, described.isMade,
                            box[2] == 0 ? stated.drop_back() : stated);
  }
}

static KernelInterface interfaceOf(OpBuilder &builder, ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  KernelInterface interface;
  GivenAttr given = op.getGivenAttr();
  auto add = [&](Role role, int operand, Value matrix, int64_t vector) {
    bool known = given && given.getVector(operand) >= vector &&
                 (vector > 1 || componentsOf(elementOf(matrix)) == 1);
    interface.addMatrix(builder, {role, matrix}, vector * elementBytes(elementOf(matrix)), known);
  };
  interface.setSlices(op.getPartial());
  interface.setNames(op);
  add(Role::A, 0, op.getMatrixA(), plan->a.vector);
  add(Role::B, 1, op.getMatrixB(), plan->b.vector);
  add(Role::C, 2, op.getMatrixC(), accessVectorOfC(op));
  interface.addScalar(builder, {Role::Alpha, op.getAlpha()});
  interface.addScalar(builder, {Role::Beta, op.getBeta()});
  addExtras(builder, op, accessVectorOfC(op), interface);
  addDescriptors(builder, op, interface);
  return interface;
}

ProductKernel::ProductKernel(OpBuilder &builder, ProductOpInterface op,
                             const KernelInterface::Arguments &arguments)
    : arguments(arguments), a(arguments.matrix(Role::A)), b(arguments.matrix(Role::B)),
      c(arguments.matrix(Role::C)), alpha(arguments.scalar(Role::Alpha)),
      beta(arguments.scalar(Role::Beta)) {
  auto size = [&](int64_t known, const KernelInterface::Matrix &matrix, int dim) {
    return ShapedType::isDynamic(known) ? matrix.sizes[matrix.sizes.size() - 2 + dim]
                                        : OpFoldResult(builder.getIndexAttr(known));
  };
  m = size(op.getM(), c, 0);
  n = size(op.getN(), c, 1);
  k = size(op.getK(), a, isTransposed(op.getTransposeA()) ? 0 : 1);
}

static KernelShape shapeOf(ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  KernelShape shape;
  shape.name = kernelName(op);
  shape.tile = {plan->macroM, plan->macroN};
  shape.workgroup = plan->threads();
  shape.sharedBytes = sharedBytesOf(op);
  shape.residency = plan->residency;
  shape.splits = plan->splits, shape.matrices = plan->matrices;
  shape.cluster = plan->reduction == Reduction::Cluster ? plan->splits : 1;
  shape.structure = op.getStructureC();
  return shape;
}

LogicalResult rooftile::macroTile(ProductOpInterface op, ModuleOp module) {
  if (failed(checkPointers(
          op, {{"A", op.getMatrixA()}, {"B", op.getMatrixB()}, {"C", op.getMatrixC()}})))
    return failure();
  if (userKernelOf(op))
    return launchUserKernel(op, module);
  if (failed(checkMacroTile(op, module)))
    return failure();
  OpBuilder builder(op);
  KernelInterface interface = interfaceOf(builder, op);
  gpu::GPUFuncOp kernel = createKernel(module, op.getLoc(), interface, shapeOf(op));
  kernel->setAttr(BlasDialect::kKernelPlanName, op.getPlanAttr());
  OpBuilder inside = OpBuilder::atBlockBegin(&kernel.getBody().front());
  emitTileProgram(inside, op, interface.unpack(inside, kernel.getArguments()));
  createLaunch(builder, kernel, interface, op.getMatrixC(), op.getPartial());
  op.erase();
  return success();
}

static LogicalResult lower(Operation *op, ModuleOp module) {
  if (auto product = dyn_cast<ProductOpInterface>(op))
    return macroTile(product, module);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return macroTile(reduce, module);
  if (auto pack = dyn_cast<PackOp>(op))
    return macroTile(pack, module);
  return triangularKernel(cast<TriangularOpInterface>(op), module);
}

/// A batch by pointers is no memory that others could read or write.
static LogicalResult checkUses(BatchOp batch) {
  for (Operation *user : batch->getUsers())
    if (!isa<ProductOpInterface, TriangularOpInterface, memref::DimOp,
             memref::ExtractStridedMetadataOp>(user))
      return user->emitOpError("uses a batch by pointers, ")
             << batch.getMatrices().getType() << ": blas.gemm, trmm and trsm alone do";
  return success();
}

/// Nor are complex elements as real ones: nothing is left of the view after this pass.
static LogicalResult checkUses(AsRealOp reals) {
  for (Operation *user : reals->getUsers())
    if (!isa<ProductOpInterface, PackOp, memref::DimOp>(user))
      return user->emitOpError("uses complex elements as real ones, ")
             << reals.getResult().getType() << ": blas.gemm and blas.pack alone do";
  return success();
}

namespace {
struct MacroTilePass : rooftile::impl::MacroTileBase<MacroTilePass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    WalkResult views = getOperation().walk([](Operation *op) {
      if (auto batch = dyn_cast<BatchOp>(op))
        return WalkResult(checkUses(batch));
      auto reals = dyn_cast<AsRealOp>(op);
      return reals ? WalkResult(checkUses(reals)) : WalkResult::advance();
    });
    if (views.wasInterrupted())
      return signalPassFailure();
    getOperation().walk([&](Operation *op) {
      if (isa<Level3OpInterface, ReduceOp, PackOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      LDBG() << op->getName() << " at " << op->getLoc();
      if (failed(lower(op, getOperation())))
        return signalPassFailure();
      ++numOperations;
    }
    testBeforeParts(getOperation());
  }
};
} // namespace
