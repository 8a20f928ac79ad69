//===- BlocksData.h - The values of a triangular plan -----------*- C++ -*-===//
//
// The parameters of #blas.blocks, as a plain struct. visitKeys is the table of keys, as that of
// PlanData.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_BLOCKSDATA_H
#define ROOFTILE_DIALECT_BLAS_BLOCKSDATA_H

#include "rooftile/Dialect/Blas/PlanData.h"

namespace rooftile::blas {

/// #blas.blocks; sizes in elements. BlasPlan.td explains each value at length. A vector is a column
/// of the output, or a row with side<right>.
struct BlocksData {
  int64_t diagonal = 0;
  int64_t workgroup = 64;
  Method method = Method::Substitute;
  int64_t base = 0;
  int64_t matrices = 1;
  Via a = Via::Register, b = Via::Register;
  int64_t workgroupVectors = 0;
  int64_t rows = 0;
  int64_t threadVectors = 1;

  template <typename Visit> static void visitKeys(Visit &&visit) {
    using P = BlocksData;
    visit(DataKey{"diagonal", "order of the blocks on the diagonal; 0: one block", true},
          &P::diagonal);
    visit(DataKey{"workgroup", "threads of the kernel of one block"}, &P::workgroup);
    visit(DataKey{"method", "how blocks are computed"}, &P::method);
    visit(DataKey{"base", "order of the blocks that are inverted by substitution"}, &P::base);
    visit(DataKey{"matrices", "matrices of a batch that a workgroup has"}, &P::matrices);
    visit(DataKey{"a", "shared: triangles are copied to shared memory"}, &P::a);
    visit(DataKey{"b", "shared: vectors pass through shared memory"}, &P::b);
    visit(DataKey{"workgroupVectors", "vectors that all threads of a workgroup solve together"},
          &P::workgroupVectors);
    visit(DataKey{"rows", "elements of a vector that a thread has in registers; 0: by default"},
          &P::rows);
    visit(DataKey{"threadVectors", "vectors that one thread computes"}, &P::threadVectors);
  }

  /// The plan of a kernel of one block, with the same threads and paths.
  BlocksData ofBlock() const { return withBlocks(0, Method::Substitute, 0); }
  /// This plan with other blocks.
  BlocksData withBlocks(int64_t diagonal, Method method, int64_t base) const {
    BlocksData plan = *this;
    plan.diagonal = diagonal, plan.method = method, plan.base = base;
    return plan;
  }
};

bool operator==(const BlocksData &left, const BlocksData &right);
inline bool operator!=(const BlocksData &left, const BlocksData &right) { return !(left == right); }

llvm::hash_code hash_value(const BlocksData &blocks);

/// <diagonal = 64, ...>: the text of #blas.blocks after its name.
std::string textOf(const BlocksData &blocks);

/// All keys of #blas.blocks, in the order of their text.
llvm::ArrayRef<KeyInfo> blocksKeys();

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_BLOCKSDATA_H
