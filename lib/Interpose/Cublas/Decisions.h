//===- Decisions.h - What was decided of a kind of call ---------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_DECISIONS_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_DECISIONS_H

#include "Call.h"

#include <atomic>

namespace rooftile::cublas {

struct Decision {
  Decision(bool isTaken, std::string why) : isTaken(isTaken), why(std::move(why)) {}

  const bool isTaken;
  const std::string why; ///< For people: the predicted gain, or what speaks against it.
  /// Set where a call of the kind could not be computed, and none will be: why. Never freed.
  std::atomic<const std::string *> refusal{nullptr};
  std::atomic<uint64_t> loaded{0}; ///< Bits of the sessions that have computed one.

  /// Null where calls of this kind are executed here.
  const char *whyNot() const {
    const std::string *refused = refusal.load(std::memory_order_acquire);
    return refused ? refused->c_str() : isTaken ? nullptr : why.c_str();
  }
  void refuse(std::string reason) {
    refusal.store(new std::string(std::move(reason)), std::memory_order_release);
  }
};

/// Null where none was made. Found in some nanoseconds by a thread that asks again.
Decision *findDecision(const Kind &kind);

/// The decision for later calls: `made`, or the one of a thread that was faster. Null where too
/// many are kept already. What is returned lives for good.
Decision *keepDecision(const Kind &kind, bool isTaken, std::string why);

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_DECISIONS_H
