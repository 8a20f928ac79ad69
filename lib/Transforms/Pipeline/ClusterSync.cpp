//===- ClusterSync.cpp - Meetings of a cluster ----------------------------===//
//
// Part of tile-sync. Workgroups of a cluster run the same program, so that a store to a
// buffer here is one to the buffers of all. Buffers that others read are exchanged in
// straight code; there the accesses since the last meeting decide whether another is needed.
//
//===----------------------------------------------------------------------===//

#include "ClusterSync.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Tile.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

namespace {
/// The ring that a view is of, and whether it is that of another workgroup.
struct Place {
  Value ring;
  bool isPeer = false;
};

/// Accesses to exchanged rings since the workgroups last met.
struct Unseen {
  DenseSet<Value> stored, readByOthers;
  void meet() { stored.clear(), readByOthers.clear(); }
};
} // namespace

static Place placeOf(Value view) {
  Place place{view};
  while (auto op = place.ring.getDefiningOp<ViewOp>()) {
    place.isPeer |= op.getPeer() != nullptr;
    place.ring = op.getBuffer();
  }
  return place;
}

/// The buffer view that an operation loads from or stores to, or null.
static Value viewOf(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.isGlobal() ? Value() : load.getSource();
  if (auto store = dyn_cast<StoreOp>(op))
    return store.getView();
  return {};
}

static DenseSet<Value> exchangedRings(gpu::GPUFuncOp kernel) {
  DenseSet<Value> rings;
  kernel.walk([&](ViewOp view) {
    if (view.getPeer())
      rings.insert(placeOf(view).ring);
  });
  return rings;
}

static LogicalResult checkStraight(gpu::GPUFuncOp kernel, const DenseSet<Value> &rings) {
  WalkResult result = kernel.walk([&](Operation *op) {
    Value view = viewOf(op);
    if (!view || !rings.contains(placeOf(view).ring) || op->getParentOp() == kernel)
      return WalkResult::advance();
    op->emitOpError("stands in ") << op->getParentOp()->getName()
                                  << ": a buffer that other workgroups read is accessed in "
                                     "straight code only";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// True when `op` must not come before the workgroups have met.
static bool mustMeet(Operation *op, const Unseen &unseen) {
  if (isa<gpu::ReturnOp>(op))
    return !unseen.readByOthers.empty();
  Value view = viewOf(op);
  if (!view)
    return false;
  Place place = placeOf(view);
  if (isa<StoreOp>(op))
    return unseen.readByOthers.contains(place.ring);
  return place.isPeer && unseen.stored.contains(place.ring);
}

LogicalResult rooftile::insertClusterBarriers(gpu::GPUFuncOp kernel) {
  DenseSet<Value> rings = exchangedRings(kernel);
  if (rings.empty())
    return success();
  if (failed(checkStraight(kernel, rings)))
    return failure();
  Unseen unseen;
  for (Operation &op : llvm::make_early_inc_range(kernel.getBody().front())) {
    if (isa<lane::ClusterBarrierOp>(op))
      unseen.meet();
    if (mustMeet(&op, unseen)) {
      OpBuilder builder(&op);
      lane::ClusterBarrierOp::create(builder, op.getLoc());
      unseen.meet();
    }
    Value view = viewOf(&op);
    Place place = view ? placeOf(view) : Place();
    if (isa<StoreOp>(op) && rings.contains(place.ring))
      unseen.stored.insert(place.ring);
    else if (view && place.isPeer)
      unseen.readByOthers.insert(place.ring);
  }
  return success();
}
