//===- Rounding.h - How far two right results may be apart ------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_FUNCTIONS_ROUNDING_H
#define ROOFTILE_VERIFY_FUNCTIONS_ROUNDING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace rooftile::verify {

/// Whether every float that `function` computes from arguments that are integers of at most `range`
/// in magnitude is an integer that its type has: then nothing is rounded, results are the same in
/// any order, and two right results are equal. Sums and products are followed through linalg
/// operations on static tensors by bounds on magnitudes; whatever else computes floats makes the
/// answer no.
bool staysExact(mlir::func::FuncOp function, double range);

/// Bound of the rounding of a result of `function`, as a share of its scale:
///
///   sum of (length + 16 operations) u
///
/// over all operations that round, where `length` is that of the operation's reduction (0 for
/// none), `operations` counts the roundings of its body, and u is half the distance from 1 to the
/// next number of the type that it rounds to. An operation in a sequential loop counts once for
/// every trip; called functions count as if they were inlined. Dynamic sizes and trip counts
/// count as `longest`. 0 where nothing rounds.
double roundingsOf(mlir::func::FuncOp function, int64_t longest);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_FUNCTIONS_ROUNDING_H
