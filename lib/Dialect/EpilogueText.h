//===- EpilogueText.h - How the function of an epilogue is written -*- C++ -*-===//
//
//   epilogue(%sum: f32, %x = %bias[1] : memref<48xf32>, %s = %scale : f32) { ... }
//
// The arguments of the function: the sum, then one element of each extra operand. The indices
// after a matrix are the operation's affair.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_DIALECT_EPILOGUETEXT_H
#define ROOFTILE_LIB_DIALECT_EPILOGUETEXT_H

#include "mlir/IR/OpImplementation.h"

namespace rooftile {

/// Parser and printer of custom<Epilogue> in an assembly format, from the parenthesis on.
mlir::ParseResult parseEpilogue(mlir::OpAsmParser &parser,
                                llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &extras,
                                llvm::SmallVectorImpl<mlir::Type> &types, mlir::ArrayAttr &numbers,
                                llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &regions);
void printEpilogue(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange extras,
                   mlir::TypeRange types, mlir::ArrayAttr numbers,
                   mlir::MutableArrayRef<mlir::Region> regions);

/// Calls the arguments %sum, %x, %x_0 ...
void nameEpilogueArguments(mlir::Region &region, mlir::OpAsmSetValueNameFn setName);

/// The function of `op` has one block, of pure scalar operations, with the arguments `arguments`,
/// that ends with an operation named `yield` of the type of the first of them; else a located
/// error.
llvm::LogicalResult verifyEpilogueRegion(mlir::Operation *op, llvm::ArrayRef<mlir::Type> arguments,
                                         llvm::StringRef yield);

} // namespace rooftile

#endif // ROOFTILE_LIB_DIALECT_EPILOGUETEXT_H
