//===- Jax.cpp - Products in programs of XLA ------------------------------===//

#include "Jax.h"
#include "Kernels.h"
#include "XlaFfi.h"
#include "llvm/ADT/StringRef.h"

namespace nb = nanobind;
using namespace rooftile;
using namespace rooftile::python;

//===----------------------------------------------------------------------===//
// Arguments of XLA
//===----------------------------------------------------------------------===//

/// The other side speaks an interface of this layout, or a later one. Throws where it does not.
/// Some versions ask for metadata without an API.
static void checkLayout(const xla::Call &call) {
  if (!call.api && call.extensions)
    return;
  bool fits = call.size >= sizeof(xla::Call) && call.api->size >= sizeof(xla::Api) &&
              call.api->version.major == xla::kMajorVersion;
  if (!fits)
    throw std::runtime_error("XLA's custom calls have version " +
                             std::to_string(call.api->version.major) + "." +
                             std::to_string(call.api->version.minor) +
                             ", which this build of rooftile does not support");
}

/// The attributes of a call.
namespace {
class Attributes {
public:
  explicit Attributes(const xla::Attributes &all) : all(all) {}
  llvm::StringRef text(llvm::StringRef name) const {
    auto *text = static_cast<const xla::Text *>(find(name, xla::AttributeKind::Text));
    return {text->begin, text->length};
  }
  bool has(llvm::StringRef name, xla::AttributeKind kind) const { return seek(name, kind); }
  /// "alpha" and "alpha_imaginary".
  std::complex<double> scalar(const std::string &name) const {
    return {number(name), number(name + "_imaginary")};
  }

private:
  double number(llvm::StringRef name) const {
    auto *number = static_cast<const xla::Number *>(find(name, xla::AttributeKind::Number));
    if (number->type != xla::DataType::F64)
      throw std::runtime_error("the attribute " + name.str() + " is no f64");
    return *static_cast<const double *>(number->value);
  }
  const void *seek(llvm::StringRef name, xla::AttributeKind kind) const {
    for (int64_t i = 0; i < all.count; ++i)
      if (name == llvm::StringRef(all.names[i]->begin, all.names[i]->length) &&
          all.kinds[i] == kind)
        return all.values[i];
    return nullptr;
  }
  const void *find(llvm::StringRef name, xla::AttributeKind kind) const {
    if (const void *value = seek(name, kind))
      return value;
    throw std::runtime_error("there is no attribute " + name.str());
  }
  const xla::Attributes &all;
};
} // namespace

static Type typeOf(xla::DataType type, const std::string &name) {
  switch (type) {
  case xla::DataType::F16:
    return {'f', 16};
  case xla::DataType::BF16:
    return {'b', 16};
  case xla::DataType::F32:
    return {'f', 32};
  case xla::DataType::F64:
    return {'f', 64};
  case xla::DataType::C64:
    return {'c', 64};
  case xla::DataType::C128:
    return {'c', 128};
  }
  raiseType(name + " is of type " + std::to_string(int(type)) +
            "; expected f16, bf16, f32, f64, c64 or c128");
}

/// Buffer `index` of the arguments or results, called `name` in messages.
static Array arrayOf(const xla::Buffers &buffers, int64_t index, const std::string &name,
                     Device device) {
  constexpr int32_t kBuffer = 1;
  if (index >= buffers.count || buffers.kinds[index] != kBuffer)
    throw std::runtime_error("there is no buffer " + name);
  const xla::Buffer &buffer = *buffers.buffers[index];
  Array array;
  array.name = name;
  array.address = reinterpret_cast<uint64_t>(buffer.data);
  array.type = typeOf(buffer.type, name);
  array.shape.assign(buffer.sizes, buffer.sizes + buffer.rank);
  array.device = device;
  setContiguous(array);
  return array;
}

/// An argument that the result overwrites.
static void checkInPlace(const Array &argument, const Array &result) {
  if (argument.address != result.address && !result.isEmpty())
    throw std::runtime_error("XLA has given " + argument.name + " and the result different memory");
}

/// The device and stream of a call on a GPU. Errors of XLA are returned as they are.
static xla::Error *findPlace(const xla::Call &call, DeviceKind kind, Place &place) {
  xla::GetStream stream{sizeof(xla::GetStream), nullptr, call.context, nullptr};
  if (xla::Error *error = call.api->getStream(&stream))
    return error;
  xla::GetDevice device{sizeof(xla::GetDevice), nullptr, call.context, 0};
  if (xla::Error *error = call.api->getDevice(&device))
    return error;
  place.device = {kind, device.device};
  place.stream = reinterpret_cast<uint64_t>(stream.stream);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

static Request requestOf(const Attributes &attributes) {
  Request request = requestOf(attributes.text("routine").str());
  for (const char *name :
       {"op", "op_a", "op_b", "side", "triangle", "diagonal", "dependence", "activation"})
    if (attributes.has(name, xla::AttributeKind::Text))
      setChoice(request, name, attributes.text(name).str());
  request.alpha = attributes.scalar("alpha");
  if (attributes.has("beta", xla::AttributeKind::Number))
    request.beta = attributes.scalar("beta");
  request.chip = attributes.text("chip").str();
  return request;
}

/// Operands are A, B, C and the bias, as far as there are such. C is one where the result is not
/// written as a whole from A and B: then XLA has put it there.
static Call callOf(const xla::Call &call, const Request &request, Device device) {
  const operation::Operation &operation = request.operation;
  bool beginsAsC = operation.readsC() || request.beta != 0.0 ||
                   operation.structure(2) != operation::Structure::General;
  auto nameOf = [&](int index) {
    return llvm::StringRef(nameOfOperand(operation.routine, index)).lower();
  };
  std::array<Array, 4> arrays;
  Operands operands;
  const Array **given[] = {&operands.a, &operands.b};
  int64_t next = 0;
  for (int index : {0, 1})
    if (operation.has(index)) {
      arrays[index] = arrayOf(call.arguments, next++, nameOf(index), device);
      *given[index] = &arrays[index];
    }
  arrays[2] = arrayOf(call.results, 0, nameOf(2), device);
  operands.c = &arrays[2];
  if (beginsAsC)
    checkInPlace(arrayOf(call.arguments, next++, nameOf(2), device), arrays[2]);
  if (next < call.arguments.count) {
    arrays[3] = arrayOf(call.arguments, next, "bias", device);
    operands.bias = &arrays[3];
  }
  return callOf(operands, request);
}

/// The failure, and whose fault it is.
static std::string perform(const xla::Call &call, const Place &place, xla::ErrorCode &code) {
  code = xla::ErrorCode::InvalidArgument;
  try {
    Request request = requestOf(Attributes(call.attributes));
    Call described = callOf(call, request, place.device);
    code = xla::ErrorCode::Internal;
    return performWithoutLock(described, request, place);
  } catch (std::exception &error) {
    return error.what();
  }
}

/// Reports to XLA the version of the interface: the one it has, whose layout was found to fit, or
/// the first. No traits: a call may load a kernel, or allocate, so XLA must not record it into a
/// graph.
static bool tellMetadata(const xla::Call &call) {
  for (xla::Extension *each = call.extensions; each; each = each->next) {
    if (each->kind != xla::kMetadata)
      continue;
    xla::Metadata &metadata = *reinterpret_cast<xla::MetadataExtension *>(each)->metadata;
    metadata.version.major = call.api ? call.api->version.major : xla::kMajorVersion;
    metadata.version.minor = call.api ? call.api->version.minor : xla::kFirstMinorVersion;
    metadata.traits = 0;
    return true;
  }
  return false;
}

template <DeviceKind kind> static xla::Error *handle(xla::Call *call) {
  std::string why;
  auto code = xla::ErrorCode::Internal;
  try {
    checkLayout(*call);
    if (tellMetadata(*call))
      return nullptr;
    Place place;
    if (kind != DeviceKind::Cpu)
      if (xla::Error *error = findPlace(*call, kind, place))
        return error;
    why = perform(*call, place, code);
  } catch (std::exception &error) {
    why = error.what();
  }
  if (why.empty())
    return nullptr;
  xla::CreateError create{sizeof(xla::CreateError), nullptr, why.c_str(), code};
  return call->api->createError(&create);
}

nb::dict rooftile::python::xlaHandlers() {
  auto capsule = [](xla::Handler *handler) {
    return nb::capsule(reinterpret_cast<void *>(handler));
  };
  nb::dict handlers;
  handlers["cpu"] = capsule(handle<DeviceKind::Cpu>);
  handlers["CUDA"] = capsule(handle<DeviceKind::Cuda>);
  handlers["ROCM"] = capsule(handle<DeviceKind::Hip>);
  return handlers;
}
