//===- Pipeline.cpp - A call on GPUs, panel by panel ----------------------===//
//
// Each GPU has three streams, one for each direction and one for kernels:
//
//   up       A, B0, C0 | B1, C1 | B2, C2 |
//   kernels            | C0     | C1     | C2 |
//   down                        | C0     | C1 | C2 |
//
// The host packs and unpacks meanwhile, for each GPU by a thread of its own.
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"

#include <system_error>
#include <thread>

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
  bool isLost = false; ///< The driver failed, not one call.

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
  for (const Call &part : callsOf(call, tiles[index], blocks)) {
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
  try {
    for (size_t i = 0; i < tiles.size() && isRun; ++i)
      isRun = runTile(i);
  } catch (const std::exception &exception) { // Lack of memory: no tile is half given.
    result.error = exception.what();
  }
  bool isCopied = session.down.finish(); // Copies tiles before a failure, too.
  for (size_t i = 0; i < tiles.size(); ++i)
    if (!isDone[i])
      result.remaining.push_back(tiles[i]);
  if (status != ROOFTILE_SUCCESS)
    result.error = gpu.kernels.explain(status);
  else if (!isRun || !isCopied)
    result.error += takeError();
  isLost = !isCopied || (!isRun && status == ROOFTILE_SUCCESS);
  return std::move(result);
}

static PipelineResult runShare(Gpu &gpu, const Call &call, const std::vector<Tile> &tiles) {
  Placement placement(call, tiles);
  DeviceScope scope(gpu.device);
  std::unique_ptr<Session> session = gpu.take(placement.bytes);
  if (!session)
    return {takeError(), tiles};
  Pipeline pipeline(gpu, *session, call, tiles, placement);
  PipelineResult result = pipeline.run();
  if (!result.error.empty()) { // Copies of operands may be under way, and kernels before them.
    session->abandon();
    gpu.driver.waitForStream(gpu.stream);
  }
  if (pipeline.isLost)
    Gpu::retire(&gpu, result.error);
  else
    gpu.giveBack(std::move(session));
  return result;
}

/// A failure of memory before anything is given to the GPU leaves all tiles.
static void runShareSafely(Gpu &gpu, const Call &call, const std::vector<Tile> &tiles,
                           PipelineResult &result) noexcept {
  try {
    result = runShare(gpu, call, tiles);
  } catch (const std::exception &exception) {
    result = {exception.what(), tiles};
  }
}

PipelineResult rooftile::interpose::runOnGpus(const std::vector<Gpu *> &gpus, const Call &call) {
  std::vector<Tile> tiles = tilesOf(call, gpus.size());
  std::vector<std::vector<Tile>> shares = sharesOf(tiles, gpus.size());
  std::vector<PipelineResult> results(shares.size());
  std::vector<std::thread> others;
  others.reserve(shares.size());
  auto run = [&](size_t i) { runShareSafely(*gpus[i], call, shares[i], results[i]); };
  for (size_t i = 1; i < shares.size(); ++i)
    try {
      others.emplace_back(run, i);
    } catch (const std::system_error &) { // No more threads.
      run(i);
    }
  run(0);
  for (std::thread &other : others)
    other.join();
  PipelineResult all;
  all.tiles = tiles.size();
  for (const PipelineResult &result : results) {
    all.error += (all.error.empty() || result.error.empty() ? "" : "; ") + result.error;
    all.remaining.insert(all.remaining.end(), result.remaining.begin(), result.remaining.end());
  }
  return all;
}
