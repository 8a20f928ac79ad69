//===- Modules.cpp - Functions of a module, called with arrays ------------===//

#include "Modules.h"
#include "rooftile/Compiler/Nesting.h"
#include "rooftile/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <nanobind/stl/string.h>

#include <cmath>
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
  compiler::TextPlace deep;
  if (std::string tooDeep = compiler::whyTooDeep(text, compiler::Language::Mlir, deep);
      !tooDeep.empty())
    return "module:" + std::to_string(deep.line) + ":" + std::to_string(deep.column) + ": " +
           tooDeep;
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
    if (function.getNumResults() > 0)
      return "@" + functions.back().name +
             " returns something; expected results in memrefs among its arguments";
    for (mlir::Type type : function.getArgumentTypes()) {
      ParameterType &parameter = functions.back().parameters.emplace_back();
      if (!readParameter(type, parameter))
        return "@" + functions.back().name + " has the argument " + parameter.text +
               "; expected memrefs of floats, complex values or integers, and such scalars";
    }
  }
  return functions.empty() ? "the module has no public function" : "";
}

Module rooftile::python::compileModule(const std::string &text, DlpackDevice device,
                                       const std::string &chip) {
  Module module;
  module.device = fromDlpack(device, "device");
  std::string why;
  withoutLock([&] { why = readFunctions(text, module.functions); });
  if (!why.empty())
    raiseValue(why);
  module.executable = compileText(module.device, chip, text).executable;
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

static void checkArray(const Array &array, const ParameterType &parameter, Device device) {
  std::string shouldBe = array.name + ": expected " + parameter.text;
  constexpr const char *kNames[] = {"CUDA", "HIP", "the CPU"};
  if (array.device.kind != device.kind)
    raiseValue(array.name + " is on " + describe(array.device) + "; the module was compiled for " +
               kNames[size_t(device.kind)]);
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

namespace {
/// A number that a function is called with, and its parameter.
struct GivenNumber {
  nanobind::handle value;
  const ParameterType &parameter;
  std::string name;

  /// "argument 0 of f: expected f32, not 'x'"
  std::string refusal() const {
    return name + ": expected " + parameter.text + ", not " +
           nanobind::cast<std::string>(nanobind::repr(value));
  }
  uint64_t integer() const;
  void readReal(double (&pair)[2]) const;
  void addTo(std::vector<uint64_t> &registers) const;
};
} // namespace

/// Integers must be whole: 1.7 would lose something. Signless types accept -1 as well as the
/// largest number without a sign.
uint64_t GivenNumber::integer() const {
  constexpr int kWord = 64;
  if (!PyIndex_Check(value.ptr()))
    raiseType(refusal());
  nanobind::object whole = nanobind::steal(PyNumber_Index(value.ptr()));
  if (!whole.is_valid())
    nanobind::raise_python_error();
  int overflow = 0;
  long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
  int bits = parameter.type.bits;
  bool isWide = bits == kWord;
  bool fits = overflow == 0 && (isWide || (number >= -(1ll << (bits - 1)) && number < 1ll << bits));
  if (fits)
    return uint64_t(number);
  unsigned long long large = overflow > 0 && isWide ? PyLong_AsUnsignedLongLong(whole.ptr()) : 0;
  if (overflow <= 0 || !isWide || PyErr_Occurred()) {
    PyErr_Clear();
    raiseValue(refusal() + ", which is out of its range");
  }
  return large;
}

/// Real values have no imaginary part, not even 0, so that none is lost.
void GivenNumber::readReal(double (&pair)[2]) const {
  bool isText = PyUnicode_Check(value.ptr()), isReal = parameter.type.kind == 'f';
  nanobind::object number;
  if (!isText)
    number = nanobind::steal(PyObject_CallFunctionObjArgs(
        reinterpret_cast<PyObject *>(&PyComplex_Type), value.ptr(), nullptr));
  if (!number.is_valid()) {
    PyErr_Clear();
    raiseType(refusal());
  }
  bool isComplex = PyComplex_Check(value.ptr());
  if (nanobind::hasattr(value, "dtype")) {
    nanobind::object type = value.attr("dtype");
    auto text = nanobind::cast<std::string>(nanobind::repr(type));
    isComplex |= text.find("complex") != std::string::npos;
  }
  if (isReal && isComplex)
    raiseType(refusal());
  pair[0] = PyComplex_RealAsDouble(number.ptr()), pair[1] = PyComplex_ImagAsDouble(number.ptr());
  for (double part : pair)
    if (parameter.type.bits / (isReal ? 1 : 2) == 32 && std::isfinite(part) &&
        std::isinf(float(part)))
      raiseValue(refusal() + ", which is out of its range");
}

/// f16 and bf16 scalars are not accepted: Python has no such type.
void GivenNumber::addTo(std::vector<uint64_t> &registers) const {
  Type type = parameter.type;
  if (type.kind == 'i')
    return registers.push_back(integer());
  bool isNarrow = type == Type{'f', 32} || type == Type{'c', 64};
  if (!isNarrow && type != Type{'f', 64} && type != Type{'c', 128})
    raiseType("numbers of type " + parameter.text + " are not supported");
  double pair[2];
  readReal(pair);
  float narrow[2] = {float(pair[0]), float(pair[1])};
  uint64_t words[2] = {0, 0};
  std::memcpy(words, isNarrow ? static_cast<void *>(narrow) : pair, type.bytes());
  registers.insert(registers.end(), words, words + (type.bytes() > 8 ? 2 : 1));
}

static void addArray(const Array &array, std::vector<uint64_t> &registers) {
  registers.insert(registers.end(), {array.address, 0});
  registers.insert(registers.end(), array.shape.begin(), array.shape.end());
  registers.insert(registers.end(), array.strides.begin(), array.strides.end());
}

void rooftile::python::callFunction(const Module &module, const Function &function,
                                    nanobind::list arguments, const Place &place) {
  if (arguments.size() != function.parameters.size())
    raiseType(function.name + " has " + std::to_string(function.parameters.size()) +
              " arguments, not " + std::to_string(arguments.size()));
  std::vector<uint64_t> registers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ParameterType &parameter = function.parameters[i];
    nanobind::handle argument = arguments[i];
    std::string name = "argument " + std::to_string(i) + " of " + function.name;
    if (parameter.isArray != nanobind::isinstance<Array>(argument))
      raiseType(name + ": expected " + parameter.text + ", not " +
                (parameter.isArray ? "a number" : "an array"));
    if (!parameter.isArray) {
      GivenNumber{argument, parameter, name}.addTo(registers);
      continue;
    }
    const auto &array = *nanobind::cast<const Array *>(argument);
    checkArray(array, parameter, module.device);
    addArray(array, registers);
  }
  try {
    runAt(place, *module.executable, function.number, registers);
  } catch (const std::runtime_error &error) { // sizes are compared where the module needs them
    if (llvm::StringRef(error.what()).ends_with(kSizesDisagree))
      raiseValue(error.what());
    throw;
  }
}
