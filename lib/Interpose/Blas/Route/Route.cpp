//===- Route.cpp - Which calls are worth the way to the GPU ---------------===//

#include "Route.h"
#include "../Calls/Fork.h"
#include "../Calls/Settings.h"
#include "../Device/Gpu.h"
#include "../Next/Next.h"
#include "HostRate.h"

#include <atomic>
#include <cstdio>

using namespace rooftile;
using namespace rooftile::interpose;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// PCIe 5.0 with 16 lanes (PCI-SIG: 32 GT/s a lane, 128b/130b), both directions at once.
static constexpr double kFastestLink = 2 * 63e9;
/// Two copies, a launch and a wait, each of them at least a microsecond at the driver.
static constexpr double kLeastRoundTrip = 4e-6;

/// Both ways.
static double bytesCopied(const Call &call) {
  return bytesRead(call.operation) + bytesWritten(call.operation);
}

/// That a call may be cut over.
static size_t mostGpus() {
  size_t listed = settings().gpus.ordinals.size();
  return listed ? listed : kMostDevices;
}

double rooftile::interpose::leastDeviceSeconds(const Call &call) {
  return bytesCopied(call) / (kFastestLink * double(mostGpus())) + kLeastRoundTrip;
}

/// The first of `gpus`, as many as end the call earliest. There is one at least.
static std::vector<Gpu *> bestOf(std::vector<Gpu *> gpus, const Call &call) {
  auto seconds = [&](size_t count) { return gpus.front()->seconds(call, count); };
  size_t best = gpus.size();
  for (size_t count = gpus.size(); count-- > 1;)
    best = seconds(count) < seconds(best) ? count : best;
  gpus.resize(best);
  return gpus;
}

//===----------------------------------------------------------------------===//
// Costs that are paid once
//===----------------------------------------------------------------------===//

/// Without a lock: before the start, a process may fork at any time.
static double saveForStart(double seconds) {
  static std::atomic<double> sum{0};
  double known = sum.load();
  while (!sum.compare_exchange_weak(known, known + seconds))
    ;
  return known + seconds;
}

/// The order of the time that a context and the libraries need to load (docs/Library.md). Where it
/// is wrong by a factor, so is the wait before it pays.
static constexpr double kStart = 0.35;

//===----------------------------------------------------------------------===//
// The way of a call
//===----------------------------------------------------------------------===//

static Verdict forward(Reason reason, const std::string &why = "") {
  Verdict verdict = {reason};
  verdict.why = why;
  return verdict;
}

/// Whether the start is still to be saved.
static bool isStartUnpaid(Verdict &verdict) {
  if (Gpu::isStarted())
    return false;
  verdict.saved = saveForStart(verdict.host - verdict.device);
  verdict.price = kStart;
  return verdict.saved < verdict.price;
}

/// By times, on a machine that may have a GPU.
static Verdict routeByTime(const Call &call) {
  std::string why;
  Verdict verdict = {Reason::Gain};
  double rate = hostFlops(call);
  bool isAlone = rate <= 0;
  verdict.host = isAlone ? 0 : flops(call.operation) / rate;
  verdict.device = leastDeviceSeconds(call);
  if (!isAlone && verdict.host <= verdict.device)
    return verdict.reason = Reason::Host, verdict;
  if (!isAlone && isStartUnpaid(verdict))
    return verdict.reason = Reason::Start, verdict;
  noteUse();
  verdict.gpus = Gpu::start(why);
  if (verdict.gpus.empty())
    return forward(Reason::NoDevice, why);
  verdict.gpus = bestOf(std::move(verdict.gpus), call);
  if (isAlone)
    return verdict.reason = Reason::Alone, verdict;
  verdict.device = verdict.gpus.front()->seconds(call, verdict.gpus.size());
  if (verdict.host <= verdict.device)
    verdict.reason = Reason::Host;
  return verdict;
}

Verdict rooftile::interpose::route(const Call &call) {
  if (settings().device == Where::Off)
    return {Reason::Off};
  if (isForkedAfterUse())
    return {Reason::Forked};
  if (settings().device == Where::Gpu && !settings().takesAll)
    return routeByTime(call);
  noteUse();
  if (settings().device == Where::Cpu)
    return {Reason::Cpu};
  std::string why;
  Verdict verdict = {Reason::All};
  verdict.gpus = Gpu::start(why);
  return verdict.gpus.empty() ? forward(Reason::NoDevice, why) : verdict;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string inMicroseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g us", seconds * 1e6);
  return text;
}

std::string Verdict::text() const {
  std::string times =
      "the host needs " + inMicroseconds(host) + ", the GPU " + inMicroseconds(device);
  switch (reason) {
  case Reason::Off:
    return "ROOFTILE_BLAS_DEVICE";
  case Reason::Forked:
    return "the process was forked after the library had been used";
  case Reason::NoDevice:
    return why;
  case Reason::Start:
    return times + "; so far it would have saved " + inMicroseconds(saved) + " of " +
           inMicroseconds(price) + " for its start";
  case Reason::Cpu:
    return "the CPU path";
  case Reason::All:
    return "ROOFTILE_BLAS_TAKE";
  case Reason::Alone:
    return "there is no other BLAS";
  case Reason::Host:
  case Reason::Gain:
    return times;
  }
  return "";
}
