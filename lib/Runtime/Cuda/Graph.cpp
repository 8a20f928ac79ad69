//===- Graph.cpp - Calls captured into a CUDA graph -----------------------===//

#include "rooftile/Runtime/Cuda/Graph.h"
#include "rooftile/Runtime/Runtime.h"

using namespace rooftile;

CudaGraph::CudaGraph(const CudaDriver &cuda) : cuda(cuda) {
  constexpr unsigned kNonBlocking = 1;
  cuda.check(cuda.streamCreate(&stream, kNonBlocking), "cuStreamCreate");
}

CudaGraph::~CudaGraph() {
  if (executable)
    cuda.graphExecDestroy(executable);
  if (graph)
    cuda.graphDestroy(graph);
  if (stream)
    cuda.streamDestroy(stream);
}

bool CudaGraph::capture(const std::function<void()> &call) {
  constexpr int kThreadLocal = 1; // of this thread, any call that waits or allocates is refused
  if (!cuda.check(cuda.streamBeginCapture(stream, kThreadLocal), "cuStreamBeginCapture"))
    return false;
  rooftileSetStream(stream);
  call();
  rooftileSetStream(nullptr);
  return cuda.check(cuda.streamEndCapture(stream, &graph), "cuStreamEndCapture") &&
         cuda.check(cuda.graphInstantiate(&executable, graph, 0), "cuGraphInstantiate");
}

bool CudaGraph::launch() {
  return cuda.check(cuda.graphLaunch(executable, stream), "cuGraphLaunch");
}

bool CudaGraph::wait() {
  return cuda.check(cuda.streamSynchronize(stream), "cuStreamSynchronize", "of the graph");
}
