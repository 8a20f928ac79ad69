//===- AgainstReport.h - What a comparison of functions found ---*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_AGAINSTREPORT_H
#define ROOFTILE_TOOLS_GEMM_RUN_AGAINSTREPORT_H

#include "Arrays.h"

#include <string>

namespace rooftile::run {

/// What was found of one function.
struct Verdict {
  std::string function;
  std::string failure = ""; ///< empty when right
  bool equal = true;        ///< every element of everything
  double fraction = 0;      ///< the largest distance / bound
  std::string worst = "";   ///< where, of what is not equal

  /// Takes the distance of one array: nothing may be further off than `bound`.
  void add(const std::string &name, const std::string &phase, const Distance &apart, double bound);
  /// Keeps the first reason.
  void fail(const std::string &reason);
};

/// One line, or one JSON object.
void print(const Verdict &verdict, bool json);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_AGAINSTREPORT_H
