//===- RandomOperation.h - Operations at random -----------------*- C++ -*-===//
#ifndef ROOFTILE_UNIT_RANDOMOPERATION_H
#define ROOFTILE_UNIT_RANDOMOPERATION_H

#include "rooftile/Operation/Words.h"

#include <random>

namespace rooftile::operation {

/// Draws operations, most of which are valid.
struct Random {
  std::mt19937 engine{7};

  int64_t below(int64_t count) {
    return std::uniform_int_distribution<int64_t>(0, count - 1)(engine);
  }
  template <typename Choice> Choice choice() {
    return Choice(below(int64_t(std::size(Words<Choice>::list))));
  }
  int64_t size() { return below(4) == 0 ? kAnySize : below(100); }
  Op op(const RoutineInfo &info) {
    return Op(info.ops[below(int64_t(std::string(info.ops).size()))]);
  }
  Matrix matrix(const Operation &operation, Element element);
  Operation operation();
};

inline Matrix Random::matrix(const Operation &operation, Element element) {
  Matrix matrix;
  matrix.element = element;
  matrix.order = choice<Order>();
  matrix.align = below(3) == 0 ? 0 : int32_t(1) << below(5);
  matrix.leading = below(3) == 0 ? kAnySize : 100 + below(3);
  matrix.stride = operation.batch != Batch::Strided ? 0
                  : below(3) == 0                   ? kAnySize
                                                    : 10000 + below(9);
  return matrix;
}

inline Operation Random::operation() {
  Operation operation;
  operation.routine = Routine(below(int64_t(std::size(kRoutines))));
  const RoutineInfo &info = operation.info();
  if (*info.ops)
    operation.opA = op(info);
  if (info.hasOpB)
    operation.opB = op(info);
  if (info.hasSide)
    operation.side = choice<Side>();
  if (info.hasUplo)
    operation.triangle = choice<Triangle>();
  if (info.hasDiag)
    operation.diagonal = choice<Diagonal>();
  if (info.hasExact)
    operation.dependence = choice<Dependence>();
  operation.n = size();
  operation.m = info.sizes == Sizes::NK || info.sizes == Sizes::N ? operation.n : size();
  if (info.sizes == Sizes::MNK || info.sizes == Sizes::NK)
    operation.k = size();
  operation.batch = below(2) ? Batch::Strided : Batch::None;
  operation.count = operation.batch == Batch::None ? 1 : size();
  if (info.alpha != ScalarType::None)
    operation.alpha = Scalar(below(3));
  if (info.beta != ScalarType::None)
    operation.beta = Scalar(below(3));
  operation.math = choice<Math>();
  operation.summation = choice<Summation>();
  operation.rounding = choice<Rounding>();
  if (info.hasEpilogue)
    operation.epilogue = {choice<Bias>(), below(2) ? Activation::Relu : Activation::None};
  Element element = kElements[size_t(below(6))].element;
  for (int index : {0, 1, 2})
    if (operation.has(index))
      operation.operand(index) = matrix(operation, element);
  return operation;
}

} // namespace rooftile::operation

#endif // ROOFTILE_UNIT_RANDOMOPERATION_H
