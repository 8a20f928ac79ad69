//===- TimesFile.h - Files of times -----------------------------*- C++ -*-===//
//
// CSV of benchmarks/cublas: read when the library is built, and by tests; not by the library.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMESFILE_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMESFILE_H

#include "Times.h"

#include <string_view>
#include <vector>

namespace rooftile::cublas {

struct TimesFile {
  std::string chip;
  double bandwidth = 0, flops[4] = {};
  std::vector<TimedOperation> operations;

  /// Reads a file of either kind. Empty, or the error and its line.
  std::string read(std::string_view csv);
  std::string readFile(const std::string &path);

  ChipTimes view() const {
    return {chip.c_str(),
            bandwidth,
            {flops[0], flops[1], flops[2], flops[3]},
            operations.data(),
            operations.size()};
  }
};

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_TIMESFILE_H
