//===- CaseKeys.h - What a case can say -------------------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_CASEKEYS_H
#define ROOFTILE_TOOLS_GEMM_RUN_CASEKEYS_H

#include "llvm/ADT/ArrayRef.h"

namespace rooftile::run {

/// What the values of a key are.
enum class ValueKind {
  Word,
  Types,
  Op,
  Number,
  Order,
  Scalar,
  Sizes3,
  Sizes2,
  Layout,
  Shift,
  Sample
};

/// One of the keys that Cases.h explains.
struct Key {
  const char *name, *fallback;
  ValueKind kind;
  const char *words = ""; ///< of ValueKind::Word, separated by |
};

/// All keys, in the order in which the text of a case names them; the last is `sample`.
llvm::ArrayRef<Key> caseKeys();

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_CASEKEYS_H
