//===- LoopsPipeline.cpp - Functions by upstream passes alone -------------===//

#include "LoopsPipeline.h"
#include "NarrowFloats.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MLProgram/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace rooftile::run;

void rooftile::run::registerLoops(DialectRegistry &registry) {
  registry.insert<ml_program::MLProgramDialect>();
  ml_program::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
}

/// The reference must not come from what it is a reference for.
static LogicalResult refuseBlas(ModuleOp module) {
  WalkResult walk = module.walk([](mlir::Operation *op) {
    if (op->getName().getDialectNamespace() != "blas")
      return WalkResult::advance();
    op->emitError("upstream passes cannot lower '")
        << op->getName() << "': --against=loops takes modules of upstream dialects";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Operations that upstream decomposes into others, but by no pass of its own.
static LogicalResult decompose(ModuleOp module) {
  SmallVector<mlir::Operation *> ops;
  module.walk([&](mlir::Operation *op) {
    if (isa<linalg::PackOp, linalg::UnPackOp, linalg::SoftmaxOp>(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (mlir::Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (op->getNumResults() == 0)
      return op->emitError("upstream passes decompose this operation on tensors only");
    if (auto pack = dyn_cast<linalg::PackOp>(op)) {
      if (failed(linalg::lowerPack(rewriter, pack)))
        return op->emitError("cannot be decomposed by upstream passes");
    } else if (auto unpack = dyn_cast<linalg::UnPackOp>(op)) {
      if (failed(linalg::lowerUnPack(rewriter, unpack)))
        return op->emitError("cannot be decomposed by upstream passes");
    } else {
      auto parts = cast<linalg::SoftmaxOp>(op).decomposeOperation(rewriter);
      if (failed(parts))
        return op->emitError("cannot be decomposed by upstream passes");
      rewriter.replaceOp(op, *parts);
    }
  }
  return success();
}

/// Tensors to memrefs, every operation of linalg still whole.
static void buildBuffers(OpPassManager &pm) {
  pm.nest<func::FuncOp>().addPass(createConvertElementwiseToLinalgPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  pm.addPass(createCanonicalizerPass());
}

/// Memrefs to loops.
static void buildLoops(OpPassManager &pm) {
  auto &functions = pm.nest<func::FuncOp>();
  functions.addPass(createConvertLinalgToLoopsPass());
  functions.addPass(createForallToForLoopPass());
  functions.addPass(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
}

/// Loops to LLVM.
static void buildHost(OpPassManager &pm) {
  pm.addPass(createConvertComplexToStandardPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true; // hosts round to bf16 by a function that C libraries lack
  pm.addPass(arith::createArithExpandOpsPass(expand));
  // First what LLVM has an intrinsic for, then what is left from the C library (erf, ...).
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

FailureOr<std::unique_ptr<Program>> rooftile::run::compileLoops(ModuleOp module) {
  auto program = std::make_unique<Program>();
  if (failed(refuseBlas(module)) || failed(exposeFunctions(module)) || failed(decompose(module)) ||
      failed(runPasses(module, buildBuffers)) || failed(readFunctions(module, *program)) ||
      failed(runPasses(module, buildLoops)) || failed(callNarrowFloats(module)) ||
      failed(runPasses(module, buildHost)) || failed(loadProgram(module, *program)))
    return failure();
  return program;
}
