//===- Kind.h - Calls that are decided alike --------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_KIND_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_KIND_H

#include "Next.h"
#include "rooftile/rooftile.h"

#include <array>
#include <cstddef>
#include <string>

namespace rooftile::cublas {

/// Whether a function of a triangular matrix is a solve.
bool isTrsm(Function function);

/// A factor, as far as kernels differ by it.
enum class Factor : uint64_t { Zero, One, Other, OnDevice };

/// Factor of a number of that type in host memory.
Factor factorOf(rooftile_type type, const void *number);

/// All that is known of a call but its stream, its addresses, of which the alignment counts, and
/// the values of its factors.
struct Kind {
  std::array<uint64_t, 11> words = {};

  bool operator==(const Kind &other) const { return words == other.words; }
};

struct KindHash {
  size_t operator()(const Kind &kind) const {
    uint64_t hash = 0;
    for (uint64_t word : kind.words) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15ull; // 2^64 over the golden ratio
      hash ^= hash >> 29;
    }
    return hash;
  }
};

Kind kindOf(Function function, int device, const rooftile_gemm_args &args);
Kind kindOf(Function function, int device, const rooftile_triangular_args &args);

/// "cublasSgemm_v2 nt 64x32x16 batch 8", for people.
std::string textOf(Function function, const rooftile_gemm_args &args);
std::string textOf(Function function, const rooftile_triangular_args &args);

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_KIND_H
