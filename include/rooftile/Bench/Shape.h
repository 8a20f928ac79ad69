//===- Shape.h - One line of a benchmark list -------------------*- C++ -*-===//
//
// A line of a list, and of the built-in classes, is
//
//   TYPE OP MxNxK [batch=B] [share=a|b] [pointers] [dynamic] [any_order] [compensated] [emulated]
//   [exact] [class=NAME] [PLAN]
//
// for C (M x N) = op(A) op(B) on contiguous row-major matrices with beta = 0:
// `f32 nt 4096x4096x16 class=smallk`. For triangular A, OP is trmm- or trsm- and a
// letter each for side (l, r), uplo (l, u), op (n, t, c) and diag (n, u), and K is A's
// order: `f64 trsm-llnn 4096x16x4096`. syrk- and herk- (of complex types) have a letter each for
// the triangle of C (l, u) and op (n; t or c), and M = N: `c64 herk-lc 64x64x100000`. PLAN is the
// text of a #blas.plan (#blas.blocks), with or without its name, for a plan other than
// tile-select's choice. `dynamic` leaves all sizes to run time, `share` names the operand that is
// one for the whole batch, and with `pointers` arrays of pointers give the matrices of a batch. `#`
// begins a comment.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_BENCH_SHAPE_H
#define ROOFTILE_BENCH_SHAPE_H

#include "rooftile/Verify/Cases/Case.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace rooftile::bench {

using operation::Element;

enum class Routine { Gemm, Trmm, Trsm, Syrk, Herk };

/// One product to time.
struct Shape {
  Routine routine = Routine::Gemm;
  Element element = Element::F32;
  std::string group = "list"; ///< the class that it belongs to in the summary
  bool transposeA = false, transposeB = false;
  bool right = false, unit = false; ///< of a triangular A
  bool upper = false;               ///< of that, or of C
  bool conjugateA = false;          ///< of a triangular A: transposed, too
  int64_t m = 0, n = 0, k = 0, batch = 1;
  bool isDynamic = false, anyOrder = false, byPointers = false, emulated = false;
  bool exact = false; ///< trmm, trsm: nothing is multiplied by what it does not depend on.
  bool compensated = false;
  char share = 0;   ///< 'a' or 'b': one matrix for the whole batch
  std::string plan; ///< "<macro = ...>", or empty: tile-select's choice

  /// An error says what is expected.
  static llvm::Expected<Shape> parse(llvm::StringRef line);

  /// "nt", or "trsm-llnn".
  std::string op() const;
  char letterOfA() const { return conjugateA ? 'c' : transposeA ? 't' : 'n'; }
  bool isTriangular() const { return routine == Routine::Trmm || routine == Routine::Trsm; }
  /// One triangle of op(A) op(A)^T, or ^H.
  bool isRankUpdate() const { return routine == Routine::Syrk || routine == Routine::Herk; }
  /// X replaces B: C begins as a copy of B.
  bool inPlace() const { return routine == Routine::Trsm; }
  /// "4096x4096x16", and "batch=3" and the like where they are not the default.
  std::string sizes() const;
  std::string modifiers() const;
  /// The line without class and plan: what two runs compare by.
  std::string key() const;

  int64_t elementsA() const { return isTriangular() ? k * k : m * k; }
  int64_t elementsB() const { return isTriangular() ? m * n : isRankUpdate() ? 0 : k * n; }
  int64_t elementsC() const { return m * n; }
  /// Elements from one matrix of the batch to the next.
  int64_t stepA() const { return share == 'a' ? 0 : elementsA(); }
  int64_t stepB() const { return share == 'b' ? 0 : elementsB(); }
  /// Elements of all matrices of A and of B.
  int64_t allOfA() const { return share == 'a' ? elementsA() : batch * elementsA(); }
  int64_t allOfB() const { return share == 'b' ? elementsB() : batch * elementsB(); }
  double flops() const {
    double ofFma = componentsOf(element) == 2 ? 8 : 2;
    double ofC = isRankUpdate() ? double(m) * (m + 1) / 2 : double(m) * n;
    return ofFma / (isTriangular() ? 2 : 1) * batch * ofC * k;
  }
  /// Bytes that must move: each operand once.
  double bytes() const;
  /// The same operation as verification states it, with `planText` instead of the pipeline's plan.
  verify::Case toCase(const std::string &planText) const;
  /// A function @f(A, B, C), or @f(A, B) in place, with the one operation.
  std::string module(const std::string &planText) const;
};

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_SHAPE_H
