//===- ChoiceTable.h - Choices that were made before ------------*- C++ -*-===//
//
// A model of many layers asks for the same product again and again. The choice for a problem
// follows from its values and those of the target alone: equal ones have the same choice, in
// whatever context.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PLANNING_SEARCH_CHOICETABLE_H
#define ROOFTILE_PLANNING_SEARCH_CHOICETABLE_H

#include "rooftile/Planning/Search/Choose.h"
#include "llvm/ADT/Hashing.h"

#include <mutex>
#include <unordered_map>

namespace rooftile::planning {

/// Choices by all that they depend on. Safe to use from several threads.
class ChoiceTable {
public:
  /// The values of a problem without refusals, and of a target with its calibration.
  class Key {
  public:
    /// With the calibration that ships where the target states none.
    Key(const Problem &problem, blas::TargetAttr target);
    Key(const Problem &problem, const blas::TargetData &target);
    bool operator==(const Key &other) const { return words == other.words; }

  private:
    friend class ChoiceTable;
    template <typename... Values> void add(Values... values) {
      (words.push_back(static_cast<int64_t>(values)), ...);
    }
    void add(const Matrix &matrix);
    void add(const blas::ProductFacts &product);
    void add(llvm::StringRef text);
    template <typename Integer> void addValue(Integer value) { add(value); }
    void addValue(double value);
    void addValue(const std::string &value) { add(llvm::StringRef(value)); }
    void addValue(const std::vector<blas::InstructionRate> &rates);
    void addValue(const std::vector<blas::BulkForm> &forms);
    void addValue(const std::optional<blas::CalibrationData> &calibration);

    llvm::SmallVector<int64_t, 192> words;
  };

  /// The choice for `key`, as `make` makes it, or did.
  std::optional<Choice> find(const Key &key, llvm::function_ref<std::optional<Choice>()> make);

private:
  struct Hash {
    size_t operator()(const Key &key) const {
      return llvm::hash_combine_range(key.words.begin(), key.words.end());
    }
  };

  std::mutex mutex;
  std::unordered_map<Key, std::optional<Choice>, Hash> choices;
};

} // namespace rooftile::planning

#endif // ROOFTILE_PLANNING_SEARCH_CHOICETABLE_H
