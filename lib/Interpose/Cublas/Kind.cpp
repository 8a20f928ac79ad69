//===- Kind.cpp - Calls that are decided alike ----------------------------===//

#include "Kind.h"

#include <cstring>

using namespace rooftile::cublas;

bool rooftile::cublas::isTrsm(Function function) {
  switch (function) {
#define ROOFTILE_GEMM(name, type, Int)
#define ROOFTILE_GEMM_STRIDED(name, type, Int)
#define ROOFTILE_GEMM_BATCHED(name, type, Int)
#define ROOFTILE_GEMM_EX(name, Int)
#define ROOFTILE_GEMM_STRIDED_EX(name, Int)
#define ROOFTILE_GEMM_BATCHED_EX(name, Int)
#define ROOFTILE_TRMM(name, type, Int)
#define ROOFTILE_TRSM(name, type, Int) case Function::name:
#define ROOFTILE_TRSM_BATCHED(name, type, Int) case Function::name:
#include "Functions.inc"
    return true;
  default:
    return false;
  }
}

Factor rooftile::cublas::factorOf(rooftile_type type, const void *number) {
  bool isDouble = type == ROOFTILE_F64 || type == ROOFTILE_C128;
  bool isComplex = type == ROOFTILE_C64 || type == ROOFTILE_C128;
  float singles[2] = {};
  double value[2] = {};
  if (isDouble) {
    std::memcpy(value, number, isComplex ? 16 : 8);
  } else {
    std::memcpy(singles, number, isComplex ? 8 : 4);
    value[0] = singles[0], value[1] = singles[1];
  }
  if (value[1] != 0)
    return Factor::Other;
  return value[0] == 0 ? Factor::Zero : value[0] == 1 ? Factor::One : Factor::Other;
}

namespace {
/// Small numbers side by side in a word.
class Packed {
public:
  Packed &add(uint64_t value, unsigned bits) {
    word |= value << used;
    used += bits;
    return *this;
  }
  uint64_t get() const { return word; }

private:
  uint64_t word = 0;
  unsigned used = 0;
};
} // namespace

/// 0 to 4: the address is a multiple of 1 to 16 bytes.
static uint64_t alignmentOf(const void *address) {
  return uint64_t(__builtin_ctzll(reinterpret_cast<uint64_t>(address) | 16));
}

Kind rooftile::cublas::kindOf(Function function, int device, const rooftile_gemm_args &args) {
  Kind kind;
  bool isArray = args.batch == ROOFTILE_BATCH_POINTERS;
  bool isOnHost = args.scalars == ROOFTILE_SCALARS_HOST;
  Packed choices;
  choices.add(uint64_t(function), 8)
      .add(uint64_t(device), 6)
      .add(uint64_t(args.op_a), 2)
      .add(uint64_t(args.op_b), 2);
  choices.add(uint64_t(args.type_c), 3).add(uint64_t(args.batch), 2);
  for (const void *factor : {args.alpha, args.beta})
    choices.add(uint64_t(isOnHost ? factorOf(args.type_c, factor) : Factor::OnDevice), 2);
  for (const void *address : {args.a, args.b, static_cast<const void *>(args.c)})
    choices.add(isArray ? 0 : alignmentOf(address), 3);
  kind.words = {choices.get(),           uint64_t(args.m),       uint64_t(args.n),
                uint64_t(args.k),        uint64_t(args.lda),     uint64_t(args.ldb),
                uint64_t(args.ldc),      uint64_t(args.count),   uint64_t(args.stride_a),
                uint64_t(args.stride_b), uint64_t(args.stride_c)};
  return kind;
}

Kind rooftile::cublas::kindOf(Function function, int device, const rooftile_triangular_args &args) {
  Kind kind;
  Packed choices;
  choices.add(uint64_t(function), 8)
      .add(uint64_t(device), 6)
      .add(uint64_t(args.op_a), 2)
      .add(uint64_t(args.side), 2);
  choices.add(uint64_t(args.triangle), 2).add(uint64_t(args.diagonal), 2);
  choices.add(uint64_t(factorOf(args.type, args.alpha)), 2);
  bool isArray = args.batch == ROOFTILE_BATCH_POINTERS;
  for (const void *address : {args.a, static_cast<const void *>(args.b)})
    choices.add(isArray ? 0 : alignmentOf(address), 3);
  kind.words = {choices.get(),      uint64_t(args.m),   uint64_t(args.n),
                uint64_t(args.lda), uint64_t(args.ldb), uint64_t(args.count)};
  return kind;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static char letterOf(rooftile_op op) { return op >= 0 && op < 4 ? "ntcj"[op] : '?'; }

static std::string number(int64_t value) { return std::to_string(value); }

std::string rooftile::cublas::textOf(Function function, const rooftile_gemm_args &args) {
  std::string text = std::string(nameOf(function)) + " " + letterOf(args.op_a) +
                     letterOf(args.op_b) + " " + number(args.m) + "x" + number(args.n) + "x" +
                     number(args.k);
  return args.batch == ROOFTILE_BATCH_NONE ? text : text + " batch " + number(args.count);
}

std::string rooftile::cublas::textOf(Function function, const rooftile_triangular_args &args) {
  std::string text = std::string(nameOf(function)) + (args.side == ROOFTILE_LEFT ? " l" : " r") +
                     (args.triangle == ROOFTILE_LOWER ? "l" : "u") + letterOf(args.op_a) +
                     (args.diagonal == ROOFTILE_UNIT ? "u " : "n ") + number(args.m) + "x" +
                     number(args.n);
  return args.batch == ROOFTILE_BATCH_NONE ? text : text + " batch " + number(args.count);
}
