//===- CComplex.cpp - Complex values as C passes them ---------------------===//
//
// MLIR passes complex<f32> as a struct of two floats, of which LLVM makes two arguments. C passes
// `float _Complex` so on AArch64; on x86-64 both components are in one register (System V
// ABI, 3.2.3), for which LLVM's type is a vector. `double _Complex` is two registers everywhere.
// The functions of the C interface, `_mlir_ciface_`, have the arguments and results of C: those
// that are defined here, and those of others that are called.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "rooftile/Conversion/OtherOps/Passes.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_CCOMPLEX
#include "rooftile/Conversion/OtherOps/Passes.h.inc"
} // namespace rooftile

static constexpr StringLiteral kInterface = "_mlir_ciface_";

/// Type that C passes for `type`, which may be `type` itself.
static Type passed(Type type) {
  auto pair = dyn_cast<LLVM::LLVMStructType>(type);
  bool isComplex = pair && pair.getBody().size() == 2 && !pair.isPacked() &&
                   pair.getBody()[0].isF32() && pair.getBody()[1].isF32();
  return isComplex ? VectorType::get({2}, pair.getBody()[0]) : type;
}

static Value toVector(OpBuilder &builder, Location loc, Value pair) {
  Type type = passed(pair.getType());
  if (type == pair.getType())
    return pair;
  Value vector = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t part : {0, 1}) {
    Value number = LLVM::ExtractValueOp::create(builder, loc, pair, part);
    Value place = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), part);
    vector = LLVM::InsertElementOp::create(builder, loc, vector, number, place);
  }
  return vector;
}

static Value toPair(OpBuilder &builder, Location loc, Value vector, Type type) {
  Value pair = LLVM::PoisonOp::create(builder, loc, type);
  for (int64_t part : {0, 1}) {
    Value place = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), part);
    Value number = LLVM::ExtractElementOp::create(builder, loc, vector, place);
    pair = LLVM::InsertValueOp::create(builder, loc, pair, number, part);
  }
  return pair;
}

/// Arguments become those of C at the beginning of a function, its result before it returns.
static void convertBody(LLVM::LLVMFuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (BlockArgument argument : function.getArguments()) {
    Type type = argument.getType();
    if (passed(type) == type)
      continue;
    argument.setType(passed(type));
    Value pair = toPair(builder, argument.getLoc(), argument, type);
    argument.replaceUsesWithIf(
        pair, [](OpOperand &use) { return !isa<LLVM::ExtractElementOp>(use.getOwner()); });
  }
  function.walk([&](LLVM::ReturnOp op) {
    builder.setInsertionPoint(op);
    for (OpOperand &result : op->getOpOperands())
      result.set(toVector(builder, op.getLoc(), result.get()));
  });
}

static void convertCall(LLVM::CallOp call, LLVM::LLVMFuncOp function) {
  OpBuilder builder(call);
  SmallVector<Value> operands;
  for (Value operand : call.getOperands())
    operands.push_back(toVector(builder, call.getLoc(), operand));
  auto changed = LLVM::CallOp::create(builder, call.getLoc(), function, operands);
  if (call.getNumResults() > 0) {
    Value result = changed.getResult();
    Type type = call.getResult().getType();
    if (result.getType() != type)
      result = toPair(builder, call.getLoc(), result, type);
    call.getResult().replaceAllUsesWith(result);
  }
  call.erase();
}

static bool convert(LLVM::LLVMFuncOp function) {
  LLVM::LLVMFunctionType type = function.getFunctionType();
  SmallVector<Type> types = llvm::map_to_vector(type.getParams(), passed);
  auto changed = LLVM::LLVMFunctionType::get(passed(type.getReturnType()), types, type.isVarArg());
  if (changed == type)
    return false;
  function.setFunctionType(changed);
  if (!function.isExternal())
    convertBody(function);
  return true;
}

/// Whether the module is for x86-64: by its triple, else as this process.
static bool isForX86(ModuleOp module) {
  auto triple = module->getAttrOfType<StringAttr>(LLVM::LLVMDialect::getTargetTripleAttrName());
  llvm::Triple machine(triple ? triple.str() : llvm::sys::getProcessTriple());
  return machine.getArch() == llvm::Triple::x86_64 && !machine.isOSWindows();
}

void rooftile::passComplexAsC(ModuleOp module) {
  if (!isForX86(module))
    return;
  llvm::DenseMap<StringRef, LLVM::LLVMFuncOp> converted;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function.getName().starts_with(kInterface) && convert(function))
      converted[function.getName()] = function;
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() && converted.contains(*call.getCallee()))
      calls.push_back(call);
  });
  for (LLVM::CallOp call : calls)
    convertCall(call, converted[*call.getCallee()]);
}

namespace {
struct CComplexPass : rooftile::impl::CComplexBase<CComplexPass> {
  void runOnOperation() override { rooftile::passComplexAsC(getOperation()); }
};
} // namespace
