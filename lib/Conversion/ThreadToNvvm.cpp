//===- ThreadToNvvm.cpp - stub ---===//

#include "rooftile/Conversion/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_THREADTONVVM
#include "rooftile/Conversion/Passes.h.inc"

namespace {
struct ThreadToNvvmPass : impl::ThreadToNvvmBase<ThreadToNvvmPass> {

  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
