//===- Figures.h - The figures of a target, with their sources --*- C++ -*-===//
#ifndef ROOFTILE_BENCH_FIGURES_H
#define ROOFTILE_BENCH_FIGURES_H

#include "rooftile/Dialect/Blas/Blas.h"

#include <vector>

namespace rooftile::bench {

/// One figure of a #blas.target: `name` = `value`, and where the value comes from.
struct Figure {
  std::string name, value, source;
};

/// The figures of a target, in the order of its text.
class Figures {
public:
  /// Those of `target`, which come from `source`.
  Figures(blas::TargetAttr target, llvm::StringRef source);

  void set(llvm::StringRef name, const std::string &value, const std::string &source);
  void set(llvm::StringRef name, double value, const std::string &source);
  /// The #blas.target, a line for each figure with its source in a comment.
  void print(llvm::raw_ostream &out) const;
  /// The attribute itself; null with a diagnostic where a figure contradicts another.
  blas::TargetAttr attribute(mlir::MLIRContext *context) const;

private:
  std::vector<Figure> figures;
};

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_FIGURES_H
