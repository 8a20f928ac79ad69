//===- Arguments.cpp - What the reference finds wrong with a call ---------===//

#include "Arguments.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace rooftile::interpose;

char rooftile::interpose::letter(const char *given) {
  return *given >= 'a' && *given <= 'z' ? char(*given - 'a' + 'A') : *given;
}

static bool isOneOf(char letter, const char *letters) {
  return letter && std::strchr(letters, letter);
}

namespace {
/// A condition of an argument, by its place in the Fortran routine.
struct Rule {
  int number;
  bool holds;
};
} // namespace

template <size_t count> static int firstBroken(const Rule (&rules)[count]) {
  for (const Rule &rule : rules)
    if (!rule.holds)
      return rule.number;
  return 0;
}

static int64_t least(int64_t rows) { return std::max<int64_t>(1, rows); }

int rooftile::interpose::firstBad(const Call &call) {
  const char *ops = "NTC";
  if (isTriangular(call))
    return firstBroken({{1, isOneOf(call.side, "LR")},
                        {2, isOneOf(call.uplo, "UL")},
                        {3, isOneOf(call.opA, ops)},
                        {4, isOneOf(call.diag, "UN")},
                        {5, call.m >= 0},
                        {6, call.n >= 0},
                        {9, call.a.leading >= least(rowsOfA(call))},
                        {11, call.c.leading >= least(call.m)}});
  return firstBroken({{1, isOneOf(call.opA, ops)},
                      {2, isOneOf(call.opB, ops)},
                      {3, call.m >= 0},
                      {4, call.n >= 0},
                      {5, call.k >= 0},
                      {8, call.a.leading >= least(rowsOfA(call))},
                      {10, call.b.leading >= least(rowsOfB(call))},
                      {13, call.c.leading >= least(call.m)}});
}

bool rooftile::interpose::isExtension(const Call &call) {
  Call plain = call;
  for (char *op : {&plain.opA, &plain.opB})
    *op = *op == 'R' ? 'N' : *op;
  return (call.opA == 'R' || call.opB == 'R') && firstBad(plain) == 0;
}

void rooftile::interpose::exchangeOrder(Call &call) {
  std::swap(call.m, call.n);
  if (!isTriangular(call)) {
    std::swap(call.opA, call.opB);
    std::swap(call.a, call.b);
    return;
  }
  auto other = [](char letter, char first, char second) {
    return letter == first ? second : letter == second ? first : letter;
  };
  call.side = other(call.side, 'L', 'R');
  call.uplo = other(call.uplo, 'U', 'L');
}
