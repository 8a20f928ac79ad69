//===- Case.h - Lists of execution cases ------------------------*- C++ -*-===//
//
// A line of a .cases file is a cartesian product; `#` starts a comment:
//
//   type=f32,f64 op=nn,tn m=15,16,17 n=33 k=0,8 layout=row,gap macro=16x16x8
//
// A line `chip=mi60` names the chip whose plans a list has, where the command names none.
//
// Every combination is one product to compile, run and verify. Keys, with the
// value where a line does not name them:
//
//   type=f32       f16, bf16, f32, f64, c64 or c128 (complex): one type for A, B and C, or three
//                  as f16/f16/f32, or four with that of the accumulators
//   op=nn          n, t, c (transposed and conjugated) or j (conjugated) for A and B
//   m,n,k=16       sizes
//   batch=1        matrices; `batch=3` makes three-dimensional operands
//   share=none     a, b: the operand that all matrices of a batch share
//   pointers=none  a, bc, abc and the like: operands that are given by arrays of pointers, to
//                  matrices in shuffled order with gaps between them
//   align=0        bytes to which these matrices are aligned, a power of 2; 0: of one element
//   alpha,beta=none  a number, or 2:-1 for 2 - i (2 where the accumulators are real), or none for
//   an
//                  operation without it
//   scalars=const  const: alpha and beta are constants; arg: function arguments
//   layout=row     row, col, gap (row-major, leading dimension + 3, offset 5), wide (row-major,
//                  leading dimension and offset multiples of 4), colgap, strided (no stride is
//                  1), flip (rows in reverse order); one for all operands, or three as row/col/gap
//                  for A, B, C
//   shift=0        elements by which the base pointers miss an alignment of 4096 bytes: one number,
//                  or three as 1/0/2 for A, B, C
//   dynamic=0      1: one kernel with dynamic sizes serves all sizes
//   macro=auto     auto: the planner decides; 16x16x8: a plan with this macro tile, and with what
//                  the keys from here to `plans` give
//   micro=4x4      accumulators of a thread
//   lanes=auto     how the threads of a subgroup lie, as 4x8; auto: any that fits
//   vector=1       width of fragment reads; a wish: at most 16 bytes
//   load=1         width of accesses to A and B; a wish: at most 16 bytes, and what the layout of
//                  the operand allows
//   pad=0          elements added to the leading dimension of both shared tiles
//   copy=register  how A and B reach shared memory; async, or a, b for one operand only:
//                  asynchronously; bulk: in whole rows, or asynchronously where these cannot be;
//                  tensor: in whole tiles, or as with bulk
//   via=shared     a, b or both: operands whose fragments come from global memory directly
//   scalar=none    a or b: the operand whose fragments are in scalar registers
//   swizzle=0      elements that are permuted as a unit in both shared tiles
//   across=0       lanes of the paths of A and B: threads side by side that copy along the
//                  contiguous dimension; 0: one for each access
//   pack=none      a, b or both: operands that are copied first, so that any load is legal
//   major=none     a, b or both: operands with major = k
//   planar=none    a, b or both: complex operands with layout = planar, where threads copy them
//   flat=none      a, b or both: operands without gaps, whose contiguous vectors fit into the tile,
//                  are copied as one run
//   out=register   shared: C passes through shared memory; flat: and rows without gaps, which fit
//                  into the tile, are written as one run
//   slicedK=1 depth=1 mma=fma products=4 complex=native summation=plain promote=0 stages=1
//   prefetch=0 unroll=0 reduction=none splits=1 tail=overlap raster=1 residency=1 matrices=1
//   loadsC=0
//                  plain values of the plan, in its words (docs/Plan.md). With products=3 or 6 the
//                  operation has math<emulated>, with math=tf32 and where mma is an instruction
//                  of tf32 math<tf32>, with summation=compensated `compensated`, with
//                  reduction=atomic `anyOrder`
//   plans=one      set (with dynamic=1): the plan with the accesses that are wished, where sizes
//                  are multiples of its tile and all is aligned, and without them for the rest
//   epilogue=none  row+relu and others, as Layout.cpp explains them: what is applied to the
//                  accumulators before they are stored
//   triangle=all   lower, upper: the triangle of an m x m matrix C that is computed
//   maskA=general maskB=general   lower, upper, unit_lower, unit_upper: what of op(A), op(B)
//                  counts
//   rest=any       what is beside it: any is masked, and NaN in memory; zeros: known to be there
//   routine=gemm   gemm; syrk, herk, syr2k, her2k: of an n x n matrix C, with uplo, and k
//                  columns of op(A); symm, hemm: of an m x n matrix C, with side and uplo; trtri:
//                  of an n x n matrix A, with uplo, diag and form; trmm, trsm: the triangular
//                  operations, of an m x n matrix B, with
//   side=left uplo=lower diag=nonunit form=in blocks=auto workgroup=64
//                  left or right; lower or upper; nonunit or unit; in (place) or out; the
//                  planner's blocks, or their order (0: one block) and the threads of a workgroup.
//                  The first letter of `op` is op(A).
//   exact=0        1: nothing of B reaches rows that do not depend on it, not even NaN
//   method=substitute base=0   with blocks=ORDER: substitute, invert (with the order of the blocks
//                  that are inverted by substitution), product, mask
//   matrices=1 stage=none   of a batch in one workgroup (of a product, each by one thread, with
//                  operands that come straight from memory); a, b or both: what passes through
//                  shared memory
//   workgroupVectors=0   that all threads of a workgroup solve together; 0: threads have whole ones
//   rows=0 threadVectors=1   rows of a vector that a thread has at a time, and its vectors
//   sample=all     all; pairwise: every pair of values of two keys at least once; kernels: the
//                  same for what is compiled in, and all of what is given at run time; a number:
//                  so many combinations at random
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_CASES_CASE_H
#define ROOFTILE_VERIFY_CASES_CASE_H

#include "rooftile/Verify/Operands/Element.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace rooftile::verify {

/// Kinds of values of a key.
enum class ValueKind {
  Word,
  Types,
  Op,
  Number,
  Order,
  Scalar,
  Sizes3,
  Sizes2,
  Layout,
  Shift,
  Sample,
  PlanValue ///< stands in for one of plainPlanKeys()
};

/// One of the keys that are explained above.
struct Key {
  const char *name, *fallback;
  ValueKind kind;
  const char *words = ""; ///< of ValueKind::Word, separated by |
};

/// All keys, in the order in which the text of a case names them; the last is `sample`.
llvm::ArrayRef<Key> caseKeys();

/// Those that pass a number or a word to the plan as it is, in the order of its text: as
/// blas::planKeys, so that a new value of a plan is a key here, too.
llvm::ArrayRef<Key> plainPlanKeys();

/// One combination: a value for every key.
struct Case {
  std::map<std::string, std::string> values;
  /// Beyond the keys: a plan as the text of its attribute, and whether summation may have any
  /// order.
  std::string plan = {};
  bool anyOrder = false;

  const std::string &operator[](const std::string &key) const { return values.at(key); }
  int64_t number(const std::string &key) const;
  /// "16x16x8" as sizes.
  std::vector<int64_t> sizes(const std::string &key) const;
  bool flag(const std::string &key) const { return (*this)[key] == "1"; }
  /// The element type of operand 0 (A), 1 (B) or 2 (C), or 3: of the accumulators.
  Element element(int operand) const;
  /// Whether operand 0 or 1 enters transposed.
  bool isTransposed(int operand) const;
  /// alpha or beta, which is not `none`.
  Scalar scalar(const std::string &key) const;
  /// The layout of operand 0 (A), 1 (B) or 2 (C).
  std::string layout(int operand) const;
  /// Elements by which the base pointer of operand 0 (A), 1 (B) or 2 (C) is shifted.
  int64_t shift(int operand) const;
  /// Bytes to which the matrices of an operand by pointers are aligned.
  int64_t align(int operand) const;
  /// The line that is this case alone: what is not the default.
  std::string text() const;
  /// Equal for cases that one kernel serves.
  std::string kernelKey() const;
};

/// Whether `value` selects cases of a line: all, pairwise, kernels or a number.
bool isSample(llvm::StringRef value);

/// The case of an empty line.
Case defaultCase();

/// All cases of one line, in order; empty for a comment. Errors name the key and the value.
/// `sample` overrides the line's own where it is not empty.
llvm::Expected<std::vector<Case>> expandCases(llvm::StringRef line, llvm::StringRef sample);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_CASES_CASE_H
