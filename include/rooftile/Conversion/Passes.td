//===- Passes.td - From tile programs to threads and binaries ---*- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_PASSES_TD
#define ROOFTILE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def MicroTile : Pass<"micro-tile", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn a tile program into the code of one thread";
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

def ThreadToCpu : Pass<"thread-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into coroutines of the host, and launches into calls of the CPU runtime";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect"];
}

def DeviceMemory : Pass<"device-memory", "::mlir::func::FuncOp"> {
  let summary = "Allocate the intermediates of host code on the GPU";
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def ThreadToNvvm : Pass<"thread-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Prepare kernels for NVVM: target of the chip, dynamic shared memory";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif
