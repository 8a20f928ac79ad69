//===- Bindings.cpp - The module rooftile._core ---------------------------===//
//
// Python's side of the package finds the framework of an array and allocates
// results; all else is here.
//
//===----------------------------------------------------------------------===//

#include "Exports.h"
#include "Jax.h"
#include "Layout.h"
#include "Modules.h"
#include "Products.h"
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
/// has no struct of complex numbers.
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

static Request requestOf(nb::handle alpha, nb::handle beta, const std::string &opA,
                         const std::string &opB, const std::string &activation) {
  Request request;
  request.alpha = scalarOf(alpha, "alpha"), request.beta = scalarOf(beta, "beta");
  request.opA = opOf(opA, "op_a"), request.opB = opOf(opB, "op_b");
  request.activation = activationOf(activation);
  return request;
}

static void callGemm(const Array &a, const Array &b, const Array &c, nb::handle alpha,
                     nb::handle beta, const std::string &opA, const std::string &opB,
                     const Array *bias, const std::string &activation, uint64_t stream,
                     bool isWaitedFor, const std::string &chip, bool isPrepared) {
  Request request = requestOf(alpha, beta, opA, opB, activation);
  request.chip = chip;
  request.isPrepared = isPrepared;
  perform(productOf(a, b, c, bias, request), request, {c.device, stream, isWaitedFor});
}

/// The arguments of gemm that say what is computed.
static void checkGemm(const Array &a, const Array &b, const Array &c, nb::handle alpha,
                      nb::handle beta, const std::string &opA, const std::string &opB,
                      const Array *bias, const std::string &activation) {
  productOf(a, b, c, bias, requestOf(alpha, beta, opA, opB, activation));
}

static std::string planGemm(const Array &a, const Array &b, const Array &c, nb::handle alpha,
                            nb::handle beta, const std::string &opA, const std::string &opB,
                            const Array *bias, const std::string &activation,
                            const std::string &chip) {
  Request request = requestOf(alpha, beta, opA, opB, activation);
  request.chip = chip;
  return reportOf(productOf(a, b, c, bias, request), request, c.device);
}

static Request triangularRequestOf(const std::string &routine, const std::string &side,
                                   const std::string &triangle, const std::string &diagonal,
                                   const std::string &op, nb::handle alpha) {
  Request request;
  setTriangular(request, routine, side, triangle, diagonal);
  request.opA = opOf(op, "op");
  request.alpha = scalarOf(alpha, "alpha");
  return request;
}

static void callTriangular(const std::string &routine, const Array &a, const Array &c,
                           const std::string &side, const std::string &triangle,
                           const std::string &diagonal, const std::string &op, nb::handle alpha,
                           bool hasVector, uint64_t stream, bool isWaitedFor,
                           const std::string &chip, bool isPrepared) {
  Request request = triangularRequestOf(routine, side, triangle, diagonal, op, alpha);
  request.hasVector = hasVector;
  request.chip = chip;
  request.isPrepared = isPrepared;
  perform(triangularOf(a, c, request), request, {c.device, stream, isWaitedFor});
}

/// All that can be said of a and b without a result, and the shape of that.
static nb::tuple triangularShape(const std::string &routine, const Array &a, const Array &b,
                                 const std::string &side, const std::string &triangle,
                                 const std::string &diagonal, const std::string &op,
                                 nb::handle alpha) {
  Request request = triangularRequestOf(routine, side, triangle, diagonal, op, alpha);
  Dimensions shape = triangularShapeOf(a, b, request);
  return tupleOf(shape);
}

static void checkTriangular(const std::string &routine, const Array &a, const Array &c,
                            const std::string &side, const std::string &triangle,
                            const std::string &diagonal, const std::string &op, nb::handle alpha) {
  triangularOf(a, c, triangularRequestOf(routine, side, triangle, diagonal, op, alpha));
}

static void callModule(const Module &module, const std::string &name, nb::list values, int device,
                       uint64_t stream, bool isWaitedFor) {
  callFunction(module, module.find(name), values, {device, stream, isWaitedFor});
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

static void defineArray(nb::module_ &module) {
  nb::class_<Array>(module, "Array", "An array of another package, as it lies in memory.")
      .def(
          "__init__",
          [](Array *self, nb::handle source, const std::string &name, const std::string &protocol,
             nb::object how) { new (self) Array(importArray(source, name, protocol, how)); },
          "source"_a, "name"_a, "protocol"_a, "how"_a.none() = nb::none())
      .def_static("traced", tracedArray, "name"_a, "dtype"_a, "shape"_a, "device"_a = kHost)
      .def_prop_ro("shape", [](const Array &array) { return tupleOf(array.shape); })
      .def_prop_ro("strides", [](const Array &array) { return tupleOf(array.strides); })
      .def_prop_ro("dtype", [](const Array &array) { return nameOf(array.type); })
      .def_ro("device", &Array::device)
      .def_ro("address", &Array::address)
      .def_ro("is_read_only", &Array::isReadOnly);
}

static void defineProducts(nb::module_ &module) {
  module.def("gemm_shape",
             [](const Array &a, const Array &b, const std::string &opA, const std::string &opB) {
               Request request;
               request.opA = opOf(opA, "op_a"), request.opB = opOf(opB, "op_b");
               return tupleOf(shapeOf(a, b, request));
             });
  module.def("gemm", callGemm, "a"_a, "b"_a, "c"_a, "alpha"_a, "beta"_a, "op_a"_a, "op_b"_a,
             "bias"_a.none(), "activation"_a, "stream"_a, "wait"_a, "chip"_a, "prepare"_a = false);
  module.def("check_gemm", checkGemm, "a"_a, "b"_a, "c"_a, "alpha"_a, "beta"_a, "op_a"_a, "op_b"_a,
             "bias"_a.none(), "activation"_a);
  module.def("plan_gemm", planGemm, "a"_a, "b"_a, "c"_a, "alpha"_a, "beta"_a, "op_a"_a, "op_b"_a,
             "bias"_a.none(), "activation"_a, "chip"_a);
  module.def("triangular", callTriangular);
  module.def("check_triangular", checkTriangular);
  module.def("check_chip", checkChip);
  module.def("triangular_shape", triangularShape);
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
  defineProducts(module);
  module.def("xla_handlers", xlaHandlers);
  nb::class_<Module>(module, "Module")
      .def("functions", functionsOf)
      .def("parameters", parametersOf)
      .def("call", callModule);
  module.def("compile", compileModule);
  module.def("plan", planOf);
  module.def("export_spec", exportSpec);
  module.def("chips", [] {
    std::vector<std::string> names;
    for (llvm::StringRef name : target::chipNames())
      names.push_back(name.str());
    return names;
  });
}
