//===- Asked.cpp - What a shape asks of planning --------------------------===//

#include "rooftile/Bench/Asked.h"
#include "mlir/Parser/Parser.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;

/// The problem of the one operation of class `Op` in the module of `shape`, and the chip.
template <typename Op, typename Problem, typename Result>
static std::optional<Result> problemOf(const Shape &shape, StringRef chip, MLIRContext &context,
                                       std::string &why) {
  ScopedDiagnosticHandler handler(&context, errorsInto(why));
  auto module = parseSourceString<ModuleOp>(shape.module(""), &context, shape.key());
  FailureOr<blas::TargetAttr> target = failure();
  if (!module || failed(target = attachTarget(*module, chip)))
    return std::nullopt;
  std::optional<Result> asked;
  module->walk([&](Op op) {
    FailureOr<Problem> problem = Problem::of(op);
    if (succeeded(problem))
      asked = {*problem, *target};
  });
  return asked;
}

std::optional<Asked> rooftile::bench::askedBy(const Shape &shape, StringRef chip,
                                              MLIRContext &context, std::string &why) {
  return problemOf<blas::GemmOp, planning::Problem, Asked>(shape, chip, context, why);
}

std::optional<AskedTriangle> rooftile::bench::triangleAskedBy(const Shape &shape, StringRef chip,
                                                              MLIRContext &context,
                                                              std::string &why) {
  return problemOf<blas::TriangularOpInterface, planning::TriangularProblem, AskedTriangle>(
      shape, chip, context, why);
}
