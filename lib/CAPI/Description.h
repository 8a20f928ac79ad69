//===- Description.h - What kernels are compiled for ------------*- C++ -*-===//
//
// All of a call but addresses and scalars, as numbers without gaps: a key that is hashed and
// compared as bytes. The numbers are the caller's, and are checked when a key is new.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_CAPI_DESCRIPTION_H
#define ROOFTILE_LIB_CAPI_DESCRIPTION_H

#include "Failure.h"
#include "rooftile/Compiler/Operands.h"

#include <cstring>
#include <type_traits>

namespace rooftile::capi {

/// Of scalars, what kernels differ by.
enum class Amount : int16_t { Zero, One, Other, InMemory };

struct MatrixKey {
  int64_t leading, stride;
  int32_t type;
  int32_t align; ///< Bytes, up to 16, that the address is a multiple of.
};

struct Description {
  compiler::Routine routine;
  bool isOpen; ///< Kernels are for all sizes: ROOFTILE_SIZES_ANY.
  compiler::Bias bias;
  compiler::Activation activation;
  int32_t order, opA, opB, batch, side, triangle, diagonal;
  Amount alpha, beta;
  int32_t exact;
  int64_t m, n, k, count;
  MatrixKey a, b, c; ///< Of triangular routines C is the matrix that is replaced, and B is zeros.

  bool operator==(const Description &other) const {
    return std::memcmp(this, &other, sizeof(Description)) == 0;
  }
};
static_assert(std::has_unique_object_representations_v<Description>, "compared as bytes");

struct DescriptionHash {
  size_t operator()(const Description &description) const {
    constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15; // 2^64 / the golden ratio
    uint64_t words[sizeof(Description) / 8], hash = 0;
    static_assert(sizeof words == sizeof(Description));
    std::memcpy(words, &description, sizeof words);
    for (uint64_t word : words) {
      hash = (hash ^ word) * kMultiplier;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

/// Where the matrices are; of a batch by pointers, the arrays.
struct Addresses {
  uint64_t a = 0, b = 0, c = 0, bias = 0;
};

/// A description that was checked.
struct Checked {
  compiler::Operation operation;
  bool doesNothing = false; ///< There is no element, or C = C.
  bool readsFactors = true; ///< A, and of products B.
  compiler::Extent a, b, c;
};

/// "f32"; "?" for other numbers.
const char *nameOfType(int32_t type);
/// Bytes of an element; the type is valid.
int64_t bytesOfType(int32_t type);

/// Whether `type` is one, and its scalars: f32 for f16 and bf16.
bool isType(int32_t type);

/// Names of operands in messages: of triangular routines the third one is B.
const char *nameOfOperand(const Description &description, int operand);

/// What is wrong with `description`, or in `checked` what it says.
Failure check(const Description &description, Checked &checked);

/// Of a checked description that is open: the key of its kernels, which says nothing of sizes,
/// addresses and scalars but what takes another operation.
Description openKey(const Description &description, const Checked &checked);
/// The operation that an open key stands for.
compiler::Operation openOperation(const Description &key);

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_DESCRIPTION_H
