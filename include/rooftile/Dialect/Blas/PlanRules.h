//===- PlanRules.h - What a plan can be -------------------------*- C++ -*-===//
//
// One table of rules. Verifiers of attributes ask those about a plan alone, planning and the passes
// those about a plan and an operation, planning those about a chip as well. A rule is one row: what
// it is about, what breaks it, and what is said then.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_PLANRULES_H
#define ROOFTILE_DIALECT_BLAS_PLANRULES_H

#include "rooftile/Dialect/Blas/PlanData.h"

#include <optional>
#include <string>

namespace rooftile::blas {

/// What a rule must know.
enum class RuleLevel {
  Plan,      ///< The plan alone: its attribute is none otherwise.
  Operation, ///< The plan and the operation: no kernel can do it.
  Target     ///< The plan, the operation and the chip.
};

/// All rules, each a row of the table in PlanRules.cpp.
enum class PlanRule {
  // A path alone.
  PathFlat,     ///< Elements of a flat line.
  PathFlatOnly, ///< What flat lines go without.
  PathPack,
  PathVector,
  PathPad,
  PathLanes,
  PathSwizzle,
  PathMajor,     ///< Lines of a tile that there is none of;
  PathLayout,    ///< a layout of complex elements that are not stored one by one;
  PathPackMajor, ///< lines that packing does not keep;
  PathDirect,    ///< what belongs to a tile in shared memory;
  PathBulk,      ///< or to copies by threads;
  PathTensor,    ///< or by rows.
  // A plan alone.
  Sizes,
  Vector,
  StageCount,
  ResidencyCount,
  SplitCount,
  SlicedKCount,
  Depth,
  WholeRows, ///< Rows of C that are written as one.
  Prefetch,
  Unroll,
  Raster,
  ProductCount,
  InducedOnly,     ///< What complex = induced goes without.
  PlainTermsAlone, ///< Compensated sums of which too many terms are added up plainly.
  Combined,        ///< Partial sums that nothing combines.
  Micro,           ///< Micro tiles that do not divide the macro tile;
  Runs,            ///< runs that do not divide micro tiles;
  LanesOfTile,     ///< lanes that do not divide the threads.
  InstructionLanes,
  InstructionDepth,
  InstructionTile,
  SliceDepth, ///< A depth beside that of the matrix instruction.
  Slices      ///< Groups do not share out a step in whole slices.
};

/// A rule that is broken, and what its message names. Cheap to make.
struct Violation {
  PlanRule rule;
  char operand = ' '; ///< 'a', 'b' or 'c' where the rule is about one operand.
  int64_t actual = 0, limit = 0, third = 0, fourth = 0;
  llvm::StringRef word{}, name{};
};

/// The first rule that a path, or a plan and its paths, break whatever they are for.
std::optional<Violation> checkAlone(const PathData &path);
std::optional<Violation> checkAlone(const PlanData &plan);

/// The message of a rule, with the numbers that disagree; `chip` is the name of the target.
std::string describe(const Violation &violation, llvm::StringRef chip = "");

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_PLANRULES_H
