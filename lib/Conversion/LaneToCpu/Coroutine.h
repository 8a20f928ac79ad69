//===- Coroutine.h - Kernels as coroutines of the host ----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETOCPU_COROUTINE_H
#define ROOFTILE_LIB_CONVERSION_LANETOCPU_COROUTINE_H

#include "Record.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace rooftile {

/// Byte offsets in the runtime's Thread: the indices of a GPU thread.
struct ThreadLayout {
  static constexpr int64_t threadId = 0, blockId = 8, shared = 16, barrier = 24, clusterRank = 32,
                           clusterSize = 40, peers = 48, collective = 72, instruction = 80,
                           registers = 88, arrival = 96, counter = 104, parity = 112;
  /// Added to the number of a barrier of the whole cluster.
  static constexpr int64_t clusterBarrier = int64_t(1) << 32;
};

/// A kernel as a function of the host; without `sites` it does not record its accesses.
struct HostKernel {
  mlir::LLVM::LLVMFuncOp function;
  std::optional<Sites> sites;
  int64_t staticBytes = 0; ///< of shared memory beside that of the launch
};

/// Gives the attributions of `kernel`, in CFG form, memory: `workgroup` ones lie before the
/// dynamic shared memory, `private` ones on the stack of a thread. Returns the bytes of shared
/// memory that the launch must add; an error for layouts that are not contiguous.
llvm::FailureOr<int64_t> placeAttributions(mlir::gpu::GPUFuncOp kernel);

/// A complex number in the memory of a parameter: its two components.
inline mlir::Type structOf(mlir::ComplexType type) {
  mlir::Type part = type.getElementType();
  return mlir::LLVM::LLVMStructType::getLiteral(type.getContext(), {part, part});
}

/// Moves the body of a kernel in CFG form into a host function
///
///   ptr @name(ptr params, ptr thread)
///
/// that suspends at its start, at each gpu.barrier and at its end. `params` is
/// an array of pointers to the kernel's arguments, as the CUDA driver expects it.
/// With `record` it reports every access to shared memory (Record.h).
HostKernel createCoroutine(mlir::OpBuilder &builder, mlir::gpu::GPUFuncOp kernel,
                           llvm::StringRef name, bool record);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETOCPU_COROUTINE_H
