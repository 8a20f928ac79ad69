//===- Route.cpp - Ours, or the real cuBLAS -------------------------------===//
//
// From what costs nothing to what costs most: a call that is forwarded has one
// look into its table, one that is executed here asks for the state of the
// handle and the driver, too.
//
//===----------------------------------------------------------------------===//

#include "Route.h"
#include "Decisions.h"
#include "Options.h"
#include "Prediction.h"
#include "State.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Runtime/OfThread.h"

using namespace rooftile;
using namespace rooftile::cublas;
using namespace rooftile::operation;

namespace {
/// Where a call goes, and why. The text is static, of a decision, or of this thread.
struct Verdict {
  bool isTaken;
  const char *why;
};
} // namespace

static Verdict forward(const char *why) { return {false, why}; }

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Why a call is forwarded because of its arguments; messages about them are cuBLAS's own.
static const char *whyNot(const Call &call) {
  const Operation &operation = call.operation;
  const RoutineInfo &info = operation.info();
  if (call.whyNot)
    return call.whyNot;
  bool isEmpty = operation.n <= 0 || (info.hasM() && operation.m <= 0) ||
                 (info.hasK() && operation.k <= 0) ||
                 (operation.batch != Batch::None && operation.count <= 0);
  if (isEmpty)
    return "a size is 0 or less";
  if (info.beta == ScalarType::None)
    return call.alpha ? nullptr : "alpha is NULL";
  return call.alpha && call.beta ? nullptr : "alpha or beta is NULL";
}

/// Notes where scalars are; null, or why there they cannot be read.
static const char *placeScalars(Call &call) {
  PointerMode mode;
  if (!getPointerMode(call.handle, mode))
    return "cuBLAS rejects the handle";
  if (mode == kHostPointers)
    return nullptr;
  call.operation.alpha = call.operation.beta = Scalar::InMemory;
  return call.operation.info().hasScalarsInMemory ? nullptr : "alpha is in device memory";
}

/// Whether a call that was begun and failed may be made again: C is written, and not read.
static bool canBeRepeated(const Call &call) { return !call.operation.readsC(); }

//===----------------------------------------------------------------------===//
// A call that is executed here
//===----------------------------------------------------------------------===//

/// A text of this call, until this thread keeps another one.
static const char *keepText(std::string text) {
  std::string &kept = ofThread<std::string, struct KeptText>();
  kept = std::move(text);
  return kept.c_str();
}

/// A call that has failed is forwarded where no matrix was written. Later ones of its kind are not
/// tried, unless its addresses were to blame.
static Verdict fail(const Call &call, const Session &session, Decision &decision,
                    rooftile_status failure, Status &status) {
  const char *message = keepText(session.library->message(session.handle));
  if (failure != ROOFTILE_INVALID_ARGUMENT)
    decision.refuse(message);
  switch (failure) {
  case ROOFTILE_INVALID_ARGUMENT:
  case ROOFTILE_UNSUPPORTED:
  case ROOFTILE_NO_DEVICE:
  case ROOFTILE_COMPILE_FAILURE:
    return forward(message);
  default:
    break;
  }
  if (canBeRepeated(call))
    return forward(message);
  say(textOf(call) + ": " + message);
  status = failure == ROOFTILE_OUT_OF_MEMORY ? kAllocFailed : kExecutionFailed;
  return {true, message};
}

static Verdict run(const Call &call, const State &state, Decision &decision, Status &status) {
  Lease session(state.device);
  if (!session)
    return forward(session.why());
  bool isLoaded = decision.loaded.load(std::memory_order_relaxed) & session->bit;
  if (state.isCaptured && !isLoaded)
    return forward("the stream is being captured, and the kernel is not loaded");
  session->library->set_stream(session->handle, state.stream);
  rooftile_operation args = argumentsOf(call);
  rooftile_status failure = session->library->run(session->handle, &args);
  if (failure != ROOFTILE_SUCCESS)
    return fail(call, *session, decision, failure, status);
  if (!isLoaded)
    decision.loaded.fetch_or(session->bit, std::memory_order_relaxed);
  status = kSuccess;
  return {true, decision.why.c_str()};
}

//===----------------------------------------------------------------------===//
// The way of a call
//===----------------------------------------------------------------------===//

/// The decision on a new kind of call; null and the reason where none is made.
static Decision *decide(const Call &call, int device, const Kind &kind, const char *&why) {
  Advice advice;
  if (options().mode == Mode::Always) {
    advice = {true, "ROOFTILE_CUBLAS is always"};
  } else {
    Lease session(device);
    why = session.why();
    if (!session)
      return nullptr;
    advice = advise(*session, call);
  }
  if (!advice.holdsForKind) {
    why = keepText(std::move(advice.why));
    return nullptr;
  }
  why = "more kinds of calls than are kept";
  return keepDecision(kind, advice.isTaken, std::move(advice.why));
}

static Verdict route(Call &call, Status &status) {
  if (options().mode == Mode::Never)
    return forward("ROOFTILE_CUBLAS is never");
  if (const char *why = whyNot(call))
    return forward(why);
  if (const char *why = placeScalars(call))
    return forward(why);
  State state;
  if (const char *why = whyNoDevice(state.device))
    return forward(why);
  readValues(call);
  Kind kind = {call.operation, state.device};
  Decision *decision = findDecision(kind);
  const char *why = decision ? decision->whyNot() : nullptr;
  if (why)
    return forward(why);
  if ((why = whyNotNow(call.handle, call.element(), state)))
    return forward(why);
  if (!decision && state.isCaptured)
    return forward("the stream is being captured, and this is the first call of its kind");
  if (!decision && !(decision = decide(call, state.device, kind, why)))
    return forward(why);
  if ((why = decision->whyNot()))
    return forward(why);
  return run(call, state, *decision, status);
}

/// Ends with the line of the operation, for gemm-export and lists of plans.
static void log(const Call &call, const Verdict &verdict) {
  std::string line = call.whyNot ? "" : " [" + operation::text(call.operation) + "]";
  say(textOf(call) + (verdict.isTaken ? ": taken: " : ": forwarded: ") + verdict.why + line);
}

bool rooftile::cublas::take(Call &call, Status &status) noexcept {
  Verdict verdict = {};
  try {
    verdict = route(call, status);
    if (options().logsCalls)
      log(call, verdict);
  } catch (...) { // The host has no memory. Before the call was computed, it is forwarded.
  }
  return verdict.isTaken;
}
