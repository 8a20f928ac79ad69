//===- Graph.cpp - A call captured into a CUDA graph ----------------------===//

#include "Graph.h"
#include "rooftile/Runtime/CudaDriver.h"

#include <algorithm>
#include <cstring>

using namespace rooftile;
using namespace rooftile::run;

namespace {
/// A stream, and the graph of what was captured on it.
struct Graph {
  const CudaDriver &cuda;
  void *stream = nullptr, *graph = nullptr, *executable = nullptr;

  explicit Graph(const CudaDriver &cuda) : cuda(cuda) {
    constexpr unsigned kNonBlocking = 1;
    cuda.check(cuda.streamCreate(&stream, kNonBlocking), "cuStreamCreate");
  }
  ~Graph() {
    if (executable)
      cuda.graphExecDestroy(executable);
    if (graph)
      cuda.graphDestroy(graph);
    if (stream)
      cuda.streamDestroy(stream);
  }

  bool capture(llvm::function_ref<void()> call) {
    constexpr int kThreadLocal = 1; // of this thread, any call that waits or allocates is refused
    if (!cuda.check(cuda.streamBeginCapture(stream, kThreadLocal), "cuStreamBeginCapture"))
      return false;
    rooftileSetStream(stream);
    call();
    rooftileSetStream(nullptr);
    return cuda.check(cuda.streamEndCapture(stream, &graph), "cuStreamEndCapture") &&
           cuda.check(cuda.graphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
  }
  bool launch() {
    return cuda.check(cuda.graphLaunch(executable, stream), "cuGraphLaunch") &&
           cuda.check(cuda.streamSynchronize(stream), "cuStreamSynchronize", "of the graph");
  }
};
} // namespace

static std::vector<Mirror> contents(const std::vector<Buffer *> &buffers) {
  std::vector<Mirror> mirrors(buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i)
    mirrors[i].read(Device::Cuda, buffers[i]->begin(), buffers[i]->totalBytes());
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
    int64_t size = mirror.bytes - 2 * Buffer::kGuardBytes;
    if (size > bytes)
      std::rotate(first, first + bytes, first + size);
  }
}

void run::replayInGraph(llvm::function_ref<void()> call, const std::vector<Buffer *> &buffers,
                        Session &session) {
  const CudaDriver *cuda = CudaDriver::current();
  if (!cuda)
    return;
  Graph graph(*cuda);
  if (!graph.capture(call))
    return session.fail(std::string("the call cannot be captured: ") + rooftileLastError());
  std::vector<Mirror> before = contents(buffers);
  for (int round = 0; round < 2; ++round) {
    rotate(before, 4096); // a whole number of elements, so that floats stay floats
    for (Mirror &mirror : before)
      mirror.write(Device::Cuda);
    call();
    synchronize(Device::Cuda);
    std::vector<Mirror> expected = contents(buffers);
    for (Mirror &mirror : before)
      mirror.write(Device::Cuda);
    if (!graph.launch())
      return session.fail(std::string("the graph cannot be replayed: ") + rooftileLastError());
    int wrong = firstDifference(expected, contents(buffers));
    if (wrong >= 0)
      return session.fail("replayed in a graph, the call leaves other bytes in memref argument " +
                          std::to_string(wrong));
  }
}
