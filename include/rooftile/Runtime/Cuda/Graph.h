//===- Graph.h - Calls captured into a CUDA graph ---------------*- C++ -*-===//
#ifndef ROOFTILE_RUNTIME_CUDA_GRAPH_H
#define ROOFTILE_RUNTIME_CUDA_GRAPH_H

#include "rooftile/Runtime/Cuda/Driver.h"
#include <functional>

namespace rooftile {

/// A stream, and the graph of what was captured on it. Errors are told by rooftileLastError.
class CudaGraph {
public:
  explicit CudaGraph(const CudaDriver &cuda);
  ~CudaGraph();
  CudaGraph(const CudaGraph &) = delete;
  CudaGraph &operator=(const CudaGraph &) = delete;

  /// Captures what `call` starts on the stream, which is that of compiled functions meanwhile. What
  /// waits or allocates is refused.
  bool capture(const std::function<void()> &call);
  /// Starts the graph, once captured.
  bool launch();
  bool wait();
  void *getStream() const { return stream; }

private:
  const CudaDriver &cuda;
  void *stream = nullptr, *graph = nullptr, *executable = nullptr;
};

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_CUDA_GRAPH_H
