//===- Times.cpp - What a product is expected to take ---------------------===//

#include "Times.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace rooftile::cublas;

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static Times::Kind kindOf(const Product &product) { return {product.routine, product.type}; }

/// The scale on which products of all sizes can be compared: the shortest time, and what flops and
/// bytes take at the ceilings.
double Times::roofline(const OfKind &kind, const Product &p) const {
  return kind.least + std::max(flopsOf(p) / flops.at(p.type), bytesOf(p) / bandwidth);
}

bool Times::compare(const Product &product, double predicted, Comparison &comparison) const {
  auto found = kinds.find(kindOf(product));
  if (found == kinds.end() || !found->second.isUseful())
    return false;
  const OfKind &kind = found->second;
  Estimate theirs = kind.cublas.estimate(product), ours = kind.model.estimate(product);
  comparison.cublas = roofline(kind, product) * std::exp(theirs.mean);
  comparison.ours = predicted * std::exp(ours.mean);
  comparison.margin = std::exp(
      std::hypot(kind.cublas.lowest() * theirs.deviation, kind.model.highest() * ours.deviation));
  return true;
}

std::vector<Times::Kind> Times::known() const {
  std::vector<Kind> all;
  for (const auto &[kind, fields] : kinds)
    if (fields.isUseful())
      all.push_back(kind);
  return all;
}

std::string Times::finish() {
  for (const Row &row : rows) {
    double &least = kinds[kindOf(row.product)].least;
    least = least == 0 ? row.seconds : std::min(least, row.seconds);
  }
  for (const auto &[kind, fields] : kinds)
    if (bandwidth == 0 || flops[kind.second] == 0)
      return std::string("no ceiling of copies, or of type ") + kind.second;
  for (const Row &row : rows) {
    OfKind &kind = kinds[kindOf(row.product)];
    kind.cublas.add(row.product, std::log(row.seconds / roofline(kind, row.product)));
  }
  rows.clear();
  for (auto &[kind, fields] : kinds) {
    // Of triangular routines not every file has enough: then nothing is known of them.
    if (kind.first == Routine::Gemm && !fields.isUseful())
      return std::string("too few products of cuBLAS, or of the model, of type ") + kind.second;
    fields.cublas.judge();
    fields.model.judge();
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

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

static bool read(std::string_view text, double &number) {
  std::string copy(text);
  char *end = nullptr;
  number = std::strtod(copy.c_str(), &end);
  return end != copy.c_str() && std::isfinite(number) && number > 0;
}

static bool read(std::string_view text, int64_t &number) {
  double value;
  constexpr double kMost = 1e12; // More is no size of a matrix.
  if (!read(text, value) || value > kMost || value != std::floor(value))
    return false;
  number = int64_t(value);
  return true;
}

/// False where it is none.
static bool readRoutine(std::string_view name, Product &p) {
  p.isGemm3m = name == "gemm3m";
  p.routine = name == "trsm" ? Routine::Trsm : name == "trmm" ? Routine::Trmm : Routine::Gemm;
  return p.routine != Routine::Gemm || name == "gemm" || p.isGemm3m;
}

/// Of gemm two letters; of triangular routines side, triangle and transpose.
static bool readOperations(std::string_view op, Product &p) {
  bool isTriangular = p.routine != Routine::Gemm;
  if (op.size() != (isTriangular ? 3 : 2))
    return false;
  p.transA = op[isTriangular ? 2 : 0] != 'n';
  p.transB = isTriangular ? op[0] == 'r' : op[1] != 'n';
  p.lda = isTriangular || p.transA ? p.k : p.m;
  p.ldb = isTriangular ? p.m : p.transB ? p.n : p.k;
  return true;
}

/// The columns routine,type,form,op,m,n,k,batch.
static bool readProduct(std::string_view &line, Product &p) {
  std::string_view routine = next(line, ','), type = next(line, ','), form = next(line, ','),
                   op = next(line, ',');
  for (int64_t *size : {&p.m, &p.n, &p.k, &p.count})
    if (!read(next(line, ','), *size))
      return false;
  if (type.size() != 1 || !readRoutine(routine, p))
    return false;
  p.type = type[0];
  p.form = form == "one" ? Form::One : form == "strided" ? Form::Strided : Form::Pointers;
  return readOperations(op, p);
}

bool Times::readCublas(std::string_view line) {
  Product product;
  double microseconds;
  if (!readProduct(line, product) || !::read(line, microseconds))
    return false;
  rows.push_back({product, microseconds * 1e-6});
  return true;
}

bool Times::readModel(std::string_view line) {
  Product product;
  double microseconds, predicted, cublas;
  if (!readProduct(line, product) || !::read(next(line, ','), microseconds) ||
      !::read(next(line, ','), predicted))
    return false;
  kinds[kindOf(product)].model.add(product, std::log(microseconds / predicted));
  if (line.empty()) // cuBLAS was not timed.
    return true;
  if (!::read(line, cublas))
    return false;
  rows.push_back({product, cublas * 1e-6});
  return true;
}

/// "# key: number unit". Keys that are not known, such as the date, are for people.
bool Times::readComment(std::string_view line) {
  line.remove_prefix(std::min<size_t>(2, line.size()));
  std::string key(next(line, ':'));
  std::string_view value = line.substr(std::min<size_t>(1, line.size()));
  if (key == "chip")
    name = std::string(value);
  constexpr std::string_view kCeiling = "ceiling ";
  if (key.rfind(kCeiling, 0) != 0)
    return true;
  std::string of = key.substr(kCeiling.size());
  double number;
  if (!::read(value, number) || (of != "copy" && of.size() != 1))
    return false;
  if (of == "copy")
    bandwidth = number * 1e9;
  else
    flops[of[0]] = number * 1e12;
  return true;
}

std::string Times::read(std::string_view csv) {
  bool (Times::*readRow)(std::string_view) = nullptr;
  for (unsigned number = 1; !csv.empty(); ++number) {
    std::string_view line = next(csv, '\n');
    bool isFine = true;
    if (line.substr(0, 1) == "#")
      isFine = readComment(line);
    else if (readRow)
      isFine = (this->*readRow)(line);
    else if (line == kCublasColumns || line == kModelColumns)
      readRow = line == kCublasColumns ? &Times::readCublas : &Times::readModel;
    else
      isFine = false;
    if (!isFine)
      return "line " + std::to_string(number) + ": '" + std::string(line) + "'";
  }
  return "";
}
