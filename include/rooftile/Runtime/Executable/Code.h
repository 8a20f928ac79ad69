//===- Code.h - What the host does around kernels, as data ------*- C++ -*-===//
//
// The host side of a compiled operation computes sizes, tests conditions, allocates partial sums
// and launches kernels. Here it is a list of instructions on 64-bit registers, which an interpreter
// runs. A file of it is data: it is checked before it runs, and nothing in it is machine code of
// the host.
//
// Registers 0 .. constants - 1 hold constants, the next ones arguments, the rest is computed.
// A matrix is passed as its address, offset, sizes and strides (in elements), a register each; a
// scalar of 16 bytes needs two registers, smaller ones the low bytes of one.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_EXECUTABLE_CODE_H
#define ROOFTILE_RUNTIME_EXECUTABLE_CODE_H

#include <cstdint>
#include <string>
#include <vector>

namespace rooftile {

constexpr uint32_t kMostRegisters = 1 << 20;  ///< of a function
constexpr uint32_t kMostParameters = 1 << 10; ///< of a kernel
constexpr uint32_t kDescriptorRegisters = 16;

/// Operands are registers unless noted otherwise; r is the result. Comparisons give 0 or 1.
enum class Opcode : uint8_t {
  Copy, ///< r = a
  Add,
  Sub,
  Mul, ///< r = a op b, modulo 2^64
  DivU,
  DivS,
  CeilDivU,
  CeilDivS,
  RemU,
  RemS, ///< a divisor of 0 ends the run with an error
  And,
  Or,
  Xor,
  ShiftLeft,
  ShiftRightU, ///< shifts of 64 and more give 0
  ShiftRightS, ///< those of 64 and more give the sign
  SignExtend,  ///< r = the low b bits of a, as a signed number; b of 0, or over 64, is 64
  MinU,
  MinS,
  MaxU,
  MaxS,
  Equal,
  NotEqual,
  LessU,
  LessS,
  LessEqualU,
  LessEqualS,
  AddF,
  SubF,
  MulF,
  DivF, ///< r = a op b of f64
  EqualF,
  LessF,
  LessEqualF, ///< of f64: 0 where one of them is NaN
  SqrtF,      ///< r = the root of a, f64
  Convert,    ///< r = a, of one type, as another one: the conversion `target` (conversionOf)
  Select,     ///< r = a ? b : c
  Jump,       ///< to the instruction of number `target`
  JumpUnless, ///< where a is 0
  Allocate,   ///< r = the address of a bytes of device memory
  Load,       ///< r = the b bytes, 8 at most, at address a of the device; waits for the stream
  Array,      ///< r = the address of array number `target` of the executable, on the device
  Free,       ///< the memory at address a, of this run, in the order of the stream; 0: none
  Launch,     ///< the launch of number `target`, where its grid is not empty
  IsAligned,  ///< r = 1; an error that names the operand of role c where a is no multiple of b
  Require,    ///< an error, the message `target`, where a is 0
  SameSize,   ///< an error where sizes a and b, of the pair c (sizePlaces), differ
  HasRoom,    ///< r = 1; an error where a workspace of a elements does not hold b
  TensorMap,  ///< r = 1; makes the descriptor of number `target`, or an error
  Return
};

/// The last one; values after it are no operations.
constexpr Opcode kLastOpcode = Opcode::Return;

/// Types of conversions.
enum class NumberType : uint8_t { I64, U64, F16, BF16, F32, F64 };
constexpr uint32_t kNumberTypes = 6;

/// `target` of a Convert.
constexpr uint32_t conversionOf(NumberType from, NumberType to) {
  return uint32_t(from) * kNumberTypes + uint32_t(to);
}

/// Origins of two sizes that must be equal: for each of them an argument of the function and a
/// dimension of that, or a type, which states it. In 16 bits each.
struct SizePlace {
  uint16_t argument = UINT16_MAX, dim = UINT16_MAX;
  bool isStated() const { return argument == UINT16_MAX; }
};
constexpr uint64_t sizePlaces(SizePlace first, SizePlace second) {
  return uint64_t(first.argument) << 48 | uint64_t(first.dim) << 32 |
         uint64_t(second.argument) << 16 | second.dim;
}

struct Instruction {
  Opcode opcode = Opcode::Return;
  uint32_t result = 0, a = 0, b = 0, c = 0;
  uint32_t target = 0;
};

/// `bytes` bytes of a kernel's parameters: those of the register, and of the ones after it.
struct Parameter {
  uint32_t place = 0;
  uint32_t bytes = 8;
};

/// A launch: sizes are registers.
struct LaunchSite {
  uint32_t kernel = 0; ///< Its number in the executable.
  uint32_t grid[3] = {}, block[3] = {}, cluster[3] = {};
  uint32_t sharedBytes = 0;
  std::vector<Parameter> parameters;
};

/// A descriptor of a matrix, as rooftileTensorMap makes it, in 16 registers from `descriptor` on.
struct DescriptorSite {
  uint32_t descriptor = 0;
  uint32_t address = 0, realBytes = 0, length = 0, vectors = 0, vectorBytes = 0, boxLength = 0,
           boxVectors = 0, swizzleBytes = 0;
};

/// A register of a result.
struct ResultSite {
  uint32_t place = 0;
  bool isMemory = false; ///< It is the address of a matrix, which is the caller's from then on.
};

/// A function of the host.
struct Code {
  std::string name;
  uint32_t arguments = 0; ///< Registers of arguments.
  uint32_t registers = 0; ///< All of them.
  std::vector<uint64_t> constants;
  std::vector<Instruction> instructions;
  std::vector<LaunchSite> launches;
  std::vector<DescriptorSite> descriptors;
  std::vector<std::string> messages;
  std::vector<ResultSite> results; ///< In order; a matrix has one for each of its values.

  uint32_t firstArgument() const { return uint32_t(constants.size()); }
};

/// The fault of `code` for an executable of `kernels` kernels and `arrays` arrays, with the
/// number of the instruction; empty where it can be run: registers, jumps, launches, descriptors
/// and arrays are those that it has, and the last instruction is a Return or a Jump.
std::string whyInvalid(const Code &code, uint32_t kernels, uint32_t arrays = 0);

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_EXECUTABLE_CODE_H
