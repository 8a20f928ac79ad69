//===- Plans.h - A user's list of plans, for programs -----------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_PLANS_H
#define ROOFTILE_COMPILER_PLANS_H

#include "rooftile/Compiler/Compiler.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace rooftile::compiler {

/// Reads a list of plans (docs/Dialect.md). Null where it cannot be read, with the reason and its
/// position in `why`.
Plans readPlans(const std::string &file, std::string &why);

/// A list that the environment names.
struct PlansOfEnvironment {
  Plans plans;
  std::string why; ///< It cannot be read.
};

/// The list of the file $ROOFTILE_PLANS; null where that is not set or empty. Read by the first
/// call of the process.
const PlansOfEnvironment &plansOfEnvironment();

/// Lines of a list that decide how something is compiled.
struct PlanLines {
  Plans plans;     ///< These lines alone; null where there are none.
  std::string key; ///< Their text, for caches; empty where there are none.
};

/// Lines that match `operation`; all of them for routines that become several operations. Kernels
/// are left out: no operation has a module that they are in.
PlanLines linesFor(const operation::Operation &operation, const Plans &plans);
/// All lines.
PlanLines allLines(const Plans &plans);

/// Whether a line of `plans`, for `chip` or for all chips, matches `operation` and states all of
/// its sizes: somebody wants the fastest kernel of just these.
bool namesExactly(const operation::Operation &operation, const Plans &plans, llvm::StringRef chip);

/// Where the lines are, for reports, which name them; empty of none.
std::string placesOf(const Plans &plans);

/// Name of the chip that is planned for, where lines of `plans` are for some chip alone; empty
/// where all are for every chip, and where there is no chip of that name.
std::string chipOfLines(const Plans &plans, const CompilerOptions &options);
/// Lines of `plans` for other chips than `chip`, as a text; empty where there are none.
std::string whatIsLeftOut(const Plans &plans, llvm::StringRef chip);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_PLANS_H
