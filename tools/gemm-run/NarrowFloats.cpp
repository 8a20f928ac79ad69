//===- NarrowFloats.cpp - Floats of at most 8 bits as calls ---------------===//

#include "NarrowFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

/// A number in the bits of the format with this number.
static float widen(int32_t format, int32_t bits) {
  const llvm::fltSemantics &semantics =
      llvm::APFloat::EnumToSemantics(llvm::APFloat::Semantics(format));
  unsigned width = llvm::APFloat::getSizeInBits(semantics);
  llvm::APFloat value(semantics, llvm::APInt(width, uint32_t(bits), false, true));
  bool inexact;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToFloat();
}

/// The bits of a number in that format, rounded to nearest.
static int32_t narrow(int32_t format, float number) {
  const llvm::fltSemantics &semantics =
      llvm::APFloat::EnumToSemantics(llvm::APFloat::Semantics(format));
  llvm::APFloat value(number);
  bool inexact;
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.bitcastToAPInt().getZExtValue();
}

std::vector<std::pair<std::string, void *>> rooftile::run::narrowFloatSymbols() {
  return {{"loopsWiden", reinterpret_cast<void *>(widen)},
          {"loopsNarrow", reinterpret_cast<void *>(narrow)}};
}

static bool isNarrow(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

/// Declares a function of the tool if it is not there yet, and calls it.
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

/// What numbers a format for the functions above.
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

LogicalResult rooftile::run::callNarrowFloats(ModuleOp module) {
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
