//===- OperationKeys.h - What lists of plans name ---------------*- C++ -*-===//
//
// An operation as words, key by key: routine=gemm type=f32/f32/f32 op=nn m=64 n=64 k=? batch=1, of
// a triangular one side, uplo and diag, too. Lists compare these, and `*` stands for anything.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_OPERATIONKEYS_H
#define ROOFTILE_PLANNING_SEARCH_OPERATIONKEYS_H

#include "rooftile/Dialect/Blas/Blas.h"

#include <optional>
#include <string>
#include <vector>

namespace rooftile::planning {

/// One word of an operation.
struct OperationKey {
  llvm::StringLiteral key;
  std::string text;            ///< "?" of a dynamic size.
  std::optional<int64_t> size; ///< Size of m, n, k and batch, where it is static.
};

/// All words of `op`. This is the only place that says how an operation is written in lists.
std::vector<OperationKey> keysOf(blas::Level3OpInterface op);

/// A condition on one key: a pattern, or a comparison of a size.
struct KeyCondition {
  std::string key;
  std::string pattern; ///< With `*` for any text; of a comparison empty.
  int64_t modulus = 0; ///< 0: the size itself is compared.
  bool (*compare)(int64_t size, int64_t number) = nullptr;
  int64_t number = 0;

  /// "m>=1024", "n%4=0", "side=left", "f32", "f16/*/f32", "nt", "trsm"; nothing for other words.
  static std::optional<KeyCondition> parse(llvm::StringRef word);
  /// A comparison of a dynamic size does not hold, nor does a condition on a key that is missing.
  bool holds(llvm::ArrayRef<OperationKey> keys) const;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_OPERATIONKEYS_H
