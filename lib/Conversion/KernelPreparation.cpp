//===- KernelPreparation.cpp - What both vendors' lowerings change --------===//

#include "KernelPreparation.h"

using namespace mlir;
using namespace rooftile;

static constexpr unsigned kSharedSpace = 3;
static constexpr StringLiteral kSharedName = "rooftile_shared";

FailureOr<blas::TargetAttr> rooftile::targetOf(gpu::GPUModuleOp kernels, blas::Vendor vendor,
                                               StringRef pass) {
  auto module = kernels->getParentOfType<ModuleOp>();
  auto target = module->getAttrOfType<blas::TargetAttr>(blas::BlasDialect::kTargetName);
  if (target && target.getVendor() == vendor)
    return target;
  return kernels.emitError(pass) << " needs a #blas.target of an "
                                 << (vendor == blas::Vendor::Amd ? "AMD" : "NVIDIA")
                                 << " chip on the module, got "
                                 << (target ? target.getChip() : "none");
}

blas::ContractAttr rooftile::contractOf(gpu::GPUFuncOp kernel) {
  return kernel->getAttrOfType<blas::ContractAttr>(blas::BlasDialect::kContractName);
}

LLVM::GlobalOp rooftile::declareShared(gpu::GPUModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  return LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                                LLVM::Linkage::External, kSharedName, Attribute(),
                                /*alignment=*/1024, kSharedSpace);
}

void rooftile::lowerShared(gpu::DynamicSharedMemoryOp op, LLVM::GlobalOp array) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type i64 = builder.getI64Type(), one = LLVM::LLVMArrayType::get(i64, 1);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace);
  auto descriptor =
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {pointer, pointer, i64, one, one});
  Value base = LLVM::AddressOfOp::create(builder, loc, array);
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i64, value);
  };
  const std::pair<Value, SmallVector<int64_t>> parts[] = {
      {base, {0}}, {base, {1}}, {number(0), {2}}, {number(0), {3, 0}}, {number(1), {4, 0}}};
  Value value = LLVM::UndefOp::create(builder, loc, descriptor);
  for (auto &[part, position] : parts)
    value = LLVM::InsertValueOp::create(builder, loc, value, part, ArrayRef<int64_t>(position));
  auto cast = UnrealizedConversionCastOp::create(builder, loc, op.getType(), value);
  op.replaceAllUsesWith(cast.getResult(0));
  op.erase();
}

void rooftile::lowerReals(Operation *root) {
  root->walk([](lane::RealsOp op) {
    OpBuilder builder(op);
    auto cast = UnrealizedConversionCastOp::create(builder, op.getLoc(), op.getParts().getType(),
                                                   op.getNumbers());
    op.replaceAllUsesWith(cast.getResult(0));
    op.erase();
  });
}

void rooftile::lowerMultiplyAdd(gpu::GPUModuleOp module) {
  module.walk([](math::FmaOp op) {
    OpBuilder builder(op);
    Value sum = LLVM::FMAOp::create(builder, op.getLoc(), op.getA(), op.getB(), op.getC());
    op.replaceAllUsesWith(sum);
    op.erase();
  });
}
