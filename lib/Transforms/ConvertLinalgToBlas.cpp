//===- ConvertLinalgToBlas.cpp - stub ---===//

#include "rooftile/Transforms/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_CONVERTLINALGTOBLAS
#include "rooftile/Transforms/Passes.h.inc"

namespace {
struct ConvertLinalgToBlasPass : impl::ConvertLinalgToBlasBase<ConvertLinalgToBlasPass> {

  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
