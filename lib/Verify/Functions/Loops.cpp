//===- Loops.cpp - Functions by upstream passes alone ---------------------===//

#include "Loops.h"
#include "Engine/Instrument.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Transforms/Passes.h"
#include "rooftile/Verify/Functions/Against.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MLProgram/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace rooftile::verify;

//===----------------------------------------------------------------------===//
// Floats of at most 8 bits as calls
//===----------------------------------------------------------------------===//

static bool isNarrow(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

/// Declares a function of the tool once, and calls it.
static Value callTool(OpBuilder &builder, ModuleOp module, Location loc, StringRef name,
                      Type result, ValueRange arguments) {
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = builder.getFunctionType(TypeRange(arguments), result);
    func::FuncOp::create(builder, module.getLoc(), name, type).setPrivate();
  }
  return func::CallOp::create(builder, loc, name, result, arguments).getResult(0);
}

/// Values of a format for the functions above.
static Value formatOf(OpBuilder &builder, Location loc, Type type) {
  auto format = llvm::APFloat::SemanticsToEnum(cast<FloatType>(type).getFloatSemantics());
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(format));
}

static void replaceWiden(ModuleOp module, arith::ExtFOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type narrowType = op.getIn().getType();
  Type word = builder.getIntegerType(narrowType.getIntOrFloatBitWidth());
  Value bits = arith::BitcastOp::create(builder, loc, word, op.getIn());
  bits = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), bits);
  Value wide = callTool(builder, module, loc, "loopsWiden", builder.getF32Type(),
                        {formatOf(builder, loc, narrowType), bits});
  if (op.getType().isF64())
    wide = arith::ExtFOp::create(builder, loc, op.getType(), wide);
  else if (!op.getType().isF32())
    wide = arith::TruncFOp::create(builder, loc, op.getType(), wide); // exact
  op.replaceAllUsesWith(wide);
  op.erase();
}

static LogicalResult replaceNarrow(ModuleOp module, arith::TruncFOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value number = op.getIn();
  if (number.getType().isF64())
    return op.emitError("upstream loops cannot round f64 to ") << op.getType() << " at once";
  if (!number.getType().isF32())
    number = arith::ExtFOp::create(builder, loc, builder.getF32Type(), number);
  Value bits = callTool(builder, module, loc, "loopsNarrow", builder.getI32Type(),
                        {formatOf(builder, loc, op.getType()), number});
  Type word = builder.getIntegerType(op.getType().getIntOrFloatBitWidth());
  bits = arith::TruncIOp::create(builder, loc, word, bits);
  op.replaceAllUsesWith(arith::BitcastOp::create(builder, loc, op.getType(), bits).getResult());
  op.erase();
  return success();
}

/// Replaces arithmetic on such floats by that of f32 between two conversions.
static void computeInF32(mlir::Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Type f32 = builder.getF32Type();
  for (OpOperand &operand : op->getOpOperands())
    if (isNarrow(operand.get().getType()))
      operand.set(arith::ExtFOp::create(builder, loc, f32, operand.get()));
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type narrow = result.getType();
    if (!isNarrow(narrow))
      continue;
    result.setType(f32);
    auto rounded = arith::TruncFOp::create(builder, loc, narrow, result);
    result.replaceAllUsesExcept(rounded, rounded);
  }
}

/// Whether the operation computes with such floats, and does not only convert, choose or move them.
static bool computesWithNarrowFloats(mlir::Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         !isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, arith::SelectOp, arith::ConstantOp>(
             op) &&
         (llvm::any_of(op->getOperandTypes(), isNarrow) ||
          llvm::any_of(op->getResultTypes(), isNarrow));
}

/// Replaces every scalar arith.extf from, and arith.truncf to, a float of at most 8 bits, for which
/// LLVM has no type, by a call of this tool, which converts by LLVM's APFloat:
///
///   %w = arith.extf %x : f8E4M3FN to f32
/// becomes
///   %b = arith.bitcast %x : f8E4M3FN to i8
///   %i = arith.extui %b : i8 to i32
///   %w = func.call @loopsWiden(%format, %i) : (i32, i32) -> f32
/// Conversions with a scale are two of these and a product, or a quotient.
static LogicalResult callNarrowFloats(ModuleOp module) {
  RewritePatternSet scaling(module.getContext());
  arith::populateExpandScalingExtTruncPatterns(scaling);
  walkAndApplyPatterns(module, std::move(scaling));
  module.walk([](mlir::Operation *op) {
    if (computesWithNarrowFloats(op))
      computeInF32(op);
  });
  WalkResult walk = module.walk([&](mlir::Operation *op) {
    if (auto wide = dyn_cast<arith::ExtFOp>(op); wide && isNarrow(wide.getIn().getType()))
      replaceWiden(module, wide);
    else if (auto rounded = dyn_cast<arith::TruncFOp>(op); rounded && isNarrow(rounded.getType()))
      return failed(replaceNarrow(module, rounded)) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// The pipeline of passes
//===----------------------------------------------------------------------===//

void rooftile::verify::registerLoops(DialectRegistry &registry) {
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
        << op->getName() << "': --against=loops needs modules of upstream dialects";
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
  pm.addPass(rooftile::createHostTypes()); // upstream's host code supports no global memory by name
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
  rooftile::addReshapes(pm); // what upstream's pass for them does not survive is ours
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

FailureOr<std::unique_ptr<Program>> rooftile::verify::compileLoops(ModuleOp module) {
  auto program = std::make_unique<Program>();
  if (failed(refuseBlas(module)) || failed(exposeFunctions(module)) || failed(decompose(module)) ||
      failed(runPasses(module, buildBuffers)) || failed(readFunctions(module, *program)) ||
      failed(runPasses(module, buildLoops)) || failed(callNarrowFloats(module)) ||
      failed(runPasses(module, buildHost)) || failed(loadProgram(module, *program)))
    return failure();
  return program;
}
