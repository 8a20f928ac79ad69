//===- PlanList.h - A user's own tiles --------------------------*- C++ -*-===//
//
// AutoGEMM lets a user name the tiles that it chooses from; here they are lines
// of a file, each a plan or a kernel, with the conditions under which it counts:
//
//   # type and op, comparisons on m, n, k, batch; then a plan or a kernel
//   f32 nn m>=1024 n%4=0 <macro = [128, 128, 16], micro = [8, 8], ...>
//   f64 k<64 kernel @mine::@small_k
//
// Conditions are separated by blanks: `f32` or `f64`; `nn`, `nt`, `tn`, `tt`; a
// size, one of = != < <= > >=, and a number; `m%16=0`. A condition on a dynamic
// size does not hold. Without conditions a line always counts.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_PLAN_PLANLIST_H
#define ROOFTILE_TRANSFORMS_PLAN_PLANLIST_H

#include "rooftile/Planning/Search/Choose.h"

#include <string>

namespace rooftile {

/// The plans and kernels of one file.
class PlanList {
public:
  /// Reads the lines of `text`. Errors are emitted at `file`:line.
  static llvm::FailureOr<PlanList> parse(llvm::StringRef text, llvm::StringRef file,
                                         mlir::MLIRContext *context);

  /// What the list has for one operation.
  struct Selection {
    int lines = 0;                          ///< Whose conditions hold.
    mlir::SymbolRefAttr kernel;             ///< Of the first of them that names one, or null.
    std::optional<planning::Choice> choice; ///< The fastest plan that fits.
    std::string from;                       ///< "tiles.txt:3", where the choice stands.
    /// Each plan that does not fit: where it stands, and why.
    std::vector<std::pair<mlir::Location, std::string>> violations;
  };
  /// A kernel comes before plans: its author has measured it.
  Selection select(blas::Level3OpInterface op, const planning::Problem &problem,
                   blas::TargetAttr target) const;

private:
  struct Condition {
    char size;           ///< m, n, k or b(atch)
    int64_t modulus = 0; ///< 0: the size itself is compared
    bool (*compare)(int64_t size, int64_t number) = nullptr;
    int64_t number = 0;

    bool holds(blas::Level3OpInterface op) const;
  };
  struct Line {
    mlir::Location place;
    std::string type, op; ///< empty: any
    std::vector<Condition> conditions;
    planning::Plan plan;
    mlir::SymbolRefAttr kernel; ///< null: the line is a plan

    bool matches(blas::Level3OpInterface op) const;
  };
  static bool parseCondition(llvm::StringRef word, Line &line);

  std::vector<Line> lines;
};

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_PLAN_PLANLIST_H
