//===- Replays.cpp - Launches as graphs that are launched again -----------===//

#include "Replays.h"

#include <algorithm>

using namespace rooftile;

/// Launches that are faster one by one.
static constexpr size_t kFewLaunches = 3;
/// Graphs that an executable keeps: of functions, devices and streams.
static constexpr size_t kMostReplays = 8;

/// Runs of a function on a stream. Launches of a graph wait for each other, so that each stream has
/// its own.
struct Replays::Replay {
  const Code *code;
  int device;
  void *stream;
  std::mutex mutex;
  LaunchList last; ///< Launches of the last run without a graph.
  std::unique_ptr<LaunchGraph> graph;
  bool isRefused = false; ///< The driver makes no graph.
};

std::shared_ptr<Replays::Replay> Replays::find(const Code &code) {
  int device = driver.device();
  void *stream = rooftileGetStream();
  std::lock_guard<std::mutex> lock(mutex);
  auto found = std::find_if(all.begin(), all.end(), [&](const std::shared_ptr<Replay> &each) {
    return each->code == &code && each->device == device && each->stream == stream;
  });
  if (found != all.end()) {
    std::rotate(found, found + 1, all.end());
    return all.back();
  }
  if (all.size() == kMostReplays)
    all.erase(all.begin());
  auto replay = std::make_shared<Replay>();
  replay->code = &code, replay->device = device, replay->stream = stream;
  return all.emplace_back(std::move(replay));
}

void Replays::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  all.clear();
}

void Replays::launchEach(const LaunchList &launches) const {
  for (size_t i = 0; i < launches.size() && !*rooftileLastError(); ++i)
    driver.launch(launches.function(i).handle, *launches.function(i).name, launches.at(i),
                  rooftileGetStream());
}

void Replays::launch(const Code &code, const LaunchList &launches) {
  if (launches.size() <= kFewLaunches || !driver.takesGraphs(rooftileGetStream()))
    return launchEach(launches);
  std::shared_ptr<Replay> replay = find(code);
  std::unique_lock<std::mutex> lock(replay->mutex, std::try_to_lock);
  if (!lock || replay->isRefused)
    return launchEach(launches);
  if (!launches.hasKernelsOf(replay->last)) { // what runs once is not worth a graph
    replay->graph.reset(), replay->last = launches;
    return launchEach(launches);
  }
  if (!replay->graph)
    replay->graph = driver.prepare(launches);
  replay->isRefused = !replay->graph || !replay->graph->launch(launches, rooftileGetStream());
  if (replay->isRefused) {
    replay->graph.reset();
    launchEach(launches);
  }
}

//===----------------------------------------------------------------------===//
// Recorder
//===----------------------------------------------------------------------===//

/// Bytes that a run frees and keeps at most, before it needs others.
static constexpr uint64_t kMostKeptBytes = uint64_t(64) << 20;

Recorder::Recorder(const ExecutableData &data, const Driver &driver, Replays &replays, Find find)
    : DriverRunner(driver), data(data), replays(replays), find(std::move(find)) {}

Recorder::~Recorder() {
  for (Memory &each : memory)
    each.isFree = true;
  giveBack();
}

void Recorder::giveBack() {
  auto isFree = [](const Memory &each) { return each.isFree; };
  for (const Memory &each : memory)
    if (isFree(each))
      driver.freeInOrder(each.address, rooftileGetStream());
  memory.erase(std::remove_if(memory.begin(), memory.end(), isFree), memory.end());
}

std::string Recorder::run(const Code &code, const uint64_t *arguments, uint64_t *results) {
  std::string error = interpret(code, arguments, results, *this);
  if (!error.empty())
    return error;
  replays.launch(code, launches);
  giveBack();
  error = takeError();
  return error.empty() ? "" : "function '" + code.name + "': " + error;
}

void Recorder::launch(const KernelLaunch &launch) {
  if (void *function = find(launch.kernel))
    launches.add({function, &data.kernels[launch.kernel].name}, launch);
}

void *Recorder::allocate(uint64_t bytes) {
  uint64_t keptBytes = 0;
  for (Memory &each : memory) {
    if (each.isFree && each.bytes == bytes)
      return each.isFree = false, each.address;
    keptBytes += each.isFree ? each.bytes : 0;
  }
  if (keptBytes > kMostKeptBytes) {
    replays.launchEach(launches);
    launches.clear();
    giveBack();
  }
  void *address = driver.allocateInOrder(bytes, rooftileGetStream());
  if (address)
    memory.push_back({address, bytes, false});
  return address;
}

void Recorder::free(void *address) {
  for (Memory &each : memory)
    if (each.address == address)
      each.isFree = true;
}
