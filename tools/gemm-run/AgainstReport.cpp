//===- AgainstReport.cpp - What a comparison of functions found -----------===//

#include "AgainstReport.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace rooftile::run;

void Verdict::fail(const std::string &reason) {
  if (failure.empty())
    failure = reason;
}

void Verdict::add(const std::string &name, const std::string &phase, const Distance &apart,
                  double bound) {
  if (apart.useless)
    fail(name + " of the loops is nothing but NaN with " + phase + ": such data shows nothing");
  if (apart.equal)
    return;
  double share = bound > 0 ? apart.worst / bound : std::numeric_limits<double>::infinity();
  std::string where = name + apart.place + " with " + phase;
  if (share > fraction || equal)
    worst = where;
  fraction = std::max(fraction, share);
  equal = false;
  if (apart.worst <= bound)
    return;
  fail(where + (bound > 0 ? llvm::formatv(", {0:f3} times the bound of {1:e3}", share, bound).str()
                          : std::string(", where nothing is rounded")));
}

static void printObject(const Verdict &verdict) {
  bool finite = std::isfinite(verdict.fraction);
  llvm::json::Object object{{"function", verdict.function},
                            {"pass", verdict.failure.empty()},
                            {"equal", verdict.equal},
                            {"bound_ratio", finite ? llvm::json::Value(verdict.fraction) : nullptr},
                            {"worst", verdict.worst},
                            {"failure", verdict.failure}};
  llvm::outs() << llvm::json::Value(std::move(object)) << '\n';
}

void rooftile::run::print(const Verdict &verdict, bool json) {
  if (json) {
    printObject(verdict);
  } else if (!verdict.failure.empty()) {
    llvm::outs() << "FAIL " << verdict.function << "  " << verdict.failure << '\n';
  } else if (verdict.equal) {
    llvm::outs() << "PASS " << verdict.function << "  equal\n";
  } else {
    llvm::outs() << "PASS " << verdict.function
                 << llvm::formatv("  {0:f3} of the bound: ", verdict.fraction) << verdict.worst
                 << '\n';
  }
  llvm::outs().flush();
}
