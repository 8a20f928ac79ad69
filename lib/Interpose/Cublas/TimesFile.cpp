//===- TimesFile.cpp - Files of times -------------------------------------===//

#include "TimesFile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace rooftile::cublas;

static constexpr std::string_view kCublasColumns = "routine,type,form,op,m,n,k,batch,us",
                                  kModelColumns = "routine,type,form,op,m,n,k,batch,us,"
                                                  "predicted_us,cublas_us";

/// Splits off what comes before `mark`, or all.
static std::string_view next(std::string_view &text, char mark) {
  size_t end = std::min(text.find(mark), text.size());
  std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

template <typename Real> static bool read(std::string_view text, Real &number) {
  std::string copy(text);
  char *end = nullptr;
  number = std::strtod(copy.c_str(), &end);
  return end != copy.c_str() && std::isfinite(number) && number > 0;
}

static bool read(std::string_view text, int32_t &number) {
  double value;
  if (!read(text, value) || value > INT32_MAX || value != std::floor(value))
    return false;
  number = int32_t(value);
  return true;
}

/// False where it is none.
static bool readRoutine(std::string_view name, TimedProduct &p) {
  p.isGemm3m = name == "gemm3m";
  p.routine = name == "trsm" ? Routine::Trsm : name == "trmm" ? Routine::Trmm : Routine::Gemm;
  return p.routine != Routine::Gemm || name == "gemm" || p.isGemm3m;
}

/// Reads two letters of gemm; of triangular routines side, triangle and transpose.
static bool readOperations(std::string_view op, TimedProduct &p) {
  bool isTriangular = p.routine != Routine::Gemm;
  if (op.size() != (isTriangular ? 3 : 2))
    return false;
  p.transA = op[isTriangular ? 2 : 0] != 'n';
  p.transB = isTriangular ? op[0] == 'r' : op[1] != 'n';
  return true;
}

/// The columns routine,type,form,op,m,n,k,batch.
static bool readProduct(std::string_view &line, TimedProduct &p) {
  std::string_view routine = next(line, ','), type = next(line, ','), form = next(line, ','),
                   op = next(line, ',');
  for (int32_t *size : {&p.m, &p.n, &p.k, &p.count})
    if (!read(next(line, ','), *size))
      return false;
  if (type.size() != 1 || !std::strchr(kTypes, type[0]) || !readRoutine(routine, p))
    return false;
  p.type = type[0];
  p.form = form == "one" ? Form::One : form == "strided" ? Form::Strided : Form::Pointers;
  return readOperations(op, p);
}

/// A row of cuBLAS's times, or of the model's, where cuBLAS may not be timed.
static bool readRow(std::string_view line, bool isModel, TimesFile &file) {
  TimedProduct p{};
  bool isFine = readProduct(line, p);
  if (isModel)
    isFine = isFine && read(next(line, ','), p.ours) && read(next(line, ','), p.predicted);
  if (!isFine || ((!isModel || !line.empty()) && !read(line, p.cublas)))
    return false;
  file.products.push_back(p);
  return true;
}

/// "# key: number unit". Keys that are not known, such as the date, are for people.
static bool readComment(std::string_view line, TimesFile &file) {
  line.remove_prefix(std::min<size_t>(2, line.size()));
  std::string_view key = next(line, ':');
  std::string_view value = line.substr(std::min<size_t>(1, line.size()));
  if (key == "chip")
    file.chip = std::string(value);
  constexpr std::string_view kCeiling = "ceiling ";
  if (key.substr(0, kCeiling.size()) != kCeiling)
    return true;
  key.remove_prefix(kCeiling.size());
  double number;
  const char *type = key.size() == 1 ? std::strchr(kTypes, key[0]) : nullptr;
  if (!read(value, number) || (key != "copy" && !type))
    return false;
  if (type)
    file.flops[type - kTypes] = number * 1e12;
  else
    file.bandwidth = number * 1e9;
  return true;
}

std::string TimesFile::read(std::string_view csv) {
  std::string_view columns;
  for (unsigned number = 1; !csv.empty(); ++number) {
    std::string_view line = next(csv, '\n');
    bool isFine = true;
    if (line.substr(0, 1) == "#")
      isFine = readComment(line, *this);
    else if (!columns.empty())
      isFine = readRow(line, columns == kModelColumns, *this);
    else if (line == kCublasColumns || line == kModelColumns)
      columns = line;
    else
      isFine = false;
    if (!isFine)
      return "line " + std::to_string(number) + ": '" + std::string(line) + "'";
  }
  return "";
}

std::string TimesFile::readFile(const std::string &path) {
  std::ifstream file(path);
  std::string csv{std::istreambuf_iterator<char>(file), {}};
  return csv.empty() ? path + " cannot be read" : read(csv);
}
