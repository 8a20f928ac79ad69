//===- PlanList.h - A user's own plans --------------------------*- C++ -*-===//
//
// AutoGEMM lets a user name the tiles that it chooses from; here they are lines of a file, each a
// pattern of operations (Operation/Text.h) and a plan, blocks or a kernel (docs/Dialect.md):
//
//   chip h200
//   v1 gemm type=f32 op=nn m>=1024 n%4=0 * -> #blas.plan<macro = [128, 128, 16], ...>
//   v1 trsm type=c64 side=left * -> #blas.blocks<diagonal = 64>
//   v1 gemm type=f64 k<64 * -> @mine::@small_k
//
// A list holds text alone, and no context of MLIR: one serves all modules and threads of a process.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_PLANLIST_H
#define ROOFTILE_PLANNING_SEARCH_PLANLIST_H

#include "rooftile/Operation/Text.h"
#include "rooftile/Planning/Problem/OperationOf.h"
#include "rooftile/Planning/Search/PlanSource.h"

#include "llvm/ADT/StringMap.h"

#include <memory>
#include <string>

namespace rooftile::planning {

/// The attribute that lists have for operations of a routine, "#blas.plan" or "#blas.blocks"; empty
/// for a routine without plans of its own, which becomes products.
llvm::StringRef attributeInLists(operation::Routine routine);

/// The lines of one file.
class PlanList {
public:
  struct Line {
    unsigned number = 0; ///< In the file, from 1.
    operation::Pattern pattern;
    std::string text;    ///< Without its comment.
    std::string payload; ///< Text of a #blas.plan, #blas.blocks or symbol.
    std::string chip;    ///< Name of the only chip that it is for; empty: all are.
    std::string key;     ///< By which its operation is found; empty: its pattern is tried.

    /// Whether it is for the chip of this name.
    bool isFor(llvm::StringRef target) const;
  };
  /// Lines that match an operation, in the order of the file.
  struct Found {
    llvm::SmallVector<const Line *> lines;
    size_t compared = 0; ///< Lines that the operation was compared with.
  };

  /// Reads the file, or `text`. Errors are emitted at `file`:line:column. `context` has the dialect
  /// blas.
  static llvm::FailureOr<std::shared_ptr<const PlanList>> read(llvm::StringRef file,
                                                               mlir::MLIRContext *context);
  static llvm::FailureOr<PlanList> parse(llvm::StringRef text, llvm::StringRef file,
                                         mlir::MLIRContext *context);

  /// Lines that match, of all chips, also those that compare sizes that each call states: for these
  /// they match some. Lines that state all but alpha are found by hash, others are tried one by
  /// one.
  Found find(const StatedOperation &stated) const;
  /// All lines.
  Found all() const;
  /// The list of these lines alone. `areMatched`: they match every operation of their routine, for
  /// a module of the one operation that they were found for: passes before planning may change it,
  /// as a batch of one matrix.
  std::shared_ptr<const PlanList> only(const Found &found, bool areMatched) const;

  /// "tiles.txt:3"
  std::string placeOf(const Line &line) const;
  /// Lines for other chips than `chip` as one text, with the position of their `chip` line; empty
  /// where there are none.
  std::string whatIsLeftOut(llvm::StringRef chip) const;
  const std::string &file() const { return name; }

private:
  /// Lines after a line `chip NAME`.
  struct Section {
    unsigned number = 0; ///< Source line of that.
    std::string chip;
    size_t lines = 0;
  };
  struct Reader;

  void add(Line line);

  std::string name;
  std::vector<Line> lines;
  std::vector<Section> sections;
  llvm::StringMap<llvm::SmallVector<size_t, 1>> byKey; ///< Indices of lines.
  std::vector<size_t> patterns;                        ///< Those of lines without a key.
  bool areMatched = false;                             ///< Only routines are compared.
};

/// Plans of a list. Of those that match and fit, the one predicted fastest counts. A kernel comes
/// before plans: its author has measured it. Lines for other chips do not count. A line that
/// compares sizes that each call states is a case of a set, in the order of the list.
class ListedPlans : public PlanSource {
public:
  explicit ListedPlans(std::shared_ptr<const PlanList> list) : list(std::move(list)) {}
  std::optional<PlanOffer> offer(const PlanRequest &request) const override;

private:
  /// A line that matches, with what it means in the context of the request.
  struct Match {
    mlir::LocationAttr place;
    mlir::Attribute what;
    std::string from;
    operation::SizeRanges ranges = {}; ///< Sizes that each call states, where it matches.
  };
  /// All that match at every size, and `ranged` the plans that match at some.
  struct Matches {
    llvm::SmallVector<Match> always, ranged;
  };
  Matches matchesOf(const PlanRequest &request) const;
  void offerCases(llvm::ArrayRef<Match> ranged, const PlanRequest &request, PlanOffer &offer) const;
  void offerPlans(llvm::ArrayRef<Match> matches, const PlanRequest &request,
                  PlanOffer &offer) const;
  void offerBlocks(llvm::ArrayRef<Match> matches, const PlanRequest &request,
                   PlanOffer &offer) const;

  std::shared_ptr<const PlanList> list;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_PLANLIST_H
