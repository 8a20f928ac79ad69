//===- OperationOf.cpp - The operation that IR states ---------------------===//

#include "rooftile/Planning/Problem/OperationOf.h"
#include "rooftile/Dialect/Blas/Activation.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/ElementType.h"
#include "rooftile/Operation/Words.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

static int64_t sizeOf(int64_t size) {
  return ShapedType::isDynamic(size) ? operation::kAnySize : size;
}

/// Rows and columns are the last two dimensions.
static int64_t rowsOf(ShapedType type) { return sizeOf(type.getDimSize(type.getRank() - 2)); }
static int64_t columnsOf(ShapedType type) { return sizeOf(type.getDimSize(type.getRank() - 1)); }

/// Bytes that the first element lies at a multiple of, where the base pointer lies at one of
/// `base`, and `vector` elements are known to be aligned; 0 where nothing is known.
static int64_t alignOf(int64_t base, int64_t offset, int64_t vector, int64_t bytes) {
  int64_t known = vector > 1 ? vector * bytes : 0;
  if (!ShapedType::isDynamic(base) && !ShapedType::isDynamic(offset))
    known = std::max(known, offset == 0 ? base : std::min(base, (offset & -offset) * bytes));
  return std::min<int64_t>(known, operation::kMostAlign);
}

/// Leading dimension and order by the strides of rows and columns. False where neither is
/// contiguous, or a stride is negative.
static bool readOrder(ArrayRef<int64_t> strides, operation::Matrix &matrix) {
  int64_t row = strides[strides.size() - 2], column = strides.back();
  if (row != 1 && column != 1)
    return false;
  matrix.order = column == 1 ? operation::Order::RowMajor : operation::Order::ColumnMajor;
  int64_t leading = column == 1 ? row : column;
  matrix.leading = sizeOf(leading);
  return ShapedType::isDynamic(leading) || leading >= 0;
}

static bool readPointers(blas::PointersAttr layout, operation::Matrix &matrix) {
  matrix.align = std::min<int64_t>(layout.getAlign(), operation::kMostAlign);
  if (matrix.align <= bytesOf(matrix.element))
    matrix.align = 0; // as of every element
  matrix.stride = 0;
  return readOrder(layout.getStrides(), matrix);
}

/// A matrix as it is stored. `vector`: elements that are known to be aligned.
static bool readMatrix(Value value, blas::Order order, int64_t vector, bool isBatch,
                       operation::Matrix &matrix) {
  ShapedType type = blas::withOrder(blas::getLayoutType(value), order);
  std::optional<operation::Element> element = elementOf(type.getElementType());
  matrix.element = element.value_or(matrix.element);
  if (!element || type.getRank() < 2 || type.getRank() > (isBatch ? 3 : 2))
    return false;
  if (blas::PointersAttr layout = blas::getPointers(type))
    return readPointers(layout, matrix);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    memref = MemRefType::get(type.getShape(), type.getElementType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(memref.getStridesAndOffset(strides, offset)))
    return false;
  matrix.align = int32_t(alignOf(blas::getAlign(value), offset, vector, bytesOf(*element)));
  matrix.stride = strides.size() == 3 ? sizeOf(strides[0]) : 0;
  bool isForward = strides.size() == 2 || ShapedType::isDynamic(strides[0]) || strides[0] >= 0;
  return isForward && readOrder(strides, matrix);
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// Whether values of two blocks are computed alike from the arguments of these. The order of
/// operations does not count, and neither does that of two factors or summands.
static bool isSame(Value left, Value right) {
  if (left.getType() != right.getType())
    return false;
  auto argument = dyn_cast<BlockArgument>(left), other = dyn_cast<BlockArgument>(right);
  if (argument || other)
    return argument && other && argument.getArgNumber() == other.getArgNumber();
  Operation *one = left.getDefiningOp(), *two = right.getDefiningOp();
  if (one->getName() != two->getName() || one->getAttrDictionary() != two->getAttrDictionary() ||
      one->getNumOperands() != two->getNumOperands())
    return false;
  auto agree = [&](auto operands) {
    return llvm::all_of_zip(one->getOperands(), operands, isSame);
  };
  bool isCommutative = one->hasTrait<OpTrait::IsCommutative>();
  return agree(two->getOperands()) || (isCommutative && agree(llvm::reverse(two->getOperands())));
}

/// The activation that `block` computes of its sum and, where it has a second argument, a bias.
static std::optional<operation::Activation> activationOf(Block &block) {
  using operation::Activation;
  Value result = block.getTerminator()->getOperand(0);
  bool isReal = !isa<ComplexType>(block.getArgument(0).getType());
  for (size_t index = 0; index < std::size(operation::Words<Activation>::list); ++index) {
    if (index > 0 && !isReal)
      break; // functions of real numbers
    Block known;
    for (BlockArgument argument : block.getArguments())
      known.addArgument(argument.getType(), argument.getLoc());
    OpBuilder builder(result.getContext());
    builder.setInsertionPointToStart(&known);
    Value bias = known.getNumArguments() > 1 ? known.getArgument(1) : Value();
    if (isSame(result, blas::applyEpilogue(builder, Activation(index), known.getArgument(0), bias)))
      return Activation(index);
  }
  return std::nullopt;
}

/// False for other functions than an activation of the sum and a bias.
static bool readEpilogue(blas::GemmOp op, operation::Epilogue &epilogue) {
  if (!op.hasEpilogue())
    return true;
  if (op.getExtras().size() > 1)
    return false;
  auto c = cast<ShapedType>(op.getC().getType());
  if (!op.getExtras().empty()) {
    auto type = dyn_cast<MemRefType>(op.getExtras()[0].getType());
    ArrayRef<int64_t> dims = op.getDimsOf(0);
    if (!type || type.getElementType() != c.getElementType() || dims.size() != 1 ||
        dims[0] < c.getRank() - 2 || !blas::hasUnitStride(type, 0))
      return false;
    epilogue.bias =
        dims[0] == c.getRank() - 1 ? operation::Bias::PerColumn : operation::Bias::PerRow;
  }
  std::optional<operation::Activation> activation = activationOf(op.getEpilogueBlock());
  epilogue.activation = activation.value_or(operation::Activation::None);
  return activation.has_value();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
/// Operands that operations have; values are null where one lacks them.
struct Operands {
  Value a, b, c, alpha, beta;
  blas::GivenAttr given = {};
};
} // namespace

static operation::Scalar scalarOf(Value scalar, operation::Scalar absent,
                                  const operation::RoutineInfo &info) {
  if (!scalar)
    return absent;
  auto load = scalar.getDefiningOp<memref::LoadOp>();
  if (load && load.getMemRefType().getRank() == 0 && info.hasScalarsInMemory)
    return operation::Scalar::InMemory;
  std::optional<std::complex<double>> value = blas::getConstantValue(scalar, 0);
  return value == std::complex<double>(1)   ? operation::Scalar::One
         : value == std::complex<double>(0) ? operation::Scalar::Zero
                                            : operation::Scalar::AtRunTime;
}

static operation::Op opOf(blas::Transpose op) {
  return operation::Op(blas::stringifyTranspose(op).front());
}

/// Form of the batch; nothing where some matrices are by pointers and others not.
static std::optional<operation::Batch> batchOf(const Operands &operands) {
  int pointers = 0, others = 0;
  for (Value value : {operands.a, operands.b, operands.c})
    if (value)
      ++(blas::getPointers(blas::getLayoutType(value)) ? pointers : others);
  if (pointers)
    return others ? std::nullopt : std::optional(operation::Batch::Pointers);
  bool isBatch = cast<ShapedType>(operands.c.getType()).getRank() > 2;
  return isBatch ? operation::Batch::Strided : operation::Batch::None;
}

/// Matrices, sizes and scalars, op(A) being known. Where it returns false, what can be stated is.
static bool readOperands(const Operands &operands, operation::Operation &operation) {
  const operation::RoutineInfo &info = operation.info();
  std::optional<operation::Batch> batch = batchOf(operands);
  bool isWhole = batch.has_value();
  operation.batch = batch.value_or(operation::Batch::Pointers);
  auto c = cast<ShapedType>(operands.c.getType());
  bool isBatch = operation.batch != operation::Batch::None;
  operation.count = isBatch ? sizeOf(c.getDimSize(0)) : 1;
  operation.m = rowsOf(c), operation.n = columnsOf(c);
  if (!info.hasM())
    operation.m = operation.n = std::max(operation.m, operation.n); // the one that is known
  if (info.hasK()) {
    auto a = cast<ShapedType>(operands.a.getType());
    operation.k = isTransposed(operation.opA) ? rowsOf(a) : columnsOf(a);
  }
  Value values[] = {operands.a, operands.b, operands.c};
  blas::GivenAttr given = operands.given;
  for (int index : {0, 1, 2}) {
    if (!operation.has(index))
      continue;
    blas::Order order = given ? given.getOrder(index) : blas::Order::Any;
    int64_t vector = given ? given.getVector(index) : 1;
    isWhole &= readMatrix(values[index], order, vector, isBatch, operation.operand(index));
  }
  if (info.alpha != operation::ScalarType::None)
    operation.alpha = scalarOf(operands.alpha, operation::Scalar::One, info);
  if (info.beta != operation::ScalarType::None)
    operation.beta = scalarOf(operands.beta, operation::Scalar::Zero, info);
  return isWhole;
}

/// Whether `op` is a whole product, of which nothing but the result is stated.
static bool isWhole(blas::GemmOp op) {
  auto general = blas::Structure::General;
  Type element = cast<ShapedType>(op.getC().getType()).getElementType();
  return !op.getPartial() && !op.getPadded() && !op.getMasked() && !op.getTriangle() &&
         !op.getRealDiagonal() && !op.getWorkspace() && op.getStructureA() == general &&
         op.getStructureB() == general &&
         op.getAccumulatorType() == blas::getDefaultSumType(element);
}

static bool readProduct(blas::GemmOp op, operation::Operation &operation) {
  operation.opA = opOf(op.getOpA()), operation.opB = opOf(op.getOpB());
  operation.math = *operation::choiceNamed<operation::Math>(
      std::string_view(blas::stringifyMathMode(op.getMath())));
  if (op.getAnyOrder())
    operation.summation = operation::Summation::AnyOrder;
  if (op.getCompensated())
    operation.rounding = operation::Rounding::Compensated;
  if (op.getA() == op.getB())
    operation.alias = operation::Alias::AB;
  Operands operands{op.getA(),     op.getB(),    op.getC(),
                    op.getAlpha(), op.getBeta(), op.getGivenAttr()};
  bool isStated = readOperands(operands, operation);
  return readEpilogue(op, operation.epilogue) && isStated && isWhole(op);
}

static bool readTriangular(blas::TriangularOpInterface op, operation::Operation &operation) {
  operation.opA = opOf(op.getOpA());
  operation.side = operation::Side(op.getSide());
  operation.triangle = operation::Triangle(op.getUplo());
  operation.diagonal = operation::Diagonal(op.getDiag());
  if (op.getExact())
    operation.dependence = operation::Dependence::Exact;
  return readOperands({op.getA(), {}, op.getC(), op.getAlpha(), {}}, operation) && op.isInPlace();
}

/// An operation that symmetric-split decomposes: `operation` has what it alone has.
static bool readSplit(blas::SplitOpInterface op, operation::Operation &operation) {
  operation.triangle = operation::Triangle(op.getUplo());
  return readOperands({op.getA(), op.getB(), op.getC(), op.getAlpha(), op.getBeta()}, operation);
}

static bool read(Operation *op, operation::Operation &operation) {
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](blas::GemmOp each) { return readProduct(each, operation); })
      .Case([&](blas::TriangularOpInterface each) { return readTriangular(each, operation); })
      .Case<blas::SyrkOp, blas::HerkOp, blas::Syr2kOp, blas::Her2kOp>([&](auto each) {
        operation.opA = opOf(each.getTranspose());
        return readSplit(each, operation);
      })
      .Case<blas::SymmOp, blas::HemmOp>([&](auto each) {
        operation.side = operation::Side(each.getSide());
        return readSplit(each, operation);
      })
      .Case([&](blas::TrtriOp each) {
        operation.diagonal = operation::Diagonal(each.getDiag());
        return !each.getA() && readSplit(each, operation);
      })
      .Default(false);
}

std::optional<planning::StatedOperation> planning::statedOperationOf(Operation *op) {
  std::optional<operation::Routine> routine = operation::routineNamed(op->getName().stripDialect());
  if (!routine || !isa_and_nonnull<blas::BlasDialect>(op->getDialect()))
    return std::nullopt;
  StatedOperation stated;
  operation::Operation &operation = stated.operation;
  operation.routine = *routine;
  stated.isWhole = read(op, operation) && !whatIsWrong(operation);
  bool isColumnMajor = operation.c.order == operation::Order::ColumnMajor;
  operation = canonical(operation);
  if (isColumnMajor)
    operation = exchanged(operation); // canonical() is row-major
  return stated;
}

std::optional<operation::Operation> planning::operationOf(Operation *op) {
  std::optional<StatedOperation> stated = statedOperationOf(op);
  if (!stated || !stated->isWhole)
    return std::nullopt;
  return canonical(stated->operation);
}

operation::Operation planning::asInIR(const operation::Operation &stated) {
  operation::Operation operation = stated;
  if (operation.routine != operation::Routine::Gemm) {
    operation.math = operation::Math::Strict;
    operation.summation = operation::Summation::Ordered;
    operation.rounding = operation::Rounding::Plain;
  }
  for (int index : {0, 1, 2}) {
    operation::Matrix &matrix = operation.operand(index);
    int32_t bytes = int32_t(bytesOf(matrix.element));
    bool isAligned = bytes >= operation::kMostAlign; // as every element
    if (operation.has(index) && (matrix.align || isAligned))
      matrix.align = std::max(matrix.align, bytes);
  }
  return operation;
}
