//===- NumberEmitter.h - Arithmetic of host code as data --------*- C++ -*-===//
//
// A register holds an integer of fewer than 64 bits with its sign extended (i1: 0 or 1), and the
// bits of a float. Integers are computed in 64 bits and floats in f64; narrower types are
// converted before and after, which rounds sums, products, quotients and roots as their own
// arithmetic does.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_COMPILER_NUMBEREMITTER_H
#define ROOFTILE_LIB_COMPILER_NUMBEREMITTER_H

#include "CodeEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace rooftile::compiler {

class NumberEmitter : public CodeEmitter {
public:
  /// Whether addNumber supports operations of this name, with operands of the types that `op` has.
  static bool takes(mlir::Operation &op);
  /// Emits an operation on scalars; false for one that has no form as code.
  bool addNumber(mlir::Operation &op);
  /// `number`, of an integer type, as a register holds it: its high bits may be anything.
  uint32_t canonical(mlir::Type type, uint32_t number);

private:
  bool addInteger(mlir::Operation &op);
  bool addFloat(mlir::Operation &op);
  bool addConversion(mlir::Operation &op);
  bool addConstant(mlir::Operation &op);
  bool addComplex(mlir::Operation &op);
  void addCompare(mlir::arith::CmpIOp compare);
  void addCompare(mlir::arith::CmpFOp compare);
  void addSelect(mlir::arith::SelectOp select);
  uint32_t signedOf(mlir::Value value);
  uint32_t unsignedOf(mlir::Value value);
  uint32_t doubleOf(mlir::Value value);
  uint32_t convert(uint32_t number, NumberType from, NumberType to);
};

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_NUMBEREMITTER_H
