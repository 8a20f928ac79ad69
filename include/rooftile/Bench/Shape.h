//===- Shape.h - One line of a benchmark list -------------------*- C++ -*-===//
//
// A line of a list, and of the built-in classes, is
//
//   TYPE OP MxNxK [batch=B] [share=a|b] [pointers] [dynamic] [anyOrder] [compensated] [emulated]
//   [exact] [KEY=VALUE ..] [class=NAME] [PLAN]
//
// for contiguous row-major matrices with alpha = 1 and beta = 0. OP is two letters for a product
// C (M x N) = op(A) op(B): `f32 nt 4096x4096x16 class=smallk`. For every other routine of the table
// (rooftile/Operation/Routine.h) it is the name and a letter for each choice that the routine has,
// in the order side (l, r), uplo (l, u), op (n, t, c, j), diag (n, u): `f64 trsm-llnn
// 4096x16x4096`, `f32 symm-rl 512x256x256`, `c64 herk-lc 64x64x100000`, `f64 trtri-un
// 512x512x512`. K is the order of a square A; C of a rank update is square. What else a call states
// is said by the keys order, ld, stride, align, alpha, beta, bias, activation and alias of
// docs/Operations.md: `f32 nn 512x512x64 ld=64/512/600 beta=any`. The canonical line of an
// operation may stand for all before `dynamic`; one whose C is column-major becomes the operation
// of C^T. PLAN is the text of a #blas.plan (#blas.blocks), with or without its name, for a plan
// other than tile-select's choice; for a routine that is split, the plans of all its operations,
// joined by ` + `. `dynamic` leaves all sizes to run time, `share` names the operand that is one
// for the whole batch, and with `pointers` arrays of pointers give the matrices of a batch. `#`
// begins a comment.
//
// trmm, trsm and trtri are timed in place; cuBLAS's trmm out of place, where it is up to 30 times
// as fast.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_BENCH_SHAPE_H
#define ROOFTILE_BENCH_SHAPE_H

#include "rooftile/Operation/Operation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace rooftile::bench {

using operation::Element;
using operation::Routine;

/// One operation to time: what is its own beside it.
struct Shape {
  /// Sizes are known, C is row-major, and all matrices have one type.
  operation::Operation operation;
  std::string group = "list"; ///< The class that it belongs to in the summary.
  bool isDynamic = false;     ///< The kernel leaves sizes to run time.
  std::string plan;           ///< "<macro = ...>", or empty: tile-select's choice.

  /// An error names what is expected.
  static llvm::Expected<Shape> parse(llvm::StringRef line);

  Element element() const { return operation.c.element; }
  int64_t m() const { return operation.m; }
  int64_t n() const { return operation.n; }
  /// Length of the dot products: the order of a square A.
  int64_t k() const;
  int64_t batch() const;
  bool isUpper() const { return operation.triangle == operation::Triangle::Upper; }
  bool isRight() const { return operation.side == operation::Side::Right; }
  bool isUnit() const { return operation.diagonal == operation::Diagonal::Unit; }
  bool byPointers() const { return operation.batch == operation::Batch::Pointers; }
  /// 'a' or 'b': one matrix for the whole batch; 0: none.
  char share() const;

  /// "nt", or "trsm-llnn".
  std::string op() const;
  /// "4096x4096x16", and "batch=3" and the like where they are not the default.
  std::string sizes() const;
  std::string modifiers() const;
  /// The line without class and plan: what two runs compare by.
  std::string key() const;

  /// The operation that is compiled: without sizes where these are left to run time.
  operation::Operation compiled() const;

  /// C begins as random values: it is read.
  bool readsC() const { return operation.readsC(); }
  /// Whether A, near the identity, has memory of its own: of trmm and trsm, and of trtri C.
  bool hasTriangle() const { return operation.isTriangular() || !operation.has(0); }
  /// Elements from the first to the last of one matrix, gaps between its vectors included: 0 for a
  /// missing one, or one that is another.
  int64_t elements(int operand) const;
  /// Elements from one matrix of the batch to the next.
  int64_t step(int operand) const;
  /// Elements from the first to the last of all matrices.
  int64_t all(int operand) const { return elements(operand) + (batch() - 1) * step(operand); }
  double flops() const { return operation::flops(operation); }
  /// Bytes that must move: each operand once.
  double bytes() const { return bytesRead(operation) + bytesWritten(operation); }
};

/// A product of the class `group`, op and sizes of which are `operation`'s. Its matrices become
/// contiguous, and `operation.count` of them a batch.
Shape productOf(operation::Operation operation, std::string group);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_SHAPE_H
