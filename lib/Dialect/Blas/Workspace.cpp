//===- Workspace.cpp - How much memory a plan needs -----------------------===//
//
// A plan may ask for memory beside its operands: copies of A and B (pack), then slices
// of partial sums (reduction = workspace). Each begins at a multiple of 256 bytes:
//
//   | A: batch x K x M up to 16 bytes | B: batch x K x N up to 16 bytes | S x batch x M x N |
//
// With major = k a copy has M (or N) rows of K instead. With products = 6 copies have bf16 elements
// and 6 K rows, K up to a multiple of 64. With complex = induced slices have 2 M rows. An operand
// that the whole batch shares is there once. What no 64 bits hold is counted as 2^63 - 1 elements.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Blas/PackedRow.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Dialect/Element.h"

#include <limits>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static constexpr int64_t kTooMany = std::numeric_limits<int64_t>::max();

int64_t rooftile::blas::packedMultiple(Type element) {
  return std::max<int64_t>(1, kMaxAccessBytes / elementBytes(element));
}

/// The product of sizes, none of which is dynamic; kTooMany where it is more.
static int64_t saturated(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    if (llvm::MulOverflow(product, size, product))
      return kTooMany;
  return product;
}

static bool slices(ProductOpInterface op) {
  PlanAttr plan = op.getPlanAttr();
  return plan && plan->reduction == Reduction::Workspace && !op.getPartial();
}

static bool inParts(PlanAttr plan) { return plan && plan->products == kPartBlocks; }

int64_t ProductOpInterface::getPackedElements(bool ofA, int64_t batch, int64_t m, int64_t n,
                                              int64_t k) {
  auto type = cast<ShapedType>(getMatrix(ofA ? 0 : 1).getType());
  Type element = type.getElementType();
  int64_t blocks = 1;
  if (inParts(getPlanAttr())) {
    element = BFloat16Type::get(getContext());
    if (k > kTooMany - kPartRows)
      return kTooMany;
    blocks = kPartBlocks, k = llvm::alignTo(k, kPartRows);
    int64_t components = componentsOf(type.getElementType());
    m = std::min(m, kTooMany / components) * components;
    n = std::min(n, kTooMany / components) * components;
  }
  int64_t rows = k, length = ofA ? m : n, multiple = packedRow(element);
  PlanAttr plan = getPlanAttr();
  if (plan && !inParts(plan) && (ofA ? plan->a : plan->b).major == Major::K)
    std::swap(rows, length);
  if (length > kTooMany - multiple)
    return kTooMany;
  int64_t bytes = saturated({type.getRank() > 2 ? batch : 1, blocks, rows,
                             int64_t(llvm::alignTo(length, multiple)), elementBytes(element)});
  int64_t unit = elementBytes(getAccumulatorType());
  return bytes > kTooMany - kWorkspaceAlign ? kTooMany
                                            : int64_t(llvm::alignTo(bytes, kWorkspaceAlign)) / unit;
}

int64_t ProductOpInterface::getWorkspaceElements(int64_t batch, int64_t m, int64_t n, int64_t k) {
  PlanAttr plan = getPlanAttr();
  int64_t total =
      slices(*this) ? saturated({plan->splits, plan->isInduced() ? 2 : 1, batch, m, n}) : 0;
  for (bool ofA : {true, false})
    if (plan && (ofA ? plan->a : plan->b).pack)
      if (llvm::AddOverflow(total, getPackedElements(ofA, batch, m, n, k), total))
        return kTooMany;
  return total;
}

int64_t ProductOpInterface::getWorkspaceElements() {
  PlanAttr plan = getPlanAttr();
  if (!plan || !(slices(*this) || plan->packs()))
    return 0;
  bool packsA = plan->a.pack, packsB = plan->b.pack;
  SmallVector<int64_t> counting{getBatch()};
  if (slices(*this) || packsA)
    counting.push_back(getM());
  if (slices(*this) || packsB)
    counting.push_back(getN());
  if (packsA || packsB)
    counting.push_back(getK());
  if (llvm::any_of(counting, ShapedType::isDynamic))
    return ShapedType::kDynamic;
  return getWorkspaceElements(getBatch(), getM(), getN(), getK());
}
