//===- Problem.cpp - Reading a problem off an operation -------------------===//

#include "rooftile/Planning/Problem/Problem.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

/// Bytes of an entry in an array of pointers.
static constexpr int64_t kAddressBytes = 8;

static Type elementOf(Value matrix) { return cast<ShapedType>(matrix.getType()).getElementType(); }

/// An error on `op` where no kernel accumulates in its accumulator type, or none rounds that to C.
static LogicalResult checkTypes(blas::Level3OpInterface op) {
  Type acc = op.getAccumulatorType(), c = elementOf(op.getMatrixC());
  if (componentBytes(acc) < 4)
    return op->emitOpError("no kernel accumulates products in ")
           << acc << "; supported: f32, f64, complex<f32>, complex<f64>";
  if (realTypeOf(acc).isF64() && componentBytes(c) < 4)
    return op->emitOpError("no kernel rounds accumulators in ") << acc << " to operand C of " << c;
  return success();
}

static int64_t multiplyAddsOf(blas::Level3OpInterface op) {
  return componentsOf(elementOf(op.getMatrixA())) * componentsOf(elementOf(op.getMatrixB()));
}

Problem Problem::assuming(blas::GivenAttr given) const {
  Problem problem = *this;
  problem.assume(given);
  return problem;
}

/// Elements that a given workspace holds. The user asked how many the whole operation needs: one of
/// unknown length may be too short for an edge.
static int64_t roomOf(blas::ProductOpInterface op) {
  if (!op.getWorkspace())
    return INT64_MAX;
  int64_t present = cast<ShapedType>(op.getWorkspace().getType()).getDimSize(0);
  bool isEdge = op->hasAttr(blas::BlasDialect::kEdgeOfName);
  return !ShapedType::isDynamic(present) ? present : isEdge ? 0 : INT64_MAX;
}

/// Operands of the accumulator's type fit into a workspace that is given.
static bool fitsWorkspace(blas::ProductOpInterface op) {
  Type acc = op.getAccumulatorType();
  return !op.getWorkspace() ||
         (elementOf(op.getMatrixA()) == acc && elementOf(op.getMatrixB()) == acc);
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
static double extraBytesOf(blas::ProductOpInterface product, const Problem &problem) {
  if (!product.hasEpilogue())
    return 0;
  double ofC = (problem.readsC ? 2 : 1) * problem.bytesOfC();
  return product.getBytes(problem.batch, problem.m, problem.n, /*k=*/0) - ofC;
}

FailureOr<Problem> Problem::of(blas::Level3OpInterface op) {
  if (failed(checkTypes(op)))
    return failure();
  Problem problem;
  static_cast<blas::ProductFacts &>(problem) = blas::ProductFacts::of(op);
  problem.multiplyAdds = multiplyAddsOf(op);
  problem.readsC = op.readsC();
  if (auto product = dyn_cast<blas::ProductOpInterface>(op.getOperation())) {
    problem.adds = product.getConstantBeta() == std::complex<double>(1);
    problem.hasWorkspace = product.getWorkspace() != nullptr;
    problem.roomElements = roomOf(product);
    problem.canPack = fitsWorkspace(product);
    problem.extraBytes = extraBytesOf(product, problem);
  }
  readWhole(problem, op);
  return problem.assuming(op.getGivenAttr());
}

/// Elements of a triangle in `rows` x `columns`: at least, where these differ.
static double elementsOfTriangle(int64_t rows, int64_t columns) {
  double order = std::min(rows, columns);
  return order * (order + 1) / 2;
}

double Problem::products() const {
  double all = elementsOfC() * k;
  if (triangularA)
    all = std::min(all, elementsOfTriangle(m, k) * n);
  if (triangularB)
    all = std::min(all, elementsOfTriangle(k, n) * m);
  return all;
}

double Problem::bytesRead() const {
  double addresses = double(batch) * kAddressBytes * (a.byPointers + b.byPointers + c.byPointers);
  double ofA = bytesOfA(), ofB = oneMatrix ? 0 : bytesOfB();
  if (triangularA && ofA > 0)
    ofA *= elementsOfTriangle(m, k) / (double(m) * k);
  if (triangularB && ofB > 0)
    ofB *= elementsOfTriangle(k, n) / (double(k) * n);
  return ofA + ofB + addresses + extraBytes + (readsC ? bytesOfC() : 0);
}
