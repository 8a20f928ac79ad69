//===- Arguments.cpp - From arguments in C to a call ----------------------===//

#include "Call.h"

using namespace rooftile;
using namespace rooftile::capi;
using namespace rooftile::operation;

static uint64_t number(const void *address) { return reinterpret_cast<uint64_t>(address); }

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

namespace {
/// A number of the interface that must lie in a range.
struct Choice {
  const char *name;
  int32_t value, first, last;
  bool isUsed;
};
} // namespace

static Failure checkChoices(const rooftile_operation &args) {
  if (args.routine < ROOFTILE_GEMM || args.routine > ROOFTILE_TRTRI)
    return invalid("routine is " + std::to_string(args.routine) + ", not one of 1 to " +
                   std::to_string(ROOFTILE_TRTRI));
  const RoutineInfo &info = infoOf(Routine(args.routine - ROOFTILE_GEMM));
  bool isMixed = info.hasMixedC, hasOps = *info.ops;
  const Choice choices[] = {
      {"order", args.order, ROOFTILE_ROW_MAJOR, ROOFTILE_COLUMN_MAJOR, true},
      {"op_a", args.op_a, ROOFTILE_OP_N, ROOFTILE_OP_J, hasOps},
      {"op_b", args.op_b, ROOFTILE_OP_N, ROOFTILE_OP_J, info.hasOpB},
      {isMixed ? "type_a" : "type", args.type_a, ROOFTILE_F16, ROOFTILE_C128, true},
      {"type_b", args.type_b, ROOFTILE_F16, ROOFTILE_C128, isMixed},
      {"type_c", args.type_c, ROOFTILE_F16, ROOFTILE_C128, isMixed},
      {"batch", args.batch, ROOFTILE_BATCH_NONE, ROOFTILE_BATCH_POINTERS, true},
      {"side", args.side, ROOFTILE_LEFT, ROOFTILE_RIGHT, info.hasSide},
      {"triangle", args.triangle, ROOFTILE_LOWER, ROOFTILE_UPPER, info.hasUplo},
      {"diagonal", args.diagonal, ROOFTILE_NON_UNIT, ROOFTILE_UNIT, info.hasDiag},
      {"exact", args.exact, 0, 1, info.hasExact},
      {"sizes", args.sizes, ROOFTILE_SIZES_EXACT, ROOFTILE_SIZES_ANY, true},
      {"scalars", args.scalars, ROOFTILE_SCALARS_HOST, ROOFTILE_SCALARS_DEVICE, true},
      {"bias_kind", args.bias_kind, ROOFTILE_BIAS_NONE, ROOFTILE_BIAS_PER_COLUMN, true},
      {"activation", args.activation, ROOFTILE_ACTIVATION_NONE, ROOFTILE_TANH, true},
      {"math", args.math, ROOFTILE_MATH_STRICT, ROOFTILE_MATH_TF32, isMixed}};
  for (const Choice &choice : choices)
    if (choice.isUsed && (choice.value < choice.first || choice.value > choice.last))
      return invalid(std::string(choice.name) + " is " + std::to_string(choice.value) +
                     ", not one of " + std::to_string(choice.first) + " to " +
                     std::to_string(choice.last));
  return {};
}

/// A choice of two, of values from 1 on; 0 where the routine does not have it.
template <typename Of> static Of choiceOf(int32_t value, bool isUsed) {
  return isUsed ? Of(value - 1) : Of();
}

static void readChoices(const rooftile_operation &args, Operation &operation) {
  constexpr Op kOps[] = {Op::N, Op::T, Op::C, Op::J};
  operation.routine = Routine(args.routine - ROOFTILE_GEMM);
  const RoutineInfo &info = operation.info();
  operation.opA = *info.ops ? kOps[args.op_a] : Op::N;
  operation.opB = info.hasOpB ? kOps[args.op_b] : Op::N;
  operation.side = choiceOf<Side>(args.side, info.hasSide);
  operation.triangle = choiceOf<Triangle>(args.triangle, info.hasUplo);
  operation.diagonal = choiceOf<Diagonal>(args.diagonal, info.hasDiag);
  operation.dependence = info.hasExact ? Dependence(args.exact) : Dependence::Any;
  operation.batch = Batch(args.batch);
  operation.math = info.hasMixedC ? Math(args.math) : Math::Strict;
  operation.epilogue = {Bias(args.bias_kind), Activation(args.activation)};
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// The alignment of an address; of a batch by pointers, what the caller promises of all.
static int32_t alignOf(const rooftile_operation &args, const void *address, Element element) {
  if (args.batch != ROOFTILE_BATCH_POINTERS)
    return int32_t(alignmentOf(number(address)));
  return args.pointer_align == 0 ? int32_t(bytesOf(element)) : args.pointer_align;
}

static void readMatrices(const rooftile_operation &args, Call &call) {
  const RoutineInfo &info = call.operation.info();
  struct {
    rooftile_type type;
    const void *address;
    int64_t leading, stride;
    compiler::MatrixArgument &argument;
  } stated[] = {
      {args.type_a, args.a, args.lda, args.stride_a, call.values.a},
      {info.hasMixedC ? args.type_b : args.type_a, args.b, args.ldb, args.stride_b, call.values.b},
      {info.hasMixedC ? args.type_c : args.type_a, args.c, args.ldc, args.stride_c, call.values.c}};
  for (int index : {0, 1, 2}) {
    Matrix &matrix = call.operation.operand(index);
    if (!call.operation.has(index))
      continue;
    auto &[type, address, leading, stride, argument] = stated[index];
    matrix.element = Element(type - ROOFTILE_F16);
    matrix.order = Order(args.order - ROOFTILE_ROW_MAJOR);
    matrix.leading = leading;
    matrix.stride = args.batch == ROOFTILE_BATCH_STRIDED ? stride : 0;
    matrix.align = alignOf(args, address, matrix.element);
    argument = {number(address), matrix.leading, matrix.stride};
  }
}

/// A batch of one by valid strides is no batch.
static void normalizeBatch(Operation &operation) {
  bool isSingle = operation.batch == Batch::Strided && operation.count == 1;
  for (int index : {0, 1, 2})
    isSingle &= !operation.has(index) || operation.operand(index).stride >= 0;
  if (!isSingle)
    return;
  operation.batch = Batch::None;
  for (int index : {0, 1, 2})
    if (operation.has(index))
      operation.operand(index).stride = 0;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// A scalar that nothing depends on may be NULL: it is not read, and counts as 0.
static Failure readScalar(const char *name, const void *at, Element element, bool isRead,
                          double (&value)[2]) {
  value[0] = value[1] = 0;
  if (!isRead)
    return {};
  if (!at)
    return invalid(std::string(name) + " is NULL");
  auto [real, imaginary] = scalarAt(element, at);
  value[0] = real, value[1] = imaginary;
  return {};
}

static Failure readScalars(const rooftile_operation &args, Call &call) {
  Operation &operation = call.operation;
  const RoutineInfo &info = operation.info();
  if (args.scalars == ROOFTILE_SCALARS_DEVICE) {
    operation.alpha = info.alpha == ScalarType::None ? Scalar::One : Scalar::InMemory;
    operation.beta = info.beta == ScalarType::None ? Scalar::Zero : Scalar::InMemory;
    call.values.alphaAddress = number(args.alpha), call.values.betaAddress = number(args.beta);
    return {};
  }
  bool hasResult = operation.m != 0 && operation.n != 0 && operation.count != 0;
  struct {
    const char *name;
    const void *at;
    ScalarType type;
    bool isRead;
    double (&value)[2];
    Scalar &kind;
  } scalars[] = {{"alpha", args.alpha, info.alpha, hasResult && operation.hasTerms(),
                  call.values.alpha, operation.alpha},
                 {"beta", args.beta, info.beta, hasResult, call.values.beta, operation.beta}};
  for (auto &[name, at, type, isRead, value, kind] : scalars) {
    if (type == ScalarType::None)
      continue;
    if (Failure failure =
            readScalar(name, at, scalarElement(type, operation.c.element), isRead, value))
      return failure;
    kind = scalarOf(value[0], value[1]);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Routines
//===----------------------------------------------------------------------===//

Failure capi::readArguments(const rooftile_operation &args, Call &call) {
  if (Failure failure = checkChoices(args))
    return failure;
  Operation &operation = call.operation;
  readChoices(args, operation);
  const RoutineInfo &info = operation.info();
  operation.n = args.n, operation.m = info.hasM() ? args.m : args.n;
  operation.k = info.hasK() ? args.k : 0;
  operation.count = args.batch == ROOFTILE_BATCH_NONE ? 1 : args.count;
  call.isDynamic = args.sizes == ROOFTILE_SIZES_ANY;
  readMatrices(args, call);
  normalizeBatch(operation);
  call.values.m = operation.m, call.values.n = operation.n, call.values.k = operation.k;
  call.values.count = operation.count, call.values.biasAddress = number(args.bias);
  return readScalars(args, call);
}

Failure capi::readArguments(const rooftile_gemm_args &args, Call &call) {
  rooftile_operation all = {};
  all.routine = ROOFTILE_GEMM;
  all.order = args.order, all.op_a = args.op_a, all.op_b = args.op_b;
  all.type_a = args.type_a, all.type_b = args.type_b, all.type_c = args.type_c;
  all.m = args.m, all.n = args.n, all.k = args.k;
  all.a = args.a, all.b = args.b, all.c = args.c;
  all.lda = args.lda, all.ldb = args.ldb, all.ldc = args.ldc;
  all.alpha = args.alpha, all.beta = args.beta;
  all.batch = args.batch, all.pointer_align = args.pointer_align, all.count = args.count;
  all.stride_a = args.stride_a, all.stride_b = args.stride_b, all.stride_c = args.stride_c;
  all.sizes = args.sizes, all.scalars = args.scalars;
  all.bias_kind = args.bias_kind, all.activation = args.activation, all.bias = args.bias;
  all.math = args.math;
  return readArguments(all, call);
}

Failure capi::readArguments(rooftile_routine routine, const rooftile_triangular_args &args,
                            Call &call) {
  rooftile_operation all = {};
  all.routine = routine;
  all.side = args.side, all.triangle = args.triangle, all.op_a = args.op_a;
  all.diagonal = args.diagonal, all.order = args.order, all.type_a = args.type;
  all.m = args.m, all.n = args.n;
  all.a = args.a, all.c = args.b, all.lda = args.lda, all.ldc = args.ldb;
  all.alpha = args.alpha;
  all.batch = args.batch, all.pointer_align = args.pointer_align, all.count = args.count;
  all.stride_a = args.stride_a, all.stride_c = args.stride_b;
  all.sizes = args.sizes, all.exact = args.exact;
  return readArguments(all, call);
}
