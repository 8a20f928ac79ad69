//===- Bf16.cpp - Rounding to bf16, where the host has none ---------------===//
//
// Kernels round to bf16 by integer arithmetic. But hosts without instructions for bf16 move its
// vectors through f32, and LLVM calls this function on the way back, which compilers' libraries
// have from GCC 13 on only.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/HostCode.h"

#include <cstring>

/// To nearest, ties to even; a NaN stays one. The result is the lower half of the register in which
/// a float is returned (x86-64 and AArch64, as a 16-bit floating-point number is).
float __truncsfbf2(float number) {
  uint32_t bits;
  std::memcpy(&bits, &number, sizeof(bits));
  bool isNan = (bits & 0x7fffffff) > 0x7f800000;
  bits = isNan ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  std::memcpy(&number, &bits, sizeof(bits));
  return number;
}
