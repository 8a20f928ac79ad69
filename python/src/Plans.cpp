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

static llvm::Error write(const std::string &line, const std::string &chip, int count,
                         std::string &table, std::string &json) {
  llvm::Expected<bench::Shape> shape = bench::Shape::parse(line);
  if (!shape)
    return shape.takeError();
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  llvm::raw_string_ostream tableStream(table), jsonStream(json);
  if (llvm::Error error = bench::writeTable(*shape, count, chip, context, tableStream))
    return error;
  return bench::writeJson(*shape, count, chip, context, jsonStream);
}

std::pair<std::string, std::string> rooftile::python::planOf(const std::string &line,
                                                             const std::string &chip, int count) {
  checkChip(chip);
  std::string table, json, why;
  withoutLock([&] {
    if (llvm::Error error = write(line, chip, count, table, json))
      why = llvm::toString(std::move(error));
  });
  if (!why.empty())
    raiseValue(why);
  return {table, json};
}
