//===- Bindings.cpp - The module rooftile._core ---------------------------===//
//
// Python's side of the package finds the framework of an array and allocates
// results; all else is here.
//
//===----------------------------------------------------------------------===//

#include "Exports.h"
#include "Jax.h"
#include "Kernels.h"
#include "Layout.h"
#include "Modules.h"
#include "gemm-tune/Commands.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Target/Chips.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace rooftile;
using namespace rooftile::python;

static nb::tuple tupleOf(llvm::ArrayRef<int64_t> numbers) {
  nb::list list;
  for (int64_t number : numbers)
    list.append(number);
  return nb::tuple(list);
}

/// A number as Python has it, or as a 0-dimensional array. By the stable interface of Python, which
/// has no struct of complex values.
static std::complex<double> scalarOf(nb::handle value, const char *name) {
  if (PyFloat_Check(value.ptr()))
    return PyFloat_AsDouble(value.ptr());
  nb::object number;
  if (!PyUnicode_Check(value.ptr())) // complex("2") would be one
    number = nb::steal(PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject *>(&PyComplex_Type),
                                                    value.ptr(), nullptr));
  if (!number.is_valid()) {
    PyErr_Clear();
    raiseType(std::string(name) + " is no number");
  }
  return {PyComplex_RealAsDouble(number.ptr()), PyComplex_ImagAsDouble(number.ptr())};
}

static void makeRequest(Request *self, const std::string &routine, nb::dict choices,
                        nb::handle alpha, nb::handle beta, const std::string &chip,
                        bool hasVector) {
  Request request = requestOf(routine);
  for (auto [name, word] : choices) {
    auto text = nb::cast<std::string>(name);
    if (!nb::isinstance<nb::str>(word))
      raiseType(text + " is no word");
    setChoice(request, text, nb::cast<std::string>(word));
  }
  request.alpha = scalarOf(alpha, "alpha"), request.beta = scalarOf(beta, "beta");
  request.chip = chip;
  request.hasVector = hasVector;
  new (self) Request(std::move(request));
}

static nb::tuple shape(const Request &request, const Array *a, const Array *b, const Array *c) {
  return tupleOf(shapeOf({a, b, c}, request));
}

static void check(const Request &request, const Array *a, const Array *b, const Array &c,
                  const Array *bias) {
  callOf({a, b, &c, bias}, request);
}

static void run(const Request &request, const Array *a, const Array *b, const Array &c,
                const Array *bias, uint64_t stream, bool isWaitedFor) {
  perform(callOf({a, b, &c, bias}, request), request, {c.device, stream, isWaitedFor});
}

static void prepare(const Request &request, const Array *a, const Array *b, const Array &c,
                    const Array *bias) {
  Request prepared = request;
  prepared.isPrepared = true;
  perform(callOf({a, b, &c, bias}, request), prepared, {c.device});
}

static std::string report(const Request &request, const Array *a, const Array *b, const Array &c,
                          const Array *bias) {
  return reportOf(callOf({a, b, &c, bias}, request), request, c.device);
}

static void callModule(const Module &module, const std::string &name, nb::list values,
                       DlpackDevice device, uint64_t stream, bool isWaitedFor) {
  callFunction(module, module.find(name), values,
               {fromDlpack(device, "device"), stream, isWaitedFor});
}

static std::vector<std::string> functionsOf(const Module &module) {
  std::vector<std::string> names;
  for (const Function &function : module.functions)
    names.push_back(function.name);
  return names;
}

static std::vector<std::string> parametersOf(const Module &module, const std::string &name) {
  std::vector<std::string> types;
  for (const ParameterType &parameter : module.find(name).parameters)
    types.push_back(parameter.text);
  return types;
}

/// Runs the tool in this process, which is for nothing else.
static int runTool(const std::vector<std::string> &arguments,
                   const std::vector<std::string> &program) {
  std::vector<const char *> texts;
  for (const std::string &argument : arguments)
    texts.push_back(argument.c_str());
  int status = runGemmTune(texts, program);
  llvm::outs().flush();
  return status;
}

static void defineArray(nb::module_ &module) {
  nb::class_<Array>(module, "Array", "An array of another package, as it lies in memory.")
      .def(
          "__init__",
          [](Array *self, nb::handle source, const std::string &name, const std::string &protocol,
             nb::object how) { new (self) Array(importArray(source, name, protocol, how)); },
          "source"_a, "name"_a, "protocol"_a, "how"_a.none() = nb::none())
      .def_static("traced", tracedArray, "name"_a, "dtype"_a, "shape"_a,
                  "device"_a = toDlpack(kHost))
      .def_prop_ro("shape", [](const Array &array) { return tupleOf(array.shape); })
      .def_prop_ro("strides", [](const Array &array) { return tupleOf(array.strides); })
      .def_prop_ro("dtype", [](const Array &array) { return nameOf(array.type); })
      .def_prop_ro("device", [](const Array &array) { return toDlpack(array.device); })
      .def_ro("address", &Array::address)
      .def_ro("is_read_only", &Array::isReadOnly);
}

static void defineCalls(nb::module_ &module) {
  nb::class_<Request>(module, "Request", "What a call specifies beside its arrays.")
      .def("__init__", makeRequest, "routine"_a, "choices"_a, "alpha"_a = 1, "beta"_a = 0,
           "chip"_a = "", "vector"_a = false);
  module.def("shape", shape, "request"_a, "a"_a.none(), "b"_a.none(), "c"_a.none());
  module.def("check", check, "request"_a, "a"_a.none(), "b"_a.none(), "c"_a, "bias"_a.none());
  module.def("run", run, "request"_a, "a"_a.none(), "b"_a.none(), "c"_a, "bias"_a.none(),
             "stream"_a, "wait"_a);
  module.def("prepare", prepare, "request"_a, "a"_a.none(), "b"_a.none(), "c"_a, "bias"_a.none());
  module.def("report", report, "request"_a, "a"_a.none(), "b"_a.none(), "c"_a, "bias"_a.none());
  module.def("check_chip", checkChip);
  module.def("check_matrix",
             [](const Array &array) { matrixOf(array, missingOf(array, kColumns)); });
  module.def("check_vector", checkVector);
  module.def("are_same", areSame);
  module.def("check_disjoint", checkDisjoint);
  module.def("knows_exchange", knowsExchange);
  module.def("current_stream", currentStreamOf);
}

NB_MODULE(_core, module) {
  watchForks();
  // Threads that nobody joins hold arrays when the interpreter ends (Lock.h).
  nb::set_leak_warnings(false);
  defineArray(module);
  defineCalls(module);
  module.def("xla_handlers", xlaHandlers);
  nb::class_<Module>(module, "Module")
      .def("functions", functionsOf)
      .def("parameters", parametersOf)
      .def("call", callModule);
  module.def("compile", compileModule);
  module.def("plan", [](const std::string &line, const std::string &chip, int count) {
    PlanTexts texts = planOf(line, chip, count);
    return nb::make_tuple(texts.table, texts.json, texts.listed);
  });
  module.def("use_plans", usePlans);
  module.def("gemm_tune", runTool);
  // GPUs that the driver shows; 0 without one.
  module.def("gpu_count", [] {
    std::string why;
    const Driver &driver = Driver::of(DeviceKind::Cuda);
    return driver.open(why) ? driver.count() : 0;
  });
  module.def("export_spec", exportSpec);
  module.def("chips", [] {
    std::vector<std::string> names;
    for (llvm::StringRef name : target::chipNames())
      names.push_back(name.str());
    return names;
  });
}
