//===- Gpu.cpp - GPUs, and what a call holds of one -----------------------===//

#include "Gpu.h"
#include "../Calls/Settings.h"
#include "Panels.h"

#include <algorithm>
#include <chrono>

using namespace rooftile;
using namespace rooftile::interpose;

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

Session::~Session() {
  abandon();
  freeMemory();
  driver.destroyEvent(event);
}

bool Session::create() {
  return up.create() && down.create() && (event = driver.createEvent(/*isTimed=*/false));
}

bool Session::reserve(int64_t bytes) {
  if (bytes <= memoryBytes)
    return true;
  freeMemory();
  memory = reinterpret_cast<uint64_t>(driver.allocate(uint64_t(bytes)));
  memoryBytes = memory ? bytes : 0;
  return memory != 0;
}

void Session::freeMemory() {
  driver.free(reinterpret_cast<void *>(memory));
  memory = 0, memoryBytes = 0;
}

/// A wait is for what the event stands for when the wait is given: one event serves all.
bool Session::order(void *first, void *second) {
  return driver.recordEvent(event, first) && driver.streamWaitsFor(second, event);
}

void Session::abandon() {
  up.abandon();
  down.abandon();
}

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

namespace {
struct Started {
  std::mutex mutex;
  bool isTried = false;
  std::vector<Gpu *> gpus;
  std::string why; ///< Where there are none.
};
} // namespace

static Started &started() {
  static Started *const only = new Started; // Never destroyed: programs call after main.
  return *only;
}

static std::atomic<bool> hasStarted{false};

bool Gpu::isStarted() { return hasStarted.load(std::memory_order_acquire); }

/// All that the driver shows where the settings list none.
static std::vector<int> listed(const GpuList &list) {
  std::vector<int> ordinals = list.ordinals;
  if (!ordinals.empty())
    return ordinals;
  std::string why;
  const Driver &driver = Driver::of(list.kind);
  int count = driver.open(why) ? driver.count() : 0;
  for (int ordinal = 0; ordinal < std::max(1, count); ++ordinal)
    ordinals.push_back(ordinal);
  return ordinals;
}

std::vector<Gpu *> Gpu::start(std::string &why) {
  Started &state = started();
  std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.isTried) {
    state.isTried = true;
    std::vector<int> ordinals = listed(settings().gpus);
    for (int ordinal : ordinals) {
      Device device = {settings().gpus.kind, ordinal};
      std::string failure;
      if (Gpu *gpu = make(device, failure))
        state.gpus.push_back(gpu);
      else if (ordinals.size() > 1)
        say("%s is not used: %s", describe(device).c_str(), failure.c_str());
      state.why = failure.empty() ? state.why : failure;
    }
    hasStarted.store(true, std::memory_order_release);
  }
  why = state.why;
  return state.gpus;
}

/// It is not freed: other threads may be in it.
void Gpu::retire(Gpu *gpu, const std::string &why) {
  Started &state = started();
  std::lock_guard<std::mutex> lock(state.mutex);
  std::vector<Gpu *> &gpus = state.gpus;
  gpus.erase(std::remove(gpus.begin(), gpus.end(), gpu), gpus.end());
  state.why = why;
}

Gpu *Gpu::make(Device device, std::string &why) {
  const Driver &driver = Driver::of(device.kind);
  why = driver.whyMissing(device.ordinal);
  if (!why.empty())
    return nullptr;
  DeviceScope scope(device);
  void *stream = driver.createStream();
  if (!stream) {
    why = takeError();
    return nullptr;
  }
  const Kernels *kernels = Kernels::open(device, stream, why);
  if (!kernels)
    return nullptr;
  Gpu *gpu = new Gpu(device, *kernels, stream);
  if (gpu->measure())
    return gpu;
  why = takeError();
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Rates
//===----------------------------------------------------------------------===//

/// Seconds from pageable memory to the device and back, the second time.
static double timeOfCopies(Session &session, std::vector<char> &memory) {
  int64_t bytes = int64_t(memory.size());
  HostBlock host = {memory.data(), 1, bytes, bytes};
  double seconds = 0;
  for (int time = 0; time < 2; ++time) {
    auto begin = std::chrono::steady_clock::now();
    bool isDone = false;
    DeviceBlock device = {session.memory, bytes};
    if (!session.up.upload(host, device) ||
        !session.order(session.up.getStream(), session.down.getStream()) ||
        !session.down.download(device, host, &isDone) || !session.down.finish())
      return 0;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return seconds;
}

/// Multiply-adds of a clock: lanes of f32 on a multiprocessor, and how many of them one of f64
/// stands for. Source: CUDA C++ Programming Guide 13.0, throughput of arithmetic instructions.
static bool askFlops(const Gpu &gpu, DeviceRates &rates) {
  DeviceFacts facts;
  if (!gpu.driver.ask(gpu.device.ordinal, facts))
    return false;
  double lanes = 10 * facts.major + facts.minor >= 86 ? 128 : 64;
  rates.singleFlops = 2 * lanes * facts.units * facts.clockKilohertz * 1e3;
  rates.doubleFlops = rates.singleFlops / std::max(1, facts.singlesPerDouble);
  return true;
}

bool Gpu::measure() {
  std::unique_ptr<Session> session = take(Staging::kSlotBytes);
  if (!session || !askFlops(*this, rates))
    return false;
  std::vector<char> memory(Staging::kSlotBytes, 1), nothing(16);
  double seconds = timeOfCopies(*session, memory);
  rates.roundTrip = timeOfCopies(*session, nothing);
  rates.copyBytes = seconds > 0 ? 2 * double(memory.size()) / seconds : 0;
  bool isMeasured = seconds > 0 && rates.roundTrip > 0;
  if (isMeasured)
    giveBack(std::move(session));
  return isMeasured;
}

double Gpu::seconds(const Call &call, size_t gpus) const {
  bool isSingle = operation::bytesOfComponent(call.element()) == 4;
  double shared = bytesForAllTiles(call);
  double cut = bytesRead(call.operation) + bytesWritten(call.operation) - shared;
  double flopsOfOne = flops(call.operation) / double(gpus);
  return (shared + cut / double(gpus)) / rates.copyBytes +
         flopsOfOne / (isSingle ? rates.singleFlops : rates.doubleFlops) +
         double(gpus) * rates.roundTrip;
}

//===----------------------------------------------------------------------===//
// Sessions that nobody uses
//===----------------------------------------------------------------------===//

void Gpu::freeIdle() {
  std::lock_guard<std::mutex> lock(mutex);
  for (std::unique_ptr<Session> &session : idle)
    session->freeMemory();
}

std::unique_ptr<Session> Gpu::take(int64_t bytes) {
  std::unique_ptr<Session> session;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle.empty()) {
      session = std::move(idle.back());
      idle.pop_back();
    }
  }
  if (!session) {
    session = std::make_unique<Session>(driver);
    if (!session->create())
      return nullptr;
  }
  if (session->reserve(bytes))
    return session;
  takeError();
  freeIdle();
  if (session->reserve(bytes))
    return session;
  giveBack(std::move(session));
  return nullptr;
}

void Gpu::giveBack(std::unique_ptr<Session> session) {
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(session));
}
