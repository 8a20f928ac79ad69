//===- IsaTable.h - Instructions beside those of planning -------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_ISATABLE_H
#define ROOFTILE_BENCH_ISATABLE_H

#include "mlir/IR/MLIRContext.h"
#include "rooftile/Bench/Shape.h"
#include "llvm/Support/raw_ostream.h"

namespace rooftile::bench {

/// Compiles `shape` for `chip`, one of AMD, and writes what a wave issues in a K step of its
/// kernel, beside what planning counted, and registers. An error names the chip of another vendor,
/// or what does not compile.
llvm::Error writeIsa(const Shape &shape, llvm::StringRef chip, mlir::MLIRContext &context,
                     llvm::raw_ostream &out);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_ISATABLE_H
