//===- LinalgProduct.cpp - Recognize C += op(A) * op(B) in linalg ---------===//
//
// The indexing maps say everything. A loop of A and C is a row, one of B and C a
// column, one of A and B is summed over, one of all three is a batch:
//
//   M: A C    N: B C    K: A B    batch: A B C
//
// The last row loop and the last column loop of C are the matrix; other row and column
// loops become a batch that the other operand lacks. Where A holds the last dimension of
// C, C^T = B^T A^T, so the operands change places.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/LinalgProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Which inputs of a product enter conjugated.
using Conjugated = std::array<bool, 2>;
using Loops = SmallVector<unsigned>;

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

/// True where every `from` is exactly a `to` (products are taken in `to`).
static bool widens(Type from, Type to) {
  if (from == to)
    return true;
  if (from.isF16() || from.isBF16())
    return to.isF32() || to.isF64();
  return from.isF32() && to.isF64();
}

static std::string nameOf(unsigned input) { return input == 0 ? "A" : "B"; }

/// The argument of a body behind `value`, through widening casts and conjugation.
static BlockArgument argumentBehind(Value value, bool &conjugated) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, complex::ConjOp>(op))
      return {};
    conjugated ^= isa<complex::ConjOp>(op);
    value = op->getOperand(0);
  }
  return dyn_cast<BlockArgument>(value);
}

/// Matches the body `c + op(a) * op(b)`; says which of a and b is conjugated.
static std::optional<Conjugated> matchBody(Block &body) {
  Operation *yield = body.getTerminator();
  Operation *sum = yield->getNumOperands() == 1 ? yield->getOperand(0).getDefiningOp() : nullptr;
  if (body.getNumArguments() != 3 || !isa_and_nonnull<arith::AddFOp, complex::AddOp>(sum))
    return std::nullopt;
  int product = sum->getOperand(0) == body.getArgument(2) ? 1 : 0;
  Operation *mul = sum->getOperand(product).getDefiningOp();
  if (sum->getOperand(1 - product) != body.getArgument(2) ||
      !isa_and_nonnull<arith::MulFOp, complex::MulOp>(mul))
    return std::nullopt;
  Conjugated conjugated = {false, false};
  std::array<bool, 2> seen = {false, false};
  for (Value factor : mul->getOperands()) {
    bool conjugate = false;
    BlockArgument argument = argumentBehind(factor, conjugate);
    if (!argument || argument.getOwner() != &body || argument.getArgNumber() > 1)
      return std::nullopt;
    seen[argument.getArgNumber()] = true;
    conjugated[argument.getArgNumber()] = conjugate;
  }
  return seen[0] && seen[1] ? std::optional(conjugated) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// The loops of a product, each operand's in the order of its dimensions.
struct Contraction {
  std::array<Loops, 3> loops; // A, B, C

  bool has(int operand, unsigned loop) const { return llvm::is_contained(loops[operand], loop); }
  /// The loops of C that `input` has and the other input lacks, in order.
  Loops own(int input) const {
    return llvm::to_vector(llvm::make_filter_range(
        loops[2], [&](unsigned loop) { return has(input, loop) && !has(1 - input, loop); }));
  }
};
} // namespace

/// Why the loops are not those of a product; empty if they are.
static std::string checkLoops(const Contraction &product, ArrayRef<unsigned> loops) {
  unsigned sums = 0;
  for (unsigned loop : loops) {
    bool a = product.has(0, loop), b = product.has(1, loop), c = product.has(2, loop);
    if (!c && a != b)
      return "operand " + nameOf(a ? 0 : 1) + " is summed over a loop of its own";
    if (c && !a && !b)
      return "C has a dimension that neither A nor B has";
    sums += !c;
  }
  for (int input : {0, 1})
    if (product.own(input).empty())
      return "C has rank " + std::to_string(product.loops[2].size()) + " and no dimension of " +
             nameOf(input) + " alone: it is not a product of two matrices";
  if (sums != 1)
    return "it has " + std::to_string(sums) +
           " reduction loops that are not one, a matrix product has 1 (K)";
  return "";
}

/// The wanted order of an operand: its batch, then its two matrix dimensions as stored. An
/// operand without any loop of the batch lacks it.
static OperandView viewOf(ArrayRef<unsigned> stored, ArrayRef<unsigned> batch, unsigned row,
                          unsigned column) {
  OperandView view;
  view.stored = llvm::to_vector(stored);
  auto has = [&](unsigned loop) { return llvm::is_contained(stored, loop); };
  if (llvm::any_of(batch, has))
    view.wanted = llvm::to_vector(batch);
  bool transposed = llvm::find(stored, column) < llvm::find(stored, row);
  view.op = transposed ? Transpose::Trans : Transpose::None;
  view.wanted.push_back(transposed ? column : row);
  view.wanted.push_back(transposed ? row : column);
  return view;
}

static Transpose conjugateIf(Transpose op, bool conjugated) {
  if (!conjugated)
    return op;
  return isTransposed(op) ? Transpose::Adjoint : Transpose::Conj;
}

/// Reads a product out of the loops of the operands; checkLoops has passed.
static LinalgProduct readLoops(const Contraction &product, Conjugated conjugated) {
  ArrayRef<unsigned> loopsC = product.loops[2];
  // The last dimension of C that is not a batch is a column, of whichever input.
  unsigned lastA = product.own(0).back(), lastB = product.own(1).back();
  bool swapped = llvm::find(loopsC, lastA) > llvm::find(loopsC, lastB);
  int left = swapped ? 1 : 0;
  unsigned row = swapped ? lastB : lastA, column = swapped ? lastA : lastB;
  unsigned k =
      *llvm::find_if(product.loops[0], [&](unsigned loop) { return !product.has(2, loop); });
  Loops batch;
  llvm::copy_if(loopsC, std::back_inserter(batch),
                [&](unsigned loop) { return loop != row && loop != column; });
  LinalgProduct result;
  result.inputA = left;
  result.a = viewOf(product.loops[left], batch, row, k);
  result.b = viewOf(product.loops[1 - left], batch, k, column);
  result.a.op = conjugateIf(result.a.op, conjugated[left]);
  result.b.op = conjugateIf(result.b.op, conjugated[1 - left]);
  result.c.stored = llvm::to_vector(loopsC);
  result.c.wanted = batch;
  result.c.wanted.append({row, column});
  return result;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// A ranked tensor or a memref with strides.
static bool isMatrix(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return isa<RankedTensorType>(type) || (memref && memref.isStrided());
}

/// True where blas.gemm takes these operands; otherwise `why` names the one in the way.
static bool matchTypes(linalg::LinalgOp op, std::string &why) {
  llvm::raw_string_ostream out(why);
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return out << "it does not have two inputs and one output", false;
  Value c = op.getDpsInits()[0];
  Type to = getElementTypeOrSelf(c.getType());
  for (OpOperand *input : op.getDpsInputOperands()) {
    Type type = input->get().getType(), from = getElementTypeOrSelf(type);
    std::string name = nameOf(input->getOperandNumber());
    if (!isMatrix(type) || !isMatrix(c.getType()) ||
        isa<TensorType>(type) != isa<TensorType>(c.getType()))
      return out << "operand " << name << " is " << type << " and C is " << c.getType()
                 << "; blas.gemm takes tensors or strided memrefs",
             false;
    if (!isElementType(from) || !isElementType(to))
      return out << "operand " << name << " has elements of " << from << " and C of " << to
                 << "; blas.gemm takes f16, bf16, f32, f64, complex<f32> and complex<f64>",
             false;
    if (!widens(from, to))
      return out << "operand " << name << " has elements of " << from
                 << ", which would be rounded to " << to << " before the product",
             false;
    if (isa<MemRefType>(type) && input->get() == c)
      return out << "operand " << name << " is also the output", false;
  }
  return true;
}

std::optional<LinalgProduct>
rooftile::matchLinalgProduct(linalg::LinalgOp op, ArrayRef<unsigned> folded, std::string &why) {
  if (!matchTypes(op, why))
    return std::nullopt;
  auto conjugated = matchBody(*op.getBlock());
  if (!conjugated)
    return why = "its body is not c + a * b", std::nullopt;
  Contraction product;
  for (auto [index, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    if (!map.isProjectedPermutation())
      return why = "an indexing map is not a choice of loops", std::nullopt;
    for (AffineExpr expr : map.getResults())
      if (unsigned loop = cast<AffineDimExpr>(expr).getPosition();
          !llvm::is_contained(folded, loop))
        product.loops[index].push_back(loop);
  }
  Loops counted;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!llvm::is_contained(folded, loop))
      counted.push_back(loop);
  if (why = checkLoops(product, counted); !why.empty())
    return std::nullopt;
  return readLoops(product, *conjugated);
}

bool rooftile::isContraction(linalg::LinalgOp op) {
  return isa<linalg::ContractionOpInterface>(*op) ||
         (isa<linalg::GenericOp>(*op) && linalg::isaContractionOpInterface(op));
}
