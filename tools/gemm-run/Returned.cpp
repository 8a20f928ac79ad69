//===- Returned.cpp - What a compiled function gives back -----------------===//

#include "Returned.h"
#include "Encode.h"
#include "rooftile/Dialect/Element.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

bool rooftile::run::canBeReturned(Type type) { return isa<MemRefType>(type) || canEncode(type); }

static int64_t sizeOf(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref ? 8 * (3 + 2 * memref.getRank()) : storedBytes(type);
}

static int64_t alignmentOf(Type type) {
  return isa<MemRefType>(type) ? 8 : storedBytes(realTypeOf(type));
}

/// Offsets of all results, and of the end.
static std::vector<int64_t> offsetsOf(ArrayRef<Type> results) {
  std::vector<int64_t> offsets;
  int64_t end = 0;
  for (Type type : results) {
    offsets.push_back(llvm::alignTo(end, alignmentOf(type)));
    end = offsets.back() + sizeOf(type);
  }
  offsets.push_back(end);
  return offsets;
}

int64_t rooftile::run::returnedBytes(ArrayRef<Type> results) { return offsetsOf(results).back(); }

std::vector<const char *> rooftile::run::returnedPlaces(const void *returned,
                                                        ArrayRef<Type> results) {
  std::vector<int64_t> offsets = offsetsOf(results);
  std::vector<const char *> places;
  for (size_t i = 0; i < results.size(); ++i)
    places.push_back(static_cast<const char *>(returned) + offsets[i]);
  return places;
}
