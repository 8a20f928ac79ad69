//===- Problem.cpp - Reading a problem off an operation -------------------===//

#include "rooftile/Planning/Problem.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

/// Bytes of the widest global access of one thread.
static constexpr int64_t kMaxAccessBytes = 16;

/// Strides of the last two dimensions, the others after them, and the offset.
static bool getLayout(ShapedType type, SmallVector<int64_t> &strides, int64_t &offset) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return succeeded(memref.getStridesAndOffset(strides, offset));
  // A tensor is bufferized with the identity layout.
  strides.assign(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 2; dim >= 0; --dim) {
    int64_t size = type.getDimSize(dim + 1), stride = strides[dim + 1];
    bool dynamic = ShapedType::isDynamic(size) || ShapedType::isDynamic(stride);
    strides[dim] = dynamic ? ShapedType::kDynamic : size * stride;
  }
  offset = 0;
  return true;
}

/// Halves `width` until it divides `number`; an unknown number leaves 1.
static int64_t dividing(int64_t width, int64_t number) {
  if (ShapedType::isDynamic(number))
    return 1;
  while (number % width != 0)
    width /= 2;
  return width;
}

/// `columnsAre`: the dimension of the product that the stored columns run along.
static Matrix readMatrix(ShapedType type, Contiguous columnsAre, int64_t elementBytes) {
  Matrix matrix;
  matrix.contiguous = Contiguous::None;
  matrix.columns = columnsAre;
  matrix.batched = type.getRank() > 2;
  SmallVector<int64_t> strides;
  int64_t offset = 0, rank = type.getRank();
  if (!getLayout(type, strides, offset))
    return matrix;
  Contiguous rowsAre = columnsAre == Contiguous::Inner ? Contiguous::Outer : Contiguous::Inner;
  int64_t unit = strides[rank - 1] == 1 ? rank - 1 : strides[rank - 2] == 1 ? rank - 2 : -1;
  if (unit < 0)
    return matrix;
  matrix.contiguous = unit == rank - 1 ? columnsAre : rowsAre;
  int64_t width = dividing(kMaxAccessBytes / elementBytes, offset);
  width = dividing(width, type.getDimSize(unit));
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != unit)
      width = dividing(width, strides[dim]);
  matrix.maxVector = width;
  return matrix;
}

/// An error on `op` unless all element types are the same one of f32 and f64.
static LogicalResult checkTypes(blas::Level3OpInterface op) {
  Type acc = op.getAccumulatorType();
  if (!acc.isF32() && !acc.isF64())
    return op->emitOpError("no kernel sums products in ") << acc << "; supported: f32, f64";
  for (auto [name, value] : {std::pair("A", op.getMatrixA()), std::pair("B", op.getMatrixB()),
                             std::pair("C", op.getMatrixC())}) {
    Type type = cast<ShapedType>(value.getType()).getElementType();
    if (type != acc)
      return op->emitOpError("no kernel takes operand ")
             << name << " of " << type << " with an accumulator of " << acc
             << "; supported: f32 or f64 throughout";
  }
  return success();
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
  problem.elementBytes = op.getAccumulatorType().getIntOrFloatBitWidth() / 8;
  auto read = [&](Value value, Contiguous columnsAre) {
    return readMatrix(cast<ShapedType>(value.getType()), columnsAre, problem.elementBytes);
  };
  bool transA = blas::isTransposed(op.getTransposeA());
  bool transB = blas::isTransposed(op.getTransposeB());
  problem.a = read(op.getMatrixA(), transA ? Contiguous::Outer : Contiguous::Inner);
  problem.b = read(op.getMatrixB(), transB ? Contiguous::Inner : Contiguous::Outer);
  problem.c = read(op.getMatrixC(), Contiguous::Inner);
  problem.readsC = op.readsC();
  return problem;
}

double Problem::bytesRead() const {
  double ofA = double(a.batched ? batch : 1) * m * k, ofB = double(b.batched ? batch : 1) * k * n;
  double ofC = readsC ? double(batch) * m * n : 0;
  return (ofA + ofB + ofC) * elementBytes;
}
