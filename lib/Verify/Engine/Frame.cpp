//===- Frame.cpp - Arguments of a call in memory --------------------------===//
//
// Matrices that an array of pointers names lie in one buffer, in an order drawn at random, with
// gaps between them that stay NaN:
//
//   | gap | matrix 2 | gap | matrix 0 | gap | matrix 1 | gap |
//
//===----------------------------------------------------------------------===//

#include "Frame.h"
#include "Engine/Instrument.h"
#include "Operands/Array.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/ElementType.h"
#include "rooftile/Runtime/Runtime.h"
#include "rooftile/Verify/Operands/Memory.h"
#include "rooftile/Verify/Operands/Operand.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <numeric>
#include <random>
#include <set>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

//===----------------------------------------------------------------------===//
// Results of a function
//===----------------------------------------------------------------------===//

bool rooftile::verify::canBeReturned(Type type) { return isa<MemRefType>(type) || canEncode(type); }

static int64_t sizeOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? 8 * (3 + 2 * memref.getRank()) : storedBytes(type);
}

static int64_t alignmentOf(Type type) {
  return isa<MemRefType>(type) ? 8 : storedBytes(realTypeOf(type));
}

/// Offsets of all results, and of the end.
static std::vector<int64_t> offsetsOf(ArrayRef<Type> results) {
  std::vector<int64_t> offsets;
  int64_t end = 0;
  for (Type type : results) {
    offsets.push_back(llvm::alignTo(end, alignmentOf(type)));
    end = offsets.back() + sizeOf(type);
  }
  offsets.push_back(end);
  return offsets;
}

/// Bytes that results of these types need, laid out as LLVM lays out a structure of them: a memref
/// is its descriptor, a scalar itself, each aligned to its own.
static int64_t returnedBytes(ArrayRef<Type> results) { return offsetsOf(results).back(); }

/// Where each result is in what a function has `returned`.
static std::vector<const char *> returnedPlaces(const void *returned, ArrayRef<Type> results) {
  std::vector<int64_t> offsets = offsetsOf(results);
  std::vector<const char *> places;
  for (size_t i = 0; i < results.size(); ++i)
    places.push_back(static_cast<const char *>(returned) + offsets[i]);
  return places;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

extern "C" void rooftileMemFree(void *pointer, void *stream);

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

/// Elements of the gap after a matrix, at least.
static constexpr int64_t kGap = 3;
/// Allocation of a memref.global in MLIR's lowering: there is nothing to free.
static char *const kConstantMemory = reinterpret_cast<char *>(0xDEADBEEF);

bool Frame::add(Type type, const Argument &argument) {
  if (argument.pointee)
    return addPointers(argument.view, *argument.pointee);
  if (auto memref = dyn_cast<MemRefType>(type))
    return addMemRef(memref, argument.view, argument.shift);
  addScalar(type, argument.value);
  return true;
}

llvm::Expected<Callee> rooftile::verify::calleeOf(const Program &program,
                                                  const std::string &function) {
  if (program.executable)
    return Callee{nullptr, program.executable.get(), program.executable->find(function)};
  auto packed = program.engine->lookupPacked("_mlir_ciface_" + function);
  if (!packed)
    return packed.takeError();
  return Callee{*packed};
}

std::string Frame::call(const Callee &callee, ArrayRef<Type> results,
                        llvm::function_ref<void(ArrayRef<const char *>)> inspect) {
  std::vector<int64_t> memory(returnedBytes(results) / sizeof(int64_t) + 1);
  auto returned = reinterpret_cast<char *>(memory.data());
  std::string error;
  if (callee.packed)
    callPacked(callee.packed, results, returned);
  else
    error = callCode(callee, results, returned);
  if (!error.empty())
    return error;
  std::vector<const char *> places = returnedPlaces(returned, results);
  if (inspect)
    inspect(places);
  release(callee, places, results);
  return "";
}

/// The results of code, one register after the other, go where the C interface has them.
std::string Frame::callCode(const Callee &callee, ArrayRef<Type> results, char *returned) {
  const Code &code = callee.executable->data().functions[callee.number];
  std::vector<uint64_t> given(code.results.size() + 1);
  std::string error = callee.executable->run(callee.number, registers.data(), given.data());
  const uint64_t *next = given.data();
  for (auto [offset, type] : llvm::zip(offsetsOf(results), results)) {
    char *to = returned + offset;
    int64_t bytes = sizeOf(type), registerBytes = llvm::alignTo(bytes, sizeof(uint64_t));
    if (isa<MemRefType>(type)) { // which begins with the address to free
      std::memcpy(to, next, sizeof(uint64_t));
      to += sizeof(uint64_t), bytes -= sizeof(uint64_t), registerBytes -= sizeof(uint64_t);
    }
    std::memcpy(to, next, bytes);
    next += registerBytes / sizeof(uint64_t);
  }
  return error;
}

void Frame::callPacked(void (*function)(void **), ArrayRef<Type> results, char *returned) {
  void *returnedPointer = returned;
  std::vector<void *> packed;
  bool byPointer = results.size() > 1 || (results.size() == 1 && isa<MemRefType>(results[0]));
  if (byPointer)
    packed.push_back(&returnedPointer);
  packed.insert(packed.end(), words.begin(), words.end());
  if (!byPointer && !results.empty())
    packed.push_back(returnedPointer);
  function(packed.data());
}

std::vector<Buffer *> Frame::watched() const {
  std::vector<Buffer *> list;
  for (auto &buffer : buffers)
    list.push_back(buffer.get());
  return list;
}

/// As an i1, every number but 0 is true.
void Frame::addScalar(Type type, Scalar value) {
  int64_t *words = scalars.emplace_back(new int64_t[2]{}).get();
  encode(type, type.isInteger(1) && value != 0.0 ? Scalar(1) : value, words);
  this->words.push_back(words);
  registers.insert(registers.end(), words, words + (storedBytes(type) > 8 ? 2 : 1));
}

/// A buffer for elements of `bytes` bytes, uniform values of the type `element` if it has one, else
/// 0; where element 0 of the view is, or null where memory is short.
char *Frame::addBuffer(int64_t bytes, const std::optional<Element> &element, const View &view,
                       int64_t shift) {
  // Strides may lead to elements before the base pointer, which stays aligned to 64 elements.
  int64_t before = (std::max<int64_t>(-view.first(), 0) + 63) / 64 * 64 + shift;
  int64_t after = std::max<int64_t>(view.last() + 1, 0);
  std::unique_ptr<Buffer> buffer = Buffer::create(device, (before + after) * bytes);
  if (!buffer)
    return nullptr;
  char *base = buffer->payload() + before * bytes;
  Mirror mirror;
  mirror.read(device, base + view.first() * bytes, (view.last() - view.first() + 1) * bytes);
  if (element)
    fill(mirror.data.get(), *element, view, {Values::Uniform, 1, seed + 100 + buffers.size()});
  else
    std::fill_n(mirror.data.get(), mirror.bytes, 0);
  mirror.write(device);
  buffers.push_back(std::move(buffer));
  return base;
}

/// A buffer of integers.
char *Frame::addWords(const std::vector<int64_t> &numbers) {
  int64_t bytes = numbers.size() * sizeof(int64_t);
  std::unique_ptr<Buffer> buffer = Buffer::create(device, bytes);
  if (!buffer)
    return nullptr;
  copyBytes(device, buffer->payload(), numbers.data(), bytes);
  buffers.push_back(std::move(buffer));
  return buffers.back()->payload();
}

void Frame::addDescriptor(char *base, const View &view) {
  size_t rank = view.sizes.size();
  auto &descriptor = descriptors.emplace_back(new int64_t[3 + 2 * rank]);
  descriptor[0] = descriptor[1] = reinterpret_cast<int64_t>(base);
  descriptor[2] = view.offset;
  std::copy(view.sizes.begin(), view.sizes.end(), &descriptor[3]);
  std::copy(view.strides.begin(), view.strides.end(), &descriptor[3 + rank]);
  words.push_back(pointers.emplace_back(new void *(descriptor.get())).get());
  registers.insert(registers.end(), &descriptor[1], &descriptor[3 + 2 * rank]);
}

bool Frame::addMemRef(MemRefType type, const View &view, int64_t shift) {
  Type element = type.getElementType();
  std::optional<Element> number;
  if (blas::isElementType(element))
    number = *elementOf(element);
  char *base = addBuffer(storedBytes(type.getElementType()), number, view, shift);
  if (!base)
    return false;
  addDescriptor(base, view);
  return true;
}

/// A view of all matrices that `view` has, with their sizes, but in a random order with gaps.
static View scattered(const View &view, const Pointee &pointee, uint64_t seed) {
  View one{{view.sizes.begin() + 1, view.sizes.end()},
           {view.strides.begin() + 1, view.strides.end()}};
  int64_t unit = std::max<int64_t>(1, pointee.align / bytesOf(pointee.element));
  // An odd number of units, so that matrices are aligned to no more than they must be.
  int64_t slot = llvm::divideCeil(one.last() - one.first() + 1 + kGap, unit) | 1;
  std::vector<int64_t> order(view.sizes[0]);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  View all = view;
  all.offset = 0;
  for (int64_t place : order)
    all.places.push_back((place * slot + 1) * unit);
  return all;
}

bool Frame::addPointers(const View &view, const Pointee &pointee) {
  View matrices = scattered(view, pointee, seed + buffers.size());
  char *base = addBuffer(bytesOf(pointee.element), pointee.element, matrices, 0);
  std::vector<int64_t> addresses;
  for (int64_t place : matrices.places)
    addresses.push_back(reinterpret_cast<int64_t>(base + place * bytesOf(pointee.element)));
  char *table = base ? addWords(addresses) : nullptr;
  if (!table)
    return false;
  addDescriptor(table, View{{view.sizes[0]}, {1}});
  return true;
}

/// Frees returned memrefs that are not arguments, nor constants of the module.
void Frame::release(const Callee &callee, ArrayRef<const char *> places, ArrayRef<Type> results) {
  std::set<char *> owned;
  for (auto [place, type] : llvm::zip_equal(places, results)) {
    if (!isa<MemRefType>(type))
      continue;
    char *pointer = *reinterpret_cast<char *const *>(place);
    bool argument = llvm::any_of(buffers, [&](auto &buffer) { return buffer->contains(pointer); });
    if (pointer && pointer != kConstantMemory && !argument)
      owned.insert(pointer);
  }
  for (char *pointer : owned) {
    if (callee.executable)
      callee.executable->release(pointer);
    else if (device == DeviceKind::Cpu)
      releaseHeap(pointer);
    else
      rooftileMemFree(pointer, rooftileGetStream()); // after the kernels that write it
  }
}

int64_t rooftile::verify::spannedBytes(Type type, const Argument &argument) {
  const View &view = argument.view;
  int64_t spanned = view.last() - view.first() + 1;
  if (argument.pointee)
    return view.elements() == 0
               ? 0
               : (spanned + view.sizes[0] * kGap) * bytesOf(argument.pointee->element);
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? spanned * storedBytes(memref.getElementType()) : 0;
}
