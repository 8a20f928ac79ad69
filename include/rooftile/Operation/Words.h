//===- Words.h - Choices as words -------------------------------*- C++ -*-===//
//
// The spelling of each choice in lines of operations, files of gemm-export, Python and messages.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_OPERATION_WORDS_H
#define ROOFTILE_OPERATION_WORDS_H

#include "rooftile/Operation/Operation.h"

namespace rooftile::operation {

/// `list`: the words of a choice in the order of its values.
template <typename Choice> struct Words;
template <> struct Words<Order> {
  static constexpr const char *list[] = {"row", "column"};
};
template <> struct Words<Side> {
  static constexpr const char *list[] = {"left", "right"};
};
template <> struct Words<Triangle> {
  static constexpr const char *list[] = {"lower", "upper"};
};
template <> struct Words<Diagonal> {
  static constexpr const char *list[] = {"nonunit", "unit"};
};
template <> struct Words<Batch> {
  static constexpr const char *list[] = {"none", "strided", "pointers"};
};
template <> struct Words<Scalar> {
  static constexpr const char *list[] = {"one", "zero", "any", "memory"};
};
template <> struct Words<Bias> {
  static constexpr const char *list[] = {"none", "row", "column"};
};
template <> struct Words<Activation> {
  static constexpr const char *list[] = {"none",    "relu", "gelu", "gelu_tanh",
                                         "sigmoid", "silu", "tanh"};
};
template <> struct Words<Math> {
  static constexpr const char *list[] = {"strict", "emulated", "tf32"};
};
template <> struct Words<Summation> {
  static constexpr const char *list[] = {"ordered", "anyOrder"};
};
template <> struct Words<Rounding> {
  static constexpr const char *list[] = {"plain", "compensated"};
};
template <> struct Words<Dependence> {
  static constexpr const char *list[] = {"any", "exact"};
};
template <> struct Words<Alias> {
  static constexpr const char *list[] = {"none", "ab"};
};

template <typename Choice> const char *wordOf(Choice choice) {
  return Words<Choice>::list[size_t(choice)];
}

/// The present spelling of a word of older lines; else `word`.
inline std::string_view currentWord(std::string_view word) {
  constexpr std::string_view older[][2] = {{"any_order", "anyOrder"}, {"non_unit", "nonunit"}};
  for (auto [old, now] : older)
    if (word == old)
      return now;
  return word;
}

/// The choice of that word, or of its older spelling; none for other words.
template <typename Choice> std::optional<Choice> choiceNamed(std::string_view word) {
  word = currentWord(word);
  size_t value = 0;
  for (const char *known : Words<Choice>::list) {
    if (word == known)
      return Choice(value);
    ++value;
  }
  return std::nullopt;
}

/// "left, right".
template <typename Choice> std::string wordsOf() {
  std::string all;
  for (const char *word : Words<Choice>::list)
    all += (all.empty() ? "" : ", ") + std::string(word);
  return all;
}

/// Element types that have kernels: "f32, f64 and c64".
std::string elementsOf(const RoutineInfo &info);

} // namespace rooftile::operation

#endif // ROOFTILE_OPERATION_WORDS_H
