//===- Modules.h - Functions of a module, called with arrays ----*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_MODULES_H
#define ROOFTILE_PYTHON_MODULES_H

#include "Session.h"

namespace rooftile::python {

/// A parameter of a function: a matrix of some rank, or a number.
struct ParameterType {
  std::string text; ///< Its type, as MLIR writes it.
  bool isArray = false;
  bool isContiguous = false; ///< In row-major order.
  Type type;
  llvm::SmallVector<int64_t, 3> shape, strides; ///< -1: not known before the call.
};

struct Function {
  std::string name;
  int number = -1;
  std::vector<ParameterType> parameters;
};

/// A compiled module.
struct Module {
  std::shared_ptr<const Executable> executable;
  std::vector<Function> functions;
  Device device = kHost;

  /// Raises AttributeError where there is none.
  const Function &find(const std::string &name) const;
};

/// Raises ValueError for text that is no module or has functions with other arguments than
/// memrefs and scalars, and RuntimeError where it does not compile.
Module compileModule(const std::string &text, DlpackDevice device, const std::string &chip);

/// Calls a function with arrays (of class Array) and scalars; raises ValueError or TypeError where
/// an argument does not fit its parameter.
void callFunction(const Module &module, const Function &function, nanobind::list arguments,
                  const Place &place);

/// Plans of a product.
struct PlanTexts {
  std::string table, json; ///< The output of gemm-plan.
  std::string listed;      ///< With a list of plans: the report of what calls use (PlanReport.h).
};

/// The plans of a product for a chip. `line` is "f32 nt 64x64x64 batch=3". Raises ValueError.
PlanTexts planOf(const std::string &line, const std::string &chip, int count);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_MODULES_H
