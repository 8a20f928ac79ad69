//===- Invoke.cpp - One call of a compiled function -----------------------===//

#include "rooftile/Verify/Engine/Invoke.h"
#include "Engine/Instrument.h"
#include "Frame.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Device/Driver.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

//===----------------------------------------------------------------------===//
// Sizes and scalars of a call
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

/// The matrices that an array of `count` addresses leads to.
static llvm::Expected<View> matricesBehind(const Signature &signature, size_t argument,
                                           int64_t count) {
  const Addressed &addressed = *signature.addressed[argument];
  View view{{count}, {0}};
  view.sizes.insert(view.sizes.end(), addressed.sizes.begin(), addressed.sizes.end());
  view.strides.insert(view.strides.end(), addressed.strides.begin(), addressed.strides.end());
  if (llvm::any_of(view.sizes, ShapedType::isDynamic) ||
      llvm::any_of(view.strides, ShapedType::isDynamic))
    return fault(signature, argument,
                 "an array of addresses of matrices whose sizes are operands; --case passes these");
  return view;
}

llvm::Expected<Call> rooftile::verify::callOf(const Signature &signature,
                                              const std::vector<std::vector<int64_t>> &sizes) {
  Call call{signature.name, "", {}};
  size_t memrefs = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    Argument argument;
    if (auto type = dyn_cast<MemRefType>(signature.arguments[i])) {
      bool given = memrefs < sizes.size();
      auto view = viewOf(signature, i, type, given ? sizes[memrefs] : signature.sizes[i]);
      ++memrefs;
      if (view && signature.addressed[i]) {
        argument.pointee = signature.addressed[i]->pointee;
        view = matricesBehind(signature, i, view->sizes[0]);
      }
      if (!view)
        return view.takeError();
      argument.view = *view;
    } else if (!realTypeOf(signature.arguments[i]).isIntOrIndexOrFloat()) {
      return fault(signature, i, "only memrefs and scalars can be passed");
    }
    argument.value = Scalar(std::isnan(signature.values[i]) ? kDefaultScalar : signature.values[i]);
    call.arguments.push_back(argument);
  }
  if (memrefs < sizes.size())
    return llvm::createStringError("--sizes names " + llvm::Twine(sizes.size()) +
                                   " arguments; function '" + signature.name + "' has " +
                                   llvm::Twine(memrefs) + " of memref type");
  return call;
}

//===----------------------------------------------------------------------===//
// A call captured into a graph
//===----------------------------------------------------------------------===//

static std::vector<Mirror> contents(const std::vector<Buffer *> &buffers) {
  std::vector<Mirror> mirrors(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i)
    mirrors[i].read(DeviceKind::Cuda, buffers[i]->begin(), buffers[i]->totalBytes());
  return mirrors;
}

/// One buffer whose bytes are not those expected, or -1.
static int firstDifference(const std::vector<Mirror> &left, const std::vector<Mirror> &right) {
  for (size_t i = 0; i < left.size(); ++i)
    if (std::memcmp(left[i].data.get(), right[i].data.get(), left[i].bytes) != 0)
      return i;
  return -1;
}

/// Other data: the bytes of each payload, moved on by `bytes`.
static void rotate(std::vector<Mirror> &mirrors, int64_t bytes) {
  for (Mirror &mirror : mirrors) {
    char *first = mirror.data.get() + Buffer::kGuardBytes;
    int64_t size = mirror.bytes - 2 * Buffer::kGuardBytes; // of a GPU's memory
    if (size > bytes)
      std::rotate(first, first + bytes, first + size);
  }
}

/// Captures `call` into a graph and replays it twice, each time on other data in `buffers`: the
/// replay must leave the same bytes as a plain call. What differs, and any refusal of the driver
/// (such as something in the call that waits or allocates), is a failure of `session`.
static void replayInGraph(llvm::function_ref<void()> call, const std::vector<Buffer *> &buffers,
                          Session &session) {
  std::unique_ptr<CallGraph> graph = Driver::of(DeviceKind::Cuda).makeCallGraph();
  if (!graph)
    return;
  if (!graph->capture(call))
    return session.fail(std::string("the call cannot be captured: ") + rooftileLastError());
  std::vector<Mirror> before = contents(buffers);
  for (int round = 0; round < 2; ++round) {
    rotate(before, 4096); // a whole number of elements, so that floats stay floats
    for (Mirror &mirror : before)
      mirror.write(DeviceKind::Cuda);
    call();
    synchronize(DeviceKind::Cuda);
    std::vector<Mirror> expected = contents(buffers);
    for (Mirror &mirror : before)
      mirror.write(DeviceKind::Cuda);
    if (!graph->launch() || !graph->wait())
      return session.fail(std::string("the graph cannot be replayed: ") + rooftileLastError());
    int wrong = firstDifference(expected, contents(buffers));
    if (wrong >= 0)
      return session.fail("replayed in a graph, the call leaves other bytes in memref argument " +
                          std::to_string(wrong));
  }
}

//===----------------------------------------------------------------------===//
// Phases of a call
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

/// Whether the host has room for the arguments and for the copies that they are verified on: one of
/// each operand, two of an output.
static bool haveRoom(const Signature &signature, const Call &call, DeviceKind device,
                     Session &session) {
  double bytes = 0; // spans may overflow an integer
  for (auto [type, argument] : llvm::zip_equal(signature.arguments, call.arguments))
    bytes += spannedBytes(type, argument);
  double needed = bytes * (device == DeviceKind::Cpu ? 3 : 2), available = availableBytes();
  if (needed <= available)
    return true;
  session.fail(llvm::formatv("arguments of {0:f1} GB, with copies to verify them on {1:f1} GB, do "
                             "not fit in memory: {2:f1} GB are available",
                             bytes / 1e9, needed / 1e9, available / 1e9));
  return false;
}

void rooftile::verify::invoke(const Program &program, const Signature &signature, const Call &call,
                              const InvokeOptions &options, Session &session) {
  session.begin({});
  session.setConstant(options.fill);
  session.setWork(options.work);
  if (!haveRoom(signature, call, options.device, session))
    return;
  Frame frame(options.device, options.seed);
  for (auto [type, argument] : llvm::zip_equal(signature.arguments, call.arguments))
    if (!frame.add(type, argument)) {
      session.fail(std::string("arguments do not fit in memory: ") + rooftileLastError());
      return rooftileClearError();
    }
  auto callee = calleeOf(program, signature.name);
  if (!callee)
    return session.fail(llvm::toString(callee.takeError()));
  session.begin(frame.watched());
  setActiveSession(&session);
  auto runPhase = [&](Phase phase) {
    session.setPhase(phase);
    if (std::string error = frame.call(*callee, signature.results); !error.empty())
      session.stop(error);
    synchronize(options.device);
    checkCall(frame, session);
  };
  runPhase(Phase::Integers);
  runPhase(Phase::Uniform);
  for (int64_t order = 1; order <= options.orders; ++order) {
    rooftileCpuSeed(options.seed + order);
    runPhase(Phase::Again);
  }
  session.setPhase(Phase::Timing);
  if (options.graph)
    replayInGraph([&] { frame.call(*callee, signature.results); }, frame.watched(), session);
  rooftileCpuRecord(false);
  rooftileProfile(true);
  for (int64_t run = 0; run < options.repeat; ++run)
    frame.call(*callee, signature.results);
  synchronize(options.device);
  session.takeTimes();
  rooftileProfile(false);
  rooftileCpuRecord(true);
  checkCall(frame, session);
  setActiveSession(nullptr);
}
