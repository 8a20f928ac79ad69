//===- Pipeline.cpp - A call on the GPU, panel by panel -------------------===//
//
// Three streams, one for each direction and one for kernels:
//
//   up       A, B0, C0 | B1, C1 | B2, C2 |
//   kernels            | C0     | C1     | C2 |
//   down                        | C0     | C1 | C2 |
//
// The host packs and unpacks meanwhile.
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

using namespace rooftile;
using namespace rooftile::interpose;

namespace {
class Pipeline {
public:
  Pipeline(Gpu &gpu, Session &session, const Call &call, const std::vector<Tile> &tiles,
           Placement &placement)
      : gpu(gpu), session(session), call(call), tiles(tiles), placement(placement),
        isDone(std::make_unique<bool[]>(tiles.size())) {}

  PipelineResult run();

private:
  DeviceBlock deviceOf(const Part &part) const {
    return {session.memory + uint64_t(part.offset), part.pitch};
  }
  bool bring(Part &part);
  bool bringOperands(size_t index);
  bool compute(size_t index);
  bool runTile(size_t index);

  Gpu &gpu;
  Session &session;
  const Call &call;
  const std::vector<Tile> &tiles;
  Placement &placement;
  std::unique_ptr<bool[]> isDone; ///< By tiles: in the memory of the caller.
  rooftile_status status = ROOFTILE_SUCCESS;
  PipelineResult result;
};
} // namespace

bool Pipeline::bring(Part &part) {
  if (part.isThere)
    return true;
  part.isThere = true;
  return session.up.upload(part.host, deviceOf(part));
}

bool Pipeline::bringOperands(size_t index) {
  for (Part *part : placement.factorsOf(tiles[index], index))
    if (!bring(*part))
      return false;
  return (!call.operation.readsC() || bring(placement.c[index])) &&
         session.order(session.up.getStream(), gpu.stream);
}

bool Pipeline::compute(size_t index) {
  Blocks blocks = placement.onDevice(tiles[index], index, session.memory);
  for (const Call &part : partsOf(call, tiles[index], blocks)) {
    status = gpu.kernels.run(part);
    if (status != ROOFTILE_SUCCESS)
      return false;
  }
  return true;
}

bool Pipeline::runTile(size_t index) {
  const Part &c = placement.c[index];
  return bringOperands(index) && compute(index) &&
         session.order(gpu.stream, session.down.getStream()) &&
         session.down.download(deviceOf(c), c.host, &isDone[index]);
}

PipelineResult Pipeline::run() {
  bool isRun = true;
  for (size_t i = 0; i < tiles.size() && isRun; ++i)
    isRun = runTile(i);
  bool isCopied = session.down.finish(); // Of tiles before a failure, too.
  result.tiles = tiles.size();
  for (size_t i = 0; i < tiles.size(); ++i)
    if (!isDone[i])
      result.remaining.push_back(tiles[i]);
  if (status != ROOFTILE_SUCCESS)
    result.error = gpu.kernels.explain(status);
  else if (!isRun || !isCopied)
    result.error = takeError();
  result.isDeviceLost = !isCopied || (!isRun && status == ROOFTILE_SUCCESS);
  return std::move(result);
}

PipelineResult rooftile::interpose::runOnGpu(Gpu &gpu, const Call &call) {
  PipelineResult failure;
  std::vector<Tile> tiles = tilesOf(call);
  Placement placement(call, tiles);
  failure.tiles = tiles.size();
  DeviceScope scope(gpu.device);
  std::unique_ptr<Session> session = gpu.take(placement.bytes);
  if (!session) {
    failure.error = takeError();
    failure.remaining = tiles;
    return failure;
  }
  PipelineResult result = Pipeline(gpu, *session, call, tiles, placement).run();
  if (!result.error.empty()) { // Copies of operands may be under way, and kernels before them.
    session->abandon();
    gpu.driver.waitForStream(gpu.stream);
  }
  if (!result.isDeviceLost)
    gpu.giveBack(std::move(session));
  return result;
}
