//===- Scalars.cpp - Arithmetic of scalars, branches and waits ------------===//
//
// Sources: AMD's ISA documents for Vega 7nm, MI200, MI300 (SOP1, SOP2, SOPC, SOPK, SOPP) and RDNA3,
// which renames some.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/Handlers.h"
#include "rooftile/Emulator/Wave.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile::emulator;

using Handler = Instruction::Handler;

//===----------------------------------------------------------------------===//
// Shapes of instructions
//===----------------------------------------------------------------------===//

/// D = f(A, B) of 32 bits, SCC as it was.
template <typename Function> static Handler plain32(Function) {
  return [](Wave &wave, const Instruction &in) {
    wave.setScalar32(in.operands[0],
                     Function()(wave.scalar32(in.operands[1]), wave.scalar32(in.operands[2])));
  };
}

/// D = f(A, B), SCC = D != 0.
template <typename Function> static Handler logic32(Function) {
  return [](Wave &wave, const Instruction &in) {
    uint32_t result = Function()(wave.scalar32(in.operands[1]), wave.scalar32(in.operands[2]));
    wave.setScalar32(in.operands[0], result);
    wave.scc = result != 0;
  };
}
template <typename Function> static Handler logic64(Function) {
  return [](Wave &wave, const Instruction &in) {
    uint64_t result = Function()(wave.scalar64(in.operands[1]), wave.scalar64(in.operands[2]));
    wave.setScalar64(in.operands[0], result);
    wave.scc = result != 0;
  };
}
/// D = f(A), SCC = D != 0.
template <typename Function> static Handler unary32(Function) {
  return [](Wave &wave, const Instruction &in) {
    uint32_t result = Function()(wave.scalar32(in.operands[1]));
    wave.setScalar32(in.operands[0], result);
    wave.scc = result != 0;
  };
}
template <typename Function> static Handler unary64(Function) {
  return [](Wave &wave, const Instruction &in) {
    uint64_t result = Function()(wave.scalar64(in.operands[1]));
    wave.setScalar64(in.operands[0], result);
    wave.scc = result != 0;
  };
}

/// SCC = f(A, B).
template <typename Function> static Handler compare32(Function) {
  return [](Wave &wave, const Instruction &in) {
    wave.scc = Function()(wave.scalar32(in.operands[0]), wave.scalar32(in.operands[1]));
  };
}
template <typename Function> static Handler compare64(Function) {
  return [](Wave &wave, const Instruction &in) {
    wave.scc = Function()(wave.scalar64(in.operands[0]), wave.scalar64(in.operands[1]));
  };
}

/// D = EXEC, then EXEC = f(S, EXEC), SCC = EXEC != 0; of 64 or 32 bits.
template <bool Is64, typename Function> static Handler saveExec(Function) {
  return [](Wave &wave, const Instruction &in) {
    Operand exec;
    exec.kind = Operand::Kind::Scalar, exec.index = kExec;
    if (Is64) {
      uint64_t source = wave.scalar64(in.operands[1]), old = wave.scalar64(exec);
      wave.setScalar64(in.operands[0], old);
      uint64_t result = Function()(source, old);
      wave.setScalar64(exec, result), wave.scc = result != 0;
    } else {
      uint32_t source = wave.scalar32(in.operands[1]), old = wave.scalar32(exec);
      wave.setScalar32(in.operands[0], old);
      auto result = uint32_t(Function()(source, old));
      wave.setScalar32(exec, result), wave.scc = result != 0;
    }
  };
}

/// Lambdas that C++17 can name in a template: stateless function objects.
#define ROOFTILE_FUNCTION(name, expression)                                                        \
  struct name {                                                                                    \
    template <typename T> T operator()(T a, T b) const { return T(expression); }                   \
  }
namespace {
ROOFTILE_FUNCTION(And, a &b);
ROOFTILE_FUNCTION(Or, a | b);
ROOFTILE_FUNCTION(Xor, a ^ b);
ROOFTILE_FUNCTION(AndNot, a & ~b);
ROOFTILE_FUNCTION(OrNot, a | ~b);
ROOFTILE_FUNCTION(NotAnd, ~a &b); ///< The second operand is EXEC.
ROOFTILE_FUNCTION(NotOr, ~a | b);
ROOFTILE_FUNCTION(Nand, ~(a &b));
ROOFTILE_FUNCTION(Nor, ~(a | b));
ROOFTILE_FUNCTION(Xnor, ~(a ^ b));
ROOFTILE_FUNCTION(Mul, a *b);
ROOFTILE_FUNCTION(MulHigh, uint64_t(a) * b >> 32);
struct MulHighSigned {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    return uint32_t(int64_t(int32_t(a)) * int32_t(b) >> 32);
  }
};
ROOFTILE_FUNCTION(FieldMask, ((uint64_t(1) << (a & 31)) - 1) << (b & 31));
struct PackLow {
  uint32_t operator()(uint32_t a, uint32_t b) const { return (a & 0xffff) | b << 16; }
};
struct PackLowHigh {
  uint32_t operator()(uint32_t a, uint32_t b) const { return (a & 0xffff) | (b & 0xffff0000); }
};
struct PackHigh {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a >> 16 | (b & 0xffff0000); }
};
struct ShiftLeft {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a << (b & 31); }
};
struct ShiftRight {
  uint32_t operator()(uint32_t a, uint32_t b) const { return a >> (b & 31); }
};
struct ShiftRightSigned {
  uint32_t operator()(uint32_t a, uint32_t b) const { return uint32_t(int32_t(a) >> (b & 31)); }
};
struct FieldUnsigned {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    unsigned width = b >> 16 & 0x7f;
    return width == 0 ? 0 : uint32_t((uint64_t(a) >> (b & 31)) & ((uint64_t(1) << width) - 1));
  }
};
struct FieldSigned {
  uint32_t operator()(uint32_t a, uint32_t b) const {
    unsigned width = std::min(b >> 16 & 0x7f, 32u);
    return width == 0 ? 0 : uint32_t(llvm::SignExtend64(FieldUnsigned()(a, b), width));
  }
};
struct Brev32 {
  uint32_t operator()(uint32_t a) const { return llvm::reverseBits(a); }
};
struct Not {
  template <typename T> T operator()(T a) const { return ~a; }
};
struct Absolute {
  uint32_t operator()(uint32_t a) const { return int32_t(a) < 0 ? 0 - a : a; }
};
struct Ones {
  template <typename T> T operator()(T a) const { return T(llvm::popcount(a)); }
};
#define ROOFTILE_COMPARISON(name, type, op)                                                        \
  struct name {                                                                                    \
    bool operator()(uint64_t a, uint64_t b) const { return type(a) op type(b); }                   \
  }
ROOFTILE_COMPARISON(EqualTo, uint64_t, ==);
ROOFTILE_COMPARISON(DiffersFrom, uint64_t, !=);
ROOFTILE_COMPARISON(GreaterI, int32_t, >);
ROOFTILE_COMPARISON(AtLeastI, int32_t, >=);
ROOFTILE_COMPARISON(LessI, int32_t, <);
ROOFTILE_COMPARISON(AtMostI, int32_t, <=);
ROOFTILE_COMPARISON(GreaterU, uint32_t, >);
ROOFTILE_COMPARISON(AtLeastU, uint32_t, >=);
ROOFTILE_COMPARISON(LessU, uint32_t, <);
ROOFTILE_COMPARISON(AtMostU, uint32_t, <=);
} // namespace
#undef ROOFTILE_FUNCTION
#undef ROOFTILE_COMPARISON

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Sum of A, B or its complement, and a carry; the carry out, complemented of a difference, is SCC.
template <bool Subtracts, bool WithCarry>
static void addUnsigned(Wave &wave, const Instruction &in) {
  uint64_t a = wave.scalar32(in.operands[1]), b = wave.scalar32(in.operands[2]);
  uint64_t carry = WithCarry && wave.scc;
  uint64_t sum = Subtracts ? a - b - carry : a + b + carry;
  wave.setScalar32(in.operands[0], uint32_t(sum));
  wave.scc = sum >> 32 != 0;
}

/// SCC is the overflow.
template <bool Subtracts> static void addSigned(Wave &wave, const Instruction &in) {
  int64_t a = int32_t(wave.scalar32(in.operands[1])), b = int32_t(wave.scalar32(in.operands[2]));
  int64_t sum = Subtracts ? a - b : a + b;
  wave.setScalar32(in.operands[0], uint32_t(sum));
  wave.scc = sum != int32_t(sum);
}

static void addShort(Wave &wave, const Instruction &in) {
  int64_t sum =
      int64_t(int32_t(wave.scalar32(in.operands[0]))) + int16_t(wave.scalar32(in.operands[1]));
  wave.setScalar32(in.operands[0], uint32_t(sum));
  wave.scc = sum != int32_t(sum);
}

static void mulShort(Wave &wave, const Instruction &in) {
  wave.setScalar32(in.operands[0], wave.scalar32(in.operands[0]) *
                                       uint32_t(int32_t(int16_t(wave.scalar32(in.operands[1])))));
}

static void moveShort(Wave &wave, const Instruction &in) {
  wave.setScalar32(in.operands[0], uint32_t(int32_t(int16_t(wave.scalar32(in.operands[1])))));
}

template <unsigned Shift> static void shiftAdd(Wave &wave, const Instruction &in) {
  uint64_t sum = (uint64_t(wave.scalar32(in.operands[1])) << Shift) + wave.scalar32(in.operands[2]);
  wave.setScalar32(in.operands[0], uint32_t(sum));
  wave.scc = sum >> 32 != 0;
}

/// Minimum or maximum; SCC: the first was taken.
template <typename T, bool IsMin> static void extreme(Wave &wave, const Instruction &in) {
  T a = T(wave.scalar32(in.operands[1])), b = T(wave.scalar32(in.operands[2]));
  wave.scc = IsMin ? a < b : a > b;
  wave.setScalar32(in.operands[0], uint32_t(wave.scc ? a : b));
}

/// Shifts of 64 bits by a number of 32.
template <int Kind> static void shift64(Wave &wave, const Instruction &in) {
  uint64_t a = wave.scalar64(in.operands[1]);
  unsigned by = wave.scalar32(in.operands[2]) & 63;
  uint64_t result = Kind == 0 ? a << by : Kind == 1 ? a >> by : uint64_t(int64_t(a) >> by);
  wave.setScalar64(in.operands[0], result);
  wave.scc = result != 0;
}

template <bool IsSigned> static void field64(Wave &wave, const Instruction &in) {
  uint32_t b = wave.scalar32(in.operands[2]);
  unsigned by = b & 63, width = std::min(b >> 16 & 0x7f, 64u);
  uint64_t a = wave.scalar64(in.operands[1]) >> by;
  uint64_t result = width == 0    ? 0
                    : width == 64 ? a
                    : IsSigned    ? uint64_t(llvm::SignExtend64(a, width))
                                  : a & ((uint64_t(1) << width) - 1);
  wave.setScalar64(in.operands[0], result);
  wave.scc = result != 0;
}

//===----------------------------------------------------------------------===//
// Moves and bits
//===----------------------------------------------------------------------===//

static void move32(Wave &wave, const Instruction &in) {
  wave.setScalar32(in.operands[0], wave.scalar32(in.operands[1]));
}
static void move64(Wave &wave, const Instruction &in) {
  wave.setScalar64(in.operands[0], wave.scalar64(in.operands[1]));
}
static void select32(Wave &wave, const Instruction &in) {
  wave.setScalar32(in.operands[0], wave.scalar32(in.operands[wave.scc ? 1 : 2]));
}
static void select64(Wave &wave, const Instruction &in) {
  wave.setScalar64(in.operands[0], wave.scalar64(in.operands[wave.scc ? 1 : 2]));
}
static void moveIf32(Wave &wave, const Instruction &in) {
  if (wave.scc)
    move32(wave, in);
}
static void moveIf64(Wave &wave, const Instruction &in) {
  if (wave.scc)
    move64(wave, in);
}
static void brev64(Wave &wave, const Instruction &in) {
  wave.setScalar64(in.operands[0], llvm::reverseBits(wave.scalar64(in.operands[1])));
}
static void brev32(Wave &wave, const Instruction &in) {
  wave.setScalar32(in.operands[0], Brev32()(wave.scalar32(in.operands[1])));
}
template <unsigned Bits> static void signExtend(Wave &wave, const Instruction &in) {
  wave.setScalar32(in.operands[0],
                   uint32_t(llvm::SignExtend64<Bits>(wave.scalar32(in.operands[1]))));
}
template <bool Is64, bool FromLow> static void firstOne(Wave &wave, const Instruction &in) {
  uint64_t a = Is64 ? wave.scalar64(in.operands[1]) : wave.scalar32(in.operands[1]);
  int none = a == 0;
  int at = none ? -1 : FromLow ? llvm::countr_zero(a) : llvm::countl_zero(a) - (Is64 ? 0 : 32);
  wave.setScalar32(in.operands[0], uint32_t(at));
}
template <bool IsOne> static void testBit32(Wave &wave, const Instruction &in) {
  wave.scc = (wave.scalar32(in.operands[0]) >> (wave.scalar32(in.operands[1]) & 31) & 1) == IsOne;
}
template <bool IsOne> static void testBit64(Wave &wave, const Instruction &in) {
  wave.scc = (wave.scalar64(in.operands[0]) >> (wave.scalar32(in.operands[1]) & 63) & 1) == IsOne;
}
template <bool IsOne> static void setBit32(Wave &wave, const Instruction &in) {
  uint32_t bit = uint32_t(1) << (wave.scalar32(in.operands[1]) & 31);
  uint32_t old = wave.scalar32(in.operands[0]);
  wave.setScalar32(in.operands[0], IsOne ? old | bit : old & ~bit);
}
template <bool IsOne> static void setBit64(Wave &wave, const Instruction &in) {
  uint64_t bit = uint64_t(1) << (wave.scalar32(in.operands[1]) & 63);
  uint64_t old = wave.scalar64(in.operands[0]);
  wave.setScalar64(in.operands[0], IsOne ? old | bit : old & ~bit);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

static void branch(Wave &wave, const Instruction &in) { wave.jump(in.target); }
template <bool Value> static void branchScc(Wave &wave, const Instruction &in) {
  if (wave.scc == Value)
    wave.jump(in.target);
}
template <uint16_t Register, bool WhenZero>
static void branchMask(Wave &wave, const Instruction &in) {
  Operand mask;
  mask.kind = Operand::Kind::Scalar, mask.index = Register;
  if ((wave.mask(mask) == 0) == WhenZero)
    wave.jump(in.target);
}

static void end(Wave &wave, const Instruction &) { wave.state = Wave::State::Done; }
static void nothing(Wave &, const Instruction &) {}

static void barrier(Wave &wave, const Instruction &) {
  // The others would read what is on its way.
  if (wave.hasLocalStores())
    return wave.fail("a barrier before the wait for stores to LDS");
  wave.state = Wave::State::AtBarrier;
}

static void waitCounts(Wave &wave, const Instruction &in) {
  const Modifiers &counts = in.modifiers;
  if (counts.vectorCount >= 0)
    wave.wait(Counter::Vector, unsigned(counts.vectorCount));
  if (counts.localCount >= 0)
    wave.wait(Counter::Local, unsigned(counts.localCount));
}

/// "s_waitcnt_vscnt null, 0x0"
static void waitStores(Wave &wave, const Instruction &in) {
  wave.wait(Counter::Store, wave.scalar32(in.operands[0]) + wave.scalar32(in.operands[1]));
}

/// Address of the next instruction; of a call, where it leads is an address, too.
static void addressOfNext(Wave &wave, const Instruction &in) {
  wave.setScalar64(in.operands[0], wave.imageAddress + in.offset + in.bytes);
}

/// A branch over more code than a 16-bit offset reaches, to an address of the image.
static void jumpToAddress(Wave &wave, const Instruction &in) {
  wave.jump(wave.scalar64(in.operands[0]) - wave.imageAddress);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static void addComparisons(Handlers &handlers) {
  for (const char *prefix : {"s_cmp_", "s_cmpk_"}) {
    auto add = [&](const char *name, Handler handler) {
      handlers[std::string(prefix) + name] = handler;
    };
    add("eq_i32", compare32(EqualTo())), add("eq_u32", compare32(EqualTo()));
    add("lg_i32", compare32(DiffersFrom())), add("lg_u32", compare32(DiffersFrom()));
    add("gt_i32", compare32(GreaterI())), add("gt_u32", compare32(GreaterU()));
    add("ge_i32", compare32(AtLeastI())), add("ge_u32", compare32(AtLeastU()));
    add("lt_i32", compare32(LessI())), add("lt_u32", compare32(LessU()));
    add("le_i32", compare32(AtMostI())), add("le_u32", compare32(AtMostU()));
  }
  handlers["s_cmp_eq_u64"] = compare64(EqualTo());
  handlers["s_cmp_lg_u64"] = compare64(DiffersFrom());
  handlers["s_bitcmp0_b32"] = testBit32<false>, handlers["s_bitcmp1_b32"] = testBit32<true>;
  handlers["s_bitcmp0_b64"] = testBit64<false>, handlers["s_bitcmp1_b64"] = testBit64<true>;
}

/// Adds a handler for 32 and one for 64 bits under `name`_b32 and `name`_b64.
template <typename Function>
static void addLogic(Handlers &handlers, std::initializer_list<const char *> names,
                     Function function) {
  for (const char *name : names) {
    handlers[std::string(name) + "_b32"] = logic32(function);
    handlers[std::string(name) + "_b64"] = logic64(function);
  }
}
template <typename Function>
static void addSaveExec(Handlers &handlers, std::initializer_list<const char *> names,
                        Function function) {
  for (const char *name : names) {
    handlers[std::string(name) + "_saveexec_b64"] = saveExec<true>(function);
    handlers[std::string(name) + "_saveexec_b32"] = saveExec<false>(function);
  }
}

static void addArithmetic(Handlers &handlers) {
  handlers["s_add_u32"] = addUnsigned<false, false>,
  handlers["s_addc_u32"] = addUnsigned<false, true>;
  handlers["s_sub_u32"] = addUnsigned<true, false>,
  handlers["s_subb_u32"] = addUnsigned<true, true>;
  handlers["s_add_i32"] = addSigned<false>, handlers["s_sub_i32"] = addSigned<true>;
  handlers["s_addk_i32"] = addShort, handlers["s_mulk_i32"] = mulShort;
  handlers["s_movk_i32"] = moveShort;
  handlers["s_mul_i32"] = plain32(Mul()), handlers["s_mul_hi_u32"] = plain32(MulHigh());
  handlers["s_mul_hi_i32"] = plain32(MulHighSigned());
  handlers["s_min_i32"] = extreme<int32_t, true>, handlers["s_max_i32"] = extreme<int32_t, false>;
  handlers["s_min_u32"] = extreme<uint32_t, true>, handlers["s_max_u32"] = extreme<uint32_t, false>;
  handlers["s_lshl1_add_u32"] = shiftAdd<1>, handlers["s_lshl2_add_u32"] = shiftAdd<2>;
  handlers["s_lshl3_add_u32"] = shiftAdd<3>, handlers["s_lshl4_add_u32"] = shiftAdd<4>;
  handlers["s_lshl_b32"] = logic32(ShiftLeft()), handlers["s_lshr_b32"] = logic32(ShiftRight());
  handlers["s_ashr_i32"] = logic32(ShiftRightSigned());
  handlers["s_lshl_b64"] = shift64<0>, handlers["s_lshr_b64"] = shift64<1>;
  handlers["s_ashr_i64"] = shift64<2>;
  handlers["s_bfe_u32"] = logic32(FieldUnsigned()), handlers["s_bfe_i32"] = logic32(FieldSigned());
  handlers["s_bfe_u64"] = field64<false>, handlers["s_bfe_i64"] = field64<true>;
  handlers["s_bfm_b32"] = plain32(FieldMask());
  handlers["s_abs_i32"] = unary32(Absolute());
  handlers["s_pack_ll_b32_b16"] = plain32(PackLow());
  handlers["s_pack_lh_b32_b16"] = plain32(PackLowHigh());
  handlers["s_pack_hh_b32_b16"] = plain32(PackHigh());
}

static void addBits(Handlers &handlers) {
  handlers["s_mov_b32"] = move32, handlers["s_mov_b64"] = move64;
  handlers["s_cmov_b32"] = moveIf32, handlers["s_cmov_b64"] = moveIf64;
  handlers["s_cselect_b32"] = select32, handlers["s_cselect_b64"] = select64;
  handlers["s_not_b32"] = unary32(Not()), handlers["s_not_b64"] = unary64(Not());
  handlers["s_brev_b32"] = brev32, handlers["s_brev_b64"] = brev64;
  handlers["s_bcnt1_i32_b32"] = unary32(Ones());
  handlers["s_sext_i32_i8"] = signExtend<8>, handlers["s_sext_i32_i16"] = signExtend<16>;
  for (auto [names, handler] :
       {std::pair(std::pair("s_ff1_i32_b32", "s_ctz_i32_b32"), Handler(firstOne<false, true>)),
        {{"s_ff1_i32_b64", "s_ctz_i32_b64"}, firstOne<true, true>},
        {{"s_flbit_i32_b32", "s_clz_i32_u32"}, firstOne<false, false>},
        {{"s_flbit_i32_b64", "s_clz_i32_u64"}, firstOne<true, false>}})
    handlers[names.first] = handlers[names.second] = handler;
  handlers["s_bitset0_b32"] = setBit32<false>, handlers["s_bitset1_b32"] = setBit32<true>;
  handlers["s_bitset0_b64"] = setBit64<false>, handlers["s_bitset1_b64"] = setBit64<true>;
  addLogic(handlers, {"s_and"}, And()), addLogic(handlers, {"s_or"}, Or());
  addLogic(handlers, {"s_xor"}, Xor()), addLogic(handlers, {"s_xnor"}, Xnor());
  addLogic(handlers, {"s_nand"}, Nand()), addLogic(handlers, {"s_nor"}, Nor());
  addLogic(handlers, {"s_andn2", "s_and_not1"}, AndNot());
  addLogic(handlers, {"s_orn2", "s_or_not1"}, OrNot());
  addSaveExec(handlers, {"s_and"}, And()), addSaveExec(handlers, {"s_or"}, Or());
  addSaveExec(handlers, {"s_xor"}, Xor()), addSaveExec(handlers, {"s_nand"}, Nand());
  addSaveExec(handlers, {"s_nor"}, Nor()), addSaveExec(handlers, {"s_xnor"}, Xnor());
  addSaveExec(handlers, {"s_andn2", "s_and_not1"}, AndNot());
  addSaveExec(handlers, {"s_orn2", "s_or_not1"}, OrNot());
  addSaveExec(handlers, {"s_andn1", "s_and_not0"}, NotAnd());
  addSaveExec(handlers, {"s_orn1", "s_or_not0"}, NotOr());
}

void rooftile::emulator::addScalarHandlers(Handlers &handlers) {
  addComparisons(handlers);
  addArithmetic(handlers);
  addBits(handlers);
  handlers["s_branch"] = branch;
  handlers["s_cbranch_scc0"] = branchScc<false>, handlers["s_cbranch_scc1"] = branchScc<true>;
  handlers["s_cbranch_vccz"] = branchMask<kVcc, true>;
  handlers["s_cbranch_vccnz"] = branchMask<kVcc, false>;
  handlers["s_cbranch_execz"] = branchMask<kExec, true>;
  handlers["s_cbranch_execnz"] = branchMask<kExec, false>;
  handlers["s_endpgm"] = end, handlers["s_barrier"] = barrier;
  handlers["s_waitcnt"] = waitCounts, handlers["s_waitcnt_vscnt"] = waitStores;
  handlers["s_getpc_b64"] = addressOfNext, handlers["s_setpc_b64"] = jumpToAddress;
  for (const char *name :
       {"s_nop", "s_clause", "s_delay_alu", "s_waitcnt_depctr", "s_sendmsg", "s_setprio", "s_sleep",
        "s_inst_prefetch", "s_set_inst_prefetch_distance", "s_icache_inv", "s_dcache_inv",
        "s_sethalt", "s_code_end"})
    handlers[name] = nothing;
}
