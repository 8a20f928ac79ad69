//===- PlanData.h - The values of a plan ------------------------*- C++ -*-===//
//
// The parameters of #blas.plan and #blas.path, as plain structs: planning evaluates about 1000 of
// them for an operation, and passes read them through the attributes, which hold one each.
//
// visitKeys is the table of keys: their order is that of the text, their defaults are those of the
// members. Parsing, printing, comparison, hashing, and the keys that tools list come from it. A new
// value is a member, a row of the table, and what it does to limits (PlanRules), prices and passes.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_PLANDATA_H
#define ROOFTILE_DIALECT_BLAS_PLANDATA_H

#include "rooftile/Dialect/Blas/Enums.h"
#include "llvm/ADT/Hashing.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace llvm::json {
class Object;
} // namespace llvm::json

namespace rooftile::tile {
struct Instruction;
} // namespace rooftile::tile

namespace rooftile::blas {

/// A row of the table of keys. The values of a key follow from the type of its member.
struct DataKey {
  llvm::StringLiteral name;
  llvm::StringLiteral doc;
  bool required = false; ///< Else it is left out of the text where it has its default.
};

/// #blas.path: the path of one operand to the multiplying instructions.
struct PathData {
  Via via = Via::Shared;
  Copy copy = Copy::Register;
  int64_t vector = 1;
  int64_t pad = 0;
  int64_t swizzle = 0;
  int64_t lanes = 0;
  int64_t pack = 0;
  Major major = Major::MN;
  ComplexLayout layout = ComplexLayout::Interleaved;
  int64_t flat = 0;

  /// Whether fragments come from global memory.
  bool isDirect() const { return via != Via::Shared; }

  /// Calls `visit` with each key and the pointers to its members.
  template <typename Visit> static void visitKeys(Visit &&visit) {
    using P = PathData;
    visit(DataKey{"via", "where the operand is staged", true}, &P::via);
    visit(DataKey{"copy", "how it reaches shared memory"}, &P::copy);
    visit(DataKey{"vector", "elements of one global access"}, &P::vector);
    visit(DataKey{"pad", "elements added to each vector of the shared tile"}, &P::pad);
    visit(DataKey{"swizzle", "elements that change places as a unit in the shared tile"},
          &P::swizzle);
    visit(DataKey{"lanes", "neighbouring threads along the contiguous dimension; 0: all accesses"},
          &P::lanes);
    visit(DataKey{"pack", "1: it is copied first, so that it runs along M or N"}, &P::pack);
    visit(DataKey{"major", "the dimension along which neighbours of the shared tile lie"},
          &P::major);
    visit(DataKey{"layout", "of complex elements in the shared tile"}, &P::layout);
    visit(DataKey{"flat", "elements of a vector: vectors without gaps are copied as one run"},
          &P::flat);
  }
};

/// #blas.plan; sizes in elements. BlasPlan.td explains each value at length.
struct PlanData {
  int64_t macroM = 1, macroN = 1, macroK = 1;
  int64_t microM = 1, microN = 1;
  int64_t lanesM = 1, lanesN = 1;
  int64_t slicedK = 1;
  int64_t depth = 1;
  int64_t vector = 1;
  const tile::Instruction *instruction = nullptr; ///< Null: multiply-adds, `fma`.
  int64_t products = 4;
  ComplexMethod complex = ComplexMethod::Native;
  Summation summation = Summation::Plain;
  int64_t promote = 0;
  PathData a, b;
  Via c = Via::Register;
  int64_t flat = 0;
  int64_t loadsC = 0;
  int64_t stages = 2;
  int64_t prefetch = 0;
  int64_t unroll = 0;
  Reduction reduction = Reduction::None;
  int64_t splits = 1;
  Tail tail = Tail::Overlap;
  int64_t raster = 1;
  int64_t residency = 1;
  int64_t matrices = 1;

  template <typename Visit> static void visitKeys(Visit &&visit) {
    using P = PlanData;
    visit(DataKey{"macro", "tile of a workgroup along M and N, and its K step", true}, &P::macroM,
          &P::macroN, &P::macroK);
    visit(DataKey{"micro", "elements of C that one thread accumulates", true}, &P::microM,
          &P::microN);
    visit(DataKey{"lanes", "threads of a subgroup along M and N", true}, &P::lanesM, &P::lanesN);
    visit(DataKey{"slicedK", "groups of subgroups that share out each K step"}, &P::slicedK);
    visit(DataKey{"depth", "K elements of a slice of multiply-adds"}, &P::depth);
    visit(DataKey{"vector", "elements of a fragment read, and of an access to C"}, &P::vector);
    visit(DataKey{"mma", "the multiplying instruction"}, &P::instruction);
    visit(DataKey{"products", "real products of a complex one"}, &P::products);
    visit(DataKey{"complex", "how complex products are computed"}, &P::complex);
    visit(DataKey{"summation", "how a thread accumulates its K steps"}, &P::summation);
    visit(DataKey{"promote", "K steps after which accumulators are added to totals; 0: none"},
          &P::promote);
    visit(DataKey{"a", "the path of A", true}, &P::a);
    visit(DataKey{"b", "the path of B", true}, &P::b);
    visit(DataKey{"c", "shared: the tile of C passes through shared memory"}, &P::c);
    visit(DataKey{"flat", "elements of a row of C: whole rows without gaps are written as one"},
          &P::flat);
    visit(DataKey{"loadsC", "accesses to C that a thread reads before it writes the first of them"},
          &P::loadsC);
    visit(DataKey{"stages", "stages of the ring in shared memory"}, &P::stages);
    visit(DataKey{"prefetch", "1: first fragments are read before the previous step ends"},
          &P::prefetch);
    visit(DataKey{"unroll", "slices that are written out in the slice loop; 0: all, no loop"},
          &P::unroll);
    visit(DataKey{"reduction", "how partial sums over K are combined"}, &P::reduction);
    visit(DataKey{"splits", "workgroups that share the K steps of a tile"}, &P::splits);
    visit(DataKey{"tail", "what happens where a tile crosses the matrix edge"}, &P::tail);
    visit(DataKey{"raster", "workgroups that share a column band of C"}, &P::raster);
    visit(DataKey{"residency", "workgroups that a unit is to hold at a time"}, &P::residency);
    visit(DataKey{"matrices", "matrices of a batch that a workgroup has, each thread one"},
          &P::matrices);
  }

  /// Terms of compensated sums that are added up plainly at most: the products of a step, and
  /// then what groups, and workgroups of a cluster, have.
  static constexpr int64_t kMostPlainTerms = 144;

  std::array<int64_t, 3> macro() const { return {macroM, macroN, macroK}; }
  std::array<int64_t, 2> micro() const { return {microM, microN}; }
  std::array<int64_t, 2> lanes() const { return {lanesM, lanesN}; }
  /// Whether fragments of the operand with that path are read in runs along K: neighbouring lanes
  /// have neighbouring vectors then.
  bool runsAlongK(const PathData &path) const;
  /// Elements of the runs in which a thread has rows (`dim` 0) or columns (1) of C. Those of a
  /// thread that has all of C are neighbours anyway.
  int64_t runOf(int dim) const;
  /// The path of A (`dim` 0, as M) or B (1, as N).
  const PathData &path(int dim) const { return dim == 0 ? a : b; }

  /// Threads of one workgroup (C2).
  int64_t threads() const { return (macroM / microM) * (macroN / microN) * slicedK * matrices; }
  /// K elements of a step that one thread multiplies.
  int64_t ownK() const { return macroK / slicedK; }
  /// K elements of a slice of one group: `depth`, or those of the matrix instruction.
  int64_t sliceDepth() const;
  /// Whether the multiplying instruction reads both operands from shared memory.
  bool readsShared() const;
  /// Whether summation is compensated.
  bool compensates() const { return summation == Summation::Compensated; }
  /// Terms of compensated sums that are added up plainly.
  int64_t plainTerms() const { return ownK() + slicedK * ranks(); }
  /// True where threads have whole matrices of a batch: one tile, read and written by one thread.
  bool holdsMatrices() const {
    return macroM == microM && macroN == microN && slicedK == 1 && splits == 1 &&
           reduction == Reduction::None && a.via == Via::Register && b.via == Via::Register &&
           c == Via::Register && !instruction;
  }
  /// Whether complex elements are multiplied as the real ones that they consist of.
  bool isInduced() const { return complex == ComplexMethod::Induced; }
  /// True where an operand is copied first.
  bool packs() const { return a.pack || b.pack; }
  /// Workgroups that add up their accumulators in shared memory: those of a cluster.
  int64_t ranks() const { return reduction == Reduction::Cluster ? splits : 1; }
  /// Whether partial sums are added up in shared memory: of a cluster, or of groups.
  bool reducesInShared() const { return reduction == Reduction::Cluster || slicedK > 1; }
  /// Whether the tile of C passes through shared memory: by `c`, or to be added up there.
  bool exchangesC() const { return c == Via::Shared || reducesInShared(); }
  /// Whether tiles have the `flat` elements of whole rows of C, and write them as one: they are
  /// whole, and pass through shared memory.
  bool holdsWholeRows() const {
    return flat <= macroN && c == Via::Shared && slicedK == 1 && reduction == Reduction::None;
  }
  /// Bytes of shared memory of one workgroup (C2), for elements of A, B and of accumulators of so
  /// many bytes: all stages, padding included, and the tile of C where it passes.
  int64_t sharedBytes(int64_t ofA, int64_t ofB, int64_t ofSum) const;

  /// This plan for an operation whose operands are packed.
  PlanData withoutPacks() const;
  /// This plan for the product of the real elements of A and B.
  PlanData toInduced() const;
  /// This plan with another `tail`.
  PlanData withTail(Tail tail) const;
};

bool operator==(const PathData &left, const PathData &right);
bool operator==(const PlanData &left, const PlanData &right);
inline bool operator!=(const PathData &left, const PathData &right) { return !(left == right); }
inline bool operator!=(const PlanData &left, const PlanData &right) { return !(left == right); }

llvm::hash_code hash_value(const PathData &path);
llvm::hash_code hash_value(const PlanData &plan);

/// <via = shared, vector = 4>, <macro = [128, 128, 8], ...>: the text of the attributes after
/// their names.
std::string textOf(const PathData &path);
std::string textOf(const PlanData &plan);

/// {"macro": [128, 128, 8], ..., "a": {"via": "shared", ...}}: every key, with or without default.
llvm::json::Object jsonOf(const PathData &path);
llvm::json::Object jsonOf(const PlanData &plan);

/// A key as tools list it.
struct KeyInfo {
  enum class Kind {
    Integer, ///< 4
    Sizes,   ///< [4, 8]
    Word,    ///< one of `words`
    Path,    ///< <via = shared>
    Other    ///< text, a number, a list
  };
  llvm::StringRef name, doc;
  Kind kind;
  bool required;
  std::string byDefault;              ///< Text of the value that goes without saying.
  std::vector<llvm::StringRef> words; ///< All values, of Kind::Word.
};

/// All keys of #blas.plan, and of #blas.path, in the order of their text.
llvm::ArrayRef<KeyInfo> planKeys();
llvm::ArrayRef<KeyInfo> pathKeys();

/// "unknown plan key 'stage', did you mean 'stages'?": `what` is "plan" or "path". Names that
/// older versions had get their present name.
std::string unknownKeyText(llvm::StringRef what, llvm::StringRef name,
                           llvm::ArrayRef<KeyInfo> keys);

/// "'asynk' is none of register, async, bulk, tensor, did you mean 'async'?"
std::string unknownWordText(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> words);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_PLANDATA_H
