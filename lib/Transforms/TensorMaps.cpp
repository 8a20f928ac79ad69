//===- TensorMaps.cpp - Descriptors of matrices, for tensor copies --------===//
//
// A tensor copy names what it moves by its place in a matrix. Where that lies is said by a
// descriptor of 128 bytes, an argument of the kernel by value. The host has the runtime make it,
// on its stack, for each launch:
//
//   bool rooftileTensorMap(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
//                          int64_t lines, int64_t lineBytes, int64_t boxLength, int64_t boxLines)
//
// `length` numbers of `numberBytes` in a line, `lines` of these, `lineBytes` apart.
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Transforms/KernelLaunch.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static constexpr StringLiteral kTensorMapName = "rooftileTensorMap";
/// Its numbers, behind the place of the descriptor.
static constexpr int64_t kNumbers = 7;

static FunctionType typeOf(MLIRContext *context) {
  SmallVector<Type> inputs(kNumbers + 1, IntegerType::get(context, 64));
  inputs[0] = LLVM::LLVMPointerType::get(context);
  return FunctionType::get(context, inputs, IntegerType::get(context, 1));
}

LogicalResult rooftile::checkTensorMapName(ModuleOp module) {
  Operation *present = module.lookupSymbol(kTensorMapName);
  auto function = dyn_cast_or_null<func::FuncOp>(present);
  if (!present || (function && function.getFunctionType() == typeOf(module.getContext())))
    return success();
  return present->emitOpError("takes the name '")
         << kTensorMapName << "', which compiled code calls";
}

TensorBox rooftile::tensorBoxOf(GemmOp op, bool isA) {
  ArrayRef<int64_t> macro = op.getPlanAttr().getMacro();
  auto type = cast<MemRefType>((isA ? op.getA() : op.getB()).getType());
  return {macro[2], macro[isA ? 0 : 1] * partsOf(type.getElementType())};
}

DescribedMatrix rooftile::describeMatrix(OpBuilder &builder, ModuleOp module, Value matrix,
                                         TensorBox box) {
  Location loc = matrix.getLoc();
  Type i64 = builder.getI64Type(), i1 = builder.getI1Type();
  auto type = cast<MemRefType>(matrix.getType());
  int64_t bytes = elementBytes(type.getElementType()), parts = partsOf(type.getElementType());
  auto number = [&](Value index, int64_t factor) -> Value {
    Value wide = arith::IndexCastOp::create(builder, loc, i64, index);
    Value times = arith::ConstantIntOp::create(builder, loc, factor, 64);
    return arith::MulIOp::create(builder, loc, wide, times);
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  if (!module.lookupSymbol(kTensorMapName)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    func::FuncOp::create(top, module.getLoc(), kTensorMapName, typeOf(builder.getContext()))
        .setPrivate();
  }
  int64_t inner = getContiguousDim(type), outer = 2 * type.getRank() - 3 - inner;
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, matrix);
  Value base =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, metadata.getBaseBuffer());
  Value address =
      arith::AddIOp::create(builder, loc, number(base, 1), number(metadata.getOffset(), bytes));
  Type descriptorType = lane::descriptorType(builder.getContext());
  Value place = reserveOnStack(builder, loc, descriptorType, 1);
  Value numbers[] = {place,
                     address,
                     constant(bytes / parts),
                     number(metadata.getSizes()[inner], parts),
                     number(metadata.getSizes()[outer], 1),
                     number(metadata.getStrides()[outer], bytes),
                     constant(box[1]),
                     constant(box[0])};
  Value made =
      func::CallOp::create(builder, loc, kTensorMapName, TypeRange{i1}, numbers).getResult(0);
  return {LLVM::LoadOp::create(builder, loc, descriptorType, place), made};
}
