//===- Serve.h - The inside of a worker -------------------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_TRIAL_SERVE_H
#define ROOFTILE_TUNING_TRIAL_SERVE_H

#include "llvm/Support/raw_ostream.h"

#include <istream>

namespace rooftile::tuning {

/// Runs the jobs of `in` on the present device until it ends, and writes the answers to `out`
/// (Job.h). Returns the exit status: 0; 1 with a message on stderr where a job cannot be read; 3
/// where the device was lost, after the answers so far.
int serveJobs(std::istream &in, llvm::raw_ostream &out);

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_TRIAL_SERVE_H
