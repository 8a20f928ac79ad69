//===- KernelPreparation.cpp - What both vendors' lowerings change --------===//

#include "KernelPreparation.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;

static constexpr unsigned kSharedSpace = 3;
static constexpr StringLiteral kSharedName = "rooftile_shared";

FailureOr<blas::TargetAttr> rooftile::targetOf(gpu::GPUModuleOp kernels, blas::Vendor vendor,
                                               StringRef pass) {
  auto module = kernels->getParentOfType<ModuleOp>();
  auto target = module->getAttrOfType<blas::TargetAttr>(blas::BlasDialect::kTargetName);
  if (target && target->vendor == vendor)
    return target;
  return kernels.emitError(pass) << " needs a #blas.target of an "
                                 << (vendor == blas::Vendor::Amd ? "AMD" : "NVIDIA")
                                 << " chip on the module, got " << (target ? target->chip : "none");
}

LogicalResult rooftile::checkInstructions(gpu::GPUModuleOp module, blas::TargetAttr target) {
  WalkResult result = module.walk([&](Operation *op) {
    auto mma = dyn_cast<lane::MmaOp>(op);
    auto async = dyn_cast<lane::AsyncMmaOp>(op);
    if (!mma && !async)
      return WalkResult::advance();
    StringRef name = mma ? mma.getInstruction().getName() : async.getInstruction().getName();
    StringRef machine = tile::findInstruction(name)->machine;
    if (target->gflopsOf(machine) > 0)
      return WalkResult::advance();
    op->emitOpError("is ") << machine << ", which " << target->chip
                           << " does not have (instructions)";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
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

/// Pointer twice, offset, one size and one stride.
static Type flatDescriptor(MLIRContext *context, unsigned space) {
  auto pointer = LLVM::LLVMPointerType::get(context, space);
  Type i64 = IntegerType::get(context, 64), one = LLVM::LLVMArrayType::get(i64, 1);
  return LLVM::LLVMStructType::getLiteral(context, {pointer, pointer, i64, one, one});
}

Value rooftile::flatPointer(OpBuilder &builder, Location loc, Value memref, unsigned space) {
  Type descriptor = flatDescriptor(builder.getContext(), space);
  Value value = UnrealizedConversionCastOp::create(builder, loc, descriptor, memref).getResult(0);
  return LLVM::ExtractValueOp::create(builder, loc, value, ArrayRef<int64_t>{1});
}

Value rooftile::elementPointer(OpBuilder &builder, Location loc, Value memref, Value index) {
  auto type = cast<MemRefType>(memref.getType());
  bool shared = gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
  Value base = flatPointer(builder, loc, memref, shared ? kSharedSpace : 0);
  Value place = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
  return LLVM::GEPOp::create(builder, loc, base.getType(), type.getElementType(), base,
                             ArrayRef<LLVM::GEPArg>{place});
}

Value rooftile::flatMemref(OpBuilder &builder, Location loc, MemRefType type, Value pointer) {
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), value);
  };
  const std::pair<Value, SmallVector<int64_t>> parts[] = {
      {pointer, {0}}, {pointer, {1}}, {number(0), {2}}, {number(0), {3, 0}}, {number(1), {4, 0}}};
  unsigned space = cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
  Value value = LLVM::UndefOp::create(builder, loc, flatDescriptor(builder.getContext(), space));
  for (auto &[part, position] : parts)
    value = LLVM::InsertValueOp::create(builder, loc, value, part, ArrayRef<int64_t>(position));
  return UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
}

void rooftile::lowerShared(gpu::DynamicSharedMemoryOp op, LLVM::GlobalOp array) {
  OpBuilder builder(op);
  Value base = LLVM::AddressOfOp::create(builder, op.getLoc(), array);
  op.replaceAllUsesWith(flatMemref(builder, op.getLoc(), op.getType(), base));
  op.erase();
}

void rooftile::createText(OpBuilder &builder, Location loc, ValueRange operands, StringRef text,
                          StringRef constraints) {
  LLVM::InlineAsmOp::create(
      builder, loc, TypeRange(), operands, text, constraints, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
}

SmallVector<Value> rooftile::fieldsOf(OpBuilder &builder, Location loc, Value structure) {
  SmallVector<Value> fields;
  int64_t count = cast<LLVM::LLVMStructType>(structure.getType()).getBody().size();
  for (int64_t index = 0; index < count; ++index)
    fields.push_back(
        LLVM::ExtractValueOp::create(builder, loc, structure, ArrayRef<int64_t>(index)));
  return fields;
}

SmallVector<Value> rooftile::createTied(OpBuilder &builder, Location loc, ValueRange operands,
                                        StringRef constraints, ValueRange tied,
                                        StringRef constraint, StringRef text) {
  SmallVector<std::string> all(tied.size(), ("=" + constraint).str());
  if (!constraints.empty())
    all.push_back(constraints.str());
  for (size_t index = 0; index < tied.size(); ++index)
    all.push_back(std::to_string(index));
  SmallVector<Value> values(operands);
  llvm::append_range(values, tied);
  SmallVector<Type> types(tied.getTypes());
  Type type =
      types.size() == 1 ? types[0] : LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  Value result =
      LLVM::InlineAsmOp::create(
          builder, loc, type, values, text, llvm::join(all, ","), /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr())
          .getResult(0);
  return types.size() == 1 ? SmallVector<Value>{result} : fieldsOf(builder, loc, result);
}
