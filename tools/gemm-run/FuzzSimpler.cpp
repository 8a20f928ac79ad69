//===- FuzzSimpler.cpp - What a failure is made simpler by ----------------===//

#include "FuzzDraw.h"

using namespace rooftile::run;

namespace {

/// Collects cases that differ from one in a key or two.
class Simpler {
public:
  explicit Simpler(const Case &single) : single(single), plain(defaultCase()) {}

  void with(const std::string &key, const std::string &value) {
    if (single[key] == value)
      return;
    list.push_back(single);
    list.back().values[key] = value;
  }
  /// Puts keys that mean something together only back to their defaults.
  void without(const std::vector<std::string> &keys) {
    Case other = single;
    for (const std::string &key : keys)
      other.values[key] = plain[key];
    if (other.values != single.values)
      list.push_back(std::move(other));
  }
  void smaller(const std::string &key) {
    int64_t size = single.number(key);
    for (int64_t smaller : {int64_t(1), size / 4, size / 2, size * 3 / 4, size - 1})
      if (smaller > 0 && smaller < size)
        with(key, std::to_string(smaller));
  }
  /// One operand's pointer alone.
  void shifts() {
    int64_t a = single.shift(0), b = single.shift(1), c = single.shift(2);
    auto text = [](int64_t number) { return std::to_string(number); };
    if ((a != 0) + (b != 0) + (c != 0) < 2)
      return;
    with("shift", text(a) + "/0/0");
    with("shift", "0/" + text(b) + "/0");
    with("shift", "0/0/" + text(c));
  }

  std::vector<Case> list;

private:
  const Case &single;
  Case plain;
};

} // namespace

std::vector<Case> rooftile::run::simplerCases(const Case &single) {
  Simpler simpler(single);
  for (const char *key :
       {"batch",  "share",    "alpha",    "beta",   "scalars", "layout",    "shift",  "products",
        "raster", "prefetch", "unroll",   "stages", "pad",     "load",      "vector", "tail",
        "copy",   "plans",    "mma",      "pack",   "major",   "planar",    "flat",   "out",
        "depth",  "side",     "uplo",     "diag",   "complex", "summation", "form",   "workgroup",
        "type",   "op",       "epilogue", "slicedK"})
    simpler.without({key});
  simpler.without({"reduction", "splits"});
  simpler.without({"pointers", "align"});
  simpler.without({"blocks", "workgroup"});
  simpler.without({"dynamic", "plans"});
  simpler.shifts();
  for (const char *key : {"m", "n"})
    simpler.smaller(key);
  if (single["routine"] == "gemm")
    simpler.smaller("k");
  return std::move(simpler.list);
}
