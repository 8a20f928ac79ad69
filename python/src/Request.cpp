//===- Request.cpp - What a call specifies beside its arrays --------------===//

#include "Request.h"
#include "Array.h"
#include "rooftile/Operation/Words.h"
#include "llvm/ADT/StringExtras.h"

using namespace rooftile::python;
using namespace rooftile::operation;

Request rooftile::python::requestOf(const std::string &routine) {
  std::optional<Routine> known = routineNamed(routine);
  if (!known)
    raiseValue("no routine '" + routine + "'");
  Request request;
  request.operation.routine = *known;
  return request;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// "'a', 'b' or 'c'".
static std::string oneOf(llvm::ArrayRef<std::string> words) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return list;
}

[[noreturn]] static void raiseWord(const std::string &name, const std::string &word,
                                   llvm::ArrayRef<std::string> expected) {
  raiseValue(name + " is '" + word + "'; expected " + oneOf(expected));
}

/// The op of a small or capital letter.
static Op opOf(const RoutineInfo &info, const std::string &name, const std::string &word) {
  char letter = word.size() == 1 ? llvm::toLower(word[0]) : '?';
  if (llvm::StringRef(info.ops).contains(letter))
    return Op(letter);
  llvm::SmallVector<std::string> expected;
  for (char each : llvm::StringRef(info.ops))
    expected.push_back(each == 'n'   ? "'n'"
                       : each == 't' ? "'t' (transposed)"
                       : each == 'c' ? "'c' (adjoint)"
                                     : "'j' (conjugated)");
  raiseWord(name, word, expected);
}

template <typename Choice>
static Choice choiceOf(const std::string &name, const std::string &word) {
  if (std::optional<Choice> known = choiceNamed<Choice>(word))
    return *known;
  llvm::SmallVector<std::string> expected;
  for (const char *each : Words<Choice>::list)
    expected.push_back("'" + std::string(each) + "'");
  raiseWord(name, word, expected);
}

/// An empty word stands for none.
static Activation activationOf(const std::string &name, const std::string &word) {
  std::optional<Activation> known = choiceNamed<Activation>(word);
  if (word.empty() || (known && known != Activation::None))
    return known.value_or(Activation::None);
  llvm::SmallVector<std::string> expected;
  for (const char *each : llvm::ArrayRef(Words<Activation>::list).drop_front())
    expected.push_back("'" + std::string(each) + "'");
  raiseWord(name, word, expected);
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

namespace {
struct Choice {
  const char *name;
  bool (*exists)(const RoutineInfo &info);
  void (*set)(Operation &operation, const std::string &name, const std::string &word);
};
} // namespace

template <auto member>
static void setWord(Operation &operation, const std::string &name, const std::string &word) {
  using Value = std::remove_reference_t<decltype(operation.*member)>;
  if constexpr (std::is_same_v<Value, Op>)
    operation.*member = opOf(operation.info(), name, word);
  else
    operation.*member = choiceOf<Value>(name, word);
}

static void setActivation(Operation &operation, const std::string &name, const std::string &word) {
  operation.epilogue.activation = activationOf(name, word);
}

using Info = RoutineInfo;
static const Choice kChoices[] = {
    {"op", [](const Info &info) { return *info.ops && !info.hasOpB; }, setWord<&Operation::opA>},
    {"op_a", [](const Info &info) { return info.hasOpB; }, setWord<&Operation::opA>},
    {"op_b", [](const Info &info) { return info.hasOpB; }, setWord<&Operation::opB>},
    {"side", [](const Info &info) { return info.hasSide; }, setWord<&Operation::side>},
    {"triangle", [](const Info &info) { return info.hasUplo; }, setWord<&Operation::triangle>},
    {"diagonal", [](const Info &info) { return info.hasDiag; }, setWord<&Operation::diagonal>},
    {"dependence", [](const Info &info) { return info.hasExact; }, setWord<&Operation::dependence>},
    {"activation", [](const Info &info) { return info.hasEpilogue; }, setActivation},
    {"math", [](const Info &info) { return info.hasMixedC; }, setWord<&Operation::math>},
};

void rooftile::python::setChoice(Request &request, const std::string &name,
                                 const std::string &word) {
  const RoutineInfo &info = request.operation.info();
  for (const Choice &choice : kChoices)
    if (name == choice.name && choice.exists(info))
      return choice.set(request.operation, name, word);
  raiseValue(std::string(info.name) + " has no " + name);
}
