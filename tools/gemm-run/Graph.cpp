//===- Graph.cpp - A call captured into a CUDA graph ----------------------===//

#include "Graph.h"
#include "rooftile/Runtime/Cuda/Graph.h"

#include <algorithm>
#include <cstring>

using namespace rooftile;
using namespace rooftile::run;

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
    int64_t size = mirror.bytes - 2 * Buffer::kGuardBytes; // of a GPU's memory
    if (size > bytes)
      std::rotate(first, first + bytes, first + size);
  }
}

void run::replayInGraph(llvm::function_ref<void()> call, const std::vector<Buffer *> &buffers,
                        Session &session) {
  const CudaDriver *cuda = CudaDriver::current();
  if (!cuda)
    return;
  CudaGraph graph(*cuda);
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
    if (!graph.launch() || !graph.wait())
      return session.fail(std::string("the graph cannot be replayed: ") + rooftileLastError());
    int wrong = firstDifference(expected, contents(buffers));
    if (wrong >= 0)
      return session.fail("replayed in a graph, the call leaves other bytes in memref argument " +
                          std::to_string(wrong));
  }
}
