//===- Gpu.cpp - The GPU, and what a call holds of it ---------------------===//

#include "Gpu.h"

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
  Gpu *gpu = nullptr;
  std::string why;
};
} // namespace

static Started &started() {
  static Started *const only = new Started; // Never destroyed: programs call after main.
  return *only;
}

static std::atomic<bool> hasStarted{false};

bool Gpu::isStarted() { return hasStarted.load(std::memory_order_acquire); }

Gpu *Gpu::start(std::string &why) {
  Started &state = started();
  std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.isTried) {
    state.isTried = true;
    state.gpu = make(state.why);
    hasStarted.store(true, std::memory_order_release);
  }
  why = state.why;
  return state.gpu;
}

/// It is not freed: other threads may be in it.
void Gpu::retire(const std::string &why) {
  Started &state = started();
  std::lock_guard<std::mutex> lock(state.mutex);
  state.gpu = nullptr;
  state.why = why;
}

Gpu *Gpu::make(std::string &why) {
  constexpr Device kDevice = {DeviceKind::Cuda, 0};
  const Driver &driver = Driver::of(kDevice.kind);
  why = driver.whyMissing(kDevice.ordinal);
  if (!why.empty())
    return nullptr;
  DeviceScope scope(kDevice);
  void *stream = driver.createStream();
  if (!stream) {
    why = takeError();
    return nullptr;
  }
  const Kernels *kernels = Kernels::open(ROOFTILE_CUDA, why);
  if (!kernels)
    return nullptr;
  rooftile_status status = kernels->library->set_stream(kernels->handle, stream);
  if (status != ROOFTILE_SUCCESS) {
    why = kernels->explain(status);
    return nullptr;
  }
  Gpu *gpu = new Gpu(kDevice, *kernels, stream);
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
