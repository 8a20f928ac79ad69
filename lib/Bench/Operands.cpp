//===- Operands.cpp - Random data on the device, and where it lies --------===//

#include "rooftile/Bench/Operands.h"
#include "rooftile/Runtime/Threads.h"
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
  for (const Array *array : {&outputs, &triangles, &pointers})
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

template <typename T> static void fillTriangles(std::vector<char> &data, const Shape &shape) {
  int64_t order = shape.k(), ofOne = shape.elements(0);
  data.resize(shape.batch() * ofOne * sizeof(T));
  T *to = reinterpret_cast<T *>(data.data());
  forRanges(shape.batch() * ofOne, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      to[i] = i % ofOne / order == i % order ? T(1) : smallElement<T>(i, order);
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
  for (size_t set = 0; set < operands.sets.size(); ++set) {
    operands.sets[set][0] = triangles.address + set * stride;
    uint64_t from = set ? triangles.address : reinterpret_cast<uint64_t>(host.data());
    if (!copy(operands.sets[set][0], from, host.size()) ||
        !copy(operands.sets[set][2], operands.sets[set][shape.source()], operands.bytesC))
      return false;
  }
  return true;
}

bool DeviceData::placePointers(const Shape &shape, Operands &operands) {
  std::vector<uint64_t> host;
  auto list = [&](uint64_t first, int64_t elements) {
    for (int64_t index = 0; index < shape.batch(); ++index)
      host.push_back(first + index * elements * bytesOf(shape.element()));
  };
  for (const OperandSet &set : operands.sets) {
    list(set[0], shape.elements(0));
    list(set[1], shape.elements(1));
    list(set[2], shape.elements(2));
  }
  size_t bytes = host.size() * sizeof(uint64_t), ofSet = bytes / operands.sets.size();
  if (!grow(pointers, bytes))
    return false;
  for (size_t set = 0; set < operands.sets.size(); ++set) {
    uint64_t first = pointers.address + set * ofSet;
    operands.pointers.push_back({first, first + ofSet / 3, first + 2 * (ofSet / 3)});
  }
  return copy(pointers.address, reinterpret_cast<uint64_t>(host.data()), bytes);
}

llvm::Expected<Operands> DeviceData::place(const Shape &shape) {
  auto bytes = [&](int64_t elements) {
    return llvm::alignTo(size_t(elements) * bytesOf(shape.element()), kAlignment);
  };
  size_t a = bytes(shape.all(0)), b = bytes(shape.all(1)),
         c = bytes(shape.batch() * shape.elements(2));
  size_t copies = llvm::divideCeil(rotatedBytes, a + b + c);
  Operands operands;
  operands.bytesC = size_t(shape.elements(2)) * shape.batch() * bytesOf(shape.element());
  operands.firstB = a / bytesOf(shape.element());
  rooftileClearError();
  if (!growRandom(shape.element(), copies * (a + b)) || !grow(outputs, copies * c))
    return llvm::createStringError(std::string("operands do not fit in memory: ") +
                                   rooftileLastError());
  uint64_t inputs = random[shape.element()].address;
  for (size_t copy = 0; copy < copies; ++copy)
    operands.sets.push_back(
        {inputs + copy * (a + b), inputs + copy * (a + b) + a, outputs.address + copy * c});
  bool placed = !shape.hasTriangle() || placeTriangles(shape, operands, a);
  bool listed = shape.byPointers() || (shape.inPlace() && shape.batch() > 1);
  if (!placed || (listed && !placePointers(shape, operands)))
    return llvm::createStringError(std::string("operands do not fit in memory: ") +
                                   rooftileLastError());
  return operands;
}
