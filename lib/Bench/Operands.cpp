//===- Operands.cpp - Random data on the device, and where it lies --------===//

#include "rooftile/Bench/Operands.h"
#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Runtime/Threads.h"
#include "rooftile/Verify/Operands/Element.h"
#include "llvm/Support/MathExtras.h"

#include <complex>
#include <cstring>
#include <type_traits>

using namespace rooftile;
using namespace rooftile::bench;

/// Every operand begins at a multiple of this many bytes.
static constexpr size_t kAlignment = 256;
/// Assumed where the driver does not report the size of the L2 cache.
static constexpr size_t kLeastL2Bytes = size_t(64) << 20;

Scalars rooftile::bench::scalarsOf(const Shape &shape) {
  using operation::Scalar;
  const operation::Operation &operation = shape.operation;
  const operation::RoutineInfo &info = operation.info();
  auto isComplexScalar = [&](operation::ScalarType type) {
    return type != operation::ScalarType::None &&
           isComplex(scalarElement(type, operation.c.element));
  };
  auto isStated = [](Scalar scalar) { return scalar != Scalar::One && scalar != Scalar::Zero; };
  Scalars scalars;
  if (isStated(operation.alpha)) {
    bool pairs = isComplexScalar(info.alpha);
    scalars.alpha[0] = info.inPlace ? (pairs ? 0.6 : -1) : 1.25;
    scalars.alpha[1] = pairs ? (info.inPlace ? 0.8 : 0.5) : 0;
  }
  if (isStated(operation.beta)) {
    scalars.beta[0] = 0.5;
    scalars.beta[1] = isComplexScalar(info.beta) ? -0.25 : 0;
  } else if (operation.beta == Scalar::One && info.beta != operation::ScalarType::None) {
    scalars.beta[0] = 1;
  }
  if (operation.alpha == Scalar::Zero)
    scalars.alpha[0] = 0;
  return scalars;
}

/// A number in [-1, 1) from a counter (the finalizer of MurmurHash3).
static double uniform(uint64_t counter) {
  uint64_t x = counter + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  x ^= x >> 33;
  return static_cast<int64_t>(x) * 0x1p-63;
}

Pattern::Pattern(Element element) {
  int64_t reals = kPeriod * componentsOf(element);
  data.resize(reals * bytesOf(realOf(element)));
  verify::withReal(element, [&](auto zero) {
    using T = decltype(zero);
    T *to = reinterpret_cast<T *>(data.data());
    forRanges(reals, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        to[i] = T(uniform(i));
    });
  });
}

DeviceData::DeviceData(const Driver &driver) : driver(driver) {
  DeviceFacts facts;
  driver.ask(driver.device(), facts);
  rotatedBytes = 2 * std::max<size_t>(size_t(facts.l2Bytes), kLeastL2Bytes) + (size_t(8) << 20);
}

DeviceData::~DeviceData() {
  for (auto &[element, array] : random)
    driver.free(reinterpret_cast<void *>(array.address));
  for (const Array *array : {&outputs, &triangles, &pointers, &scalars})
    driver.free(reinterpret_cast<void *>(array->address));
}

const Pattern &DeviceData::pattern(Element element) {
  return patterns.try_emplace(element, element).first->second;
}

bool DeviceData::grow(Array &array, size_t bytes) {
  if (bytes <= array.bytes)
    return true;
  driver.free(reinterpret_cast<void *>(array.address));
  array = {};
  array.address = reinterpret_cast<uint64_t>(driver.allocate(bytes));
  array.bytes = array.address ? bytes : 0;
  return array.address != 0;
}

bool DeviceData::copy(uint64_t to, uint64_t from, size_t bytes) const {
  return driver.copy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
}

bool DeviceData::growRandom(Element element, size_t bytes) {
  Array &array = random[element];
  const std::vector<char> &host = pattern(element).bytes();
  size_t whole = llvm::alignTo(bytes, host.size());
  if (whole <= array.bytes)
    return true;
  if (!grow(array, whole))
    return false;
  bool isCopied = copy(array.address, reinterpret_cast<uint64_t>(host.data()), host.size());
  for (size_t filled = host.size(); filled < whole && isCopied; filled *= 2)
    isCopied = copy(array.address + filled, array.address, std::min(filled, whole - filled));
  return isCopied;
}

/// A value of [-1, 1) / order, or of two such components.
template <typename T> static T smallElement(int64_t index, int64_t order) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
    return T(uniform(2 * index) / order, uniform(2 * index + 1) / order);
  else
    return T(uniform(index) / order);
}

/// The operand with memory of its own: A of trmm and trsm, C of an inverse.
static int triangleOf(const Shape &shape) { return shape.operation.isTriangular() ? 0 : 2; }

template <typename T> static void fillTriangles(std::vector<char> &data, const Shape &shape) {
  int operand = triangleOf(shape);
  int64_t order = shape.k(), leading = shape.operation.operand(operand).leading;
  int64_t ofOne = shape.elements(operand), step = shape.step(operand);
  data.resize(shape.all(operand) * sizeof(T));
  T *to = reinterpret_cast<T *>(data.data());
  forRanges(shape.batch() * ofOne, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t index = i / ofOne * step + i % ofOne;
      bool isDiagonal = i % ofOne / leading == i % ofOne % leading;
      to[index] = isDiagonal ? T(1) : smallElement<T>(index, order);
    }
  });
}

bool DeviceData::placeTriangles(const Shape &shape, Operands &operands, size_t stride) {
  verify::withReal(shape.element(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      if (componentsOf(shape.element()) == 2)
        return fillTriangles<std::complex<T>>(operands.triangle, shape);
    fillTriangles<T>(operands.triangle, shape);
  });
  if (!grow(triangles, stride * operands.sets.size()))
    return false;
  const std::vector<char> &host = operands.triangle;
  bool isInverse = triangleOf(shape) == 2;
  if (isInverse)
    operands.initialC = triangles.address;
  for (size_t set = 0; set < (isInverse ? 1 : operands.sets.size()); ++set) {
    uint64_t to = triangles.address + set * stride;
    if (!isInverse)
      operands.sets[set][0] = to;
    uint64_t from = set ? triangles.address : reinterpret_cast<uint64_t>(host.data());
    if (!copy(to, from, host.size()))
      return false;
  }
  return true;
}

bool DeviceData::fillC(const Operands &operands) {
  for (const OperandSet &set : operands.sets)
    if (!copy(set[2], operands.initialC, operands.bytesC))
      return false;
  return true;
}

bool DeviceData::placeScalars(const Shape &shape, Operands &operands) {
  Scalars values = scalarsOf(shape);
  bool isDouble = bytesOf(realOf(shape.element())) == 8;
  constexpr size_t kBytes = 32; // Two components, of 16 bytes at most.
  char host[2 * kBytes] = {};
  const double (*numbers[])[2] = {&values.alpha, &values.beta};
  for (int index : {0, 1}) {
    for (int component : {0, 1}) {
      double number = (*numbers[index])[component];
      float single = float(number);
      const void *from = isDouble ? static_cast<const void *>(&number) : &single;
      size_t bytes = isDouble ? sizeof number : sizeof single;
      std::memcpy(host + index * kBytes + component * bytes, from, bytes);
    }
  }
  if (!grow(scalars, sizeof host))
    return false;
  operands.alpha = scalars.address, operands.beta = scalars.address + kBytes;
  return copy(scalars.address, reinterpret_cast<uint64_t>(host), sizeof host);
}

bool DeviceData::placePointers(const Shape &shape, Operands &operands) {
  std::vector<uint64_t> host;
  for (const OperandSet &set : operands.sets)
    for (int operand : {0, 1, 2})
      for (int64_t index = 0; index < shape.batch(); ++index)
        host.push_back(set[operand] + index * shape.step(operand) * bytesOf(shape.element()));
  size_t bytes = host.size() * sizeof(uint64_t), ofSet = bytes / operands.sets.size();
  if (!grow(pointers, bytes))
    return false;
  for (size_t set = 0; set < operands.sets.size(); ++set) {
    uint64_t first = pointers.address + set * ofSet;
    operands.pointers.push_back({first, first + ofSet / 3, first + 2 * (ofSet / 3)});
  }
  return copy(pointers.address, reinterpret_cast<uint64_t>(host.data()), bytes);
}

/// Whether alpha or beta is in memory.
static bool hasScalars(const Shape &shape) {
  return shape.operation.alpha == operation::Scalar::InMemory ||
         shape.operation.beta == operation::Scalar::InMemory;
}

static llvm::Error noMemory() {
  return llvm::createStringError(std::string("operands do not fit in memory: ") +
                                 rooftileLastError());
}

llvm::Expected<Operands> DeviceData::place(const Shape &shape) {
  int64_t ofElement = bytesOf(shape.element());
  auto bytes = [&](int operand) {
    return llvm::alignTo(size_t(shape.all(operand)) * ofElement, kAlignment);
  };
  // The library's trmm is out of place: B is beside C.
  bool hasOtherB = shape.operation.routine == Routine::Trmm;
  size_t a = bytes(0), b = bytes(hasOtherB ? 2 : 1), c = bytes(2),
         copies = llvm::divideCeil(rotatedBytes, a + b + c);
  bool hasBias = shape.operation.epilogue.bias != operation::Bias::None;
  size_t bias = hasBias ? llvm::alignTo(std::max(shape.m(), shape.n()) * ofElement, kAlignment) : 0;
  Operands operands;
  operands.bytesC = size_t(shape.all(2)) * ofElement;
  operands.firstB = a / ofElement;
  operands.firstC = copies * (a + b) / ofElement;
  operands.firstBias = operands.firstC + (shape.readsC() ? c / ofElement : 0);
  rooftileClearError();
  if (!growRandom(shape.element(), operands.firstBias * ofElement + bias) ||
      !grow(outputs, copies * c))
    return noMemory();
  uint64_t inputs = random[shape.element()].address;
  operands.initialC = inputs + operands.firstC * ofElement;
  operands.bias = inputs + operands.firstBias * ofElement;
  for (size_t copy = 0; copy < copies; ++copy) {
    uint64_t first = inputs + copy * (a + b);
    operands.sets.push_back({first, b ? first + a : first, outputs.address + copy * c});
  }
  bool listed = shape.byPointers() || (shape.operation.info().inPlace && shape.batch() > 1);
  bool isPlaced = (!shape.hasTriangle() || placeTriangles(shape, operands, std::max(a, c))) &&
                  (!shape.readsC() || fillC(operands)) &&
                  (!hasScalars(shape) || placeScalars(shape, operands)) &&
                  (!listed || placePointers(shape, operands));
  if (!isPlaced)
    return noMemory();
  return operands;
}

std::vector<std::vector<uint64_t>> rooftile::bench::argumentsOf(const Shape &shape,
                                                                const Operands &operands) {
  const operation::Operation &operation = shape.operation;
  Scalars scalars = scalarsOf(shape);
  compiler::CallArguments call;
  call.m = shape.m(), call.n = shape.n(), call.k = operation.k, call.count = shape.batch();
  std::copy_n(scalars.alpha, 2, call.alpha), std::copy_n(scalars.beta, 2, call.beta);
  call.alphaAddress = operands.alpha, call.betaAddress = operands.beta;
  call.biasAddress = operands.bias;
  std::vector<std::vector<uint64_t>> all;
  for (const OperandSet &set : shape.byPointers() ? operands.pointers : operands.sets) {
    compiler::MatrixArgument *matrices[] = {&call.a, &call.b, &call.c};
    for (int i : {0, 1, 2}) {
      const operation::Matrix &matrix = operation.operand(i);
      *matrices[i] = {set[i], matrix.leading, matrix.stride};
    }
    compiler::argumentsOf(shape.compiled(), call, all.emplace_back());
  }
  return all;
}
