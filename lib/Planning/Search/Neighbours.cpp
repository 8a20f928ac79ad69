//===- Neighbours.cpp - Plans beside a plan -------------------------------===//

#include "rooftile/Planning/Search/Neighbours.h"
#include "rooftile/Planning/Feasibility/Check.h"
#include "llvm/ADT/STLExtras.h"

#include <set>
#include <type_traits>

using namespace rooftile;
using namespace rooftile::planning;

/// Numbers up to this one are tried one by one.
static constexpr int64_t kMostSteps = 8;
/// Values of a number that is 0.
static constexpr int64_t kAfterZero[] = {1, 2, 4, 8, 16};

static std::vector<int64_t> valuesBeside(int64_t value, blas::TargetAttr) {
  if (value == 0)
    return std::vector<int64_t>(std::begin(kAfterZero), std::end(kAfterZero));
  std::set<int64_t> values = {value / 2, value * 2};
  if (value <= kMostSteps)
    values.insert({value - 1, value + 1});
  return std::vector<int64_t>(values.begin(), values.end());
}

static std::vector<const tile::Instruction *> valuesBeside(const tile::Instruction *value,
                                                           blas::TargetAttr target) {
  std::vector<const tile::Instruction *> values;
  if (value)
    values.push_back(nullptr);
  for (const blas::InstructionRate &rate : target->instructions)
    if (rate.instruction != value)
      values.push_back(rate.instruction);
  return values;
}

template <typename Word> static std::vector<Word> valuesBeside(Word value, blas::TargetAttr) {
  std::vector<Word> values;
  for (uint32_t each = 0; !stringifyEnum(Word(each)).empty(); ++each)
    if (Word(each) != value)
      values.push_back(Word(each));
  return values;
}

namespace {
/// Visits `data` (a plan or a path of it) with each other value of each key.
struct Changes {
  Plan &plan;
  blas::TargetAttr target;
  llvm::function_ref<void()> visit;

  template <typename Data> void ofKeys(Data &data) {
    Data::visitKeys([&](const blas::DataKey &, auto... members) { (change(data.*members), ...); });
  }
  void change(Path &path) { ofKeys(path); }
  template <typename Value> void change(Value &member) {
    const Value before = member;
    for (Value value : valuesBeside(before, target)) {
      member = value;
      visit();
    }
    member = before;
  }
};
} // namespace

std::vector<Ranked> planning::neighboursOf(const Problem &problem, const Plan &plan,
                                           blas::TargetAttr target) {
  std::vector<Ranked> found;
  Plan changed = plan;
  auto add = [&] {
    if (changed.loadsC != plan.loadsC && !problem.readsC)
      return; // It makes no other kernel.
    if (checkAlone(changed.a) || checkAlone(changed.b) || checkAlone(changed) ||
        check(problem, changed, target))
      return;
    Estimate priced = estimate(problem, changed, target);
    if (priced.occupancy.blocks > 0)
      found.push_back({changed, priced, int64_t(found.size())});
  };
  Changes{changed, target, add}.ofKeys(changed);
  llvm::sort(found, [](const Ranked &left, const Ranked &right) {
    return std::pair(left.estimate.seconds, left.place) <
           std::pair(right.estimate.seconds, right.place);
  });
  return found;
}
