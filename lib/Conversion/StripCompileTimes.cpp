//===- StripCompileTimes.cpp - The same bytes for the same input ----------===//
//
// Upstream notes on each binary how long its compilation took, which differs
// from run to run. Output that is kept or compared should not.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/Passes.h"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_STRIPCOMPILETIMES
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static bool isTime(NamedAttribute property) {
  return property.getName().getValue().ends_with("TimeInMs");
}

/// The object without its times.
static Attribute strip(Attribute attribute) {
  auto object = dyn_cast<gpu::ObjectAttr>(attribute);
  if (!object || !object.getProperties())
    return attribute;
  SmallVector<NamedAttribute> kept(object.getProperties().getValue());
  llvm::erase_if(kept, isTime);
  auto properties =
      kept.empty() ? DictionaryAttr() : DictionaryAttr::get(object.getContext(), kept);
  return gpu::ObjectAttr::get(object.getContext(), object.getTarget(), object.getFormat(),
                              object.getObject(), properties, object.getKernels());
}

namespace {
struct StripCompileTimesPass : rooftile::impl::StripCompileTimesBase<StripCompileTimesPass> {
  void runOnOperation() override {
    getOperation().walk([](gpu::BinaryOp binary) {
      SmallVector<Attribute> objects = llvm::map_to_vector(binary.getObjects(), strip);
      binary.setObjectsAttr(ArrayAttr::get(binary.getContext(), objects));
    });
  }
};
} // namespace
