//===- Prediction.cpp - Whether a call is expected to win -----------------===//

#include "Prediction.h"
#include "Kind.h"
#include "State.h"
#include "Times.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace rooftile;
using namespace rooftile::cublas;

//===----------------------------------------------------------------------===//
// Our time
//===----------------------------------------------------------------------===//

/// The sum of the members "seconds" of the objects in "operations", of what rooftile_plan_gemm
/// reports; those of the plans, which are objects in these, are not meant. Negative where there is
/// none.
static double secondsIn(const std::string &report) {
  constexpr int kDepthOfOperations = 2;
  constexpr char kKey[] = "\"seconds\":";
  double sum = -1;
  int depth = 0;
  bool isInText = false;
  for (size_t i = 0; i < report.size(); ++i) {
    char character = report[i];
    if (isInText && character == '\\') {
      ++i;
      continue;
    }
    depth += isInText ? 0 : (character == '{') - (character == '}');
    isInText ^= character == '"';
    bool isKey = isInText && character == '"' && depth == kDepthOfOperations &&
                 report.compare(i, sizeof kKey - 1, kKey) == 0;
    if (isKey)
      sum = std::max(sum, 0.0) + std::strtod(report.c_str() + i + sizeof kKey - 1, nullptr);
  }
  return sum;
}

static rooftile_status plan(const Session &session, Function, const rooftile_gemm_args &args,
                            char *text, size_t *bytes) {
  return session.library->plan_gemm(session.handle, &args, text, bytes);
}

static rooftile_status plan(const Session &session, Function function,
                            const rooftile_triangular_args &args, char *text, size_t *bytes) {
  auto *routine = isTrsm(function) ? session.library->plan_trsm : session.library->plan_trmm;
  return routine(session.handle, &args, text, bytes);
}

/// Asks the cost model about the kernels that would be compiled; or advises against the call.
template <typename Args>
static bool predict(const Session &session, Function function, const Args &args, double &seconds,
                    Advice &advice) {
  std::string report(4096, 0);
  for (bool isLarger = true; isLarger;) {
    size_t bytes = report.size();
    rooftile_status status = plan(session, function, args, report.data(), &bytes);
    if (status != ROOFTILE_SUCCESS) {
      advice.why = session.library->message(session.handle);
      advice.holdsForKind = status != ROOFTILE_INVALID_ARGUMENT;
      return false;
    }
    isLarger = bytes > report.size();
    report.resize(bytes);
  }
  seconds = secondsIn(report);
  advice.why = "librooftile.so predicts no time";
  return seconds > 0;
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

static char letterOf(rooftile_type type) {
  switch (type) {
  case ROOFTILE_F32:
    return 's';
  case ROOFTILE_F64:
    return 'd';
  case ROOFTILE_C64:
    return 'c';
  default:
    return 'z';
  }
}

static Product productOf(Function function, const rooftile_gemm_args &args) {
  Product product;
  product.type = letterOf(args.type_c);
  product.isGemm3m = std::strstr(nameOf(function), "gemm3m");
  product.form = args.batch == ROOFTILE_BATCH_NONE      ? Form::One
                 : args.batch == ROOFTILE_BATCH_STRIDED ? Form::Strided
                                                        : Form::Pointers;
  product.transA = args.op_a != ROOFTILE_OP_N, product.transB = args.op_b != ROOFTILE_OP_N;
  product.m = args.m, product.n = args.n, product.k = args.k;
  product.count = args.batch == ROOFTILE_BATCH_NONE ? 1 : args.count;
  product.lda = args.lda, product.ldb = args.ldb;
  return product;
}

static Product productOf(Function function, const rooftile_triangular_args &args) {
  Product product;
  product.routine = isTrsm(function) ? Routine::Trsm : Routine::Trmm;
  product.type = letterOf(args.type);
  product.transA = args.op_a != ROOFTILE_OP_N, product.transB = args.side == ROOFTILE_RIGHT;
  product.m = args.m, product.n = args.n, product.k = product.transB ? args.n : args.m;
  product.form = args.batch == ROOFTILE_BATCH_NONE ? Form::One : Form::Pointers;
  product.count = args.batch == ROOFTILE_BATCH_NONE ? 1 : args.count;
  product.lda = args.lda, product.ldb = args.ldb;
  return product;
}

static std::string textOf(const Comparison &both) {
  char text[128];
  std::snprintf(text, sizeof text,
                "predicted %.2f times as fast (%.1f us, cuBLAS %.1f us), %.2f are asked for",
                both.cublas / both.ours, both.ours * 1e6, both.cublas * 1e6, both.margin);
  return text;
}

template <typename Args>
static Advice compare(const Session &session, Function function, const Args &args) {
  const std::string chip = nameOfChip(session.device);
  const Times *times = timesOf(chip);
  if (!times)
    return {false, "no times of cuBLAS on '" + chip + "' are built in"};
  double predicted = 0;
  Advice advice;
  if (!predict(session, function, args, predicted, advice))
    return advice;
  Product product = productOf(function, args);
  constexpr const char *kRoutines[] = {"", "'s trsm", "'s trmm"};
  Comparison both;
  if (!times->compare(product, predicted, both))
    return {false, std::string("no times of cuBLAS") + kRoutines[int(product.routine)] +
                       " in type " + product.type + " are built in"};
  return {both.cublas >= both.margin * both.ours, textOf(both)};
}

Advice cublas::advise(const Session &session, Function function, const rooftile_gemm_args &args) {
  return compare(session, function, args);
}

Advice cublas::advise(const Session &session, Function function,
                      const rooftile_triangular_args &args) {
  return compare(session, function, args);
}
