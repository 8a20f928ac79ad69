//===- ChoiceTable.cpp - Choices that were made before --------------------===//

#include "rooftile/Planning/Search/ChoiceTable.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"
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
               multipleM, multipleN, multipleK, elementBytes, realBytes, threeProducts,
               canBeInduced, a, b, c, anyOrder, canReorder, compensated, slices, readsExtras,
               triangle, oneMatrix, triangularA, triangularB, masked] = product;
  add(m, n, k, batch, assumed, knownM, knownN, knownK, leastM, leastN, mostM, mostN);
  add(multipleM, multipleN, multipleK, elementBytes, realBytes, threeProducts, canBeInduced);
  add(anyOrder, canReorder, compensated, slices, readsExtras, triangle, oneMatrix, triangularA,
      triangularB, masked);
  for (const Matrix *matrix : {&a, &b, &c})
    add(*matrix);
}

void ChoiceTable::Key::add(llvm::StringRef text) {
  add(text.size());
  words.append(text.begin(), text.end());
}

void ChoiceTable::Key::add(blas::TargetAttr chip) {
  add(chip.getChip());
  add(chip.getArch());
  add(chip.getFeatures());
  add(chip.getVendor(), chip.getUnits(), chip.getClockMHz(), chip.getSubgroup(),
      chip.getSchedulersPerUnit(), chip.getRegistersPerUnit(), chip.getRegistersPerThread(),
      chip.getRegisterGranule(), chip.getSharedBytesPerUnit(), chip.getSharedBytesPerBlock(),
      chip.getSharedBytesReserved(), chip.getSharedGranule(), chip.getSharedBytesPerClock(),
      chip.getSharedReadBytesPerClock(), chip.getSharedBanks(), chip.getThreadsPerUnit(),
      chip.getThreadsPerBlock(), chip.getBlocksPerUnit(), chip.getClusterBlocks(),
      chip.getClusterUnits(), chip.getWorkgroupPs(), chip.getFmaF32PerClock(),
      chip.getFmaF64PerClock(), chip.getFmaF32GFlops(), chip.getFmaF64GFlops(), chip.getL2Bytes(),
      chip.getL2GBps(), chip.getL2BytesPerClock(), chip.getSectorBytes(), chip.getDramReadGBps(),
      chip.getDramCopyGBps(), chip.getDramWriteGBps(), chip.getMemoryBytes(),
      chip.getDramLatencyCycles(), chip.getL2LatencyCycles(), chip.getSharedLatencyCycles(),
      chip.getFmaLatencyCycles(), chip.getLaunchNs(), chip.getAsyncCopyBytes(), chip.getBulkCopy(),
      chip.getDependentLaunch(), chip.getInstructions().size());
  for (blas::InstructionRateAttr rate : chip.getInstructions()) {
    add(rate.getName());
    add(rate.getGflops());
  }
  blas::CalibrationData calibration = target::calibrationOf(chip);
  blas::CalibrationData::visitKeys([&](const blas::Coefficient &, auto member) {
    add(llvm::bit_cast<int64_t>(calibration.*member));
  });
}

ChoiceTable::Key::Key(const Problem &problem, blas::TargetAttr target) {
  add(static_cast<const blas::ProductFacts &>(problem));
  add(problem.counted, problem.multiplyAdds, problem.readsC, problem.adds, problem.hasWorkspace,
      problem.roomElements, problem.canPack, problem.wholeM, problem.wholeN,
      llvm::bit_cast<int64_t>(problem.extraBytes));
  add(target);
}

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
