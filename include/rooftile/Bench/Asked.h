//===- Asked.h - What a shape asks of planning ------------------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_ASKED_H
#define ROOFTILE_BENCH_ASKED_H

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "rooftile/Bench/Shape.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Planning/Search/Blocks.h"

#include <variant>

namespace rooftile::bench {

/// A product, and the chip that it is planned for.
struct Asked {
  planning::Problem problem;
  blas::TargetAttr target;
};

/// A triangular operation, and that chip.
struct AskedTriangle {
  planning::TriangularProblem problem;
  blas::TargetAttr target;
};

using AskedOperation = std::variant<Asked, AskedTriangle>;

/// The module of `shape` as far as planning: its routine is split into the operations that are
/// planned, in order. Null after an error.
mlir::OwningOpRef<mlir::ModuleOp> raisedModule(const Shape &shape, mlir::MLIRContext &context);

/// The sizes for which a plan of a dynamic shape counts: up to the square root of two times as
/// small or large as its own.
operation::SizeRanges rangesAround(const operation::Operation &operation);

/// Planning problems of `shape` on `chip` (empty: the GPU present, else the default): itself, or
/// the operations that it is split into. Empty, with an error in `why`, where no kernel exists. A
/// dynamic product has the sizes of the shape, but only the facts of a case of a set:
/// rangesAround() it, and accesses as wide as its matrices allow.
std::vector<AskedOperation> askedBy(const Shape &shape, llvm::StringRef chip,
                                    mlir::MLIRContext &context, std::string &why);

/// The one product that `shape` asks for; nothing where it asks for something else.
std::optional<Asked> productAskedBy(const Shape &shape, llvm::StringRef chip,
                                    mlir::MLIRContext &context, std::string &why);

/// Sets the plans of the raised module of `shape` by the text of a list, or one to each of its
/// operations where the text has several, joined by ` + `. One of a dynamic product has the facts
/// of askedBy(). Errors are emitted on the module.
llvm::LogicalResult setPlans(mlir::ModuleOp module, const Shape &shape, llvm::StringRef plans);

/// The plan of that text, whose `name` ("#blas.plan", "#blas.blocks") may be missing; null where it
/// is none of its kind.
template <typename PlanAttr>
PlanAttr parsePlan(llvm::StringRef name, llvm::StringRef text, mlir::MLIRContext *context) {
  text = text.trim();
  text.consume_front(name);
  return mlir::dyn_cast_or_null<PlanAttr>(mlir::parseAttribute((name + text).str(), context));
}

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_ASKED_H
