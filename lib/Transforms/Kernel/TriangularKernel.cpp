//===- TriangularKernel.cpp - One block of a triangle as a kernel ---------===//
//
// The kernel and its launch; what its threads do is in Thread/TriangularProgram.cpp. There is no
// tile program between.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Kernel/TriangularKernel.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"
#include "rooftile/Transforms/Thread/TriangularProgram.h"
#include "rooftile/Transforms/Thread/TriangularStage.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static bool isLeft(TriangularOpInterface op) { return op.getSide() == Side::Left; }

static Type elementOf(Value matrix) { return cast<MemRefType>(matrix.getType()).getElementType(); }

/// trsm_f32_left_lower_n; of a real A and complex B trsm_f32_c64_left_lower_n.
static std::string kernelName(TriangularOpInterface op) {
  std::string name;
  llvm::raw_string_ostream out(name);
  out << (isa<TrsmOp>(op) ? "trsm_" : "trmm_");
  if (Type a = elementOf(op.getA()); a != elementOf(op.getC()))
    out << wordOf(a) << '_';
  out << wordOf(elementOf(op.getC())) << '_' << stringifySide(op.getSide()) << '_'
      << stringifyUplo(op.getUplo()) << '_' << stringifyTranspose(op.getOpA())
      << (op.getDiag() == Diag::Unit ? "_unit" : "")
      << (op.getPlanAttr()->workgroupVectors > 0 ? "_sweep" : "");
  return name;
}

LogicalResult rooftile::triangularKernel(TriangularOpInterface op, ModuleOp module) {
  if (failed(checkTriangularKernel(op, module)))
    return failure();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  int64_t bytes = elementBytes(elementOf(op.getC()));
  KernelInterface interface;
  interface.addMatrix(builder, {Role::A, op.getA()}, elementBytes(elementOf(op.getA())));
  if (op.getB())
    interface.addMatrix(builder, {Role::B, op.getB()}, bytes);
  interface.addMatrix(builder, {Role::C, op.getC()}, bytes);
  interface.addScalar(builder, {Role::Alpha, op.getAlpha()});

  // A workgroup has all of its vectors, however long.
  int64_t workgroup = op.getPlanAttr()->workgroup, whole = std::numeric_limits<int64_t>::max();
  int64_t vectors = vectorsOfWorkgroup(op);
  KernelShape shape;
  shape.name = kernelName(op);
  shape.tile = {isLeft(op) ? whole : vectors, isLeft(op) ? vectors : whole};
  shape.workgroup = workgroup;
  shape.matrices = op.getPlanAttr()->matrices;
  shape.sharedBytes = sharedBytesOf(op);
  gpu::GPUFuncOp kernel = createKernel(module, loc, interface, shape);
  kernel->setAttr(BlasDialect::kKernelPlanName,
                  BlocksAttr::get(op->getContext(), op.getPlanAttr()->ofBlock()));
  OpBuilder inside = OpBuilder::atBlockBegin(&kernel.getBody().front());
  KernelInterface::Arguments arguments = interface.unpack(inside, kernel.getArguments());
  auto view = [&](Role role, Transpose transpose, Value batch) {
    return viewMatrix(inside, loc, arguments.matrix(role), transpose, batch);
  };
  emitTriangularProgram(inside, op,
                        {view, arguments.scalar(Role::Alpha), arguments.matrix(Role::C).sizes});
  createLaunch(builder, kernel, interface, op.getC());
  op->erase();
  return success();
}
