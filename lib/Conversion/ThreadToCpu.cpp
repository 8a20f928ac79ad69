//===- ThreadToCpu.cpp - stub ---===//

#include "rooftile/Conversion/Passes.h"

using namespace mlir;

namespace rooftile {
#define GEN_PASS_DEF_THREADTOCPU
#include "rooftile/Conversion/Passes.h.inc"

namespace {
struct ThreadToCpuPass : impl::ThreadToCpuBase<ThreadToCpuPass> {

  void runOnOperation() override {}
};
} // namespace
} // namespace rooftile
