//===- CallGraph.cpp - Calls captured into a CUDA graph -------------------===//

#include "CallGraph.h"
#include "Library.h"

using namespace rooftile;

namespace {
class Captured : public CallGraph {
public:
  explicit Captured(const CudaLibrary &cuda) : cuda(cuda) {
    constexpr unsigned kNonBlocking = 1;
    cuda.check(cuda.streamCreate(&ownStream, kNonBlocking), "cuStreamCreate");
  }
  ~Captured() override;

  bool capture(const std::function<void()> &call) override;
  bool launch() override {
    return cuda.check(cuda.graphLaunch(executable, ownStream), "cuGraphLaunch");
  }
  bool wait() override {
    return cuda.check(cuda.streamSynchronize(ownStream), "cuStreamSynchronize", "of the graph");
  }
  void *stream() const override { return ownStream; }

private:
  const CudaLibrary &cuda;
  void *ownStream = nullptr, *graph = nullptr, *executable = nullptr;
};
} // namespace

Captured::~Captured() {
  if (executable)
    cuda.graphExecDestroy(executable);
  if (graph)
    cuda.graphDestroy(graph);
  if (ownStream)
    cuda.streamDestroy(ownStream);
}

bool Captured::capture(const std::function<void()> &call) {
  constexpr int kThreadLocal = 1; // of this thread, any call that waits or allocates is refused
  if (!cuda.check(cuda.streamBeginCapture(ownStream, kThreadLocal), "cuStreamBeginCapture"))
    return false;
  rooftileSetStream(ownStream);
  call();
  rooftileSetStream(nullptr);
  return cuda.check(cuda.streamEndCapture(ownStream, &graph), "cuStreamEndCapture") &&
         cuda.check(cuda.graphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
}

std::unique_ptr<CallGraph> rooftile::makeCudaCallGraph() {
  const CudaLibrary *cuda = CudaLibrary::current();
  return cuda ? std::make_unique<Captured>(*cuda) : nullptr;
}
