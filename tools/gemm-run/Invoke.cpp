//===- Invoke.cpp - One call of a compiled function -----------------------===//

#include "Invoke.h"
#include "Graph.h"
#include "Heap.h"
#include "rooftile/Runtime/Cpu.h"
#include "rooftile/Runtime/CudaDriver.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>
#include <cstdlib>
#include <set>

extern "C" void mgpuMemFree(void *pointer, void *stream);

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static constexpr int64_t kDefaultSize = 256;
static constexpr double kDefaultScalar = 2;
static constexpr double kMaxElements = 0x1p40;

static llvm::Error fault(const Signature &signature, size_t argument, const llvm::Twine &message) {
  return llvm::createStringError("function '" + signature.name + "', argument " +
                                 llvm::Twine(argument) + ": " + message);
}

/// Gives every dynamic dimension, stride and offset of `type` a number.
static llvm::Expected<View> viewOf(const Signature &signature, size_t argument, MemRefType type,
                                   const std::vector<int64_t> &sizes) {
  View view;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, view.offset)))
    return fault(signature, argument, "only strided memrefs can be passed");
  if (!sizes.empty() && int64_t(sizes.size()) != type.getRank())
    return fault(signature, argument,
                 llvm::Twine(sizes.size()) + " sizes given for rank " +
                     llvm::Twine(type.getRank()));
  double elements = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t size = type.getDimSize(dim), given = sizes.empty() ? size : sizes[dim];
    if (!type.isDynamicDim(dim) && given != size)
      return fault(signature, argument,
                   "size " + llvm::Twine(given) + " given for dimension " + llvm::Twine(dim) +
                       ", which is " + llvm::Twine(size));
    view.sizes.push_back(ShapedType::isDynamic(given) ? kDefaultSize : given);
    elements *= double(std::max<int64_t>(view.sizes.back(), 1));
    if (view.sizes.back() < 0 || elements > kMaxElements)
      return fault(signature, argument, "sizes are out of range: at most 2^40 elements");
  }
  view.strides.assign(strides.begin(), strides.end());
  int64_t extent = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (ShapedType::isDynamic(view.strides[dim]))
      view.strides[dim] = extent;
    extent = std::max(extent, std::abs(view.strides[dim]) * std::max<int64_t>(view.sizes[dim], 1));
  }
  if (ShapedType::isDynamic(view.offset))
    view.offset = 0;
  double span = std::fabs(double(view.offset));
  for (size_t dim = 0; dim < view.sizes.size(); ++dim)
    span += std::fabs(double(view.strides[dim])) * view.sizes[dim];
  if (span > kMaxElements)
    return fault(signature, argument, "strides are out of range: at most 2^40 elements");
  return view;
}

llvm::Expected<Call> rooftile::run::callOf(const Signature &signature,
                                           const std::vector<std::vector<int64_t>> &sizes) {
  Call call{signature.name, "", {}};
  size_t memrefs = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    Argument argument;
    if (auto type = dyn_cast<MemRefType>(signature.arguments[i])) {
      bool given = memrefs < sizes.size();
      auto view = viewOf(signature, i, type, given ? sizes[memrefs] : signature.sizes[i]);
      ++memrefs;
      if (!view)
        return view.takeError();
      argument.view = *view;
    } else if (!signature.arguments[i].isIntOrIndexOrFloat()) {
      return fault(signature, i, "only memrefs and scalars can be passed");
    }
    argument.value = std::isnan(signature.values[i]) ? kDefaultScalar : signature.values[i];
    call.arguments.push_back(argument);
  }
  if (memrefs < sizes.size())
    return llvm::createStringError("--sizes names " + llvm::Twine(sizes.size()) +
                                   " arguments; function '" + signature.name + "' has " +
                                   llvm::Twine(memrefs) + " of memref type");
  return call;
}

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
    auto &word = scalars.emplace_back(new int64_t(0));
    if (type.isF32())
      *reinterpret_cast<float *>(word.get()) = argument.value;
    else if (type.isF64())
      *reinterpret_cast<double *>(word.get()) = argument.value;
    else
      *word = type.isInteger(1) ? argument.value != 0 : int64_t(argument.value);
    words.push_back(word.get());
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
  void release(const int64_t *returned, ArrayRef<Type> results);

  Device device;
  uint64_t seed;
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<std::unique_ptr<int64_t>> scalars;
  std::vector<std::unique_ptr<int64_t[]>> descriptors;
  std::vector<std::unique_ptr<void *>> pointers;
  std::vector<void *> words;
};

} // namespace

bool Frame::addMemRef(MemRefType type, const View &view, int64_t shift) {
  int64_t bytes = (type.getElementTypeBitWidth() + 7) / 8;
  // Strides may lead to elements before the base pointer, which stays aligned to 64 elements.
  int64_t before = (std::max<int64_t>(-view.first(), 0) + 63) / 64 * 64 + shift;
  int64_t behind = std::max<int64_t>(view.last() + 1, 0);
  std::unique_ptr<Buffer> buffer = Buffer::create(device, (before + behind) * bytes);
  if (!buffer)
    return false;
  char *base = buffer->payload() + before * bytes;
  Mirror mirror;
  mirror.read(device, base + view.first() * bytes, (view.last() - view.first() + 1) * bytes);
  Type element = type.getElementType();
  if (element.isF32() || element.isF64())
    fill(mirror.data.get(), element.isF32() ? Element::F32 : Element::F64, view,
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

void rooftile::run::invoke(const Program &program, const Signature &signature, const Call &call,
                           const InvokeOptions &options, Session &session) {
  Frame frame(options.device, options.seed);
  session.begin({});
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
