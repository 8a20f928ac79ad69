//===- Times.cpp - What files of times say --------------------------------===//
//
// rooftile-cublas-times FILE.csv...: the errors of each type. With a product
// behind it (TYPE OP M N K US, as in "s nt 64 64 64 3.5", of which the model
// predicts 3.5 us) what both are expected to take for it.
//
//===----------------------------------------------------------------------===//

#include "Times.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace rooftile::cublas;

static int compareOne(const Times &times, char **words) {
  Product p;
  p.type = words[0][0];
  p.transA = words[1][0] != 'n', p.transB = words[1][1] != 'n';
  p.m = std::atoll(words[2]), p.n = std::atoll(words[3]), p.k = std::atoll(words[4]);
  p.lda = p.transA ? p.k : p.m, p.ldb = p.transB ? p.n : p.k;
  Comparison both;
  if (!times.compare(p, std::atof(words[5]) * 1e-6, both))
    return std::puts("nothing is known of the type"), 1;
  std::printf("cuBLAS %.4g us, ours %.4g us, margin %.2f\n", both.cublas * 1e6, both.ours * 1e6,
              both.margin);
  return 0;
}

static void tell(char type, const char *of, const Field &field, double quantile) {
  auto [count, median, most] = field.validate();
  std::printf(
      "%c, %s: %zu products, by the others within a factor of %.2f in the median, %.2f of 9 "
      "in 10; 1 of 10 is %.2f deviations off\n",
      type, of, count, median, most, std::fabs(quantile));
}

int main(int argc, char **argv) {
  Times times;
  std::string error;
  int i = 1;
  for (; i < argc && std::strstr(argv[i], ".csv"); ++i) {
    std::ifstream file(argv[i]);
    std::string csv{std::istreambuf_iterator<char>(file), {}};
    error = csv.empty() ? std::string(argv[i]) + " cannot be read" : times.read(csv);
    if (!error.empty())
      break;
  }
  if (error.empty())
    error = times.finish();
  if (!error.empty())
    return std::puts(error.c_str()), 1;
  if (argc == i + 6)
    return compareOne(times, argv + i);
  std::puts(times.chip().c_str());
  for (char type : times.types()) {
    tell(type, "cuBLAS", times.cublas(type), times.cublas(type).lowest());
    tell(type, "model", times.model(type), times.model(type).highest());
  }
  return 0;
}
