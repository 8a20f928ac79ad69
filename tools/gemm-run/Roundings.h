//===- Roundings.h - How far two right results may be apart -----*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_ROUNDINGS_H
#define ROOFTILE_TOOLS_GEMM_RUN_ROUNDINGS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace rooftile::run {

/// What rounding may do to a result of `function`, as a share of its scale:
///
///   sum of (length + 16 operations) u
///
/// over all operations that round, where `length` is that of the operation's reduction (0 for
/// none), `operations` counts the roundings of its body, and u is half the distance from 1 to the
/// next number of the type that it rounds to. An operation in a sequential loop counts once for
/// every trip; called functions count as if they were inlined. Dynamic sizes and numbers of trips
/// count as `longest`. 0 where nothing rounds.
double roundingsOf(mlir::func::FuncOp function, int64_t longest);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_ROUNDINGS_H
