//===- RoutineModel.h - Operations by the table of routines -----*- C++ -*-===//
//
// Names, sizes, shapes, choices and element types of a routine of lib/Operation, for its cases.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_OPERATIONS_ROUTINEMODEL_H
#define ROOFTILE_VERIFY_OPERATIONS_ROUTINEMODEL_H

#include "Operations.h"
#include "rooftile/Operation/Operation.h"

namespace rooftile::verify {

class RoutineModel : public OperationModel {
public:
  explicit RoutineModel(operation::Routine routine) : routine(routine) {}

  const char *name() const final { return info().name; }
  bool hasCases() const final { return true; }
  std::pair<int64_t, int64_t> storedShape(const Case &single, int operand) const final;
  std::vector<std::string> sizeKeys() const final;

protected:
  const operation::RoutineInfo &info() const { return infoOf(routine); }

private:
  operation::Routine routine;
};

/// The keys side, uplo and diag, and form: in place, or not.
std::vector<Key> choiceKeys();

/// Draws a routine of those for which `isOne` holds, and of what it has type, op, side, uplo, diag
/// and form.
const operation::RoutineInfo &drawRoutine(Draw &draw, Case &single,
                                          bool (*isOne)(const operation::RoutineInfo &));

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERATIONS_ROUTINEMODEL_H
