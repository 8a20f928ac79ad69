//===- ChoiceTable.cpp - Choices that were made before --------------------===//

#include "rooftile/Planning/Search/ChoiceTable.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Target/Calibrations.h"
#include "llvm/ADT/bit.h"

using namespace rooftile;
using namespace rooftile::planning;

/// Choices that are kept: some megabytes. Then the table begins anew.
static constexpr size_t kMostChoices = 2048;

// A member that is missing here does not compile.
void ChoiceTable::Key::add(const Matrix &matrix) {
  const auto &[contiguous, maxVector, elementBytes, components, format, batched, byPointers,
               forward, padded, columns, possibleVector, flat, rowMajor, columnMajor, readable] =
      matrix;
  add(contiguous, maxVector, elementBytes, components, batched, byPointers, forward, padded,
      columns, possibleVector, readable);
  add(format);
  add(flat.length, flat.vector, flat.aligned);
  add(rowMajor.legal, rowMajor.possible, columnMajor.legal, columnMajor.possible);
}

void ChoiceTable::Key::add(const blas::ProductFacts &product) {
  const auto &[m, n, k, batch, assumed, knownM, knownN, knownK, leastM, leastN, mostM, mostN,
               multipleM, multipleN, multipleK, elementBytes, realBytes, threeProducts, sixProducts,
               inParts, tf32, canBeInduced, canBeInducedInParts, a, b, c, anyOrder, canReorder,
               compensated, slices, readsExtras, triangle, oneMatrix, triangularA, triangularB,
               masked] = product;
  add(m, n, k, batch, assumed, knownM, knownN, knownK, leastM, leastN, mostM, mostN);
  add(multipleM, multipleN, multipleK, elementBytes, realBytes, threeProducts, sixProducts, inParts,
      tf32, canBeInduced, canBeInducedInParts);
  add(anyOrder, canReorder, compensated, slices, readsExtras, triangle, oneMatrix, triangularA,
      triangularB, masked);
  for (const Matrix *matrix : {&a, &b, &c})
    add(*matrix);
}

void ChoiceTable::Key::add(llvm::StringRef text) {
  add(text.size());
  words.append(text.begin(), text.end());
}

void ChoiceTable::Key::addValue(double value) { add(llvm::bit_cast<int64_t>(value)); }
void ChoiceTable::Key::addValue(const std::vector<blas::InstructionRate> &rates) {
  add(rates.size());
  for (const blas::InstructionRate &rate : rates) {
    add(llvm::StringRef(rate.instruction->name));
    add(rate.gflops);
  }
}
void ChoiceTable::Key::addValue(const std::vector<blas::BulkForm> &forms) {
  add(forms.size());
  for (const auto &[multiplyAdds, microM, microN, macroK, stages, unroll] : forms)
    add(multiplyAdds, microM, microN, macroK, stages, unroll);
}
void ChoiceTable::Key::addValue(const std::optional<blas::CalibrationData> &calibration) {
  add(calibration.has_value());
  if (calibration)
    blas::CalibrationData::visitKeys(
        [&](const auto &, auto member) { addValue((*calibration).*member); });
}

// Every key of the tables of targets and calibrations: one that is added there belongs to this.
ChoiceTable::Key::Key(const Problem &problem, const blas::TargetData &target) {
  add(static_cast<const blas::ProductFacts &>(problem));
  add(problem.counted, problem.multiplyAdds, problem.readsC, problem.adds, problem.hasWorkspace,
      problem.roomElements, problem.canPack, problem.wholeM, problem.wholeN,
      llvm::bit_cast<int64_t>(problem.extraBytes));
  blas::TargetData::visitKeys(
      [&](const blas::TargetKey &, auto member) { addValue(target.*member); });
}

static blas::TargetData calibrated(blas::TargetAttr target) {
  blas::TargetData whole = *target;
  whole.calibration = target::calibrationOf(target);
  return whole;
}

ChoiceTable::Key::Key(const Problem &problem, blas::TargetAttr target)
    : Key(problem, calibrated(target)) {}

std::optional<Choice> ChoiceTable::find(const Key &key,
                                        llvm::function_ref<std::optional<Choice>()> make) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto found = choices.find(key); found != choices.end())
      return found->second;
  }
  // Two threads may make the same choice: they make it alike.
  std::optional<Choice> made = make();
  std::lock_guard<std::mutex> lock(mutex);
  if (choices.size() >= kMostChoices)
    choices.clear();
  return choices.try_emplace(key, made).first->second;
}
