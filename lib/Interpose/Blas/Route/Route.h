//===- Route.h - Which calls are worth the way to the GPU -------*- C++ -*-===//
//
// A call goes to the GPU where it ends earlier there, copies and all:
//
//   host    = flops / (flops a second of the next BLAS)
//   device  = bytes / (bytes a second through pinned memory) + flops / (flops a second of the GPU)
//             + round trip
//
// Bytes are those of A, B and C that are copied, there and back. All rates are of this machine: the
// host's is measured by a few squares of each type, the copies' when the GPU is started, the GPU's
// is its multiply-adds. The sum is an upper bound, since copies and kernels overlap; what the host
// does in a call that is bound by memory is no faster than its copies, so that such calls stay
// there.
//
// Before the GPU is started, only bounds are known: the fastest link, and a round trip that no
// driver undercuts. What costs once (the start) is paid
// when the calls so far would have saved as much: never more than twice the time of the better
// choice.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_ROUTE_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_ROUTE_H

#include "../Calls/Call.h"

#include <string>
#include <vector>

namespace rooftile::interpose {

class Gpu;

enum class Reason {
  // Forwarded.
  Off,
  Forked,
  NoDevice,
  Host,  ///< The host is as fast.
  Start, ///< The start of the GPU has not been saved yet.
  // Taken.
  Cpu,
  All,   ///< ROOFTILE_BLAS_TAKE.
  Alone, ///< There is no next BLAS.
  Gain
};

struct Verdict {
  Reason reason;
  double host = 0, device = 0; ///< Seconds.
  double saved = 0, price = 0; ///< Seconds, of Start.
  std::string why = "";        ///< Reason for NoDevice.

  std::vector<Gpu *> gpus = {}; ///< Those that share a call that goes to GPUs, but for Cpu.

  bool isTaken() const { return reason >= Reason::Cpu; }
  /// "the host needs 12 us, the GPU 40 us".
  std::string text() const;
};

Verdict route(const Call &call);

/// Less than any GPU needs.
double leastDeviceSeconds(const Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_ROUTE_H
