//===- Prediction.h - Whether a call is expected to win ---------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_PREDICTION_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_PREDICTION_H

#include "Call.h"
#include "Sessions.h"

namespace rooftile::cublas {

/// Decision about a call, and the reason in words.
struct Advice {
  bool isTaken = false;
  std::string why;
  bool holdsForKind = true; ///< For later calls of the kind, too, whatever their addresses are.
};

/// Compares the time that the cost model predicts for our kernels with the one that cuBLAS is
/// expected to last. The gain must be larger than the errors of both together.
Advice advise(const Session &session, const Call &call);

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_PREDICTION_H
