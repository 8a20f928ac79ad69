//===- Execute.cpp - One call of BLAS, whoever computes it ----------------===//

#include "Execute.h"
#include "../Calls/Fork.h"
#include "../Calls/Scale.h"
#include "../Calls/Settings.h"
#include "../Device/Pipeline.h"
#include "../Next/Next.h"
#include "Route.h"

#include <atomic>
#include <cstdlib>

using namespace rooftile;
using namespace rooftile::interpose;

static void log(const Call &call, const char *what, const char *why) {
  if (settings().logsCalls)
    say("%s: %s: %s", describe(call).c_str(), what, why);
}

/// A failure is reported whether or not calls are logged: none is expected.
static bool forwardFailed(const Call &call, const std::string &error) {
  say("%s: forwarded: %s", describe(call).c_str(), error.c_str());
  return false;
}

/// A refusal of our library by design is reported once, and with the log at every call.
static bool forwardRefused(const Call &call, rooftile_status status, const std::string &error) {
  static std::atomic<bool> isTold[ROOFTILE_INTERNAL + 1] = {};
  if (settings().logsCalls)
    return forwardFailed(call, error);
  if (!isTold[status].exchange(true))
    say("%s: forwarded, as all others of the kind: %s", describe(call).c_str(), error.c_str());
  return false;
}

static bool executeOnCpu(const Call &call) {
  static std::string why;
  static const Kernels *const kernels =
      Kernels::open({DeviceKind::Cpu, 0}, /*stream=*/nullptr, why);
  if (!kernels)
    return forwardRefused(call, ROOFTILE_NO_DEVICE, why);
  rooftile_status status = kernels->run(call);
  if (status == ROOFTILE_SUCCESS)
    return true;
  if (isUntouched(status))
    return forwardRefused(call, status, kernels->explain(status));
  say("%s: %s: the result is lost", describe(call).c_str(), kernels->explain(status).c_str());
  std::abort();
}

static bool executeOnGpus(const std::vector<Gpu *> &gpus, const Call &call) {
  PipelineResult result = runOnGpus(gpus, call);
  if (result.error.empty())
    return true;
  if (result.remaining.size() == result.tiles)
    return forwardFailed(call, result.error);
  say("%s: %zu of %zu tiles forwarded: %s", describe(call).c_str(), result.remaining.size(),
      result.tiles, result.error.c_str());
  for (const Tile &tile : result.remaining)
    for (const Call &part : callsOf(call, tile, blocksOf(call, tile)))
      callNext(part);
  return true;
}

static bool executeRouted(const Call &call) {
  Verdict verdict = route(call);
  if (settings().logsCalls) // The text costs more than a small product.
    log(call, verdict.isTaken() ? "taken" : "forwarded", verdict.text().c_str());
  if (!verdict.isTaken())
    return false;
  return verdict.reason == Reason::Cpu ? executeOnCpu(call) : executeOnGpus(verdict.gpus, call);
}

bool rooftile::interpose::execute(const Call &call) noexcept {
  try {
    if (isNothing(call)) {
      log(call, "done", "nothing is to be computed");
      return true;
    }
    if (isScaling(call)) {
      scale(call);
      log(call, "done", "C = beta C");
      return true;
    }
    return executeRouted(call);
  } catch (const std::exception &exception) { // Lack of memory; before C is written.
    return forwardFailed(call, exception.what());
  }
}
