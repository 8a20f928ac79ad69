//===- Packing.h - Candidates are compiled for another machine --*- C++ -*-===//
#ifndef ROOFTILE_TUNING_PACK_PACKING_H
#define ROOFTILE_TUNING_PACK_PACKING_H

#include "rooftile/Tuning/Session/CompilerSource.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::tuning {

struct PackOptions {
  std::string file;
  size_t candidates = 48; ///< Different ones of each operation, at most.
};

/// One operation of a pack that is being made.
struct Packed {
  std::string operation; ///< Key of the shape.
  size_t of = 0;         ///< Candidates that were considered.
  size_t kernels = 0;    ///< Candidates that are packed with a kernel,
  size_t refused = 0;    ///< and those with the reason why there is none.
  std::string error;     ///< Why it cannot be searched; empty for none.
};

/// Operations and candidates that are done, of all.
struct PackProgress {
  size_t operations = 0, allOperations = 0;
  size_t candidates = 0, allCandidates = 0;
};

/// Compiles candidates of each shape, once where it is there twice: the fastest by the model and
/// those that differ most (Space::mixture), on all cores, and writes a pack. `report` is called
/// with each operation. After an error there is no file, or the one that was there before.
llvm::Error packCandidates(llvm::ArrayRef<bench::Shape> shapes, const CompilerSource &source,
                           const PackOptions &options,
                           llvm::function_ref<void(const Packed &, const PackProgress &)> report);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_PACK_PACKING_H
