//===- Arguments.cpp - An operation as arguments of the C interface -------===//

#include "Arguments.h"

using namespace rooftile;
using namespace rooftile::operation;

static rooftile_op opOf(Op op) {
  switch (op) {
  case Op::N:
    return ROOFTILE_OP_N;
  case Op::T:
    return ROOFTILE_OP_T;
  case Op::C:
    return ROOFTILE_OP_C;
  case Op::J:
    return ROOFTILE_OP_J;
  }
  return ROOFTILE_OP_N;
}

static rooftile_type typeOf(Element element) { return ROOFTILE_F16 + rooftile_type(element); }

rooftile_operation interpose::argumentsOf(const Operation &operation, const void *const *addresses,
                                          const void *alpha, const void *beta) {
  rooftile_operation args = {};
  args.size = sizeof args;
  args.routine = ROOFTILE_GEMM + rooftile_routine(operation.routine);
  args.order = ROOFTILE_ROW_MAJOR + rooftile_order(operation.c.order);
  args.type_a = typeOf(operation.a.element), args.type_b = typeOf(operation.b.element);
  args.type_c = typeOf(operation.c.element);
  args.op_a = opOf(operation.opA), args.op_b = opOf(operation.opB);
  args.side = ROOFTILE_LEFT + rooftile_side(operation.side);
  args.triangle = ROOFTILE_LOWER + rooftile_triangle(operation.triangle);
  args.diagonal = ROOFTILE_NON_UNIT + rooftile_diagonal(operation.diagonal);
  args.exact = operation.dependence == Dependence::Exact;
  args.m = operation.m, args.n = operation.n, args.k = operation.k;
  args.a = addresses[0], args.b = addresses[1], args.c = const_cast<void *>(addresses[2]);
  args.lda = operation.a.leading, args.ldb = operation.b.leading, args.ldc = operation.c.leading;
  args.alpha = alpha, args.beta = beta;
  args.batch = ROOFTILE_BATCH_NONE + rooftile_batch(operation.batch);
  if (operation.batch != Batch::None)
    args.count = operation.count;
  if (operation.batch == Batch::Strided) {
    args.stride_a = operation.a.stride, args.stride_b = operation.b.stride;
    args.stride_c = operation.c.stride;
  }
  args.scalars =
      operation.alpha == Scalar::InMemory ? ROOFTILE_SCALARS_DEVICE : ROOFTILE_SCALARS_HOST;
  return args;
}

/// The letter that other libraries have for matrices that are conjugated alone.
static char letterOf(Op op) { return op == Op::J ? 'R' : char(char(op) - 'a' + 'A'); }

std::string interpose::lettersOf(const Operation &operation) {
  const RoutineInfo &info = operation.info();
  std::string letters;
  if (info.hasSide)
    letters += operation.side == Side::Left ? 'L' : 'R';
  if (info.hasUplo)
    letters += operation.triangle == Triangle::Lower ? 'L' : 'U';
  if (*info.ops)
    letters += letterOf(operation.opA);
  if (info.hasOpB)
    letters += letterOf(operation.opB);
  if (info.hasDiag)
    letters += operation.diagonal == Diagonal::NonUnit ? 'N' : 'U';
  return letters;
}

std::string interpose::sizesOf(const Operation &operation) {
  const RoutineInfo &info = operation.info();
  std::string text = info.hasM() ? std::to_string(operation.m) + "x" : "";
  text += std::to_string(operation.n);
  return info.hasK() ? text + "x" + std::to_string(operation.k) : text;
}
