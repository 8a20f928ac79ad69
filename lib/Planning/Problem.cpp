//===- Problem.cpp - Reading a problem off an operation -------------------===//

#include "rooftile/Planning/Problem.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

/// Of an entry in an array of pointers.
static constexpr int64_t kAddressBytes = 8;

static Contiguous other(Contiguous dimension) {
  return dimension == Contiguous::Inner ? Contiguous::Outer : Contiguous::Inner;
}

/// What `type`, which has no stride of 1, allows if it turns out to have `order`.
static Widths widthsOf(ShapedType type, blas::Order order) {
  ShapedType ordered = blas::withOrder(type, order);
  if (ordered == type)
    return {};
  return {blas::getLegalVector(ordered, blas::getContiguousDim(ordered)),
          blas::getPossibleVector(ordered)};
}

SmallVector<blas::Order> Matrix::possibleOrders() const {
  SmallVector<blas::Order> orders;
  if (rowMajor.legal > 0)
    orders.push_back(blas::Order::Rows);
  if (columnMajor.legal > 0)
    orders.push_back(blas::Order::Columns);
  return orders;
}

Matrix Matrix::assuming(blas::Order order, int64_t vector) const {
  Matrix matrix = *this;
  const Widths &widths = order == blas::Order::Rows ? rowMajor : columnMajor;
  if (contiguous == Contiguous::None && order != blas::Order::Any && widths.legal > 0) {
    matrix.contiguous = order == blas::Order::Rows ? columns : other(columns);
    matrix.maxVector = widths.legal;
    matrix.possibleVector = widths.possible;
  }
  matrix.maxVector = std::max(matrix.maxVector, vector);
  return matrix;
}

/// Operand 0 (A), 1 (B) or 2 (C). `columnsAre`: the dimension of the product that the stored
/// columns run along.
static Matrix readMatrix(blas::Level3OpInterface op, int operand, Contiguous columnsAre) {
  Value values[] = {op.getMatrixA(), op.getMatrixB(), op.getMatrixC()};
  ShapedType type = blas::getLayoutType(values[operand]);
  Matrix matrix;
  matrix.contiguous = Contiguous::None;
  matrix.columns = columnsAre;
  matrix.batched = !blas::isShared(type);
  matrix.byPointers = static_cast<bool>(blas::getPointers(type));
  matrix.forward = blas::runsForward(type);
  matrix.elementBytes = elementBytes(type.getElementType());
  matrix.components = componentsOf(type.getElementType());
  int64_t unit = blas::getContiguousDim(type);
  if (unit < 0) {
    matrix.rowMajor = widthsOf(type, blas::Order::Rows);
    matrix.columnMajor = widthsOf(type, blas::Order::Columns);
    return matrix;
  }
  matrix.contiguous = unit == type.getRank() - 1 ? columnsAre : other(columnsAre);
  matrix.maxVector = blas::getLegalVector(op, operand, unit);
  matrix.possibleVector = blas::getPossibleVector(type);
  matrix.flat = blas::getFlatRuns(type);
  return matrix;
}

static Type elementOf(Value matrix) { return cast<ShapedType>(matrix.getType()).getElementType(); }

/// An error on `op` where no kernel sums in its accumulator type, or none rounds that to C.
static LogicalResult checkTypes(blas::Level3OpInterface op) {
  Type acc = op.getAccumulatorType(), c = elementOf(op.getMatrixC());
  if (componentBytes(acc) < 4)
    return op->emitOpError("no kernel sums products in ")
           << acc << "; supported: f32, f64, complex<f32>, complex<f64>";
  if (realTypeOf(acc).isF64() && componentBytes(c) < 4)
    return op->emitOpError("no kernel rounds sums in ") << acc << " to operand C of " << c;
  return success();
}

static int64_t multiplyAddsOf(blas::Level3OpInterface op) {
  return componentsOf(elementOf(op.getMatrixA())) * componentsOf(elementOf(op.getMatrixB()));
}

/// Whether products = 3 is a plan for `op`.
static bool allowsThree(blas::GemmOp op) {
  auto isSum = [&](Value matrix) { return elementOf(matrix) == op.getAccumulatorType(); };
  return op.getMath() == blas::MathMode::Emulated && isa<ComplexType>(op.getAccumulatorType()) &&
         isSum(op.getA()) && isSum(op.getB());
}

/// A size that stands in for an unknown one, within its bounds.
static int64_t within(int64_t size, blas::ExtentAttr extent) {
  if (extent && extent.getMost() > 0)
    size = std::min(size, extent.getMost());
  return extent ? std::max(size, extent.getLeast()) : size;
}

Problem Problem::assuming(blas::GivenAttr given) const {
  Problem problem = *this;
  if (!given)
    return problem;
  auto bound = [&](int dim, bool known, int64_t &size, int64_t &least, int64_t &most) {
    blas::ExtentAttr extent = given.getExtent(dim);
    if (known || !extent)
      return;
    size = within(size, extent);
    least = std::max(least, extent.getLeast());
    if (extent.getMost() > 0)
      most = most > 0 ? std::min(most, extent.getMost()) : extent.getMost();
  };
  int64_t *multiples[] = {&problem.multipleM, &problem.multipleN, &problem.multipleK};
  for (int dim : {0, 1, 2})
    if (blas::ExtentAttr extent = given.getExtent(dim))
      *multiples[dim] = std::max<int64_t>(1, extent.getMultiple());
  int64_t leastK = 0, mostK = 0;
  bound(0, knownM, problem.m, problem.leastM, problem.mostM);
  bound(1, knownN, problem.n, problem.leastN, problem.mostN);
  bound(2, knownK, problem.k, leastK, mostK);
  problem.a = a.assuming(given.getOrderA(), given.getA());
  problem.b = b.assuming(given.getOrderB(), given.getB());
  problem.c = c.assuming(given.getOrderC(), given.getC());
  return problem;
}

/// Elements that a given workspace holds. The user asked how many the whole operation takes: one of
/// unknown length may be too short for an edge.
static int64_t roomOf(blas::GemmOp op) {
  if (!op.getWorkspace())
    return INT64_MAX;
  int64_t present = cast<ShapedType>(op.getWorkspace().getType()).getDimSize(0);
  bool isEdge = op->hasAttr(blas::BlasDialect::kEdgeOfName);
  return !ShapedType::isDynamic(present) ? present : isEdge ? 0 : INT64_MAX;
}

/// Operands of the accumulator's type fit into a workspace that is given.
static bool fitsWorkspace(blas::GemmOp op) {
  Type acc = op.getAccumulatorType();
  return !op.getWorkspace() || (elementOf(op.getA()) == acc && elementOf(op.getB()) == acc);
}

/// The sizes of the product that `op` is an edge of.
static void readWhole(Problem &problem, blas::Level3OpInterface op) {
  auto whole = op->getAttrOfType<TypeAttr>(blas::BlasDialect::kEdgeOfName);
  if (!whole)
    return;
  ArrayRef<int64_t> sizes = cast<ShapedType>(whole.getValue()).getShape().take_back(2);
  auto known = [](int64_t size) { return ShapedType::isDynamic(size) ? kAssumedSize : size; };
  problem.wholeM = std::max<int64_t>(1, known(sizes[0]));
  problem.wholeN = std::max<int64_t>(1, known(sizes[1]));
}

/// Bytes of the extra operands of an epilogue: what is left of all without K and C.
static double extraBytesOf(blas::GemmOp gemm, const Problem &problem) {
  if (!gemm.hasEpilogue())
    return 0;
  double ofC = (problem.readsC ? 2 : 1) * problem.bytesOfC();
  return gemm.getBytes(problem.batch, problem.m, problem.n, /*k=*/0) - ofC;
}

FailureOr<Problem> Problem::of(blas::Level3OpInterface op) {
  if (failed(checkTypes(op)))
    return failure();
  Problem problem;
  auto known = [&](int64_t size, int64_t assumption) {
    if (!ShapedType::isDynamic(size))
      return size;
    problem.assumed = true;
    return assumption;
  };
  problem.m = known(op.getM(), kAssumedSize);
  problem.n = known(op.getN(), kAssumedSize);
  problem.k = known(op.getK(), kAssumedSize);
  problem.batch = known(op.getBatch(), 1);
  problem.knownM = !ShapedType::isDynamic(op.getM());
  problem.knownN = !ShapedType::isDynamic(op.getN());
  problem.knownK = !ShapedType::isDynamic(op.getK());
  problem.elementBytes = rooftile::elementBytes(op.getAccumulatorType());
  problem.realBytes = componentBytes(op.getAccumulatorType());
  problem.multiplyAdds = multiplyAddsOf(op);
  bool transA = blas::isTransposed(op.getTransposeA());
  bool transB = blas::isTransposed(op.getTransposeB());
  problem.a = readMatrix(op, 0, transA ? Contiguous::Outer : Contiguous::Inner);
  problem.b = readMatrix(op, 1, transB ? Contiguous::Inner : Contiguous::Outer);
  problem.c = readMatrix(op, 2, Contiguous::Inner);
  problem.readsC = op.readsC();
  if (auto gemm = dyn_cast<blas::GemmOp>(op.getOperation())) {
    problem.threeProducts = allowsThree(gemm);
    problem.canBeInduced = blas::whyNotInduced(gemm).empty();
    problem.adds = gemm.getConstantBeta() == std::complex<double>(1);
    problem.canReorder = !gemm.hasEpilogue();
    problem.anyOrder = gemm.getAnyOrder() && problem.canReorder;
    problem.compensated = gemm.getCompensated();
    problem.hasWorkspace = gemm.getWorkspace() != nullptr;
    problem.roomElements = roomOf(gemm);
    problem.canPack = fitsWorkspace(gemm);
    problem.slices = gemm.getSlices();
    problem.extraBytes = extraBytesOf(gemm, problem);
  }
  readWhole(problem, op);
  return problem.assuming(op.getGivenAttr());
}

double Problem::bytesOfOperands() const {
  double ofA = double(a.batched ? batch : 1) * m * k, ofB = double(b.batched ? batch : 1) * k * n;
  return ofA * a.elementBytes + ofB * b.elementBytes;
}

double Problem::bytesRead() const {
  double addresses = double(batch) * kAddressBytes * (a.byPointers + b.byPointers + c.byPointers);
  return bytesOfOperands() + addresses + extraBytes + (readsC ? bytesOfC() : 0);
}

bool planning::multiplies(const tile::Instruction &instruction, const Problem &problem) {
  auto isDouble = [](const Matrix &matrix) { return matrix.elementBytes == 8 * matrix.components; };
  return instruction.type == "f64" && problem.realBytes == 8 && isDouble(problem.a) &&
         isDouble(problem.b) && isDouble(problem.c);
}
