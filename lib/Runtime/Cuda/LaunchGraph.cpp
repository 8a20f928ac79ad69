//===- LaunchGraph.cpp - Launches prepared as a CUDA graph ----------------===//
//
// A chain of kernels. One that waits by itself for the one before it (dependent-launch) begins when
// that lets it, as in a stream: a programmatic dependency. What the driver refuses is left to
// launches one by one, whose errors are located.
//
//===----------------------------------------------------------------------===//

#include "LaunchGraph.h"
#include "Kernels.h"

using namespace rooftile;

namespace {
/// CUDA_KERNEL_NODE_PARAMS_v2. Source: CUDA Driver API reference, 13.0.
struct NodeParameters {
  void *function;
  unsigned grid[3], block[3], sharedBytes;
  void **parameters, **extra = nullptr;
  void *kernel = nullptr, *context = nullptr;
};

/// CUgraphEdgeData: from the port that a kernel's own trigger activates.
struct ProgrammaticEdge {
  unsigned char fromPort = 1; // CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC
  unsigned char toPort = 0;
  unsigned char type = 1; // CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC
  unsigned char reserved[5] = {};
};

/// For its life, calls of this thread that may allocate do not disturb captures of other threads.
class Relaxed {
public:
  explicit Relaxed(const CudaLibrary &cuda) : cuda(cuda) {
    cuda.threadExchangeStreamCaptureMode(&mode);
  }
  ~Relaxed() { cuda.threadExchangeStreamCaptureMode(&mode); }

private:
  const CudaLibrary &cuda;
  int mode = 2; ///< CU_STREAM_CAPTURE_MODE_RELAXED, then the one before.
};

/// A graph that is launched again and again.
class Graph : public LaunchGraph {
public:
  explicit Graph(const CudaLibrary &cuda) : cuda(cuda) {}
  ~Graph() override {
    if (executable)
      cuda.graphExecDestroy(executable); // once what it has launched has ended
    if (graph)
      cuda.graphDestroy(graph);
  }

  bool make(const LaunchList &launches);
  bool launch(const LaunchList &launches, void *stream) override;

private:
  bool add(const LaunchList &launches, size_t number);

  const CudaLibrary &cuda;
  void *graph = nullptr, *executable = nullptr;
  std::vector<void *> nodes;
  LaunchList present; ///< Launches of the executable graph.
};
} // namespace

static Kernel &kernelAt(const LaunchList &launches, size_t number) {
  return *static_cast<Kernel *>(launches.function(number).handle);
}

/// False where a value exceeds what the driver accepts.
static bool describe(const LaunchList &launches, size_t number, NodeParameters &node) {
  KernelLaunch launch = launches.at(number);
  bool fits = launch.sharedBytes >= 0 && launch.sharedBytes <= INT32_MAX;
  for (int dim = 0; dim < 3; ++dim) {
    for (int64_t size : {launch.grid[dim], launch.block[dim]})
      fits &= size > 0 && size <= INT32_MAX;
    node.grid[dim] = launch.grid[dim], node.block[dim] = launch.block[dim];
  }
  node.function = kernelAt(launches, number).function;
  node.sharedBytes = launch.sharedBytes;
  node.parameters = launch.parameters;
  return fits;
}

/// Appends a kernel to the chain.
bool Graph::add(const LaunchList &launches, size_t number) {
  constexpr int kClusterDimension = 4; // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
  NodeParameters parameters;
  void *node = nullptr, *before = nodes.empty() ? nullptr : nodes.back();
  if (!describe(launches, number, parameters))
    return false;
  Kernel &kernel = kernelAt(launches, number);
  if (!kernel.allowShared(cuda, parameters.sharedBytes, *launches.function(number).name))
    return rooftileClearError(), false;
  bool waits = before && !kernel.beginsEarly;
  if (cuda.graphAddKernelNode(&node, graph, &before, waits ? 1 : 0, &parameters) != 0)
    return false;
  nodes.push_back(node);
  ProgrammaticEdge edge;
  if (before && !waits && cuda.graphAddDependencies(graph, &before, &node, &edge, 1) != 0)
    return false;
  const int64_t (&cluster)[3] = launches.at(number).cluster;
  unsigned value[16] = {unsigned(cluster[0]), unsigned(cluster[1]), unsigned(cluster[2])};
  return cluster[0] * cluster[1] * cluster[2] == 1 ||
         cuda.graphKernelNodeSetAttribute(node, kClusterDimension, value) == 0;
}

bool Graph::make(const LaunchList &launches) {
  Relaxed relaxed(cuda);
  if (cuda.graphCreate(&graph, 0) != 0)
    return false;
  for (size_t i = 0; i < launches.size(); ++i)
    if (!add(launches, i))
      return false;
  present = launches;
  return cuda.graphInstantiate(&executable, graph, 0) == 0;
}

bool Graph::launch(const LaunchList &launches, void *stream) {
  bool changes = false;
  if (!CudaLibrary::current())
    return false;
  Relaxed relaxed(cuda);
  for (size_t i = 0; i < launches.size(); ++i) {
    NodeParameters parameters;
    if (launches.equals(present, i))
      continue;
    changes = true;
    if (!describe(launches, i, parameters) ||
        cuda.graphExecKernelNodeSetParams(executable, nodes[i], &parameters) != 0)
      return false;
  }
  if (changes)
    present = launches;
  return cuda.graphLaunch(executable, stream) == 0;
}

bool rooftile::takesCudaGraphs(void *stream) {
  const CudaLibrary *cuda = CudaLibrary::open();
  int isCaptured = 0;
  return cuda && cuda->graphAddDependencies && cuda->graphExecKernelNodeSetParams &&
         cuda->graphAddKernelNode && cuda->threadExchangeStreamCaptureMode && !isProfiling() &&
         CudaLibrary::current() && cuda->streamIsCapturing(stream, &isCaptured) == 0 && !isCaptured;
}

std::unique_ptr<LaunchGraph> rooftile::prepareCudaGraph(const LaunchList &launches) {
  const CudaLibrary *cuda = CudaLibrary::current();
  auto graph = cuda ? std::make_unique<Graph>(*cuda) : nullptr;
  if (graph && graph->make(launches))
    return graph;
  return nullptr;
}
