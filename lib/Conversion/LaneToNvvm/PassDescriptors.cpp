//===- PassDescriptors.cpp - Descriptors among the arguments of kernels ---===//
//
// A tensor copy reads its descriptor, 128 bytes, where it is. The driver copies the arguments of a
// kernel to constant memory, where the hardware finds it if the kernel has it as a pointer that
// is passed by value (byval), aligned, and never copied (grid_constant: the argument is the same
// for the whole grid, and not written).
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "rooftile/Conversion/LaneToNvvm/LaneToNvvm.h"
#include "rooftile/Conversion/Passes.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "pass-descriptors"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_PASSDESCRIPTORS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

/// Bytes at a multiple of which the hardware reads a descriptor (PTX ISA 8.0, tensor maps).
static constexpr int64_t kDescriptorAlign = 64;

static void passDescriptor(LLVM::LLVMFuncOp kernel, BlockArgument argument) {
  MLIRContext *context = kernel.getContext();
  Builder builder(context);
  Type pointer = LLVM::LLVMPointerType::get(context), type = argument.getType();
  unsigned number = argument.getArgNumber();
  argument.setType(pointer);
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
    auto cast = llvm::cast<UnrealizedConversionCastOp>(user);
    cast.getResult(0).replaceAllUsesWith(argument);
    cast.erase();
  }
  kernel.setArgAttr(number, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(type));
  kernel.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                    builder.getI64IntegerAttr(kDescriptorAlign));
  kernel.setArgAttr(number, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
}

/// The number of descriptors of `kernel`.
static int64_t passDescriptors(LLVM::LLVMFuncOp kernel) {
  Type descriptor = lane::descriptorType(kernel.getContext());
  int64_t count = 0;
  SmallVector<Type> types;
  for (BlockArgument argument : kernel.getArguments()) {
    if (argument.getType() == descriptor) {
      passDescriptor(kernel, argument);
      ++count;
    }
    types.push_back(argument.getType());
  }
  kernel.setFunctionType(
      LLVM::LLVMFunctionType::get(kernel.getFunctionType().getReturnType(), types));
  return count;
}

int64_t rooftile::passDescriptors(gpu::GPUModuleOp module) {
  int64_t count = 0;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>())
    if (!kernel.isExternal() && kernel->hasAttr(blas::BlasDialect::kContractName))
      count += ::passDescriptors(kernel);
  return count;
}

namespace {
struct PassDescriptorsPass : rooftile::impl::PassDescriptorsBase<PassDescriptorsPass> {
  void runOnOperation() override {
    int64_t count = rooftile::passDescriptors(getOperation());
    numDescriptors += count;
    LDBG() << getOperation().getName() << ": " << count << " descriptors";
  }
};
} // namespace
