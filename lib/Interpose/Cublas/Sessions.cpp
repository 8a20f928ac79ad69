//===- Sessions.cpp - Handles of librooftile.so ---------------------------===//

#include "Sessions.h"
#include "Options.h"

#include <mutex>
#include <vector>

using namespace rooftile;
using namespace rooftile::cublas;

static constexpr unsigned kMostSessions = 64;

namespace {
struct Pool {
  Pool() { free.reserve(kMostSessions); }

  std::mutex mutex;
  std::vector<Session *> free; ///< The one used last at the end.
  unsigned made = 0;
  std::string whyNone; ///< No session could be made, and none is tried again.
};
} // namespace

static Pool &poolOf(int device) {
  // Never destroyed: threads may call while the process ends.
  static Pool *const pools = new Pool[kMostDevices];
  return pools[device];
}

/// A session of that number, or null and why.
static Session *make(int device, unsigned number, std::string &why) {
  const interpose::Loaded &loaded = interpose::loadRooftile();
  if (!loaded.library) {
    why = loaded.why;
    return nullptr;
  }
  rooftile_handle handle = nullptr;
  rooftile_options options = {};
  options.size = sizeof options;
  options.ordinal = device;
  if (loaded.library->create(&handle, &options) != ROOFTILE_SUCCESS) {
    why = loaded.library->message(nullptr);
    return nullptr;
  }
  if (std::string warning = interpose::firstWarning(*loaded.library, handle); !warning.empty())
    say(warning);
  return new Session{loaded.library, handle, device, uint64_t(1) << number};
}

Lease::Lease(int device) {
  Pool &all = poolOf(device);
  std::unique_lock<std::mutex> lock(all.mutex);
  if (!all.free.empty()) {
    session = all.free.back();
    all.free.pop_back();
    return;
  }
  if (all.made == kMostSessions)
    reason = "64 calls are under way";
  if (!all.whyNone.empty())
    reason = all.whyNone.c_str();
  if (*reason)
    return;
  unsigned number = all.made++;
  lock.unlock(); // Others need not wait for a compiler that starts.
  std::string why;
  session = make(device, number, why);
  if (session)
    return;
  lock.lock();
  if (all.whyNone.empty())
    all.whyNone = why.empty() ? "no handle of librooftile.so" : why;
  reason = all.whyNone.c_str();
}

Lease::~Lease() {
  if (!session)
    return;
  Pool &all = poolOf(session->device);
  std::lock_guard<std::mutex> lock(all.mutex);
  all.free.push_back(session); // Within what is reserved.
}
