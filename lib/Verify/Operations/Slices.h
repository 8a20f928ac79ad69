//===- Slices.h - Slices that add up to a matrix ----------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_OPERATIONS_SLICES_H
#define ROOFTILE_VERIFY_OPERATIONS_SLICES_H

#include "Engine/OperationRun.h"
#include "rooftile/Verify/Model/OperationModel.h"

namespace rooftile::verify {

/// The first of the slices, which the outermost dimension counts.
View firstSlice(const View &slices);

/// Sums of the slices in `data`, which begins with the view's first element, where the first
/// slice would be.
std::vector<char> addSlices(const Operand &slices, const char *data);

/// States sizes and layouts of alpha * (sum of the slices A) + beta * C, and fills both.
void prepareSum(OperationRun &run);

/// Compares the elements `output` of C that belong to `part` with that sum, real elements on a real
/// diagonal:
/// |C - Cref| <= (S + 4) u (|alpha| sum |W| + |beta C|) (1 + v) + v |Cref|, for S slices W summed
/// with roundoff u and C of roundoff v; with compensated summation kCompensatedTerms at most.
Finding compareSum(OperationRun &run, const Operand &output, Part part = Part::All,
                   bool realDiagonal = false);

/// Figures of such a sum.
double flopsOfSum(const Outcome &outcome);
Traffic trafficOfSum(const Outcome &outcome);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERATIONS_SLICES_H
