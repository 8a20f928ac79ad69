//===- CallGraph.h - Calls captured into a CUDA graph -----------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CUDA_CALLGRAPH_H
#define ROOFTILE_LIB_RUNTIME_CUDA_CALLGRAPH_H

#include "rooftile/Runtime/Device/Driver.h"

namespace rooftile {

/// As Driver::makeCallGraph.
std::unique_ptr<CallGraph> makeCudaCallGraph();

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_CUDA_CALLGRAPH_H
