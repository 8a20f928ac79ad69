//===- Arguments.cpp - What a call of the C interface states --------------===//

#include "Arguments.h"

using namespace rooftile;
using namespace rooftile::capi;
using namespace rooftile::compiler;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A scalar that nothing depends on may be NULL: it is not read, and counts as 0.
static Failure readScalar(const char *name, const void *at, int32_t type, bool isRead,
                          double (&value)[2]) {
  value[0] = value[1] = 0;
  if (!isType(type) || !isRead)
    return {}; // A wrong type is an error of its own.
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
// Batches, sizes and alignments
//===----------------------------------------------------------------------===//

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

static Failure readSizes(rooftile_sizes sizes, Description &d) {
  if (sizes != ROOFTILE_SIZES_EXACT && sizes != ROOFTILE_SIZES_ANY)
    return invalid("sizes is " + std::to_string(sizes) + ", not one of 0 to 1");
  d.isOpen = sizes == ROOFTILE_SIZES_ANY;
  return {};
}

static int32_t alignOf(const Description &d, int32_t pointerAlign, uint64_t address, int32_t type) {
  if (d.batch != ROOFTILE_BATCH_POINTERS)
    return int32_t(alignmentOf(address));
  if (pointerAlign == 0 && isType(type))
    return int32_t(bytesOfType(type));
  return pointerAlign;
}

//===----------------------------------------------------------------------===//
// Routines
//===----------------------------------------------------------------------===//

static uint64_t number(const void *address) { return reinterpret_cast<uint64_t>(address); }

static Failure readEpilogue(const rooftile_gemm_args &args, Description &d) {
  if (args.bias_kind < ROOFTILE_BIAS_NONE || args.bias_kind > ROOFTILE_BIAS_PER_COLUMN)
    return invalid("bias_kind is " + std::to_string(args.bias_kind) + ", not one of 0 to 2");
  if (args.activation < ROOFTILE_ACTIVATION_NONE || args.activation > ROOFTILE_TANH)
    return invalid("activation is " + std::to_string(args.activation) + ", not one of 0 to 6");
  d.bias = Bias(args.bias_kind), d.activation = Activation(args.activation);
  return {};
}

/// Whether a call has any element of the result.
template <typename Args> static bool hasResult(const Args &args) {
  return args.m != 0 && args.n != 0 && (args.batch == ROOFTILE_BATCH_NONE || args.count != 0);
}

static Failure readScalars(const rooftile_gemm_args &args, Call &call) {
  Description &d = call.description;
  bool readsBeta = hasResult(args), readsAlpha = readsBeta && args.k != 0;
  switch (args.scalars) {
  case ROOFTILE_SCALARS_HOST:
    if (Failure failure =
            readScalar("alpha", args.alpha, args.type_c, readsAlpha, call.values.alpha))
      return failure;
    if (Failure failure = readScalar("beta", args.beta, args.type_c, readsBeta, call.values.beta))
      return failure;
    d.alpha = amountOf(call.values.alpha), d.beta = amountOf(call.values.beta);
    return {};
  case ROOFTILE_SCALARS_DEVICE:
    d.alpha = d.beta = Amount::InMemory;
    call.values.alphaAddress = number(args.alpha), call.values.betaAddress = number(args.beta);
    return {};
  default:
    return invalid("scalars is " + std::to_string(args.scalars) + ", not one of 0 to 1");
  }
}

Failure capi::readArguments(const rooftile_gemm_args &args, Call &call) {
  Description &d = call.description;
  if (Failure failure = readScalars(args, call))
    return failure;
  if (Failure failure = readSizes(args.sizes, d))
    return failure;
  if (Failure failure = readEpilogue(args, d))
    return failure;
  d.routine = Routine::Gemm;
  d.order = args.order, d.opA = args.op_a, d.opB = args.op_b, d.batch = args.batch;
  d.m = args.m, d.n = args.n, d.k = args.k, d.count = args.count;
  d.a = {args.lda, args.stride_a, args.type_a, 0};
  d.b = {args.ldb, args.stride_b, args.type_b, 0};
  d.c = {args.ldc, args.stride_c, args.type_c, 0};
  normalizeBatch(d);
  call.addresses = {number(args.a), number(args.b), number(args.c), number(args.bias)};
  d.a.align = alignOf(d, args.pointer_align, call.addresses.a, args.type_a);
  d.b.align = alignOf(d, args.pointer_align, call.addresses.b, args.type_b);
  d.c.align = alignOf(d, args.pointer_align, call.addresses.c, args.type_c);
  return {};
}

Failure capi::readArguments(Routine routine, const rooftile_triangular_args &args, Call &call) {
  Description &d = call.description;
  if (Failure failure =
          readScalar("alpha", args.alpha, args.type, hasResult(args), call.values.alpha))
    return failure;
  if (Failure failure = readSizes(args.sizes, d))
    return failure;
  d.routine = routine;
  d.order = args.order, d.opA = args.op_a, d.batch = args.batch;
  d.side = args.side, d.triangle = args.triangle, d.diagonal = args.diagonal;
  d.exact = args.exact;
  d.alpha = amountOf(call.values.alpha), d.beta = Amount::Zero;
  d.m = args.m, d.n = args.n, d.count = args.count;
  d.a = {args.lda, args.stride_a, args.type, 0};
  d.c = {args.ldb, args.stride_b, args.type, 0};
  normalizeBatch(d);
  call.addresses = {number(args.a), 0, number(args.b)};
  d.a.align = alignOf(d, args.pointer_align, call.addresses.a, args.type);
  d.c.align = alignOf(d, args.pointer_align, call.addresses.c, args.type);
  return {};
}
