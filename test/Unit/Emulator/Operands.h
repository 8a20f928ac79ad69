//===- Operands.h - Operands of instructions under test ---------*- C++ -*-===//
#ifndef ROOFTILE_TEST_UNIT_EMULATOR_OPERANDS_H
#define ROOFTILE_TEST_UNIT_EMULATOR_OPERANDS_H

#include "rooftile/Emulator/Wave.h"

namespace rooftile::emulator {

inline Operand registers(Operand::Kind kind, unsigned index, unsigned count) {
  Operand operand;
  operand.kind = kind;
  operand.index = uint16_t(index);
  operand.count = uint8_t(count);
  return operand;
}
inline Operand vector(unsigned index, unsigned count = 1) {
  return registers(Operand::Kind::Vector, index, count);
}
inline Operand scalar(unsigned index, unsigned count = 1) {
  return registers(Operand::Kind::Scalar, index, count);
}
inline Operand integer(int64_t value) {
  Operand operand;
  operand.kind = Operand::Kind::Integer;
  operand.integer = value;
  return operand;
}
inline Operand real(double value) {
  Operand operand;
  operand.kind = Operand::Kind::Float;
  operand.real = value;
  return operand;
}
/// High half of a register.
inline Operand high(Operand operand) {
  operand.isHigh = true;
  return operand;
}

} // namespace rooftile::emulator

#endif // ROOFTILE_TEST_UNIT_EMULATOR_OPERANDS_H
