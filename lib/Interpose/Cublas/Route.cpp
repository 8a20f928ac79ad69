//===- Route.cpp - Ours, or the real cuBLAS -------------------------------===//
//
// From what costs nothing to what costs most: a call that is forwarded has one
// look into its table, one that is taken asks for the state of the
// handle and the driver, too.
//
//===----------------------------------------------------------------------===//

#include "Route.h"
#include "Decisions.h"
#include "Options.h"
#include "Prediction.h"
#include "State.h"
#include "rooftile/Runtime/OfThread.h"

using namespace rooftile;
using namespace rooftile::cublas;

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

static bool isOperation(rooftile_op op) { return op >= ROOFTILE_OP_N && op <= ROOFTILE_OP_J; }
static bool isOneOfTwo(int32_t choice) { return choice == 1 || choice == 2; }

/// Invalid arguments are reported by cuBLAS itself.
static const char *whyNot(const rooftile_gemm_args &args) {
  if (!isOperation(args.op_a) || !isOperation(args.op_b))
    return "an operation is none of N, T, C";
  bool isBatch = args.batch != ROOFTILE_BATCH_NONE;
  if (args.m <= 0 || args.n <= 0 || args.k <= 0 || (isBatch && args.count <= 0))
    return "a size is 0 or less";
  return args.alpha && args.beta ? nullptr : "alpha or beta is NULL";
}

static const char *whyNot(const rooftile_triangular_args &args) {
  if (!isOperation(args.op_a) || !isOneOfTwo(args.side) || !isOneOfTwo(args.triangle) ||
      !isOneOfTwo(args.diagonal))
    return "a side, triangle, operation or diagonal is none that cuBLAS knows";
  if (args.m <= 0 || args.n <= 0 || (args.batch != ROOFTILE_BATCH_NONE && args.count <= 0))
    return "a size is 0 or less";
  return args.alpha ? nullptr : "alpha is NULL";
}

static const char *placeScalars(PointerMode mode, rooftile_gemm_args &args) {
  args.scalars = mode == kHostPointers ? ROOFTILE_SCALARS_HOST : ROOFTILE_SCALARS_DEVICE;
  return nullptr;
}

static const char *placeScalars(PointerMode mode, rooftile_triangular_args &) {
  return mode == kHostPointers ? nullptr : "alpha is in device memory";
}

/// Says where scalars are; null, or why there they cannot be read.
template <typename Args> static const char *placeScalars(Call<Args> &call) {
  PointerMode mode;
  return getPointerMode(call.handle, mode) ? placeScalars(mode, call.args)
                                           : "cuBLAS does not know the handle";
}

static rooftile_type typeOf(const rooftile_gemm_args &args) { return args.type_c; }
static rooftile_type typeOf(const rooftile_triangular_args &args) { return args.type; }

/// Whether a call that was begun and failed may be made again: C is written, and not read.
static bool canBeRepeated(const rooftile_gemm_args &args) {
  return args.scalars == ROOFTILE_SCALARS_HOST && factorOf(args.type_c, args.beta) == Factor::Zero;
}
static bool canBeRepeated(const rooftile_triangular_args &) { return false; }

//===----------------------------------------------------------------------===//
// A call that is taken
//===----------------------------------------------------------------------===//

static rooftile_status compute(const Session &session, Function, const rooftile_gemm_args &args) {
  return session.library->gemm(session.handle, &args);
}

static rooftile_status compute(const Session &session, Function function,
                               const rooftile_triangular_args &args) {
  auto *routine = isTrsm(function) ? session.library->trsm : session.library->trmm;
  return routine(session.handle, &args);
}

/// A text of this call, until this thread keeps another one.
static const char *keepText(std::string text) {
  std::string &kept = ofThread<std::string, struct KeptText>();
  kept = std::move(text);
  return kept.c_str();
}

/// A call that has failed is forwarded where no matrix was written. Later ones of its kind are not
/// tried, unless its addresses were to blame.
template <typename Args>
static Verdict fail(const Call<Args> &call, const Session &session, Decision &decision,
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
  if (canBeRepeated(call.args))
    return forward(message);
  say(textOf(call.function, call.args) + ": " + message);
  status = failure == ROOFTILE_OUT_OF_MEMORY ? kAllocFailed : kExecutionFailed;
  return {true, message};
}

template <typename Args>
static Verdict run(const Call<Args> &call, const State &state, Decision &decision, Status &status) {
  Lease session(state.device);
  if (!session)
    return forward(session.why());
  bool isLoaded = decision.loaded.load(std::memory_order_relaxed) & session->bit;
  if (state.isCaptured && !isLoaded)
    return forward("the stream is being captured, and the kernel is not loaded");
  session->library->set_stream(session->handle, state.stream);
  rooftile_status failure = compute(*session, call.function, call.args);
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
template <typename Args>
static Decision *decide(const Call<Args> &call, int device, const Kind &kind, const char *&why) {
  Advice advice;
  if (options().mode == Mode::Always) {
    advice = {true, "ROOFTILE_CUBLAS is always"};
  } else {
    Lease session(device);
    why = session.why();
    if (!session)
      return nullptr;
    advice = advise(*session, call.function, call.args);
  }
  if (!advice.holdsForKind) {
    why = keepText(std::move(advice.why));
    return nullptr;
  }
  why = "more kinds of calls than are kept";
  return keepDecision(kind, advice.isTaken, std::move(advice.why));
}

template <typename Args> static Verdict route(Call<Args> &call, Status &status) {
  if (options().mode == Mode::Never)
    return forward("ROOFTILE_CUBLAS is never");
  if (call.whyNot)
    return forward(call.whyNot);
  if (const char *why = whyNot(call.args))
    return forward(why);
  if (const char *why = placeScalars(call))
    return forward(why);
  State state;
  if (const char *why = whyNoDevice(state.device))
    return forward(why);
  Kind kind = kindOf(call.function, state.device, call.args);
  Decision *decision = findDecision(kind);
  const char *why = decision ? decision->whyNot() : nullptr;
  if (why)
    return forward(why);
  if ((why = whyNotNow(call.handle, typeOf(call.args), state)))
    return forward(why);
  if (!decision && state.isCaptured)
    return forward("the stream is being captured, and this is the first call of its kind");
  if (!decision && !(decision = decide(call, state.device, kind, why)))
    return forward(why);
  if ((why = decision->whyNot()))
    return forward(why);
  return run(call, state, *decision, status);
}

template <typename Args> static void log(const Call<Args> &call, const Verdict &verdict) {
  say(textOf(call.function, call.args) + (verdict.isTaken ? ": taken: " : ": forwarded: ") +
      verdict.why);
}

template <typename Args> static bool takeCall(Call<Args> &call, Status &status) noexcept {
  call.args.size = sizeof call.args;
  Verdict verdict = {};
  try {
    verdict = route(call, status);
    if (options().logsCalls)
      log(call, verdict);
  } catch (...) { // The host has no memory. Before the call was computed, it is forwarded.
  }
  return verdict.isTaken;
}

bool rooftile::cublas::take(GemmCall &call, Status &status) noexcept {
  return takeCall(call, status);
}
bool rooftile::cublas::take(TriangularCall &call, Status &status) noexcept {
  return takeCall(call, status);
}
