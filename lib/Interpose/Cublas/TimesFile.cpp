//===- TimesFile.cpp - Files of times -------------------------------------===//

#include "TimesFile.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

using namespace rooftile::cublas;
using namespace rooftile::operation;

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
static bool readRoutine(std::string_view name, TimedOperation &p) {
  bool isThreeProducts = name == "gemm3m";
  p.math = isThreeProducts ? Math::Emulated : Math::Strict;
  std::optional<Routine> routine = routineNamed(isThreeProducts ? "gemm" : name);
  p.routine = routine.value_or(Routine::Gemm);
  return routine.has_value();
}

/// The letters that the routine has, in the order side, triangle, op(A), op(B).
static bool readLetters(std::string_view letters, TimedOperation &p) {
  const RoutineInfo &info = infoOf(p.routine);
  auto take = [&](bool isThere, std::string_view known) {
    size_t place = isThere && !letters.empty() ? known.find(letters[0]) : known.npos;
    if (isThere && place != known.npos)
      letters.remove_prefix(1);
    else if (isThere)
      letters = "?"; // Left over.
    return place == known.npos ? size_t(0) : place;
  };
  constexpr Op kOps[] = {Op::N, Op::T, Op::C};
  p.side = Side(take(info.hasSide, "lr"));
  p.triangle = Triangle(take(info.hasUplo, "lu"));
  p.opA = kOps[take(*info.ops != 0, "ntc")];
  p.opB = kOps[take(info.hasOpB, "ntc")];
  return letters.empty();
}

static std::optional<Element> elementOf(std::string_view letter) {
  for (const ElementInfo &info : kElements)
    if (letter.size() == 1 && info.letter == letter[0])
      return info.element;
  return std::nullopt;
}

/// The columns routine,type,form,op,m,n,k,batch.
static bool readOperation(std::string_view &line, TimedOperation &p) {
  std::string_view routine = next(line, ','), type = next(line, ','), form = next(line, ','),
                   op = next(line, ',');
  for (int32_t *size : {&p.m, &p.n, &p.k, &p.count})
    if (!read(next(line, ','), *size))
      return false;
  std::optional<Element> element = elementOf(type);
  if (!element || !readRoutine(routine, p))
    return false;
  p.element = *element;
  p.batch = form == "one" ? Batch::None : form == "strided" ? Batch::Strided : Batch::Pointers;
  return readLetters(op, p);
}

/// A row of cuBLAS's times, or of the model's, where cuBLAS may not be timed.
static bool readRow(std::string_view line, bool isModel, TimesFile &file) {
  TimedOperation p{};
  bool isFine = readOperation(line, p);
  if (isModel)
    isFine = isFine && read(next(line, ','), p.ours) && read(next(line, ','), p.predicted);
  if (!isFine || ((!isModel || !line.empty()) && !read(line, p.cublas)))
    return false;
  file.operations.push_back(p);
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
