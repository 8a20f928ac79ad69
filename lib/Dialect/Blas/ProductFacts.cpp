//===- ProductFacts.cpp - Reading facts off an operation ------------------===//

#include "rooftile/Dialect/Blas/ProductFacts.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Instructions.h"

#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Widths that `matrix`, which has no stride of 1, allows if it turns out to have `order`.
static Widths widthsOf(const StoredMatrix &matrix, Order order) {
  StoredMatrix ordered{withOrder(matrix.type, order), matrix.align};
  if (ordered.type == matrix.type)
    return {};
  return {getLegalVector(ordered, getContiguousDim(ordered.type)), getPossibleVector(ordered)};
}

SmallVector<Order> OperandFacts::possibleOrders() const {
  SmallVector<Order> orders;
  if (rowMajor.legal > 0)
    orders.push_back(Order::Rows);
  if (columnMajor.legal > 0)
    orders.push_back(Order::Columns);
  return orders;
}

OperandFacts OperandFacts::assuming(Order order, int64_t vector) const {
  OperandFacts matrix = *this;
  const Widths &widths = order == Order::Rows ? rowMajor : columnMajor;
  if (contiguous == Contiguous::None && order != Order::Any && widths.legal > 0) {
    matrix.contiguous = ofStored(order == Order::Rows);
    matrix.maxVector = widths.legal;
    matrix.possibleVector = widths.possible;
  }
  matrix.maxVector = std::max(matrix.maxVector, vector);
  return matrix;
}

/// Operand 0 (A), 1 (B) or 2 (C). `columnsAre`: the dimension of the product that the stored
/// columns run along. Kernels write C along its rows, those of one element, too.
static OperandFacts readMatrix(Level3OpInterface op, int operand, Contiguous columnsAre) {
  StoredMatrix stored = op.getMatrix(operand);
  ShapedType type = stored.type;
  OperandFacts matrix;
  matrix.contiguous = Contiguous::None;
  matrix.columns = columnsAre;
  matrix.batched = !isShared(type);
  matrix.byPointers = static_cast<bool>(getPointers(type));
  matrix.forward = runsForward(type);
  matrix.elementBytes = elementBytes(type.getElementType());
  matrix.components = componentsOf(type.getElementType());
  matrix.format = realTypeOf(type.getElementType()).isBF16() ? "bf16" : "";
  int64_t last = type.getRank() - 1;
  bool byRows = operand == 2 && hasUnitStride(type, last);
  int64_t unit = byRows ? last : getContiguousDim(type);
  if (unit < 0) {
    matrix.rowMajor = widthsOf(stored, Order::Rows);
    matrix.columnMajor = widthsOf(stored, Order::Columns);
    return matrix;
  }
  matrix.contiguous = matrix.ofStored(unit == last);
  matrix.maxVector = getLegalVector(op, operand, unit);
  matrix.possibleVector =
      unit == getContiguousDim(type) ? getPossibleVector(stored) : matrix.maxVector;
  matrix.flat = getFlatRuns(stored);
  if (unit != getContiguousDim(type) && matrix.flat.length > 0)
    matrix.flat.length = type.getDimSize(unit);
  return matrix;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static Type elementOf(Value matrix) { return cast<ShapedType>(matrix.getType()).getElementType(); }

/// Whether products = 3 is a plan for `op`.
static bool allowsThree(ProductOpInterface op) {
  auto isSum = [&](Value matrix) { return elementOf(matrix) == op.getAccumulatorType(); };
  return op.getMath() == MathMode::Emulated && isa<ComplexType>(op.getAccumulatorType()) &&
         isSum(op.getMatrixA()) && isSum(op.getMatrixB());
}

static bool isOfF32(ProductOpInterface op) {
  return op.getAccumulatorType().isF32() && elementOf(op.getMatrixA()).isF32() &&
         elementOf(op.getMatrixB()).isF32();
}

/// Whether products = 6 is a plan for `op`.
static bool allowsSix(ProductOpInterface op) {
  bool plain = op.getStructureA() == Structure::General &&
               op.getStructureB() == Structure::General && !op.getPartial() && !op.getCompensated();
  return op.getMath() == MathMode::Emulated && isOfF32(op) && plain;
}

/// A size that stands in for an unknown one, within its bounds.
static int64_t within(int64_t size, ExtentAttr extent) {
  if (extent && extent.getMost() > 0)
    size = std::min(size, extent.getMost());
  return extent ? std::max(size, extent.getLeast()) : size;
}

void ProductFacts::assumeSizes(GivenAttr given) {
  if (!given)
    return;
  auto bound = [&](int dim, bool known, int64_t &size, int64_t &least, int64_t &most) {
    ExtentAttr extent = given.getExtent(dim);
    if (known || !extent)
      return;
    size = within(size, extent);
    least = std::max(least, extent.getLeast());
    if (extent.getMost() > 0)
      most = most > 0 ? std::min(most, extent.getMost()) : extent.getMost();
  };
  int64_t *multiples[] = {&multipleM, &multipleN, &multipleK};
  for (int dim : {0, 1, 2})
    if (ExtentAttr extent = given.getExtent(dim))
      *multiples[dim] = std::max<int64_t>(1, extent.getMultiple());
  int64_t leastK = 0, mostK = 0;
  bound(0, knownM, m, leastM, mostM);
  bound(1, knownN, n, leastN, mostN);
  bound(2, knownK, k, leastK, mostK);
}

void ProductFacts::assume(GivenAttr given) {
  assumeSizes(given);
  if (!given)
    return;
  a = a.assuming(given.getOrderA(), given.getA());
  b = b.assuming(given.getOrderB(), given.getB());
  c = c.assuming(given.getOrderC(), given.getC());
}

ProductFacts ProductFacts::of(Level3OpInterface op) {
  ProductFacts product;
  auto known = [&](int64_t size, int64_t assumption) {
    if (!ShapedType::isDynamic(size))
      return size;
    product.assumed = true;
    return assumption;
  };
  product.m = known(op.getM(), kAssumedSize);
  product.n = known(op.getN(), kAssumedSize);
  product.k = known(op.getK(), kAssumedSize);
  product.batch = known(op.getBatch(), 1);
  product.knownM = !ShapedType::isDynamic(op.getM());
  product.knownN = !ShapedType::isDynamic(op.getN());
  product.knownK = !ShapedType::isDynamic(op.getK());
  product.elementBytes = rooftile::elementBytes(op.getAccumulatorType());
  product.realBytes = componentBytes(op.getAccumulatorType());
  bool transA = blas::isTransposed(op.getTransposeA());
  bool transB = blas::isTransposed(op.getTransposeB());
  product.a = readMatrix(op, 0, transA ? Contiguous::Outer : Contiguous::Inner);
  product.b = readMatrix(op, 1, transB ? Contiguous::Inner : Contiguous::Outer);
  product.c = readMatrix(op, 2, Contiguous::Inner);
  if (auto planned = dyn_cast<ProductOpInterface>(op.getOperation())) {
    product.threeProducts = allowsThree(planned);
    product.sixProducts = allowsSix(planned);
    product.tf32 = planned.getMath() == MathMode::Tf32 && isOfF32(planned);
    product.canBeInduced = whyNotInduced(planned).empty();
    product.canBeInducedInParts = whyNotInducedInParts(planned).empty();
    product.canReorder = !planned.hasEpilogue();
    product.anyOrder = planned.getAnyOrder() && product.canReorder;
    product.compensated = planned.getCompensated();
    product.slices = planned.getSlices();
    product.triangle = bool(planned.getTriangleAttr());
    product.triangularA = planned.getStructureA() != Structure::General;
    product.triangularB = planned.getStructureB() != Structure::General;
    product.masked = planned.getMasked();
    product.oneMatrix = planned.getMatrixA() == planned.getMatrixB() && transA != transB;
    product.readsExtras = llvm::any_of(
        planned.getExtras(), [](Value extra) { return isa<ShapedType>(extra.getType()); });
  }
  return product;
}

bool blas::multiplies(const tile::Instruction &instruction, const ProductFacts &product) {
  bool rounds = product.tf32 && instruction.isOfTf32();
  auto isFactor = [&](const OperandFacts &matrix) {
    const tile::Number &number = instruction.factors;
    return matrix.elementBytes == number.bytes * matrix.components &&
           (matrix.format == number.format || rounds);
  };
  return (rounds || !instruction.isOfTf32()) && product.realBytes == instruction.sums.bytes &&
         isFactor(product.a) && isFactor(product.b);
}

//===----------------------------------------------------------------------===//
// Copies of tiles
//===----------------------------------------------------------------------===//

bool blas::isTransposed(const OperandFacts &matrix, const PathData &path) {
  return matrix.alongK() != (path.major == Major::K);
}

int64_t blas::storedVector(const OperandFacts &matrix, const PathData &path) {
  bool planes = path.layout == ComplexLayout::Planar && path.copy == Copy::Async;
  return isTransposed(matrix, path) || planes ? 1 : path.vector;
}

int64_t blas::copyLanes(const OperandFacts &matrix, const PathData &path, int64_t extent,
                        const PlanData &plan) {
  if (path.flat > 0)
    return plan.threads();
  if (path.lanes > 0)
    return path.lanes;
  int64_t accesses = (matrix.alongK() ? plan.macroK : extent) / path.vector;
  return std::gcd(std::max<int64_t>(1, accesses), plan.threads());
}

int64_t blas::stepBytes(const OperandFacts &matrix, const PathData &path) {
  return matrix.elementBytes / (path.layout == ComplexLayout::Planar ? matrix.components : 1);
}

int64_t blas::flatVector(const OperandFacts &matrix, const PathData &path, int64_t extent,
                         int64_t macroK) {
  int64_t vectors = vectorsOf(extent, macroK, path.major)[0];
  return std::gcd(matrix.flat.widest(path.copy), vectors * matrix.flat.length);
}
