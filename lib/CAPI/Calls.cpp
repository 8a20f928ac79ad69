//===- Calls.cpp - Products of the C interface ----------------------------===//

#include "Context.h"
#include "Structs.h"
#include "rooftile/Runtime/Runtime.h"

#include <vector>

using namespace rooftile;
using namespace rooftile::capi;
using namespace rooftile::compiler;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static Failure readScalar(const char *name, const void *at, int32_t type, double (&value)[2]) {
  if (!isType(type))
    return {}; // An error of its own.
  if (!at)
    return invalid(std::string(name) + " is NULL");
  float singles[2] = {};
  switch (type) {
  case ROOFTILE_F64:
  case ROOFTILE_C128:
    value[1] = 0;
    std::memcpy(value, at, type == ROOFTILE_F64 ? 8 : 16);
    return {};
  default:
    std::memcpy(singles, at, type == ROOFTILE_C64 ? 8 : 4);
    value[0] = singles[0], value[1] = singles[1];
    return {};
  }
}

static Amount amountOf(const double (&value)[2]) {
  if (value[1] != 0)
    return Amount::Other;
  return value[0] == 0 ? Amount::Zero : value[0] == 1 ? Amount::One : Amount::Other;
}

//===----------------------------------------------------------------------===//
// A call
//===----------------------------------------------------------------------===//

namespace {
struct Call {
  Description description = {};
  Addresses addresses;
  CallArguments values;
};
} // namespace

/// What a call without a batch, or with a batch of one, has in common.
static void normalizeBatch(Description &d) {
  bool isSingle = d.batch == ROOFTILE_BATCH_STRIDED && d.count == 1 && d.a.stride >= 0 &&
                  d.b.stride >= 0 && d.c.stride >= 0;
  if (isSingle)
    d.batch = ROOFTILE_BATCH_NONE;
  if (d.batch == ROOFTILE_BATCH_NONE)
    d.count = 1;
  if (d.batch != ROOFTILE_BATCH_STRIDED)
    d.a.stride = d.b.stride = d.c.stride = 0;
}

static int32_t alignOf(const Description &d, int32_t pointerAlign, uint64_t address, int32_t type) {
  if (d.batch != ROOFTILE_BATCH_POINTERS)
    return alignmentOf(address);
  if (pointerAlign == 0 && isType(type))
    return int32_t(bytesOfType(type));
  return pointerAlign;
}

static Failure statusOfRun(const std::string &error) {
  bool isMemory = error.find("OUT_OF_MEMORY") != std::string::npos ||
                  error.find("out of memory") != std::string::npos;
  return {isMemory ? ROOFTILE_OUT_OF_MEMORY : ROOFTILE_LAUNCH_FAILURE, error};
}

/// Factors that are not read are C's memory (Description.cpp, scalingOf).
static void placeMatrices(const Call &call, const Checked &checked, CallArguments &values) {
  const Addresses &at = call.addresses;
  values.a.address = checked.readsFactors ? at.a : at.c;
  values.b.address = checked.readsFactors ? at.b : at.c;
  values.c.address = at.c;
}

static Failure run(rooftile_context &context, Call &call, bool onlyPrepare) {
  if (!onlyPrepare && !context.whyNoDevice().empty())
    return {ROOFTILE_NO_DEVICE, context.whyNoDevice()};
  rooftile_context::Shared prepared;
  if (Failure failure = context.prepare(call.description, call.addresses, prepared))
    return failure;
  const Checked &checked = prepared->checked;
  if (onlyPrepare || checked.doesNothing)
    return {};
  if (Failure failure = checkAddresses(call.description, checked, call.addresses))
    return failure;
  static thread_local std::vector<uint64_t> registers; // Keeps its memory between calls.
  placeMatrices(call, checked, call.values);
  argumentsOf(checked.operation, call.values, registers);
  rooftileSetStream(context.stream);
  std::string error =
      prepared->compiled.executable->run(prepared->compiled.function, registers.data());
  return error.empty() ? Failure() : statusOfRun(error);
}

/// Reads the arguments of a function of the interface, and does what they describe.
template <typename Args, typename Describe>
static rooftile_status runDescribed(rooftile_handle handle, const Args *given, bool onlyPrepare,
                                    Describe describe) {
  return guarded(handle ? handle->number : 0, [&]() -> Failure {
    if (!handle)
      return invalid("handle is NULL");
    Args args;
    Call call;
    if (Failure failure = readStruct("args", given, args))
      return failure;
    if (Failure failure = describe(args, call))
      return failure;
    return run(*handle, call, onlyPrepare);
  });
}

//===----------------------------------------------------------------------===//
// gemm
//===----------------------------------------------------------------------===//

static uint64_t number(const void *address) { return reinterpret_cast<uint64_t>(address); }

static Failure describe(const rooftile_gemm_args &args, Call &call) {
  Description &d = call.description;
  if (Failure failure = readScalar("alpha", args.alpha, args.type_c, call.values.alpha))
    return failure;
  if (Failure failure = readScalar("beta", args.beta, args.type_c, call.values.beta))
    return failure;
  d.routine = Routine::Gemm;
  d.order = args.order, d.opA = args.op_a, d.opB = args.op_b, d.batch = args.batch;
  d.alpha = amountOf(call.values.alpha), d.beta = amountOf(call.values.beta);
  d.m = args.m, d.n = args.n, d.k = args.k, d.count = args.count;
  d.a = {args.lda, args.stride_a, args.type_a, 0};
  d.b = {args.ldb, args.stride_b, args.type_b, 0};
  d.c = {args.ldc, args.stride_c, args.type_c, 0};
  normalizeBatch(d);
  call.addresses = {number(args.a), number(args.b), number(args.c)};
  d.a.align = alignOf(d, args.pointer_align, call.addresses.a, args.type_a);
  d.b.align = alignOf(d, args.pointer_align, call.addresses.b, args.type_b);
  d.c.align = alignOf(d, args.pointer_align, call.addresses.c, args.type_c);
  return {};
}

static rooftile_status gemm(rooftile_handle handle, const rooftile_gemm_args *given,
                            bool onlyPrepare) {
  return runDescribed(handle, given, onlyPrepare,
                      [](auto &args, Call &call) { return describe(args, call); });
}

namespace {
/// The arguments of the functions for one type.
struct Simple {
  rooftile_handle handle;
  rooftile_order order;
  rooftile_op opA, opB;
  int64_t m, n, k;
};
struct SimpleMatrix {
  const void *address;
  int64_t leading;
};
} // namespace

static rooftile_status simpleGemm(rooftile_type type, const Simple &call, const void *alpha,
                                  SimpleMatrix a, SimpleMatrix b, const void *beta,
                                  SimpleMatrix c) {
  rooftile_gemm_args args = {};
  args.size = sizeof args;
  args.order = call.order, args.op_a = call.opA, args.op_b = call.opB;
  args.type_a = args.type_b = args.type_c = type;
  args.m = call.m, args.n = call.n, args.k = call.k;
  args.a = a.address, args.b = b.address, args.c = const_cast<void *>(c.address);
  args.lda = a.leading, args.ldb = b.leading, args.ldc = c.leading;
  args.alpha = alpha, args.beta = beta;
  return gemm(call.handle, &args, /*onlyPrepare=*/false);
}

//===----------------------------------------------------------------------===//
// trmm and trsm
//===----------------------------------------------------------------------===//

static Failure describe(Routine routine, const rooftile_triangular_args &args, Call &call) {
  Description &d = call.description;
  if (Failure failure = readScalar("alpha", args.alpha, args.type, call.values.alpha))
    return failure;
  if (args.reserved != 0)
    return invalid("reserved is " + std::to_string(args.reserved) + ", not 0");
  d.routine = routine;
  d.order = args.order, d.opA = args.op_a, d.batch = args.batch;
  d.side = args.side, d.triangle = args.triangle, d.diagonal = args.diagonal;
  d.alpha = amountOf(call.values.alpha), d.beta = Amount::Zero;
  d.m = args.m, d.n = args.n, d.count = args.count;
  d.a = {args.lda, args.stride_a, args.type, 0};
  d.c = {args.ldb, args.stride_b, args.type, 0};
  normalizeBatch(d);
  call.addresses = {number(args.a), 0, number(args.b)};
  d.a.align = alignmentOf(call.addresses.a);
  d.c.align = alignmentOf(call.addresses.c);
  return {};
}

static rooftile_status triangular(rooftile_handle handle, Routine routine,
                                  const rooftile_triangular_args *given) {
  return runDescribed(handle, given, /*onlyPrepare=*/false,
                      [=](auto &args, Call &call) { return describe(routine, args, call); });
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

extern "C" {

rooftile_status rooftile_gemm(rooftile_handle handle, const rooftile_gemm_args *args) {
  return gemm(handle, args, /*onlyPrepare=*/false);
}

rooftile_status rooftile_prepare_gemm(rooftile_handle handle, const rooftile_gemm_args *args) {
  return gemm(handle, args, /*onlyPrepare=*/true);
}

#define ROOFTILE_SIMPLE_GEMM(name, type, Matrix, Scalar, address)                                  \
  rooftile_status name(rooftile_handle handle, rooftile_order order, rooftile_op op_a,             \
                       rooftile_op op_b, int64_t m, int64_t n, int64_t k, Scalar alpha,            \
                       const Matrix *a, int64_t lda, const Matrix *b, int64_t ldb, Scalar beta,    \
                       Matrix *c, int64_t ldc) {                                                   \
    return simpleGemm(type, {handle, order, op_a, op_b, m, n, k}, address alpha, {a, lda},         \
                      {b, ldb}, address beta, {c, ldc});                                           \
  }
ROOFTILE_SIMPLE_GEMM(rooftile_sgemm, ROOFTILE_F32, float, float, &)
ROOFTILE_SIMPLE_GEMM(rooftile_dgemm, ROOFTILE_F64, double, double, &)
ROOFTILE_SIMPLE_GEMM(rooftile_cgemm, ROOFTILE_C64, void, const void *, )
ROOFTILE_SIMPLE_GEMM(rooftile_zgemm, ROOFTILE_C128, void, const void *, )
#undef ROOFTILE_SIMPLE_GEMM

rooftile_status rooftile_trmm(rooftile_handle handle, const rooftile_triangular_args *args) {
  return triangular(handle, Routine::Trmm, args);
}

rooftile_status rooftile_trsm(rooftile_handle handle, const rooftile_triangular_args *args) {
  return triangular(handle, Routine::Trsm, args);
}

} // extern "C"
