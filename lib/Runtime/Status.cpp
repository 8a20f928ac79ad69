//===- Status.cpp - Recorded errors ---------------------------------------===//

#include "rooftile/Runtime/OfThread.h"
#include "rooftile/Runtime/Runtime.h"

using namespace rooftile;

/// The error of this thread.
static std::string &error() { return ofThread<std::string, struct RecordedError>(); }

void rooftile::recordError(const std::string &message) {
  if (error().empty())
    error() = message;
}

std::string rooftile::takeError() {
  std::string taken;
  taken.swap(error());
  return taken;
}

const char *rooftileLastError() { return error().c_str(); }

void rooftileClearError() { error().clear(); }
