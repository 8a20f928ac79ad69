//===- PlanList.h - A user's own plans --------------------------*- C++ -*-===//
//
// AutoGEMM lets a user name the tiles that it chooses from; here they are lines of a file, each a
// plan, blocks or a kernel, after the conditions under which it counts (docs/Dialect.md):
//
//   f32 nn m>=1024 n%4=0 <macro = [128, 128, 16], micro = [8, 8], ...>
//   trsm c64 side=left uplo=* k<=512 #blas.blocks<diagonal = 64>
//   f64 k<64 kernel @mine::@small_k
//
// Conditions are patterns and comparisons of the keys of an operation (OperationKeys.h).
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_PLANLIST_H
#define ROOFTILE_PLANNING_SEARCH_PLANLIST_H

#include "rooftile/Planning/Search/OperationKeys.h"
#include "rooftile/Planning/Search/PlanSource.h"

#include <string>

namespace rooftile::planning {

/// The plans, blocks and kernels of one file. Of those whose conditions hold and that fit, the one
/// predicted fastest counts. A kernel comes before plans: its author has measured it.
class PlanList : public PlanSource {
public:
  /// Reads the lines of `text`. Errors are emitted at `file`:line.
  static llvm::FailureOr<PlanList> parse(llvm::StringRef text, llvm::StringRef file,
                                         mlir::MLIRContext *context);

  std::optional<PlanOffer> offer(const PlanRequest &request) const override;

private:
  struct Line {
    mlir::LocationAttr place;
    std::vector<KeyCondition> conditions;
    mlir::Attribute what; ///< #blas.plan, #blas.blocks or a symbol.

    bool appliesTo(const PlanRequest &request) const;
  };
  void offerPlans(const PlanRequest &request, PlanOffer &offer) const;
  void offerBlocks(const PlanRequest &request, PlanOffer &offer) const;

  std::vector<Line> lines;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_PLANLIST_H
