//===- LaunchGraph.h - Launches prepared as a CUDA graph --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CUDA_LAUNCHGRAPH_H
#define ROOFTILE_LIB_RUNTIME_CUDA_LAUNCHGRAPH_H

#include "rooftile/Runtime/Device/LaunchList.h"

namespace rooftile {

/// As Driver::takesGraphs and Driver::prepare.
bool takesCudaGraphs(void *stream);
std::unique_ptr<LaunchGraph> prepareCudaGraph(const LaunchList &launches);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_CUDA_LAUNCHGRAPH_H
