//===- KnownKernels.h - Kernels that this process has compiled --*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_LANETONVVM_KNOWNKERNELS_H
#define ROOFTILE_LIB_CONVERSION_LANETONVVM_KNOWNKERNELS_H

#include "Ptxas.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <array>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace rooftile {

/// Binaries by what they were made of. Operations of other sizes have some of their kernels in
/// common, and where one kernel did not fit all others are asked for once more. Used by several
/// threads at once.
class KnownKernels {
public:
  using Key = std::array<uint8_t, 32>;
  using Shared = std::shared_ptr<const Cubin>;

  /// Keeps binaries of `bytes` bytes at most: the one that was asked for longest ago goes.
  explicit KnownKernels(size_t bytes) : most(bytes) {}

  /// Those of this process.
  static KnownKernels &instance();
  /// All that the binary of `module` depends on: `options` are those of the compiler. None where
  /// source lines go into it.
  static std::optional<Key> keyOf(mlir::gpu::GPUModuleOp module, llvm::StringRef options);

  /// Null where it is not known.
  Shared find(const Key &key);
  void add(const Key &key, Shared binary);

private:
  struct Entry {
    Key key;
    Shared binary;
  };

  size_t most, present = 0;
  std::mutex mutex;
  std::list<Entry> entries; ///< The first was asked for last.
  std::map<Key, std::list<Entry>::iterator> places;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_LANETONVVM_KNOWNKERNELS_H
