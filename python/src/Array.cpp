//===- Array.cpp - Arrays of other packages, without a copy ---------------===//

#include "Array.h"
#include "DLPack.h"
#include "llvm/ADT/StringRef.h"

#include <cstring>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace rooftile;
using namespace rooftile::python;

void rooftile::python::raiseValue(const std::string &message) {
  throw nb::value_error(message.c_str());
}
void rooftile::python::raiseType(const std::string &message) {
  throw nb::type_error(message.c_str());
}

std::string rooftile::python::nameOf(Type type) {
  return (type.kind == 'b' ? "bf" : std::string(1, type.kind)) + std::to_string(type.bits);
}

std::string rooftile::python::listOf(llvm::ArrayRef<int64_t> numbers) {
  std::string text = "(";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

bool Array::isEmpty() const {
  for (int64_t size : shape)
    if (size == 0)
      return true;
  return false;
}

Range rooftile::python::rangeOf(const Array &array) {
  if (array.isEmpty())
    return {array.address, array.address};
  int64_t first = 0, last = 0;
  for (int i = 0; i < array.rank(); ++i)
    (array.strides[i] < 0 ? first : last) += (array.shape[i] - 1) * array.strides[i];
  int64_t bytes = array.type.bytes();
  return {array.address + first * bytes, array.address + (last + 1) * bytes};
}

/// Strides in bytes to strides in elements.
static void setByteStrides(Array &array, llvm::ArrayRef<int64_t> strides) {
  for (int64_t stride : strides) {
    if (stride % array.type.bytes())
      raiseValue(array.name + ": a stride of " + std::to_string(stride) +
                 " bytes is no multiple of the " + std::to_string(array.type.bytes()) +
                 " bytes of an element");
    array.strides.push_back(stride / array.type.bytes());
  }
}

void rooftile::python::setContiguous(Array &array) {
  array.strides.resize(array.shape.size());
  int64_t stride = 1;
  for (int i = array.rank() - 1; i >= 0; --i) {
    array.strides[i] = stride;
    stride *= array.shape[i];
  }
}

//===----------------------------------------------------------------------===//
// The buffer protocol
//===----------------------------------------------------------------------===//

/// The type of a struct format such as "f" or "Zd", in the byte order of this machine.
static bool readFormat(const char *format, int64_t itemBytes, Type &type) {
  llvm::StringRef text(format ? format : "B");
  if (!text.consume_front("@") && !text.consume_front("="))
    text.consume_front("<");
  bool isComplex = text.consume_front("Z");
  if (text.size() != 1)
    return false;
  bool isFloat = llvm::StringRef("efd").contains(text[0]);
  if (isComplex && !isFloat)
    return false;
  if (isFloat)
    type.kind = isComplex ? 'c' : 'f';
  else if (llvm::StringRef("bhilqn").contains(text[0]))
    type.kind = 'i';
  else if (llvm::StringRef("BHILQN?").contains(text[0]))
    type.kind = 'u';
  else
    return false;
  type.bits = int(itemBytes * 8);
  return true;
}

/// The text of the Python error that is set, which is cleared.
static std::string takePythonError() {
  nb::python_error error;
  std::string text = nb::str(error.value()).c_str();
  return text.empty() ? nb::type_name(error.type()).c_str() : text;
}

static void importBuffer(nb::handle source, Array &array) {
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(source.ptr(), view.get(), PyBUF_FULL_RO))
    raiseType(array.name + ": no array of a type that is known: " + takePythonError());
  array.keep = std::shared_ptr<void>(view.get(), [](void *kept) {
    auto *held = static_cast<Py_buffer *>(kept);
    PyBuffer_Release(held);
    delete held;
  });
  Py_buffer &buffer = *view.release();
  if (buffer.suboffsets || !readFormat(buffer.format, buffer.itemsize, array.type))
    raiseType(array.name + ": elements of format '" + (buffer.format ? buffer.format : "") +
              "' are not supported");
  array.address = reinterpret_cast<uint64_t>(buffer.buf);
  array.isReadOnly = buffer.readonly;
  array.shape.assign(buffer.shape, buffer.shape + buffer.ndim);
  Dimensions strides(buffer.strides, buffer.strides + buffer.ndim);
  setByteStrides(array, strides);
}

//===----------------------------------------------------------------------===//
// DLPack
//===----------------------------------------------------------------------===//

/// The capsule of `source`. A BufferError, as of a tensor that requires a gradient, is a
/// ValueError here.
static nb::object capsuleOf(nb::handle source, const std::string &name, nb::object stream) {
  try {
    nb::object method = source.attr("__dlpack__");
    return stream.is_none() ? method() : method(nb::arg("stream") = stream);
  } catch (nb::python_error &error) {
    std::string why = nb::str(error.value()).c_str();
    if (error.matches(PyExc_BufferError) || error.matches(PyExc_ValueError))
      raiseValue(name + ": " + why);
    if (error.matches(PyExc_TypeError))
      raiseType(name + ": " + why);
    throw std::runtime_error(name + ": " + why);
  }
}

/// Bits of the flags of a versioned tensor.
static constexpr uint64_t kReadOnlyFlag = 1;

/// A package may free a tensor by code in Python, which must not see the exception that is on its
/// way while arguments of a call are let go.
template <typename Managed> static void giveBack(void *kept) {
  nb::error_scope scope;
  auto *held = static_cast<Managed *>(kept);
  if (held->deleter)
    held->deleter(held);
}

/// The tensor of `capsule`, which is ours from now on.
static const dlpack::Tensor &takeTensor(nb::handle capsule, Array &array) {
  constexpr const char *kPlain = "dltensor", *kVersioned = "dltensor_versioned";
  if (PyCapsule_IsValid(capsule.ptr(), kPlain)) {
    auto *managed = static_cast<dlpack::Managed *>(PyCapsule_GetPointer(capsule.ptr(), kPlain));
    PyCapsule_SetName(capsule.ptr(), "used_dltensor");
    array.keep = std::shared_ptr<void>(managed, giveBack<dlpack::Managed>);
    return managed->tensor;
  }
  if (!PyCapsule_IsValid(capsule.ptr(), kVersioned))
    raiseType(array.name + ": __dlpack__ gives no tensor");
  auto *managed =
      static_cast<dlpack::ManagedVersioned *>(PyCapsule_GetPointer(capsule.ptr(), kVersioned));
  PyCapsule_SetName(capsule.ptr(), "used_dltensor_versioned");
  array.keep = std::shared_ptr<void>(managed, giveBack<dlpack::ManagedVersioned>);
  array.isReadOnly = managed->flags & kReadOnlyFlag;
  return managed->tensor;
}

static Type typeOf(const dlpack::Tensor &tensor, const std::string &name) {
  constexpr const char *kKinds = "iuf?bcu"; // by code; 3 is an opaque handle
  int code = tensor.typeCode, bits = tensor.typeBits;
  if (code > 6 || kKinds[code] == '?' || tensor.typeLanes != 1 || bits % 8)
    raiseType(name + ": elements of DLPack type " + std::to_string(code) + " with " +
              std::to_string(bits) + " bits are not supported");
  return {kKinds[code], bits};
}

DlpackDevice rooftile::python::toDlpack(Device device) {
  constexpr int kTypes[] = {dlpack::kCuda, dlpack::kRocm, dlpack::kCpu}; // by kind
  return {kTypes[size_t(device.kind)], device.ordinal};
}

Device rooftile::python::fromDlpack(DlpackDevice device, const std::string &name) {
  auto [type, ordinal] = device;
  bool isOnHost = type == dlpack::kCpu || type == dlpack::kCudaHost || type == dlpack::kRocmHost;
  if (isOnHost)
    return kHost;
  bool isOfAmd = type == dlpack::kRocm;
  if (!isOfAmd && type != dlpack::kCuda && type != dlpack::kCudaManaged)
    raiseValue(name + ": arrays of DLPack device type " + std::to_string(type) +
               " are not supported; expected the CPU, CUDA or ROCm");
  if (ordinal < 0 || ordinal >= kMostDevices)
    raiseValue(name + ": a device of number " + std::to_string(ordinal) + "; expected 0 to " +
               std::to_string(kMostDevices - 1));
  return {isOfAmd ? DeviceKind::Hip : DeviceKind::Cuda, ordinal};
}

static void readTensor(const dlpack::Tensor &tensor, Array &array) {
  array.type = typeOf(tensor, array.name);
  array.device = fromDlpack({tensor.deviceType, tensor.deviceNumber}, array.name);
  array.address = reinterpret_cast<uint64_t>(tensor.data) + tensor.byteOffset;
  array.shape.assign(tensor.shape, tensor.shape + tensor.rank);
  if (tensor.strides)
    array.strides.assign(tensor.strides, tensor.strides + tensor.rank);
  else
    setContiguous(array);
}

static void importDlpack(nb::handle source, nb::object stream, Array &array) {
  nb::object capsule = capsuleOf(source, array.name, stream);
  readTensor(takeTensor(capsule, array), array);
}

static const dlpack::ExchangeApi &exchangeApiOf(nb::handle capsule) {
  auto *api = static_cast<const dlpack::ExchangeApi *>(
      PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  if (!api)
    throw nb::python_error();
  return *api;
}

bool rooftile::python::knowsExchange(nb::handle capsule) {
  const dlpack::ExchangeApi &api = exchangeApiOf(capsule);
  return api.major == 1 && api.tensorOf && api.currentStream;
}

/// Keeps `source` itself for as long as the array.
static void keepSource(nb::handle source, Array &array) {
  PyObject *kept = source.inc_ref().ptr();
  array.keep =
      std::shared_ptr<void>(kept, [](void *held) { Py_DECREF(static_cast<PyObject *>(held)); });
}

static void importExchange(nb::handle source, nb::handle capsule, Array &array) {
  dlpack::Tensor tensor;
  if (exchangeApiOf(capsule).tensorOf(source.ptr(), &tensor))
    throw nb::python_error();
  readTensor(tensor, array);
  keepSource(source, array);
}

uint64_t rooftile::python::currentStreamOf(nb::handle capsule, DlpackDevice device) {
  void *stream = nullptr;
  if (exchangeApiOf(capsule).currentStream(device.first, device.second, &stream))
    throw nb::python_error();
  return reinterpret_cast<uint64_t>(stream);
}

//===----------------------------------------------------------------------===//
// __cuda_array_interface__
//===----------------------------------------------------------------------===//

/// "<f4" and the like.
static Type readTypeString(const std::string &text, const std::string &name) {
  Type type;
  int bytes = text.size() > 2 ? std::atoi(text.c_str() + 2) : 0;
  if (bytes < 1 || text[0] == '>' || !std::strchr("fciu", text[1]))
    raiseType(name + ": elements of type '" + text + "' are not supported");
  type.kind = text[1];
  type.bits = bytes * 8;
  return type;
}

/// The values of a sequence of a standard interface.
static Dimensions numbersOf(nb::handle sequence) {
  Dimensions numbers;
  for (nb::handle number : nb::tuple(nb::borrow<nb::object>(sequence)))
    numbers.push_back(nb::cast<int64_t>(number));
  return numbers;
}

static void readInterface(nb::handle source, Array &array) {
  nb::dict facts(source.attr("__cuda_array_interface__"));
  nb::object typeString = facts["typestr"], data = facts["data"], strides = nb::none();
  array.type = readTypeString(nb::cast<std::string>(typeString), array.name);
  nb::object address = data[0], isReadOnly = data[1];
  array.address = nb::cast<uint64_t>(address);
  array.isReadOnly = nb::cast<bool>(isReadOnly);
  array.device = {DeviceKind::Cuda, 0};
  array.shape = numbersOf(nb::object(facts["shape"]));
  if (facts.contains("strides"))
    strides = facts["strides"];
  if (strides.is_none())
    setContiguous(array);
  else
    setByteStrides(array, numbersOf(strides));
}

static void importCuda(nb::handle source, Array &array) {
  try {
    readInterface(source, array);
  } catch (const std::bad_cast &) {
    raiseType(array.name + ": __cuda_array_interface__ does not follow its standard");
  }
}

/// That of "f32", "bf16" and the like.
static Type typeNamed(const std::string &text, const std::string &name) {
  Type type;
  llvm::StringRef rest(text);
  type.kind = rest.consume_front("bf") ? 'b' : text[0];
  if (rest.getAsInteger(10, type.bits) && rest.drop_front().getAsInteger(10, type.bits))
    raiseType(name + " is " + text);
  return type;
}

Array rooftile::python::tracedArray(const std::string &name, const std::string &type,
                                    const std::vector<int64_t> &shape, DlpackDevice device) {
  Array array;
  array.name = name;
  array.device = fromDlpack(device, name);
  array.type = typeNamed(type, name);
  array.shape.assign(shape.begin(), shape.end());
  setContiguous(array);
  return array;
}

Array rooftile::python::importArray(nb::handle source, const std::string &name,
                                    const std::string &protocol, nb::object how) {
  Array array;
  array.name = name;
  if (protocol == "buffer") {
    importBuffer(source, array);
    if (!how.is_none())
      array.type = typeNamed(nb::cast<std::string>(how), name);
  } else if (protocol == "dlpack") {
    importDlpack(source, how, array);
  } else if (protocol == "exchange") {
    importExchange(source, how, array);
  } else {
    importCuda(source, array);
    keepSource(source, array);
  }
  if (array.strides.size() != array.shape.size())
    raiseValue(name + ": " + std::to_string(array.shape.size()) + " sizes and " +
               std::to_string(array.strides.size()) + " strides");
  if (!array.address && !array.isEmpty())
    raiseValue(name + ": the memory of this array has been freed");
  return array;
}
