//===- Asked.h - What a shape asks of planning ------------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_ASKED_H
#define ROOFTILE_BENCH_ASKED_H

#include "mlir/IR/MLIRContext.h"
#include "rooftile/Bench/Shape.h"
#include "rooftile/Planning/Search/Blocks.h"

namespace rooftile::bench {

/// A product, and the chip that it is planned for.
struct Asked {
  planning::Problem problem;
  blas::TargetAttr target;
};

/// What `shape` asks for on `chip` (empty: the GPU present, else the default). Nothing, with an
/// error in `why`, where no kernel exists for it; nothing for a triangular operation.
std::optional<Asked> askedBy(const Shape &shape, llvm::StringRef chip, mlir::MLIRContext &context,
                             std::string &why);

/// A triangular operation, and that chip.
struct AskedTriangle {
  planning::TriangularProblem problem;
  blas::TargetAttr target;
};

/// The same of a triangular operation; nothing for a product.
std::optional<AskedTriangle> triangleAskedBy(const Shape &shape, llvm::StringRef chip,
                                             mlir::MLIRContext &context, std::string &why);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_ASKED_H
