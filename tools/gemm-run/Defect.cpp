//===- Defect.cpp - What is wrong with a random case ----------------------===//

#include "Defect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdio>

using namespace rooftile::run;

static constexpr size_t kLettersCompared = 48;

static std::string words(llvm::StringRef message) {
  std::string text;
  for (char letter : message)
    if (!llvm::isDigit(letter) && text.size() < kLettersCompared)
      text += letter;
  return text;
}

bool Defect::isLike(const Defect &other) const {
  return kind == other.kind && words(message) == words(other.message);
}

bool rooftile::run::wasRefused(const Session &session) {
  return llvm::any_of(session.getOutcomes(), [](const Outcome &each) { return each.refused; });
}

/// Whether the error of an operation that was not launched is true.
static bool isTrue(const Case &single, const std::string &error) {
  char operand;
  unsigned long long address;
  long long multiple;
  if (std::sscanf(error.c_str(),
                  "operand %c is at address 0x%llx, but the kernel's accesses need a multiple of "
                  "%lld bytes: not launched",
                  &operand, &address, &multiple) != 3 ||
      operand < 'A' || operand > 'C')
    return false;
  int64_t bytes = bytesOf(single.element(operand - 'A'));
  return multiple > 0 && address % multiple != 0 &&
         single.shift(operand - 'A') * bytes % multiple == int64_t(address % multiple);
}

Defect rooftile::run::defectOf(const Case &single, const Session &session) {
  for (const Outcome &outcome : session.getOutcomes())
    if (!outcome.failure.empty() &&
        !(outcome.refused && !single.flag("dynamic") && isTrue(single, outcome.failure)))
      return {Defect::Wrong, outcome.failure};
  if (!session.getFailures().empty())
    return {Defect::Wrong, session.getFailures()[0]};
  return {};
}
