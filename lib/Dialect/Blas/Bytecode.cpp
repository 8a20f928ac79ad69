//===- Bytecode.cpp - The dialect blas in bytecode, with a version --------===//
//
// Attributes are stored as their text, whose parameters have names and defaults,
// and the properties of an operation by name: what a later version adds is absent
// in an older file and gets its default. A new group of operands comes last, and
// is empty in an older file. What cannot be read so needs a new version number
// here, and code that reads both. A newer file is an error.
//
// Versions 2 and 3 have other words than version 1 (docs/Glossary.md). A reader of bytecode hands
// the text of one attribute to the parser as a source of its own, whose name is that text: there,
// and in no file, the older words are replaced. Operations are replaced when the whole file is
// read.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "../VersionedBytecode.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/DialectImplementation.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Version of the format that is written.
static constexpr uint64_t kVersion = 3;

namespace {
struct BlasBytecode : VersionedBytecode {
  explicit BlasBytecode(Dialect *dialect) : VersionedBytecode(dialect, 1, kVersion) {}

  /// blas.reals of version 1 is blas.as_real.
  LogicalResult upgradeFromVersion(Operation *top, const DialectVersion &version) const override {
    if (static_cast<const Version &>(version).number > 1)
      return success();
    SmallVector<Operation *> views;
    top->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "blas.reals")
        views.push_back(op);
    });
    for (Operation *op : views) {
      if (op->getNumOperands() != 1 || op->getNumResults() != 1)
        return op->emitError("is no blas.reals of version 1");
      OpBuilder builder(op);
      op->replaceAllUsesWith(AsRealOp::create(builder, op->getLoc(), op->getResultTypes(),
                                              op->getOperands(), op->getAttrs()));
      op->erase();
    }
    return success();
  }
};

/// A word of a plan, or of its paths, with its value.
struct Renamed {
  StringLiteral old, now;
};
} // namespace

void BlasDialect::registerBytecode() { addInterface<BlasBytecode>(); }

//===----------------------------------------------------------------------===//
// Attributes of older versions
//===----------------------------------------------------------------------===//

/// Words that versions 2 and 3 replaced, up to the value where that is a number.
static constexpr Renamed kRenamed[] = {
    {"groups = ", "slicedK = "},           {"ahead = ", "prefetch = "},
    {"numbers = own", "complex = native"}, {"numbers = real", "complex = induced"},
    {"sums = ", "summation = "},           {"parts = together", "layout = interleaved"},
    {"parts = apart", "layout = planar"},  {"diag<non_unit>", "diag<nonunit>"}};

std::string rooftile::blas::upgradedText(StringRef text) {
  std::string result = text.str();
  // `groups` of a #blas.tiling are still called so.
  if (text.starts_with("tiling"))
    return result;
  for (const Renamed &each : kRenamed)
    for (size_t at = 0; (at = result.find(each.old.str(), at)) != std::string::npos;
         at += each.now.size()) {
      if (at > 0 && (llvm::isAlnum(result[at - 1]) || result[at - 1] == '_'))
        continue;
      result.replace(at, each.old.size(), each.now.str());
    }
  return result;
}

bool rooftile::blas::isSourceOfItsOwn(DialectAsmParser &parser, StringRef text) {
  auto place =
      dyn_cast<FileLineColLoc>(Location(parser.getEncodedSourceLoc(parser.getCurrentLocation())));
  return place && place.getFilename().getValue() == ("#blas." + text).str();
}

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
