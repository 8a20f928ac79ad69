//===- Asked.cpp - What a shape asks of planning --------------------------===//

#include "rooftile/Bench/Asked.h"
#include "mlir/Parser/Parser.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;

std::optional<Asked> rooftile::bench::askedBy(const Shape &shape, StringRef chip,
                                              MLIRContext &context, std::string &why) {
  ScopedDiagnosticHandler handler(&context, errorsInto(why));
  auto module = parseSourceString<ModuleOp>(shape.module(""), &context, shape.key());
  FailureOr<blas::TargetAttr> target = failure();
  if (!module || failed(target = attachTarget(*module, chip)))
    return std::nullopt;
  std::optional<Asked> asked;
  module->walk([&](blas::GemmOp op) {
    FailureOr<planning::Problem> problem = planning::Problem::of(op);
    if (succeeded(problem))
      asked = {*problem, *target};
  });
  return asked;
}
