//===- Fork.cpp - Processes that were forked after use --------------------===//

#include "Fork.h"

#include <atomic>
#include <pthread.h>

using namespace rooftile::interpose;

static std::atomic<bool> isUsed{false}, isForked{false};

void rooftile::interpose::noteUse() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { isForked = isUsed.load(); });
  if (registered == 0 && !isUsed.load(std::memory_order_relaxed))
    isUsed = true;
}

bool rooftile::interpose::isForkedAfterUse() { return isForked.load(std::memory_order_relaxed); }
