//===- Plans.cpp - The plans of a product ---------------------------------===//

#include "Modules.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Bench/PlanTable.h"

using namespace rooftile;
using namespace rooftile::python;

/// Dialects, registered once.
static const mlir::DialectRegistry &registry() {
  static const mlir::DialectRegistry *instance = [] {
    auto *all = new mlir::DialectRegistry;
    bench::prepareCompiler(*all);
    return all;
  }();
  return *instance;
}

static llvm::Error write(const bench::Shape &shape, const std::string &chip, int count,
                         PlanTexts &texts) {
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  llvm::raw_string_ostream tableStream(texts.table), jsonStream(texts.json);
  if (llvm::Error error = bench::writeTable(shape, count, chip, context, tableStream))
    return error;
  return bench::writeJson(shape, count, chip, context, jsonStream);
}

PlanTexts rooftile::python::planOf(const std::string &line, const std::string &chip, int count) {
  checkChip(chip);
  llvm::Expected<bench::Shape> shape = bench::Shape::parse(line);
  if (!shape)
    raiseValue(llvm::toString(shape.takeError()));
  PlanTexts texts;
  std::string why;
  withoutLock([&] {
    if (llvm::Error error = write(*shape, chip, count, texts))
      why = llvm::toString(std::move(error));
  });
  if (!why.empty())
    raiseValue(why);
  if (currentPlans())
    texts.listed = planFor({DeviceKind::Cuda, 0}, chip, shape->operation);
  return texts;
}
