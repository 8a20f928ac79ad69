//===- Progress.cpp - What is done of long work, and time left ------------===//

#include "rooftile/Verify/Runs/Progress.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace rooftile::verify;

static constexpr std::chrono::seconds kBetweenLines{10};

void Progress::show(int64_t done, int64_t failed, llvm::function_ref<std::string()> details) {
  Clock::time_point now = Clock::now();
  if (now - shown < kBetweenLines || done == 0)
    return;
  shown = now;
  double left = seconds() / done * (total - done);
  llvm::errs() << llvm::formatv("{0}: {1} of {2} cases{3}, {4} failed, {5:f0} s left\n", name, done,
                                total, details(), failed, left);
}
