//===- Heap.h - What compiled host code allocates ---------------*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_RUN_HEAP_H
#define ROOFTILE_TOOLS_GEMM_RUN_HEAP_H

#include <string>
#include <utility>
#include <vector>

namespace rooftile::run {

/// `malloc`, `calloc` and `free` for compiled code, by name: workspaces and intermediates of the
/// host lie between guard zones and start as NaN (those of `calloc` as zeros). To free what was
/// written outside is a recorded error of the runtime, so that a wrong kernel fails its case and
/// not the heap of this tool.
std::vector<std::pair<std::string, void *>> heapSymbols();

/// Frees what compiled code returned.
void releaseHeap(void *address);

/// Frees all that compiled code has allocated and not freed, after a call of code that leaves its
/// intermediates.
void releaseLeftovers();

} // namespace rooftile::run

#endif // ROOFTILE_TOOLS_GEMM_RUN_HEAP_H
