//===- NameOperations.cpp - Tile operations by name and number ------------===//
//
// All operations of a kernel come from one blas operation, and so from one location of the user's
// program. Their location gets a name, "tile.load 3", which what becomes of them inherits: messages
// about a kernel, and the races that the CPU runtime finds, distinguish them.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Conversion/Passes.h"
#include "rooftile/Conversion/TileToLane/TileToLane.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "name-operations"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace rooftile {
#define GEN_PASS_DEF_NAMEOPERATIONS
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

int64_t rooftile::nameOperations(gpu::GPUFuncOp kernel) {
  llvm::StringMap<int64_t> counts;
  int64_t named = 0;
  kernel.walk([&](Operation *op) {
    if (!isa_and_nonnull<TileDialect>(op->getDialect()))
      return;
    StringRef name = op->getName().getStringRef();
    std::string text = (name + " " + llvm::Twine(++counts[name])).str();
    op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), text), op->getLoc()));
    ++named;
  });
  return named;
}

namespace {
struct NameOperationsPass : rooftile::impl::NameOperationsBase<NameOperationsPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<gpu::GPUFuncOp>()) {
      int64_t named = nameOperations(kernel);
      numOperations += named;
      LDBG() << kernel.getName() << ": " << named << " operations of tile";
    }
  }
};
} // namespace
