//===- Memory.h - Device memory in the order of a stream --------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_CUDA_MEMORY_H
#define ROOFTILE_LIB_RUNTIME_CUDA_MEMORY_H

#include "Library.h"

namespace rooftile {

/// As Driver::prepareMemory, allocateInOrder, freeInOrder and allocateShared.
void preparePool();
void *allocateFromPool(uint64_t bytes, void *stream);
void freeToPool(void *memory, void *stream);
void *allocateManaged(uint64_t bytes);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_CUDA_MEMORY_H
