//===- LinalgProduct.cpp - Recognize C += op(A) * op(B) in linalg ---------===//
//
// The indexing maps say everything: the last two loops of C are its rows and
// columns, the loops before them a batch, the one loop that C lacks is K. Where
// A holds the columns of C, C^T = B^T A^T, so the operands change places.
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
// Matching
//===----------------------------------------------------------------------===//

static SmallVector<unsigned> loopsOf(AffineMap map) {
  return llvm::map_to_vector(
      map.getResults(), [](AffineExpr expr) { return cast<AffineDimExpr>(expr).getPosition(); });
}

/// How an operand holds the matrix (row, column), after all batch loops or none.
static std::optional<Transpose> matchMatrix(AffineMap map, ArrayRef<unsigned> batch, unsigned row,
                                            unsigned column) {
  SmallVector<unsigned> loops = loopsOf(map);
  if (loops.size() < 2)
    return std::nullopt;
  ArrayRef<unsigned> leading = ArrayRef(loops).drop_back(2), matrix = ArrayRef(loops).take_back(2);
  if (!leading.empty() && leading != batch)
    return std::nullopt;
  if (matrix[0] == row && matrix[1] == column)
    return Transpose::None;
  if (matrix[0] == column && matrix[1] == row)
    return Transpose::Trans;
  return std::nullopt;
}

static Transpose conjugateIf(Transpose op, bool conjugated) {
  if (!conjugated)
    return op;
  return isTransposed(op) ? Transpose::Adjoint : Transpose::Conj;
}

/// Reads a product out of the indexing maps; otherwise `why` says what is in the way.
static std::optional<LinalgProduct> matchMaps(linalg::LinalgOp op, Conjugated conjugated,
                                              std::string &why) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
    return why = "an indexing map is not a choice of loops", std::nullopt;
  SmallVector<unsigned> loops = loopsOf(maps[2]);
  if (loops.size() < 2)
    return why = "C has rank " + std::to_string(loops.size()) + ", a matrix has 2", std::nullopt;
  if (op.getNumLoops() != loops.size() + 1)
    return why = "it has " + std::to_string(op.getNumLoops() - loops.size()) +
                 " reduction loops, a matrix product has 1 (K)",
           std::nullopt;
  unsigned k = 0;
  while (llvm::is_contained(loops, k))
    ++k;
  unsigned row = loops[loops.size() - 2], column = loops.back();
  ArrayRef<unsigned> batch = ArrayRef(loops).drop_back(2);
  int left = maps[0].isFunctionOfDim(row) ? 0 : 1;
  auto opA = matchMatrix(maps[left], batch, row, k);
  auto opB = matchMatrix(maps[1 - left], batch, k, column);
  if (!opA || !opB)
    return why =
               "operand " + nameOf((opA ? 1 - left : left)) +
               " is not the whole batch (or none of it) followed by the two dimensions of a matrix",
           std::nullopt;
  return LinalgProduct{op.getDpsInputOperand(left)->get(), op.getDpsInputOperand(1 - left)->get(),
                       op.getDpsInits()[0], conjugateIf(*opA, conjugated[left]),
                       conjugateIf(*opB, conjugated[1 - left])};
}

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

std::optional<LinalgProduct> rooftile::matchLinalgProduct(linalg::LinalgOp op, std::string &why) {
  if (!matchTypes(op, why))
    return std::nullopt;
  auto conjugated = matchBody(*op.getBlock());
  if (!conjugated)
    return why = "its body is not c + a * b", std::nullopt;
  return matchMaps(op, *conjugated, why);
}

bool rooftile::isContraction(linalg::LinalgOp op) {
  return isa<linalg::ContractionOpInterface>(*op) ||
         (isa<linalg::GenericOp>(*op) && linalg::isaContractionOpInterface(op));
}
