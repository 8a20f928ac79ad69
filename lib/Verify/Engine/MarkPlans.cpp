//===- MarkPlans.cpp - Compiled code tells which plans run ----------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Verify/Engine/Instrument.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

void rooftile::verify::declareCallback(ModuleOp module, StringRef name, FunctionType type) {
  if (module.lookupSymbol(name))
    return;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto function = func::FuncOp::create(builder, module.getLoc(), name, type);
  function.setPrivate();
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), builder.getUnitAttr());
}

/// "128x128x16 micro 8x8 m16n8k8_f64 slicedK 2 vector 4 load 4+4/4+0 stages 2"; multiply-adds, and
/// one group, go without saying.
static std::string shortForm(blas::PlanAttr plan) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleave(plan.getMacro(), stream, "x");
  stream << " micro ";
  llvm::interleave(plan.getMicro(), stream, "x");
  if (plan.getInstruction())
    stream << ' ' << plan.getMma();
  if (plan.getSlicedK() > 1)
    stream << " slicedK " << plan.getSlicedK();
  stream << " vector " << plan.getVector() << " load " << plan.getA().getVector() << '+'
         << plan.getA().getPad() << '/' << plan.getB().getVector() << '+' << plan.getB().getPad()
         << " stages " << plan.getStages();
  return text;
}

/// What runs where `op` stands: a plan, or the one block of a triangular operation.
static std::optional<RunPlan> runPlanOf(Operation *op) {
  if (auto gemm = dyn_cast<blas::GemmOp>(op); gemm && gemm.getPlanAttr()) {
    blas::PlanAttr plan = gemm.getPlanAttr();
    return RunPlan{shortForm(plan), plan.getMacro()[0], plan.getMacro()[1]};
  }
  auto level3 = dyn_cast<blas::Level3OpInterface>(op);
  if (level3 && isa_and_nonnull<blas::BlocksAttr>(level3.getPlanAttr()))
    return RunPlan{"one block", 1, 1};
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
  double clocks = double(target.getUnits()) * target.getClockMHz() * 1e6;
  roofline.chip = target.getChip().str();
  roofline.flopsF32 = 2 * target.getFmaF32PerClock() * clocks;
  roofline.flopsF64 = 2 * target.getFmaF64PerClock() * clocks;
  for (blas::InstructionRateAttr rate : target.getInstructions())
    if (tile::findInstruction(rate.getName())->type == "f64")
      roofline.flopsF64 = std::max(roofline.flopsF64, 1e9 * rate.getGflops());
  roofline.readBytes = target.getDramReadGBps() * 1e9;
  roofline.writeBytes = target.getDramWriteGBps() * 1e9;
  return roofline;
}
