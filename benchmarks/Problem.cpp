//===- Problem.cpp - One line of a benchmark list -------------------------===//

#include "Problem.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace rooftile::bench;

llvm::Expected<Problem> Problem::parse(llvm::StringRef line) {
  Problem problem;
  auto [type, afterType] = line.trim().split(' ');
  auto [op, afterOp] = afterType.trim().split(' ');
  auto [sizes, plan] = afterOp.trim().split(' ');
  llvm::SmallVector<llvm::StringRef> parts;
  sizes.split(parts, 'x');
  bool good = (type == "f32" || type == "f64") && op.size() == 2 && parts.size() == 3 &&
              !parts[0].getAsInteger(10, problem.m) && !parts[1].getAsInteger(10, problem.n) &&
              !parts[2].getAsInteger(10, problem.k);
  if (!good || op.find_first_not_of("nt") != llvm::StringRef::npos)
    return llvm::createStringError("expected `f32|f64 nn|nt|tn|tt MxNxK [plan]`, got: " +
                                   line.str());
  problem.isDouble = type == "f64";
  problem.transposeA = op[0] == 't';
  problem.transposeB = op[1] == 't';
  problem.plan = plan.trim().str();
  return problem;
}

std::string Problem::module() const {
  auto memref = [&](int64_t rows, int64_t columns) {
    return llvm::formatv("memref<{0}x{1}x{2}>", rows, columns, type()).str();
  };
  std::string a = transposeA ? memref(k, m) : memref(m, k);
  std::string b = transposeB ? memref(n, k) : memref(k, n), c = memref(m, n);
  return llvm::formatv("func.func @f(%a: {0}, %b: {1}, %c: {2}) {{\n"
                       "  blas.gemm op_a<{3}> op_b<{4}> ins(%a, %b : {0}, {1}) outs(%c : {2}) {5}\n"
                       "  return\n}\n",
                       a, b, c, op()[0], op()[1], plan.empty() ? "" : "plan(" + plan + ")")
      .str();
}

template <typename T>
bool rooftile::bench::verify(const Problem &problem, const std::vector<T> &a,
                             const std::vector<T> &b, const std::vector<T> &c) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  auto pick = [](int64_t index, int64_t size) {
    return size <= 64 ? index : index * (size - 1) / 63;
  };
  Wide unit = std::numeric_limits<T>::epsilon() / 2;
  for (int64_t i = 0; i < std::min<int64_t>(64, problem.m); ++i)
    for (int64_t j = 0; j < std::min<int64_t>(64, problem.n); ++j) {
      int64_t row = pick(i, problem.m), column = pick(j, problem.n);
      Wide sum = 0, size = 0;
      for (int64_t k = 0; k < problem.k; ++k) {
        Wide product = Wide(a[problem.transposeA ? k * problem.m + row : row * problem.k + k]) *
                       b[problem.transposeB ? column * problem.k + k : k * problem.n + column];
        sum += product;
        size += std::fabs(product);
      }
      Wide error = std::fabs(c[row * problem.n + column] - sum);
      if (!(error <= (problem.k + 4) * unit * size + unit * std::fabs(sum)))
        return false;
    }
  return true;
}

template bool rooftile::bench::verify(const Problem &, const std::vector<float> &,
                                      const std::vector<float> &, const std::vector<float> &);
template bool rooftile::bench::verify(const Problem &, const std::vector<double> &,
                                      const std::vector<double> &, const std::vector<double> &);
