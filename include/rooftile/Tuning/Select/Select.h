//===- Select.h - From a store to a list of plans ---------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_SELECT_SELECT_H
#define ROOFTILE_TUNING_SELECT_SELECT_H

#include "rooftile/Tuning/Store/Store.h"

namespace rooftile::tuning {

/// The plan that measured fastest for an operation, against the model's in the same jobs.
struct Selected {
  std::string operation, plan;
  std::string pattern; ///< Operations that it is for.
  Environment environment;
  double milliseconds = NAN; ///< Median of the plan.
  double gain = 1;           ///< Time of the model's plan over that of the plan.
  size_t samples = 0;
  std::string date; ///< Day of the last of them.
};

/// Operations of a store, and those for which another plan than the model's is selected.
struct Selection {
  std::string chip;
  std::vector<Selected> faster; ///< By operation.
  size_t operations = 0;
  /// Operations with a faster plan that no line can name, and why.
  std::vector<std::pair<std::string, std::string>> unnamed;

  /// Geometric mean of the gains; 1 of none.
  double gain() const;
};

/// Selects a plan for each operation of `chip`, from the measurements in the environment of the
/// latest one. A plan is selected where it is faster than the model's by more than three standard
/// deviations: of the median of its samples, and from one measurement of a kernel in a job to the
/// next. One is for the operation with any alpha, on which no time depends; one of a dynamic
/// operation is for a range of sizes (Select/Ranges.h).
llvm::Expected<Selection> select(const Store &store, llvm::StringRef chip);

/// Writes a list of plans (Planning/Search/PlanList.h), a line for each operation, after that of
/// the chip.
void writeList(const Selection &selection, llvm::raw_ostream &out);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_SELECT_SELECT_H
