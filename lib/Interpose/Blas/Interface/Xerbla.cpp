//===- Xerbla.cpp - Reports of bad arguments ------------------------------===//

#include "Xerbla.h"
#include "../Calls/Settings.h"
#include "../Next/Next.h"

#include <cctype>
#include <cstdlib>
#include <dlfcn.h>

using namespace rooftile;
using namespace rooftile::interpose;

/// Definitions of the program come before those of libraries.
static void *find(const Call &call, const char *name) {
  void *address = dlsym(RTLD_DEFAULT, name);
  return address ? address : findNext(name, call.site->caller);
}

static void *find(const Call &call, const char *lp64, const char *ilp64, const char *otherIlp64) {
  if (call.width == Width::Lp64)
    return find(call, lp64);
  void *address = find(call, ilp64);
  return address ? address : find(call, otherIlp64);
}

/// As the reference's XERBLA does, where the process has none.
[[noreturn]] static void stop(const std::string &routine, int number) {
  say("on entry to %s, parameter number %d had an illegal value", routine.c_str(), number);
  std::exit(EXIT_FAILURE);
}

void rooftile::interpose::reportFortran(const Call &call, int number) {
  std::string routine = nameOf(call);
  routine.resize(6, ' ');
  for (char &letter : routine)
    letter = char(std::toupper(letter));
  void *handler = find(call, "xerbla_", "xerbla_64_", "xerbla64_");
  if (!handler)
    stop(routine, number);
  int64_t wide = number;
  if (call.width == Width::Lp64)
    reinterpret_cast<void (*)(const char *, const int *, size_t)>(handler)(routine.c_str(), &number,
                                                                           routine.size());
  else
    reinterpret_cast<void (*)(const char *, const int64_t *, size_t)>(handler)(
        routine.c_str(), &wide, routine.size());
}

/// The number of the same argument as the caller of a row-major function counts it.
static int exchangedNumber(operation::Routine routine, int number) {
  Numbers numbers = numbersOf(routine);
  if (numbers.m != 0 && (number == numbers.m || number == numbers.n))
    return numbers.m + numbers.n - number;
  const int *leading = numbers.leading;
  if (numbers.opB != 0 && (number == leading[0] || number == leading[1]))
    return leading[0] + leading[1] - number;
  return number;
}

namespace {
/// Makes a handler of the reference read positions as those of the exchanged call: it exchanges
/// them back. The flag is in the reference, or in a program that tests BLAS.
class RowMajorFlag {
public:
  RowMajorFlag(const Call &call, bool isRowMajor)
      : flag(isRowMajor ? static_cast<int *>(find(call, "RowMajorStrg")) : nullptr) {
    if (flag)
      *flag = 1;
  }
  ~RowMajorFlag() {
    if (flag)
      *flag = 0;
  }
  bool isKnown() const { return flag; }

private:
  int *flag;
};
} // namespace

template <typename Int>
static void callHandler(void *handler, Int number, const std::string &routine, const char *text,
                        int value) {
  using Handler = void(Int, const char *, const char *, ...);
  reinterpret_cast<Handler *>(handler)(number, routine.c_str(), text, value);
}

static void report(const Call &call, int number, const char *text, int value) {
  std::string routine = "cblas_" + nameOf(call);
  void *handler = find(call, "cblas_xerbla", "cblas_xerbla_64", "cblas_xerbla64_");
  if (!handler)
    stop(routine, number);
  if (call.width == Width::Lp64)
    callHandler<int>(handler, number, routine, text, value);
  else
    callHandler<int64_t>(handler, number, routine, text, value);
}

/// The call that a message is about, as far as handlers are found by it.
static Call namedCall(const Arguments &arguments) {
  Call call = callOf(arguments.routine, arguments.element);
  call.width = arguments.width, call.site = arguments.site;
  return call;
}

void rooftile::interpose::reportC(const Arguments &arguments, int number) {
  Call call = namedCall(arguments);
  RowMajorFlag flag(call, arguments.isRowMajor);
  bool isExchanged = arguments.isRowMajor && !flag.isKnown();
  // The order comes first.
  report(call, 1 + (isExchanged ? exchangedNumber(arguments.routine, number) : number), "", 0);
}

void rooftile::interpose::reportChoice(const Arguments &arguments, int number, const char *name,
                                       int value) {
  Call call = namedCall(arguments);
  RowMajorFlag flag(call, arguments.isRowMajor);
  std::string text = std::string("Illegal ") + name + " setting, %d\n";
  report(call, number, text.c_str(), value);
}
