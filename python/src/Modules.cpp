//===- Modules.cpp - Functions of a module, called with arrays ------------===//

#include "Modules.h"
#include "rooftile/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cstring>

using namespace rooftile;
using namespace rooftile::python;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static bool readElement(mlir::Type type, Type &to) {
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type)) {
    if (!complex.getElementType().isF32() && !complex.getElementType().isF64())
      return false;
    to = {'c', int(2 * complex.getElementType().getIntOrFloatBitWidth())};
    return true;
  }
  if (type.isIndex())
    to = {'i', 64};
  else if (type.isBF16())
    to = {'b', 16};
  else if (type.isF16() || type.isF32() || type.isF64())
    to = {'f', int(type.getIntOrFloatBitWidth())};
  else if (type.isSignlessInteger() && type.getIntOrFloatBitWidth() % 8 == 0 &&
           type.getIntOrFloatBitWidth() <= 64)
    to = {'i', int(type.getIntOrFloatBitWidth())};
  else
    return false;
  return true;
}

static bool readParameter(mlir::Type type, ParameterType &parameter) {
  llvm::raw_string_ostream(parameter.text) << type;
  auto memref = mlir::dyn_cast<mlir::MemRefType>(type);
  if (!memref)
    return readElement(type, parameter.type);
  parameter.isArray = true;
  parameter.isContiguous = memref.getLayout().isIdentity();
  int64_t offset;
  llvm::SmallVector<int64_t> strides;
  if (!readElement(memref.getElementType(), parameter.type) ||
      failed(memref.getStridesAndOffset(strides, offset)))
    return false;
  auto open = [](int64_t value) { return mlir::ShapedType::isDynamic(value) ? -1 : value; };
  for (int64_t size : memref.getShape())
    parameter.shape.push_back(open(size));
  for (int64_t stride : strides)
    parameter.strides.push_back(open(stride));
  bool isPlace = offset == 0 || mlir::ShapedType::isDynamic(offset);
  return isPlace;
}

/// The public functions, or why the text has none that can be called.
static std::string readFunctions(const std::string &text, std::vector<Function> &functions) {
  static auto &registry = *[] {
    auto *all = new mlir::DialectRegistry;
    registerAllDialects(*all);
    return all;
  }();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string why;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (why.empty())
      llvm::raw_string_ostream(why) << diagnostic.getLocation() << ": " << diagnostic;
    return llvm::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "module");
  if (!module)
    return why.empty() ? "the text is no module" : why;
  for (auto function : module->getOps<mlir::func::FuncOp>()) {
    if (function.isExternal() || function.isPrivate())
      continue;
    functions.push_back({function.getName().str(), -1, {}});
    for (mlir::Type type : function.getArgumentTypes()) {
      ParameterType &parameter = functions.back().parameters.emplace_back();
      if (!readParameter(type, parameter))
        return "@" + functions.back().name + " takes " + parameter.text +
               "; expected memrefs of floats, complex numbers or integers, and such numbers";
    }
  }
  return functions.empty() ? "the module has no public function" : "";
}

Module rooftile::python::compileModule(const std::string &text, int device,
                                       const std::string &chip) {
  Module module;
  module.device = device;
  std::string why;
  withoutLock([&] { why = readFunctions(text, module.functions); });
  if (!why.empty())
    raiseValue(why);
  module.executable = compileText(device, chip, text).executable;
  for (Function &function : module.functions)
    function.number = module.executable->find(function.name);
  return module;
}

const Function &Module::find(const std::string &name) const {
  std::string names;
  for (const Function &function : functions) {
    if (function.name == name)
      return function;
    names += (names.empty() ? "" : ", ") + function.name;
  }
  throw nanobind::attribute_error(("no function " + name + "; there are " + names).c_str());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void checkArray(const Array &array, const ParameterType &parameter, int device) {
  std::string shouldBe = array.name + ": expected " + parameter.text;
  if ((array.device == kHost) != (device == kHost))
    raiseValue(array.name + " is on " + (array.device == kHost ? "the CPU" : "a GPU") +
               "; the module was compiled for " + (device == kHost ? "the CPU" : "CUDA"));
  if (array.isReadOnly)
    raiseValue(array.name + " is read-only, and a function may write to its arguments");
  bool isInteger = parameter.type.kind == 'i' && array.type.kind == 'u';
  if (array.type != parameter.type && !(isInteger && array.type.bits == parameter.type.bits))
    raiseType(shouldBe + ", not " + nameOf(array.type));
  bool fits = array.shape.size() == parameter.shape.size();
  for (size_t i = 0; fits && i < parameter.shape.size(); ++i)
    fits = parameter.shape[i] < 0 || parameter.shape[i] == array.shape[i];
  if (!fits)
    raiseValue(shouldBe + ", not the shape " + listOf(array.shape));
  if (array.isEmpty())
    return;
  int64_t inner = 1;
  for (int i = array.rank() - 1; i >= 0; --i) {
    int64_t expected = parameter.isContiguous ? inner : parameter.strides[i];
    inner *= array.shape[i];
    if (array.shape[i] > 1 && expected >= 0 && expected != array.strides[i])
      raiseValue(shouldBe + ", not strides of " + listOf(array.strides) + " elements");
  }
}

static void addBytes(std::vector<uint64_t> &registers, const void *value, size_t bytes) {
  uint64_t words[2] = {0, 0};
  std::memcpy(words, value, bytes);
  registers.insert(registers.end(), words, words + (bytes > 8 ? 2 : 1));
}

/// f16 and bf16 numbers are not taken: Python has no such type.
static void addNumber(const Argument &argument, const ParameterType &parameter,
                      std::vector<uint64_t> &registers) {
  double pair[2] = {argument.real, argument.imaginary};
  float narrow[2] = {float(argument.real), float(argument.imaginary)};
  Type type = parameter.type;
  if (type.kind == 'i')
    registers.push_back(uint64_t(argument.integer));
  else if (type == Type{'f', 32} || type == Type{'c', 64})
    addBytes(registers, narrow, type.bytes());
  else if (type == Type{'f', 64} || type == Type{'c', 128})
    addBytes(registers, pair, type.bytes());
  else
    raiseType("numbers of type " + parameter.text + " are not supported");
}

static void addArray(const Array &array, std::vector<uint64_t> &registers) {
  registers.insert(registers.end(), {array.address, 0});
  registers.insert(registers.end(), array.shape.begin(), array.shape.end());
  registers.insert(registers.end(), array.strides.begin(), array.strides.end());
}

void rooftile::python::callFunction(const Module &module, const Function &function,
                                    const std::vector<Argument> &arguments, const Place &place) {
  if (arguments.size() != function.parameters.size())
    raiseType(function.name + " takes " + std::to_string(function.parameters.size()) +
              " arguments, not " + std::to_string(arguments.size()));
  std::vector<uint64_t> registers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ParameterType &parameter = function.parameters[i];
    const Argument &argument = arguments[i];
    if (parameter.isArray != (argument.array != nullptr))
      raiseType("argument " + std::to_string(i) + " of " + function.name + ": expected " +
                parameter.text);
    if (!parameter.isArray) {
      addNumber(argument, parameter, registers);
      continue;
    }
    checkArray(*argument.array, parameter, module.device);
    addArray(*argument.array, registers);
  }
  runAt(place, *module.executable, function.number, registers);
}
