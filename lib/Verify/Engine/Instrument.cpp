//===- Instrument.cpp - Calls around every blas operation -----------------===//
//
//   blas.gemm ins(%a, %b : ...) outs(%c : ...) alpha(%alpha : f32)
// becomes
//   func.call @rooftileBefore0(%id, %a, %b, %c, %alpha, %zero)
//   blas.gemm ...
//   func.call @rooftileAfter0(%id, %a, %b, %c, %alpha, %zero)
//
// (and @rooftileExtra0x0(%id, %index, %bias) in front for the extra operands of an epilogue)
// where each function passes its memrefs on to a callback, unranked. (A cast to an unranked memref
// uses stack until its function returns: in a loop of the user's function it would run out.)
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Planning/Search/Explain.h"
#include "rooftile/Verify/Model/OperationModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;
using mlir::Operation;

/// "main.mlir:3:5"
static std::string locationText(Location location) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    stream << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn();
  else
    stream << location;
  return text;
}

/// `matrix` as a callback accepts it: a batch by pointers as its array of addresses, with the sizes
/// and strides of its matrices.
static Value passable(OpBuilder &builder, Value matrix) {
  auto batch = matrix.getDefiningOp<blas::BatchOp>();
  if (!batch)
    return matrix;
  Location loc = matrix.getLoc();
  OpFoldResult zero = builder.getIndexAttr(0);
  SmallVector<OpFoldResult> sizes{memref::getMixedSize(builder, loc, batch.getPointers(), 0),
                                  batch.getSize(1), batch.getSize(2)};
  SmallVector<OpFoldResult> strides{zero, batch.getStride(1), batch.getStride(2)};
  return memref::ReinterpretCastOp::create(builder, loc, batch.getPointers(), zero, sizes, strides);
}

/// Declares a callback once.
static void declareCallback(ModuleOp module, StringRef name, FunctionType type) {
  if (module.lookupSymbol(name))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function = func::FuncOp::create(builder, module.getLoc(), name, type);
  function.setPrivate();
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
}

/// Real and imaginary component of a scalar, or of `value` where it is null, in f64.
static void appendScalar(OpBuilder &builder, Location loc, Value scalar, double value,
                         SmallVectorImpl<Value> &parts) {
  Type f64 = builder.getF64Type();
  auto wide = [&](Value part) -> Value {
    return part.getType() == f64 ? part : arith::ExtFOp::create(builder, loc, f64, part);
  };
  Value zero = arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(0));
  if (!scalar) {
    parts.push_back(arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value)));
    parts.push_back(zero);
  } else if (isa<ComplexType>(scalar.getType())) {
    parts.push_back(wide(complex::ReOp::create(builder, loc, scalar)));
    parts.push_back(wide(complex::ImOp::create(builder, loc, scalar)));
  } else {
    parts.push_back(wide(scalar));
    parts.push_back(zero);
  }
}

/// A private function `name` of `type` that passes its arguments on to `callback`.
static void createForwarder(ModuleOp module, StringRef name, StringRef callback,
                            FunctionType type) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  auto function = func::FuncOp::create(builder, loc, name, type);
  function.setPrivate();
  builder.setInsertionPointToStart(function.addEntryBlock());
  SmallVector<Value> arguments;
  for (Value argument : function.getArguments()) {
    if (auto memref = dyn_cast<MemRefType>(argument.getType())) {
      auto unranked = UnrankedMemRefType::get(memref.getElementType(), memref.getMemorySpace());
      argument = memref::CastOp::create(builder, loc, unranked, argument);
    }
    arguments.push_back(argument);
  }
  declareCallback(module, callback, builder.getFunctionType(TypeRange(ValueRange(arguments)), {}));
  func::CallOp::create(builder, loc, callback, TypeRange{}, arguments);
  func::ReturnOp::create(builder, loc);
}

/// Calls that announce the extra operands of an epilogue.
static void announceExtras(OpBuilder &builder, ModuleOp module, blas::EpilogueOpInterface op,
                           int64_t id) {
  Location loc = op.getLoc();
  for (auto [index, extra] : llvm::enumerate(op.getExtras())) {
    Value number = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(index));
    SmallVector<Value> arguments{
        arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(id)), number};
    if (isa<MemRefType>(extra.getType()))
      arguments.push_back(extra);
    else
      appendScalar(builder, loc, extra, 0, arguments);
    std::string place = std::to_string(id) + "x" + std::to_string(index);
    createForwarder(module, "rooftileExtra" + place, "rooftileExtraSite" + place,
                    builder.getFunctionType(TypeRange(ValueRange(arguments)), {}));
    func::CallOp::create(builder, loc, "rooftileExtra" + place, TypeRange{}, arguments);
  }
}

/// Puts the two calls around one operation.
static void surround(ModuleOp module, mlir::Operation *op, int64_t id) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto extended = dyn_cast<blas::EpilogueOpInterface>(op))
    announceExtras(builder, module, extended, id);
  Value number = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(id));
  OperationValues operands = modelOf(op)->operandsOf(op);
  SmallVector<Value> arguments{number};
  for (Value matrix : {operands.a, operands.b, operands.c})
    arguments.push_back(passable(builder, matrix));
  appendScalar(builder, loc, operands.alpha, 1, arguments);
  appendScalar(builder, loc, operands.beta, 0, arguments);
  FunctionType signature = builder.getFunctionType(TypeRange(ValueRange(arguments)), {});
  for (std::string when : {"rooftileBefore", "rooftileAfter"}) {
    std::string name = when + std::to_string(id);
    createForwarder(module, name, when + "Site" + std::to_string(id), signature);
    func::CallOp::create(builder, loc, name, TypeRange{}, arguments);
    builder.setInsertionPointAfter(op);
  }
}

/// The site whose calls are around `op`: it is that operation, or what passes have made of it.
static std::optional<int64_t> siteAround(mlir::Operation *op) {
  for (; op && !isa<func::FuncOp>(op); op = op->getParentOp())
    for (mlir::Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
      auto call = dyn_cast<func::CallOp>(before);
      if (call && call.getCallee().starts_with("rooftileAfter"))
        break;
      int64_t id;
      StringRef name = call ? call.getCallee() : StringRef();
      if (name.consume_front("rooftileBefore") && !name.getAsInteger(10, id))
        return id;
    }
  return std::nullopt;
}

/// The names that instrumented code and the runtime call are not the user's.
static LogicalResult checkNames(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getName().starts_with("rooftile") || function.getName().starts_with("mgpu") ||
        function.getName() == "memrefCopy")
      return function.emitOpError("cannot be run: memrefCopy and names that begin with rooftile or "
                                  "mgpu are taken by the runtime");
  return success();
}

LogicalResult rooftile::verify::exposeFunctions(ModuleOp module) {
  module.getContext()->loadDialect<LLVM::LLVMDialect>();
  auto wrapper = UnitAttr::get(module.getContext());
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), wrapper);
  return checkNames(module);
}

LogicalResult rooftile::verify::instrument(ModuleOp module, std::vector<Site> &sites) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, complex::ComplexDialect, LLVM::LLVMDialect,
                    memref::MemRefDialect>();
  WalkResult walk = module.walk([&](mlir::Operation *op) {
    auto function = op->getParentOfType<func::FuncOp>();
    const OperationModel *model = modelOf(op);
    if (!model || !function || function->getParentOp() != module ||
        isa<TensorType>(model->operandsOf(op).c.getType()))
      return WalkResult::advance();
    if (std::optional<int64_t> known = siteAround(op)) {
      if (sites[*known].model == model)
        model->addPlan(op, sites[*known]);
      return WalkResult::advance();
    }
    FailureOr<Site> site = model->describe(op);
    if (failed(site))
      return WalkResult::interrupt();
    site->model = model;
    site->location = locationText(op->getLoc());
    site->function = function.getName().str();
    site->index =
        llvm::count_if(sites, [&](const Site &other) { return other.function == site->function; });
    surround(module, op, sites.size());
    sites.push_back(*site);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Compiled code reports which plans run
//===----------------------------------------------------------------------===//

/// The plan as tile-select names it, and the widths in which A and B are read, which distinguish
/// the plans of a set apart: "128x128x16, micro 8x8, leap-frog, accesses of 4 and 1".
static std::string textOf(blas::PlanAttr plan) {
  return llvm::formatv("{0}, accesses of {1} and {2}", planning::shortForm(*plan), plan->a.vector,
                       plan->b.vector);
}

/// The plan that runs for `op`, or the one block of a triangular operation.
static std::optional<RunPlan> runPlanOf(Operation *op) {
  auto level3 = dyn_cast<blas::Level3OpInterface>(op);
  Attribute stated = level3 ? level3.getAnyPlan() : Attribute();
  if (auto plan = dyn_cast_or_null<blas::PlanAttr>(stated))
    return RunPlan{textOf(plan), plan->macroM, plan->macroN, plan->splits,
                   plan->reduction == blas::Reduction::Workspace ? plan->splits : 1};
  if (isa_and_nonnull<blas::BlocksAttr>(stated))
    return RunPlan{"one block"};
  return std::nullopt;
}

void rooftile::verify::markPlans(ModuleOp module, std::vector<RunPlan> &plans) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (runPlanOf(op) && op->getParentOfType<func::FuncOp>())
      ops.push_back(op);
  });
  OpBuilder builder(module.getContext());
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    Value number =
        arith::ConstantOp::create(builder, op->getLoc(), builder.getI64IntegerAttr(plans.size()));
    plans.push_back(*runPlanOf(op));
    declareCallback(module, "rooftileRuns", builder.getFunctionType(number.getType(), {}));
    func::CallOp::create(builder, op->getLoc(), "rooftileRuns", TypeRange{}, number);
  }
}

Roofline rooftile::verify::rooflineOf(ModuleOp module) {
  Roofline roofline;
  auto target = module->getAttrOfType<blas::TargetAttr>(blas::BlasDialect::kTargetName);
  if (!target)
    return roofline;
  double clocks = double(target->units) * target->clockMHz * 1e6;
  roofline.chip = target->chip;
  roofline.flopsF32 = 2 * target->fmaF32PerClock * clocks;
  roofline.flopsF64 = 2 * target->fmaF64PerClock * clocks;
  for (const blas::InstructionRate &rate : target->instructions)
    if (rate.instruction->factors.name == "f64")
      roofline.flopsF64 = std::max(roofline.flopsF64, 1e9 * rate.gflops);
  roofline.readBytes = target->dramReadGBps * 1e9;
  roofline.writeBytes = target->dramWriteGBps * 1e9;
  return roofline;
}
