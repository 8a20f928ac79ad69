//===- MakeTable.cpp - Files of times as a table of C++ -------------------===//
//
// MakeTable OUT.inc FILE.csv...: run by the build.
//
//===----------------------------------------------------------------------===//

#include "TimesFile.h"

#include <cstdio>

using namespace rooftile::cublas;

static void writeOperations(std::FILE *out, int number, const TimesFile &file) {
  std::fprintf(out, "static constexpr TimedOperation kOperations%d[] = {\n", number);
  for (const TimedOperation &p : file.operations) {
    std::fprintf(out, "{Routine(%d),Element(%d),Math(%d),Batch(%d),Op('%c'),Op('%c'),Side(%d),",
                 int(p.routine), int(p.element), int(p.math), int(p.batch), char(p.opA),
                 char(p.opB), int(p.side));
    std::fprintf(out, "Triangle(%d),%d,%d,%d,%d,%.9g,%.9g,%.9g},\n", int(p.triangle), p.m, p.n, p.k,
                 p.count, double(p.ours), double(p.predicted), double(p.cublas));
  }
  std::fputs("};\n", out);
}

static void writeChip(std::FILE *out, int number, const TimesFile &file) {
  std::fprintf(out, "{\"%s\", %.17g, {%.17g, %.17g, %.17g, %.17g}, kOperations%d, %zu},\n",
               file.chip.c_str(), file.bandwidth, file.flops[0], file.flops[1], file.flops[2],
               file.flops[3], number, file.operations.size());
}

int main(int argc, char **argv) {
  std::vector<TimesFile> files(argc - 2);
  for (int i = 2; i < argc; ++i)
    if (std::string error = files[i - 2].readFile(argv[i]); !error.empty())
      return std::fprintf(stderr, "%s: error: %s\n", argv[i], error.c_str()), 1;
  std::FILE *out = std::fopen(argv[1], "w");
  if (!out)
    return std::perror(argv[1]), 1;
  for (size_t i = 0; i < files.size(); ++i)
    writeOperations(out, i, files[i]);
  std::fputs("static constexpr ChipTimes kParts[] = {\n", out);
  for (size_t i = 0; i < files.size(); ++i)
    writeChip(out, i, files[i]);
  std::fputs("};\n", out);
  return std::fclose(out) ? 1 : 0;
}
