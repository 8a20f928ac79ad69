//===- Times.cpp - What files of times say --------------------------------===//
//
// rooftile-cublas-times FILE.csv...: the errors of each routine and type. With an operation after
// the files (TYPE OP M N K US, as in "s nt 64 64 64 3.5", of which the model predicts 3.5 us) what
// both are expected to need for it; OP is trsm-lln and the like for other routines.
//
//===----------------------------------------------------------------------===//

#include "TimesFile.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace rooftile::cublas;
using namespace rooftile::operation;

static int compareOne(const Times &times, char **words) {
  TimesFile file;
  std::string routine = "gemm", op = words[1];
  if (size_t dash = op.find('-'); dash != op.npos)
    routine = op.substr(0, dash), op = op.substr(dash + 1);
  std::string row =
      "routine,type,form,op,m,n,k,batch,us\n" + routine + "," + words[0] + ",one," + op;
  for (int i : {2, 3, 4})
    row += std::string(",") + words[i];
  if (std::string error = file.read(row + ",1,1\n"); !error.empty())
    return std::puts(error.c_str()), 1;
  Comparison both;
  if (!times.compare(file.operations[0].operation(), std::atof(words[5]) * 1e-6, both))
    return std::puts("nothing is known of the type"), 1;
  std::printf("cuBLAS %.4g us, ours %.4g us, margin %.2f\n", both.cublas * 1e6, both.ours * 1e6,
              both.margin);
  return 0;
}

static void tell(Times::Kind kind, const char *of, const Field &field, double quantile) {
  std::string routine = kind.first == Routine::Gemm ? "" : nameOf(kind.first) + std::string(" ");
  auto [count, median, most] = field.validate();
  std::printf(
      "%s%c, %s: %zu products, by the others within a factor of %.2f in the median, %.2f of 9 "
      "in 10; 1 of 10 is %.2f deviations off\n",
      routine.c_str(), infoOf(kind.second).letter, of, count, median, most, std::fabs(quantile));
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
