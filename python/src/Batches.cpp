//===- Batches.cpp - Dimensions of batches, broadcast ---------------------===//

#include "Batches.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace rooftile::python;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::optional<Dimensions> rooftile::python::broadcast(ArrayRef<int64_t> left,
                                                      ArrayRef<int64_t> right) {
  if (left.size() < right.size())
    std::swap(left, right);
  Dimensions shape(left);
  for (size_t i = 0; i < right.size(); ++i) {
    int64_t &size = shape[left.size() - right.size() + i];
    if (size != right[i] && size != 1 && right[i] != 1)
      return std::nullopt;
    size = size == 1 ? right[i] : size;
  }
  return shape;
}

/// "3", or "(3, 4)".
static std::string textOf(ArrayRef<int64_t> batch) {
  return batch.size() == 1 ? std::to_string(batch[0]) : listOf(batch);
}

Dimensions rooftile::python::batchOf(const Array &a, const Stored &storedA, const Array &b,
                                     const Stored &storedB) {
  if (std::optional<Dimensions> shape = broadcast(storedA.batchShape(), storedB.batchShape()))
    return *shape;
  raiseValue(describe(a) + " and " + describe(b) + ": batches of " + textOf(storedA.batchShape()) +
             " and " + textOf(storedB.batchShape()) + " matrices; expected equal sizes, or 1");
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// From one matrix to the next in dimension `i` of `rank`.
static int64_t strideOf(const Stored &stored, size_t i, size_t rank) {
  ArrayRef<int64_t> sizes = stored.batchShape();
  size_t missing = rank - sizes.size();
  return i < missing || sizes[i - missing] == 1 ? 0 : stored.batchStrides()[i - missing];
}

/// Whether the matrices of `step` follow those of `inner` as these follow each other.
static bool continues(const BatchStep &step, const BatchStep &inner) {
  for (size_t i = 0; i < step.strides.size(); ++i) {
    int64_t whole;
    if (__builtin_mul_overflow(inner.strides[i], inner.size, &whole) || step.strides[i] != whole)
      return false;
  }
  return true;
}

/// The dimensions of a batch with more than one matrix, the innermost first.
static llvm::SmallVector<BatchStep> stepsOf(ArrayRef<int64_t> shape,
                                            const std::array<Stored *, 3> &operands) {
  llvm::SmallVector<BatchStep> steps;
  for (size_t i = shape.size(); i-- > 0;) {
    BatchStep step{shape[i], {}};
    for (size_t operand = 0; operand < operands.size(); ++operand)
      if (operands[operand])
        step.strides[operand] = strideOf(*operands[operand], i, shape.size());
    if (step.size == 1)
      continue;
    if (!steps.empty() && continues(step, steps.back()))
      steps.back().size *= step.size;
    else
      steps.push_back(step);
  }
  return steps;
}

BatchPlan rooftile::python::planBatch(ArrayRef<int64_t> shape, std::array<Stored *, 3> operands) {
  llvm::SmallVector<BatchStep> steps = stepsOf(shape, operands);
  BatchPlan plan;
  if (!steps.empty()) {
    auto largest = std::max_element(
        steps.begin(), steps.end(),
        [](const BatchStep &left, const BatchStep &right) { return left.size < right.size; });
    plan.inside = *largest;
    steps.erase(largest);
  }
  plan.outside.assign(steps.rbegin(), steps.rend());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i])
      continue;
    operation::Matrix &layout = operands[i]->layout;
    layout.stride = plan.inside.strides[i];
    for (BatchStep &step : plan.outside) {
      step.strides[i] *= bytesOf(layout.element);
      layout.align =
          std::min(layout.align, int32_t(operation::alignmentOf(uint64_t(step.strides[i]))));
    }
  }
  return plan;
}

void rooftile::python::forEachPlace(
    ArrayRef<BatchStep> outside, llvm::function_ref<bool(const std::array<int64_t, 3> &)> launch) {
  int64_t count = 1;
  for (const BatchStep &step : outside)
    count *= step.size;
  for (int64_t place = 0; place < count; ++place) {
    std::array<int64_t, 3> offsets{};
    int64_t rest = place;
    for (const BatchStep &step : llvm::reverse(outside)) {
      for (size_t i = 0; i < offsets.size(); ++i)
        offsets[i] += rest % step.size * step.strides[i];
      rest /= step.size;
    }
    if (!launch(offsets))
      return;
  }
}
