//===- Times.cpp - What files of times say --------------------------------===//
//
// rooftile-cublas-times FILE.csv...: the errors of each routine and type. With a product
// behind it (TYPE OP M N K US, as in "s nt 64 64 64 3.5", of which the model
// predicts 3.5 us) what both are expected to take for it; with an OP of
// trsm-lln and the like for a triangular routine.
//
//===----------------------------------------------------------------------===//

#include "TimesFile.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace rooftile::cublas;

static int compareOne(const Times &times, char **words) {
  Product p;
  p.type = words[0][0];
  p.transA = words[1][0] != 'n', p.transB = words[1][1] != 'n';
  p.m = std::atoll(words[2]), p.n = std::atoll(words[3]), p.k = std::atoll(words[4]);
  p.lda = p.transA ? p.k : p.m, p.ldb = p.transB ? p.n : p.k;
  if (const char *op = std::strchr(words[1], '-')) {
    p.routine = std::strncmp(words[1], "trsm", 4) == 0 ? Routine::Trsm : Routine::Trmm;
    p.transA = op[3] != 'n', p.transB = op[1] == 'r';
    p.lda = p.k, p.ldb = p.m;
  }
  Comparison both;
  if (!times.compare(p, std::atof(words[5]) * 1e-6, both))
    return std::puts("nothing is known of the type"), 1;
  std::printf("cuBLAS %.4g us, ours %.4g us, margin %.2f\n", both.cublas * 1e6, both.ours * 1e6,
              both.margin);
  return 0;
}

static void tell(Times::Kind kind, const char *of, const Field &field, double quantile) {
  constexpr const char *kRoutines[] = {"", "trsm ", "trmm "};
  auto [count, median, most] = field.validate();
  std::printf(
      "%s%c, %s: %zu products, by the others within a factor of %.2f in the median, %.2f of 9 "
      "in 10; 1 of 10 is %.2f deviations off\n",
      kRoutines[int(kind.first)], kind.second, of, count, median, most, std::fabs(quantile));
}

int main(int argc, char **argv) {
  Times times;
  std::string error;
  int i = 1;
  for (; i < argc && std::strstr(argv[i], ".csv"); ++i) {
    TimesFile file;
    error = file.readFile(argv[i]);
    if (!error.empty())
      break;
    times.add(file.view());
  }
  if (error.empty())
    error = times.finish();
  if (!error.empty())
    return std::puts(error.c_str()), 1;
  if (argc == i + 6)
    return compareOne(times, argv + i);
  std::puts(times.chip().c_str());
  for (Times::Kind kind : times.known()) {
    tell(kind, "cuBLAS", times.cublas(kind), times.cublas(kind).lowest());
    tell(kind, "model", times.model(kind), times.model(kind).highest());
  }
  return 0;
}
