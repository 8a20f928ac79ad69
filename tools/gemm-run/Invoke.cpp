//===- Invoke.cpp - One call of a compiled function -----------------------===//

#include "Invoke.h"
#include "Graph.h"
#include "Heap.h"
#include "Instrument.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Runtime/Cpu.h"
#include "rooftile/Runtime/CudaDriver.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstdlib>
#include <set>

extern "C" void mgpuMemFree(void *pointer, void *stream);

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

//===----------------------------------------------------------------------===//
// Arguments in memory
//===----------------------------------------------------------------------===//

namespace {

/// Buffers, descriptors and scalars of one call, in the form that the C interface takes.
class Frame {
public:
  Frame(Device device, uint64_t seed) : device(device), seed(seed) {}

  bool add(Type type, const Argument &argument) {
    if (auto memref = dyn_cast<MemRefType>(type))
      return addMemRef(memref, argument.view, argument.shift);
    addScalar(type, argument.value);
    return true;
  }

  /// Calls the packed C interface; frees what the function returned.
  void call(void (*function)(void **), ArrayRef<Type> results) {
    int64_t returned[512] = {};
    void *returnedPointer = returned;
    std::vector<void *> packed;
    bool byPointer = results.size() > 1 || (results.size() == 1 && isa<MemRefType>(results[0]));
    if (byPointer)
      packed.push_back(&returnedPointer);
    packed.insert(packed.end(), words.begin(), words.end());
    if (!byPointer && !results.empty())
      packed.push_back(returned);
    function(packed.data());
    release(returned, results);
  }

  std::vector<Buffer *> watched() const {
    std::vector<Buffer *> list;
    for (auto &buffer : buffers)
      list.push_back(buffer.get());
    return list;
  }

private:
  bool addMemRef(MemRefType type, const View &view, int64_t shift);
  void addScalar(Type type, Scalar value);
  void release(const int64_t *returned, ArrayRef<Type> results);

  Device device;
  uint64_t seed;
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<std::unique_ptr<int64_t[]>> scalars;
  std::vector<std::unique_ptr<int64_t[]>> descriptors;
  std::vector<std::unique_ptr<void *>> pointers;
  std::vector<void *> words;
};

} // namespace

/// A complex number is its two parts, one behind the other.
void Frame::addScalar(Type type, Scalar value) {
  int64_t *words = scalars.emplace_back(new int64_t[2]{}).get();
  Type real = realTypeOf(type);
  for (int part = 0; part < partsOf(type); ++part) {
    double number = part == 0 ? value.real() : value.imag();
    if (real.isF32())
      reinterpret_cast<float *>(words)[part] = number;
    else if (real.isF64())
      reinterpret_cast<double *>(words)[part] = number;
    else
      *words = type.isInteger(1) ? number != 0 : int64_t(number);
  }
  this->words.push_back(words);
}

/// Bytes of an element.
static int64_t bytesOf(MemRefType type) {
  Type element = type.getElementType();
  return (realTypeOf(element).getIntOrFloatBitWidth() + 7) / 8 * partsOf(element);
}

bool Frame::addMemRef(MemRefType type, const View &view, int64_t shift) {
  Type element = type.getElementType();
  int64_t bytes = bytesOf(type);
  // Strides may lead to elements before the base pointer, which stays aligned to 64 elements.
  int64_t before = (std::max<int64_t>(-view.first(), 0) + 63) / 64 * 64 + shift;
  int64_t behind = std::max<int64_t>(view.last() + 1, 0);
  std::unique_ptr<Buffer> buffer = Buffer::create(device, (before + behind) * bytes);
  if (!buffer)
    return false;
  char *base = buffer->payload() + before * bytes;
  Mirror mirror;
  mirror.read(device, base + view.first() * bytes, (view.last() - view.first() + 1) * bytes);
  if (blas::isElementType(element))
    fill(mirror.data.get(), elementOf(element), view,
         {Values::Uniform, 1, seed + 100 + buffers.size()});
  else
    std::fill_n(mirror.data.get(), mirror.bytes, 0);
  mirror.write(device);
  size_t rank = view.sizes.size();
  auto &descriptor = descriptors.emplace_back(new int64_t[3 + 2 * rank]);
  descriptor[0] = descriptor[1] = reinterpret_cast<int64_t>(base);
  descriptor[2] = view.offset;
  std::copy(view.sizes.begin(), view.sizes.end(), &descriptor[3]);
  std::copy(view.strides.begin(), view.strides.end(), &descriptor[3 + rank]);
  words.push_back(pointers.emplace_back(new void *(descriptor.get())).get());
  buffers.push_back(std::move(buffer));
  return true;
}

/// Frees returned memrefs that are not arguments. Results lie one behind the other.
void Frame::release(const int64_t *returned, ArrayRef<Type> results) {
  std::set<char *> owned;
  for (Type type : results) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref)
      return;
    char *pointer = reinterpret_cast<char *>(returned[0]);
    bool argument = llvm::any_of(buffers, [&](auto &buffer) { return buffer->contains(pointer); });
    if (pointer && !argument)
      owned.insert(pointer);
    returned += 3 + 2 * memref.getRank();
  }
  for (char *pointer : owned) {
    if (device == Device::Cpu)
      releaseHeap(pointer);
    else
      mgpuMemFree(pointer, rooftileGetStream()); // behind the kernels that write it
  }
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

/// Guard zones of all arguments, and errors that no operation reported.
static void checkCall(const Frame &frame, Session &session) {
  std::vector<Buffer *> buffers = frame.watched();
  for (size_t i = 0; i < buffers.size(); ++i)
    if (std::string broken = buffers[i]->brokenGuard(); !broken.empty())
      session.fail("memref argument " + std::to_string(i) + " was written " + broken);
  if (std::string error = rooftileLastError(); !error.empty())
    session.fail(error);
  rooftileClearError();
}

/// Bytes that an argument spans.
static int64_t spannedBytes(Type type, const Argument &argument) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? (argument.view.last() - argument.view.first() + 1) * bytesOf(memref) : 0;
}

/// Whether the host has room for the arguments and for the copies that they are verified on: one of
/// each operand, two of an output.
static bool haveRoom(const Signature &signature, const Call &call, Device device,
                     Session &session) {
  double bytes = 0; // spans may overflow an integer
  for (auto [type, argument] : llvm::zip_equal(signature.arguments, call.arguments))
    bytes += spannedBytes(type, argument);
  double needed = bytes * (device == Device::Cpu ? 3 : 2), available = availableBytes();
  if (needed <= available)
    return true;
  session.fail(llvm::formatv("arguments of {0:f1} GB, with copies to verify them on {1:f1} GB, do "
                             "not fit in memory: {2:f1} GB are available",
                             bytes / 1e9, needed / 1e9, available / 1e9));
  return false;
}

void rooftile::run::invoke(const Program &program, const Signature &signature, const Call &call,
                           const InvokeOptions &options, Session &session) {
  session.begin({});
  session.setConstant(options.fill);
  if (!haveRoom(signature, call, options.device, session))
    return;
  Frame frame(options.device, options.seed);
  for (auto [type, argument] : llvm::zip_equal(signature.arguments, call.arguments))
    if (!frame.add(type, argument)) {
      session.fail(std::string("arguments do not fit in memory: ") + rooftileLastError());
      return rooftileClearError();
    }
  auto function = program.engine->lookupPacked("_mlir_ciface_" + signature.name);
  if (!function)
    return session.fail(llvm::toString(function.takeError()));
  session.begin(frame.watched());
  setActiveSession(&session);
  for (Phase phase : {Phase::Integers, Phase::Uniform}) {
    session.setPhase(phase);
    frame.call(*function, signature.results);
    synchronize(options.device);
    checkCall(frame, session);
  }
  session.setPhase(Phase::Timing);
  if (options.graph)
    replayInGraph([&] { frame.call(*function, signature.results); }, frame.watched(), session);
  rooftileCpuRecord(false);
  rooftileProfile(true);
  for (int64_t run = 0; run < options.repeat; ++run)
    frame.call(*function, signature.results);
  synchronize(options.device);
  session.takeTimes();
  rooftileProfile(false);
  rooftileCpuRecord(true);
  checkCall(frame, session);
  setActiveSession(nullptr);
}
