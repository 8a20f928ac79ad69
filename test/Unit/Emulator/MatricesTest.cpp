//===- MatricesTest.cpp - Matrix instructions by the vendor's formulas ----===//
//
// Where each element lies is written here as AMD's matrix instruction calculator prints it: lane
// and register of A[i][k], B[k][j] and D[i][j]. Sums of small integers must be exact; those of one
// product are compared with APFloat.
//
//===----------------------------------------------------------------------===//

#include "OneInstruction.h"

using namespace rooftile::emulator;
using llvm::APFloat;

namespace {

enum class Number { F16, BF16, F32, F64 };

unsigned bitsOf(Number number) {
  return number == Number::F64 ? 64 : number == Number::F32 ? 32 : 16;
}
const llvm::fltSemantics &semanticsOf(Number number) {
  return number == Number::BF16 ? APFloat::BFloat()
                                : rooftile::emulator::semanticsOf(bitsOf(number));
}

struct Place {
  unsigned lane, item;
};

struct Matrices {
  const char *name;
  Number factors, sums;
  unsigned lanes, m, n, k;
  Place (*factor)(unsigned index, unsigned k); ///< A[index][k] and B[k][index].
  Place (*sum)(unsigned i, unsigned j);
};

Place single16(unsigned index, unsigned k) { return {index + 16 * k, 0}; }
Place single32(unsigned index, unsigned k) { return {index + 32 * k, 0}; }
Place four16(unsigned index, unsigned k) { return {index + 16 * (k / 4), k % 4}; }
Place four32(unsigned index, unsigned k) { return {index + 32 * (k / 4), k % 4}; }
Place all16(unsigned index, unsigned k) { return {index, k}; }
Place sum16(unsigned i, unsigned j) { return {16 * (i / 4) + j, i % 4}; }
Place sum32(unsigned i, unsigned j) { return {32 * (i / 4 % 2) + j, 4 * (i / 8) + i % 4}; }
Place sumOfDoubles(unsigned i, unsigned j) { return {16 * (i % 4) + j, i / 4}; }
Place sumOfHalves(unsigned i, unsigned j) { return {16 * (i % 2) + j, i / 2}; }

const Matrices kAll[] = {
    {"v_mfma_f32_16x16x4f32", Number::F32, Number::F32, 64, 16, 16, 4, single16, sum16},
    {"v_mfma_f32_16x16x4_f32", Number::F32, Number::F32, 64, 16, 16, 4, single16, sum16},
    {"v_mfma_f32_32x32x2f32", Number::F32, Number::F32, 64, 32, 32, 2, single32, sum32},
    {"v_mfma_f32_32x32x2_f32", Number::F32, Number::F32, 64, 32, 32, 2, single32, sum32},
    {"v_mfma_f64_16x16x4f64", Number::F64, Number::F64, 64, 16, 16, 4, single16, sumOfDoubles},
    {"v_mfma_f64_16x16x4_f64", Number::F64, Number::F64, 64, 16, 16, 4, single16, sumOfDoubles},
    {"v_mfma_f32_16x16x16f16", Number::F16, Number::F32, 64, 16, 16, 16, four16, sum16},
    {"v_mfma_f32_16x16x16_f16", Number::F16, Number::F32, 64, 16, 16, 16, four16, sum16},
    {"v_mfma_f32_32x32x8f16", Number::F16, Number::F32, 64, 32, 32, 8, four32, sum32},
    {"v_mfma_f32_32x32x8_f16", Number::F16, Number::F32, 64, 32, 32, 8, four32, sum32},
    {"v_mfma_f32_16x16x16bf16_1k", Number::BF16, Number::F32, 64, 16, 16, 16, four16, sum16},
    {"v_mfma_f32_16x16x16_bf16", Number::BF16, Number::F32, 64, 16, 16, 16, four16, sum16},
    {"v_mfma_f32_32x32x8bf16_1k", Number::BF16, Number::F32, 64, 32, 32, 8, four32, sum32},
    {"v_mfma_f32_32x32x8_bf16", Number::BF16, Number::F32, 64, 32, 32, 8, four32, sum32},
    {"v_wmma_f32_16x16x16_f16", Number::F16, Number::F32, 32, 16, 16, 16, all16, sumOfHalves},
    {"v_wmma_f32_16x16x16_bf16", Number::BF16, Number::F32, 32, 16, 16, 16, all16, sumOfHalves},
};

/// A in v0 .., B in v16 .., C and D in v32 ..: 16 registers each, 32 of C.
struct Machine {
  explicit Machine(const Matrices &shape) : shape(shape), wave(shape.lanes, 64, 4) {
    wave.setExec(1); // which counts for nothing
    for (unsigned index = 0; index < 64; ++index)
      for (unsigned lane = 0; lane < shape.lanes; ++lane)
        wave.setLane32(vector(index), lane, 0);
    instruction.name = instruction.text = shape.name;
    instruction.operands = {vector(32, 32), vector(0, 16), vector(16, 16), vector(32, 32)};
    instruction.execute = handlers().lookup(shape.name);
  }

  void set(unsigned first, Place place, Number number, uint64_t bits) {
    unsigned words = bitsOf(number) / 32;
    if (words == 2)
      return wave.setLane64(vector(first, 2), place.lane, bits, 2 * place.item);
    if (words == 1)
      return wave.setLane32(vector(first), place.lane, uint32_t(bits), place.item);
    unsigned shift = place.item % 2 * 16;
    uint32_t before = wave.lane32(vector(first), place.lane, place.item / 2);
    uint32_t kept = before & ~(0xffffu << shift);
    wave.setLane32(vector(first), place.lane, kept | uint32_t(bits) << shift, place.item / 2);
  }
  void setFactor(unsigned first, unsigned index, unsigned k, uint64_t bits) {
    Place place = shape.factor(index, k);
    set(first, place, shape.factors, bits);
    if (shape.lanes == 32) // both halves of the wave hold it
      set(first, {place.lane + 16, place.item}, shape.factors, bits);
  }
  void setSum(unsigned i, unsigned j, uint64_t bits) { set(32, shape.sum(i, j), shape.sums, bits); }
  uint64_t sum(unsigned i, unsigned j) const {
    Place place = shape.sum(i, j);
    return shape.sums == Number::F64 ? wave.lane64(vector(32, 2), place.lane, 2 * place.item)
                                     : wave.lane32(vector(32), place.lane, place.item);
  }
  std::string run() {
    instruction.execute(wave, instruction);
    return wave.failure();
  }

  const Matrices &shape;
  Wave wave;
  Instruction instruction;
};

uint64_t bitsOfInteger(Number number, int value) {
  APFloat result(double(value) + 0.0);
  bool loses;
  result.convert(semanticsOf(number), APFloat::rmNearestTiesToEven, &loses);
  return bitsOfNumber(result);
}

TEST(MatricesTest, ElementsLieWhereTheVendorPutsThem) {
  std::mt19937 generator(1);
  auto draw = [&] { return int(generator() % 15) - 7; };
  for (const Matrices &shape : kAll) {
    Machine machine(shape);
    ASSERT_TRUE(machine.instruction.execute) << shape.name;
    std::vector<int> a(shape.m * shape.k), b(shape.k * shape.n), c(shape.m * shape.n);
    for (std::vector<int> *matrix : {&a, &b, &c})
      for (int &element : *matrix)
        element = draw();
    for (unsigned k = 0; k < shape.k; ++k) {
      for (unsigned i = 0; i < shape.m; ++i)
        machine.setFactor(0, i, k, bitsOfInteger(shape.factors, a[i * shape.k + k]));
      for (unsigned j = 0; j < shape.n; ++j)
        machine.setFactor(16, j, k, bitsOfInteger(shape.factors, b[k * shape.n + j]));
    }
    for (unsigned i = 0; i < shape.m; ++i)
      for (unsigned j = 0; j < shape.n; ++j)
        machine.setSum(i, j, bitsOfInteger(shape.sums, c[i * shape.n + j]));
    ASSERT_EQ(machine.run(), "") << shape.name;
    for (unsigned i = 0; i < shape.m; ++i)
      for (unsigned j = 0; j < shape.n; ++j) {
        int sum = c[i * shape.n + j];
        for (unsigned k = 0; k < shape.k; ++k)
          sum += a[i * shape.k + k] * b[k * shape.n + j];
        ASSERT_EQ(machine.sum(i, j), bitsOfInteger(shape.sums, sum))
            << shape.name << " " << i << " " << j;
      }
  }
}

/// `bits` in the format of the accumulators.
APFloat widened(const Matrices &shape, uint64_t bits) {
  APFloat value(semanticsOf(shape.factors), llvm::APInt(bitsOf(shape.factors), bits));
  bool loses;
  value.convert(semanticsOf(shape.sums), APFloat::rmNearestTiesToEven, &loses);
  return value;
}

TEST(MatricesTest, AProductIsAddedAndRoundedOnce) {
  std::mt19937_64 generator(2);
  for (const Matrices &shape : kAll)
    for (int turn = 0; turn < 200; ++turn) {
      Machine machine(shape);
      uint64_t mask =
          bitsOf(shape.factors) == 64 ? ~uint64_t(0) : (uint64_t(1) << bitsOf(shape.factors)) - 1;
      uint64_t left = generator() & mask, right = generator() & mask;
      APFloat a = widened(shape, left), b = widened(shape, right);
      // Denormal factors and NaN payloads have tests of their own.
      APFloat narrow(semanticsOf(shape.factors), llvm::APInt(bitsOf(shape.factors), left)),
          other(semanticsOf(shape.factors), llvm::APInt(bitsOf(shape.factors), right));
      if (!narrow.isNormal() || !other.isNormal())
        continue;
      APFloat c = a;
      c.multiply(b, APFloat::rmNearestTiesToEven);
      c = scalbn(c, int(generator() % 20) - 10, APFloat::rmNearestTiesToEven);
      if (!c.isNormal())
        continue;
      unsigned i = unsigned(generator() % shape.m), j = unsigned(generator() % shape.n);
      machine.setFactor(0, i, 0, left), machine.setFactor(16, j, 0, right);
      machine.setSum(i, j, bitsOfNumber(c));
      ASSERT_EQ(machine.run(), "");
      a.fusedMultiplyAdd(b, c, APFloat::rmNearestTiesToEven);
      ASSERT_EQ(machine.sum(i, j), bitsOfNumber(a)) << shape.name;
    }
}

TEST(MatricesTest, DenormalsOf16BitsAreZerosOnMI200Alone) {
  for (const Matrices &shape : kAll) {
    if (bitsOf(shape.factors) != 16)
      continue;
    Machine machine(shape);
    machine.setFactor(0, 3, 1, 1); // the smallest number
    machine.setFactor(16, 5, 1, bitsOfInteger(shape.factors, 4));
    ASSERT_EQ(machine.run(), "");
    llvm::StringRef name = shape.name;
    bool isOfMI200 = name.ends_with("x16f16") || name.ends_with("x8f16") || name.ends_with("_1k");
    EXPECT_EQ(machine.sum(3, 5) == 0, isOfMI200) << shape.name;
  }
}

TEST(MatricesTest, UnknownModifiersAndLanesThatDisagreeAreErrors) {
  Machine machine(kAll[0]);
  machine.instruction.modifiers.cbsz = 1;
  EXPECT_EQ(machine.run(), "v_mfma_f32_16x16x4f32 with modifiers, or by 64 lanes, is not known");
  Machine half(kAll[std::size(kAll) - 1]);
  half.set(16, {20, 3}, Number::BF16, 0x3f80);
  EXPECT_EQ(half.run(), "v_wmma_f32_16x16x16_bf16: lanes 4 and 20 hold different elements of B");
}

} // namespace
