//===- LinalgProduct.cpp - Recognize C += op(A) * op(B) in linalg ---------===//
//
// The indexing maps decide. A loop of A and C is a row, one of B and C a
// column, one of A and B is summed over, one of all three is a batch:
//
//   M: A C    N: B C    K: A B    batch: A B C
//
// The last row loop and the last column loop of C are the matrix; other row and column
// loops become a batch that the other operand lacks. Where A holds the last dimension of
// C, C^T = B^T A^T, so the operands are exchanged. Without rows or columns of its own the
// result has a side of 1. Of several loops of the sum that cannot be one, one is K and
// the others stand around the product, which then adds to C.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Raise/LinalgProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Raise/HostTypes.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Which inputs of a product enter conjugated.
using Conjugated = std::array<bool, 2>;
using Loops = SmallVector<unsigned>;

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

/// True where every `from` is exactly a `to` (products are in `to`).
static bool widens(Type from, Type to) {
  if (from == to)
    return true;
  if (from.isF16() || from.isBF16())
    return to.isF32() || to.isF64();
  return from.isF32() && to.isF64();
}

static std::string nameOf(unsigned input) { return input == 0 ? "A" : "B"; }

/// The argument of a body that `value` is, through widening casts and conjugation.
static BlockArgument argumentBehind(Value value, bool &conjugated) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp, complex::ConjOp>(op))
      return {};
    conjugated ^= isa<complex::ConjOp>(op);
    value = op->getOperand(0);
  }
  return dyn_cast<BlockArgument>(value);
}

/// Matches the body `c + op(a) * op(b)`; returns which of a and b is conjugated.
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
/// Reads the roles of the loops of a simplified contraction.
class Roles {
public:
  explicit Roles(const Contraction &contraction) : product(contraction) {}

  /// Why the loops are not those of a product; empty if they are.
  std::string check() const;
  LinalgProduct read(Conjugated conjugated) const;

private:
  Loops live() const;
  bool hasWindows() const;
  /// The loops of C that `input` has and the other input lacks, in the order of C.
  Loops own(int input) const;
  Loops ofOutput() const;
  Transpose transposeOf(int input, std::optional<unsigned> first, std::optional<unsigned> second,
                        bool conjugated) const;
  void chooseK(LinalgProduct &result) const;

  const Contraction &product;
};
} // namespace

Loops Roles::live() const {
  Loops loops;
  for (unsigned loop = 0; loop < product.loops.size(); ++loop)
    if (product.isLive(loop))
      loops.push_back(loop);
  return loops;
}

/// An input is read at the sum of a loop of C and a reduction loop: windows that overlap.
bool Roles::hasWindows() const {
  return llvm::any_of(ArrayRef(product.operands).drop_back(), [&](const LinearAccess &access) {
    return llvm::any_of(access.index, [&](auto &terms) {
      auto isOfC = [&](IndexTerm term) { return product.has(2, term.loop); };
      return llvm::any_of(terms, isOfC) && !llvm::all_of(terms, isOfC);
    });
  });
}

/// The loops of an access in the order of memory: dimension by dimension, the largest steps first.
static Loops inOrder(const LinearAccess &access) {
  Loops loops;
  for (unsigned d = 0; d < access.index.size(); ++d)
    for (unsigned loop : access.loopsOf(d))
      if (!llvm::is_contained(loops, loop))
        loops.push_back(loop);
  return loops;
}

Loops Roles::ofOutput() const { return inOrder(product.operands[2]); }

Loops Roles::own(int input) const {
  Loops loops = ofOutput();
  llvm::erase_if(loops, [&](unsigned loop) {
    return !product.has(input, loop) || product.has(1 - input, loop);
  });
  return loops;
}

std::string Roles::check() const {
  for (unsigned loop : live()) {
    bool a = product.has(0, loop), b = product.has(1, loop), c = product.has(2, loop);
    if (!c && a != b)
      return "operand " + nameOf(a ? 0 : 1) + " is summed over a loop of its own";
    if (c && !a && !b)
      return "C has a dimension that neither A nor B has";
  }
  bool isBatched = llvm::any_of(live(), [&](unsigned loop) {
    return product.has(0, loop) && product.has(1, loop) && product.has(2, loop);
  });
  bool isMatrix = !own(0).empty() && !own(1).empty(), isVector = !own(0).empty() || !own(1).empty();
  if (isBatched && !isMatrix && (!isVector || hasWindows()))
    return "every element of C is a dot product by itself, as in a depthwise convolution, and no "
           "part of a product of matrices";
  return "";
}

/// Transpose of an input whose matrix has rows `first` and columns `second`: set where memory
/// has them the other way around.
Transpose Roles::transposeOf(int input, std::optional<unsigned> first,
                             std::optional<unsigned> second, bool conjugated) const {
  Loops order = inOrder(product.operands[input]);
  bool transposed = first && second && llvm::find(order, *second) < llvm::find(order, *first);
  if (!conjugated)
    return transposed ? Transpose::Trans : Transpose::None;
  return transposed ? Transpose::Adjoint : Transpose::Conj;
}

/// Inputs of which no neighbours along the matrix are neighbours in memory.
static int64_t stridedInputs(const LinalgProduct &product, unsigned k) {
  auto isStrided = [&](const LinearAccess &access, std::optional<unsigned> side) {
    return access.strideOf(k) != 1 && !(side && access.strideOf(*side) == 1);
  };
  return isStrided(product.left(), product.row) + isStrided(product.right(), product.column);
}

/// Bytes that memory moves at least for an access to one element.
static constexpr double kSectorBytes = 32;

/// Selects as K the longest reduction loop, since the others are launches. Where it makes an input
/// strided, a sector is read for each of its elements: so many times longer must it be.
void Roles::chooseK(LinalgProduct &result) const {
  Loops sums = live();
  llvm::erase_if(sums, [&](unsigned loop) { return product.has(2, loop); });
  if (sums.empty())
    return;
  auto gainOf = [&](unsigned loop) {
    int64_t size = product.loops[loop].size;
    Type element = getElementTypeOrSelf(product.operands[0].source.getType());
    double waste = std::pow(kSectorBytes / elementBytes(element), stridedInputs(result, loop));
    if (ShapedType::isDynamic(size)) // any length, but not at any price
      return waste > 1 ? 0 : std::numeric_limits<double>::infinity();
    return double(size) / waste;
  };
  result.k =
      *llvm::max_element(sums, [&](unsigned x, unsigned y) { return gainOf(x) < gainOf(y); });
  llvm::copy_if(sums, std::back_inserter(result.outer),
                [&](unsigned loop) { return loop != *result.k; });
}

LinalgProduct Roles::read(Conjugated conjugated) const {
  Loops loopsC = ofOutput(), ownA = own(0), ownB = own(1);
  auto lastOf = [](const Loops &loops) {
    return loops.empty() ? std::nullopt : std::optional<unsigned>(loops.back());
  };
  // The last dimension of C that is not a batch is a column, of whichever input.
  bool swapped = !ownA.empty() && !ownB.empty() &&
                 llvm::find(loopsC, ownA.back()) > llvm::find(loopsC, ownB.back());
  LinalgProduct result;
  result.loops = product;
  result.inputA = swapped ? 1 : 0;
  result.row = lastOf(swapped ? ownB : ownA);
  result.column = lastOf(swapped ? ownA : ownB);
  llvm::copy_if(loopsC, std::back_inserter(result.batch),
                [&](unsigned loop) { return loop != result.row && loop != result.column; });
  chooseK(result);
  int left = result.inputA;
  result.opA = transposeOf(left, result.row, result.k, conjugated[left]);
  result.opB = transposeOf(1 - left, result.k, result.column, conjugated[1 - left]);
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

/// True where blas.gemm accepts these operands; otherwise `why` names the one in the way.
static bool matchTypes(linalg::LinalgOp op, std::string &why) {
  llvm::raw_string_ostream out(why);
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return out << "it multiplies " << op.getNumDpsInputs() << " inputs, as quantized and scaled "
               << "products do; blas.gemm multiplies 2",
           false;
  Value c = op.getDpsInits()[0];
  for (auto [index, operand] : llvm::enumerate(op->getOperands()))
    if (std::string foreign = whyForeign(operand.getType()); !foreign.empty())
      return out << "operand " << "ABC"[index] << " " << foreign, false;
  Type to = getElementTypeOrSelf(c.getType());
  for (OpOperand *input : op.getDpsInputOperands()) {
    Type type = input->get().getType(), from = getElementTypeOrSelf(type);
    std::string name = nameOf(input->getOperandNumber());
    if (!isMatrix(type) || !isMatrix(c.getType()) ||
        isa<TensorType>(type) != isa<TensorType>(c.getType()))
      return out << "operand " << name << " is " << type << " and C is " << c.getType()
                 << "; blas.gemm accepts tensors or strided memrefs",
             false;
    if (!isElementType(from) || !isElementType(to))
      return out << "operand " << name << " has elements of " << from << " and C of " << to
                 << "; blas.gemm accepts f16, bf16, f32, f64, complex<f32> and complex<f64>",
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

/// C of tensors must be all of its tensor: every element is written once.
static std::string checkOutput(const LinalgProduct &product) {
  const LinearAccess &c = product.output();
  if (isa<TensorType>(c.source.getType()) &&
      !llvm::all_of(c.whole, [](bool whole) { return whole; }))
    return "C is a part of its tensor";
  return "";
}

static std::optional<LinalgProduct> readProduct(Contraction loops, Conjugated conjugated,
                                                std::string &why) {
  loops.simplify();
  Roles roles(loops);
  if (why = roles.check(); !why.empty())
    return std::nullopt;
  LinalgProduct product = roles.read(conjugated);
  if (why = checkOutput(product); !why.empty())
    return std::nullopt;
  return product;
}

/// Figures that reading an operand elsewhere must not make worse: operands along whose matrices no
/// neighbours are neighbours in memory, and the number of products.
static std::pair<int64_t, int64_t> lossesOf(const LinalgProduct &product) {
  int64_t strided = product.k ? stridedInputs(product, *product.k) : 0, products = 1;
  if (product.column && product.output().strideOf(*product.column) != 1)
    ++strided;
  for (unsigned loop : product.outer) {
    int64_t size = product.loops.loops[loop].size;
    products = ShapedType::isDynamic(size) || products == INT64_MAX ? INT64_MAX : products * size;
  }
  return {strided, products};
}

namespace {
/// The best product seen, and what it reads.
struct BestProduct {
  Contraction loops;
  std::optional<LinalgProduct> product;

  void consider(const Contraction &next, Conjugated conjugated) {
    std::string reason;
    auto candidate = readProduct(next, conjugated, reason);
    if (!candidate)
      return;
    if (product && lossesOf(*product) < lossesOf(*candidate))
      return;
    loops = next;
    product = candidate;
  }
};
} // namespace

std::optional<LinalgProduct> rooftile::matchLinalgProduct(linalg::LinalgOp op, bool zeros,
                                                          std::string &why) {
  if (!matchTypes(op, why))
    return std::nullopt;
  auto conjugated = matchBody(*op.getBlock());
  if (!conjugated)
    return why = "its body is not c + a * b", std::nullopt;
  auto loops = Contraction::of(op, why);
  if (!loops)
    return std::nullopt;
  BestProduct best{*loops, readProduct(*loops, *conjugated, why)};
  if (op.hasPureTensorSemantics()) {
    for (int input : {0, 1})
      for (Contraction next = best.loops; next.readThroughProducer(input);)
        best.consider(next, *conjugated);
    for (Contraction next = best.loops; zeros && next.writeThroughConsumer(op);)
      if (isa<DestinationStyleOpInterface>(next.last))
        best.consider(next, *conjugated);
  }
  return best.product;
}

//===----------------------------------------------------------------------===//
// Which operations are products at all
//===----------------------------------------------------------------------===//

/// The values of a body that `value` is computed from, among them arguments.
static SetVector<Value> computedFrom(Value value, Block &body) {
  SetVector<Value> values;
  values.insert(value);
  for (size_t next = 0; next < values.size(); ++next)
    if (Operation *op = values[next].getDefiningOp(); op && op->getBlock() == &body)
      values.insert(op->operand_begin(), op->operand_end());
  return values;
}

/// The inputs of the operation that `value` of its body depends on.
static SmallVector<unsigned> inputsOf(Value value, Block &body) {
  SmallVector<unsigned> inputs;
  for (Value source : computedFrom(value, body))
    if (auto argument = dyn_cast<BlockArgument>(source);
        argument && argument.getOwner() == &body && argument != body.getArguments().back())
      inputs.push_back(argument.getArgNumber());
  llvm::sort(inputs);
  return inputs;
}

/// `op` is one of bits: and is their product, or their sum.
template <typename Op> static bool isOfBits(Operation *op) {
  return isa_and_nonnull<Op>(op) && op->getResult(0).getType().isInteger(1);
}

/// `value` of a body is computed from a product of elements of different inputs.
static bool holdsProduct(Value result, Block &body) {
  for (Value value : computedFrom(result, body)) {
    Operation *mul = value.getDefiningOp();
    if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp, complex::MulOp>(mul) &&
        !isOfBits<arith::AndIOp>(mul))
      continue;
    SmallVector<unsigned> left = inputsOf(mul->getOperand(0), body),
                          right = inputsOf(mul->getOperand(1), body);
    if (!left.empty() && !right.empty() && left != right)
      return true;
  }
  return false;
}

bool rooftile::sumsProducts(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() < 2 || op.getNumDpsInits() != 1 ||
      body.getTerminator()->getNumOperands() != 1)
    return false;
  Operation *sum = body.getTerminator()->getOperand(0).getDefiningOp();
  bool adds = isa_and_nonnull<arith::AddFOp, arith::AddIOp, complex::AddOp>(sum) ||
              isOfBits<arith::OrIOp>(sum);
  return adds && llvm::is_contained(sum->getOperands(), body.getArguments().back()) &&
         holdsProduct(sum->getResult(0), body);
}

bool rooftile::reducesProducts(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  return op.getNumReductionLoops() > 0 && op.getNumDpsInputs() >= 2 &&
         llvm::any_of(body.getTerminator()->getOperands(),
                      [&](Value result) { return holdsProduct(result, body); });
}
