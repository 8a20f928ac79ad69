//===- Defect.h - What is wrong with a random case --------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_DEFECT_H
#define ROOFTILE_TOOLS_GEMM_RUN_DEFECT_H

#include "Cases.h"

namespace rooftile::run {

/// What is wrong with a case; an empty message for nothing.
struct Defect {
  enum Kind { Right, Wrong, Uncompiled, Unrefused } kind = Right;
  std::string message;

  /// Whether the other is of the same kind and begins with the same words, numbers apart.
  bool isLike(const Defect &other) const;
};

/// Whether an operation was not launched for the sake of a pointer.
bool wasRefused(const Session &session);

/// What is wrong with the outcome of a case. Not to launch is right where the operand that the
/// error names is in fact misaligned, nothing of C was written, and the case leaves no other plan
/// to run: with dynamic sizes there is one that takes any pointer.
Defect defectOf(const Case &single, const Session &session);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_DEFECT_H
