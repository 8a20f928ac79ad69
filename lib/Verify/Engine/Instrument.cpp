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
// takes stack until its function returns: in a loop of the user's function it would run out.)
//
//===----------------------------------------------------------------------===//

#include "rooftile/Verify/Engine/Instrument.h"
#include "rooftile/Dialect/Blas/Blas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

/// A, B, C, alpha and beta, null where the operation has none; in place B is C. A sum has W for A
/// and B, a copy A for both and W for C.
static SmallVector<Value> operandsOf(mlir::Operation *op) {
  if (auto reduce = dyn_cast<blas::ReduceOp>(op))
    return {reduce.getW(), reduce.getW(), reduce.getC(), reduce.getAlpha(), reduce.getBeta()};
  if (auto pack = dyn_cast<blas::PackOp>(op))
    return {pack.getA(), pack.getA(), pack.getW(), Value(), Value()};
  auto matrices = cast<blas::Level3OpInterface>(op);
  SmallVector<Value> operands{matrices.getMatrixA(), matrices.getMatrixB(), matrices.getMatrixC()};
  if (auto gemm = dyn_cast<blas::GemmOp>(op))
    operands.append({gemm.getAlpha(), gemm.getBeta()});
  else
    operands.append({cast<blas::TriangularOpInterface>(op).getAlpha(), Value()});
  return operands;
}

/// Real and imaginary part of a scalar, or of `value` where there is none, in f64.
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
  if (auto gemm = dyn_cast<blas::GemmOp>(op))
    announceExtras(builder, module, gemm, id);
  Value number = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(id));
  SmallVector<Value> operands = operandsOf(op), arguments{number};
  for (Value matrix : ArrayRef(operands).take_front(3))
    arguments.push_back(passable(builder, matrix));
  appendScalar(builder, loc, operands[3], 1, arguments);
  appendScalar(builder, loc, operands[4], 0, arguments);
  FunctionType signature = builder.getFunctionType(TypeRange(ValueRange(arguments)), {});
  for (std::string when : {"rooftileBefore", "rooftileAfter"}) {
    std::string name = when + std::to_string(id);
    createForwarder(module, name, when + "Site" + std::to_string(id), signature);
    func::CallOp::create(builder, loc, name, TypeRange{}, arguments);
    builder.setInsertionPointAfter(op);
  }
}

/// The last operation in front of `op` that does something: folding may put views between them.
static mlir::Operation *lastEffect(mlir::Operation *op) {
  do
    op = op->getPrevNode();
  while (op && isMemoryEffectFree(op));
  return op;
}

/// The id of a call that comes before an operation; nothing for any other operation.
static std::optional<int64_t> idOf(mlir::Operation *op) {
  auto call = dyn_cast_or_null<func::CallOp>(op);
  IntegerAttr id;
  if (!call || !call.getCallee().starts_with("rooftileBefore") ||
      !matchPattern(call.getOperand(0), m_Constant(&id)))
    return std::nullopt;
  return id.getInt();
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
    if (!isa<blas::Level3OpInterface, blas::ReduceOp, blas::PackOp>(op) || !function ||
        function->getParentOp() != module || isa<TensorType>(operandsOf(op)[2].getType()) ||
        idOf(lastEffect(op)))
      return WalkResult::advance();
    FailureOr<Site> site = describeSite(op);
    if (failed(site))
      return WalkResult::interrupt();
    site->function = function.getName().str();
    site->index =
        llvm::count_if(sites, [&](const Site &other) { return other.function == site->function; });
    surround(module, op, sites.size());
    sites.push_back(*site);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
