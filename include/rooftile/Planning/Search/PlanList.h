//===- PlanList.h - A user's own plans --------------------------*- C++ -*-===//
//
// AutoGEMM lets a user name the tiles that it chooses from; here they are lines of a file, each a
// pattern of operations (Operation/Text.h) and a plan, blocks or a kernel (docs/Dialect.md):
//
//   v1 gemm type=f32 op=nn m>=1024 n%4=0 * -> #blas.plan<macro = [128, 128, 16], ...>
//   v1 trsm type=c64 side=left * -> #blas.blocks<diagonal = 64>
//   v1 gemm type=f64 k<64 * -> @mine::@small_k
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_PLANLIST_H
#define ROOFTILE_PLANNING_SEARCH_PLANLIST_H

#include "rooftile/Operation/Text.h"
#include "rooftile/Planning/Search/PlanSource.h"

#include <string>

namespace rooftile::planning {

/// The attribute that lists have for operations of a routine, "#blas.plan" or "#blas.blocks"; empty
/// for a routine without plans of its own, which becomes products.
llvm::StringRef attributeInLists(operation::Routine routine);

/// The plans, blocks and kernels of one file. Of those whose patterns match and that fit, the one
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
    operation::Pattern pattern;
    mlir::Attribute what; ///< #blas.plan, #blas.blocks or a symbol.
  };
  /// Lines are those whose patterns match.
  void offerPlans(llvm::ArrayRef<const Line *> matching, const PlanRequest &request,
                  PlanOffer &offer) const;
  void offerBlocks(llvm::ArrayRef<const Line *> matching, const PlanRequest &request,
                   PlanOffer &offer) const;

  std::vector<Line> lines;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_PLANLIST_H
