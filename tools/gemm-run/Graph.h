//===- Graph.h - A call captured into a CUDA graph --------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_GRAPH_H
#define ROOFTILE_TOOLS_GEMM_RUN_GRAPH_H

#include "Session.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::run {

/// Captures `call` into a graph and replays it twice, each time on other data in `buffers`: the
/// replay must leave the same bytes as a plain call. What differs, and any refusal of the driver
/// (such as something in the call that waits or allocates), is a failure of `session`.
void replayInGraph(llvm::function_ref<void()> call, const std::vector<Buffer *> &buffers,
                   Session &session);

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_GRAPH_H
