//===- ReportLeftovers.cpp - Operations that were not lowered -------------===//

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "rooftile/Conversion/OtherOps/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_REPORTLEFTOVERS
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

static constexpr StringLiteral kCategory = "report-leftovers";

/// A conversion that nothing but `op` needs follows from `op`.
static bool isLowered(Operation *op) {
  return isa<UnrealizedConversionCastOp, gpu::LaunchFuncOp>(op) ||
         isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect());
}

static void report(Operation *op, StringRef function) {
  auto options = remark::RemarkOpts::name("left").category(kCategory).function(function);
  if (auto remark = remark::missed(op->getLoc(), options)) {
    remark << remark::metric("operation", op->getName().getStringRef());
    return;
  }
  emitRemark(op->getLoc()) << "'" << op->getName()
                           << "' is left as it is: no pass of this pipeline lowers it";
}

namespace {
struct ReportLeftoversPass : rooftile::impl::ReportLeftoversBase<ReportLeftoversPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (!isa<LLVM::LLVMFuncOp>(function) && function->getName().getDialectNamespace() != "func")
        continue; // code of others, such as transform scripts
      llvm::DenseSet<OperationName> named;
      function.walk([&](Operation *op) {
        if (op != function.getOperation() && !isLowered(op) && named.insert(op->getName()).second)
          report(op, function.getName());
      });
    }
    markAllAnalysesPreserved();
  }
};
} // namespace
