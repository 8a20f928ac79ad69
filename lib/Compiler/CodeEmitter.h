//===- CodeEmitter.h - Registers and instructions of code -------*- C++ -*-===//
//
// A value is a list of registers: one for a number, the address, offset, sizes and strides of a
// memref, two for a complex number of 16 bytes. While code is made, constants count from
// kFirstConstant: how many there are is known in the end.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_COMPILER_CODEEMITTER_H
#define ROOFTILE_LIB_COMPILER_CODEEMITTER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/OpDefinition.h"
#include "rooftile/Runtime/Executable/Code.h"

#include <map>
#include <optional>

namespace rooftile::compiler {

using Registers = llvm::SmallVector<uint32_t>;

/// Bytes of an element in memory, where each begins at a byte of its own.
uint64_t storedBytes(mlir::Type element);

class CodeEmitter {
public:
  /// Registers of a value of `type`, or nothing.
  static std::optional<uint32_t> countOf(mlir::Type type);
  Registers define(mlir::Value value, uint32_t count);
  void defineAs(mlir::Value value, llvm::ArrayRef<uint32_t> registers) {
    values[value] = llvm::to_vector(registers);
  }
  /// In registers of its own, one after the other.
  void defineCopies(mlir::Value value, llvm::ArrayRef<uint32_t> sources) {
    Registers registers = define(value, uint32_t(sources.size()));
    for (auto [to, from] : llvm::zip(registers, sources))
      emitInto(to, Opcode::Copy, from);
  }
  /// A copy of the registers of a value: a reference would not outlive the next definition.
  Registers copyOf(mlir::Value value) { return values.at(value); }
  uint32_t one(mlir::Value value) { return values[value].front(); }
  uint32_t constant(uint64_t value);
  uint32_t numberOrConstant(mlir::OpFoldResult number);
  uint32_t newRegister() { return next++; }
  uint32_t emit(Opcode opcode, uint32_t a, uint32_t b = 0, uint32_t c = 0) {
    code.instructions.push_back({opcode, newRegister(), a, b, c, 0});
    return code.instructions.back().result;
  }
  void emitInto(uint32_t result, Opcode opcode, uint32_t a, uint32_t b = 0, uint32_t c = 0) {
    code.instructions.push_back({opcode, result, a, b, c, 0});
  }
  void jump(mlir::Block *target) {
    jumps.push_back({code.instructions.size(), target});
    code.instructions.push_back({Opcode::Jump});
  }

  /// Ends it: constants become the first registers, and jumps go to where blocks begin.
  void finish();

  Code code;
  uint32_t next = 0; ///< Registers that are no constants, arguments first.
  llvm::DenseMap<mlir::Value, Registers> values;
  std::map<uint64_t, uint32_t> constants; // any number: a DenseMap keeps two for itself
  llvm::DenseMap<mlir::Block *, uint32_t> begins;
  llvm::SmallVector<std::pair<size_t, mlir::Block *>>
      jumps; ///< Instructions whose targets are blocks.
};

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_CODEEMITTER_H
