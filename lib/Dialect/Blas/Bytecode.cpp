//===- Bytecode.cpp - The dialect blas in bytecode, with a version --------===//
//
// Attributes are stored as their text, whose parameters have names and defaults,
// and the properties of an operation by name: what a later version adds is absent
// in an older file and takes its default. A new group of operands comes last, and
// is empty in an older file. What cannot be read so needs a new version number
// here, and code that reads both. A newer file is an error.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "../VersionedBytecode.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Of the format that is written.
static constexpr uint64_t kVersion = 1;

void BlasDialect::registerBytecode() { addInterface<VersionedBytecode>(1, kVersion); }

//===----------------------------------------------------------------------===//
// Properties by name
//===----------------------------------------------------------------------===//

static constexpr llvm::StringLiteral kSegments = "operandSegmentSizes";

DictionaryAttr rooftile::blas::completeSegments(DictionaryAttr properties, size_t groups) {
  auto segments = properties.getAs<DenseI32ArrayAttr>(kSegments);
  if (!segments || segments.size() >= int64_t(groups))
    return properties;
  SmallVector<int32_t> sizes(segments.asArrayRef());
  sizes.resize(groups, 0);
  NamedAttrList list(properties);
  list.set(kSegments, DenseI32ArrayAttr::get(properties.getContext(), sizes));
  return list.getDictionary(properties.getContext());
}
