//===- HostSizes.cpp - Sizes of arguments that must agree -----------------===//
//
//   blas.gemm ins(%a, %b : memref<?x?xf32>, ..) outs(%c : memref<?x?xf32>)
//
// gets M from C, N from C and K from A; those of B and the rows of A are not read again. A
// caller whose arrays contradict each other would get plausible values, or write where it has no
// memory. Each size is followed to the argument that it is of, through views and what is made in
// its shape; each pair of them that an operation has equal is tested once in its block.
//
//===----------------------------------------------------------------------===//

#include "HostSizes.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Runtime/Executable/Code.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;
using namespace rooftile::compiler;

namespace {
/// One size of an operand.
struct Dim {
  Value value;
  int64_t dim;
};

/// Where a size is stated: by an argument of the function, or by a type.
struct Stated {
  BlockArgument argument = {};
  int64_t dim = 0; ///< Dimension of the argument; else the size.

  bool operator==(const Stated &other) const {
    return argument == other.argument && dim == other.dim;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Where a size comes from
//===----------------------------------------------------------------------===//

static std::optional<Stated> statedBy(Dim size);

static std::optional<Stated> statedBy(OpFoldResult number) {
  if (std::optional<int64_t> known = getConstantIntValue(number))
    return Stated{{}, *known};
  Operation *op = cast<Value>(number).getDefiningOp();
  if (auto dim = dyn_cast_or_null<memref::DimOp>(op); dim && dim.getConstantIndex())
    return statedBy(Dim{dim.getSource(), *dim.getConstantIndex()});
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op); dim && dim.getConstantIndex())
    return statedBy(Dim{dim.getSource(), *dim.getConstantIndex()});
  return std::nullopt;
}

/// Nothing where it is computed.
static std::optional<Stated> statedBy(Dim size) {
  auto type = dyn_cast<ShapedType>(size.value.getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  if (!type.isDynamicDim(size.dim))
    return Stated{{}, type.getDimSize(size.dim)};
  if (auto argument = dyn_cast<BlockArgument>(size.value))
    return isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
                   argument.getOwner()->isEntryBlock()
               ? std::optional<Stated>({argument, size.dim})
               : std::nullopt;
  Operation *op = size.value.getDefiningOp();
  if (isa<memref::CastOp, tensor::CastOp>(op))
    return isa<RankedTensorType, MemRefType>(op->getOperand(0).getType())
               ? statedBy(Dim{op->getOperand(0), size.dim})
               : std::nullopt;
  if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
    auto from = cast<AffineDimExpr>(transpose.getPermutation().getResult(size.dim));
    return statedBy(Dim{transpose.getIn(), from.getPosition()});
  }
  if (auto shaped = dyn_cast<OffsetSizeAndStrideOpInterface>(op)) {
    bool isWhole = int64_t(shaped.getMixedSizes().size()) == type.getRank();
    return isWhole ? statedBy(shaped.getMixedSizes()[size.dim]) : std::nullopt;
  }
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return statedBy(empty.getMixedSizes()[size.dim]);
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return statedBy(alloc.getMixedSizes()[size.dim]);
  if (auto written = dyn_cast<DestinationStyleOpInterface>(op))
    return statedBy(Dim{written.getTiedOpOperand(cast<OpResult>(size.value))->get(), size.dim});
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Which sizes are equal
//===----------------------------------------------------------------------===//

namespace {
using Pairs = SmallVector<std::pair<Dim, Dim>>;

/// Pairs of one operation.
struct Relations {
  Pairs pairs;

  static int64_t rankOf(Value matrix) { return cast<ShapedType>(matrix.getType()).getRank(); }
  /// Rows (0) or columns (1) of a matrix that enters by `op`.
  static Dim sizeOf(Value matrix, int dim, Transpose op = Transpose::None) {
    return {matrix, rankOf(matrix) - 2 + (isTransposed(op) ? 1 - dim : dim)};
  }
  void add(Dim left, Dim right) { pairs.push_back({left, right}); }
  void addSquare(Value matrix) { add(sizeOf(matrix, 0), sizeOf(matrix, 1)); }
  void addShape(Value left, Value right) {
    for (int dim : {0, 1})
      add(sizeOf(left, dim), sizeOf(right, dim));
  }
  void addBatch(Value matrix, Value output, int64_t slices = 0);
  void addGemm(GemmOp op);
  void addTriangular(TriangularOpInterface op);
  void addSplit(SplitOpInterface op);
  void addLinalg(linalg::LinalgOp op);
};
} // namespace

/// Matrices of rank 2 are for the whole batch.
void Relations::addBatch(Value matrix, Value output, int64_t slices) {
  if (rankOf(matrix) != rankOf(output) - slices)
    return;
  for (int64_t dim = 0; dim < rankOf(matrix) - 2; ++dim)
    add({matrix, dim}, {output, slices + dim});
}

void Relations::addGemm(GemmOp op) {
  Value a = op.getA(), b = op.getB(), c = op.getC();
  add(sizeOf(a, 1, op.getOpA()), sizeOf(b, 0, op.getOpB()));
  if (!op.getPadded()) {
    add(sizeOf(c, 0), sizeOf(a, 0, op.getOpA()));
    add(sizeOf(c, 1), sizeOf(b, 1, op.getOpB()));
  }
  if (op.getTriangle())
    addSquare(c);
  for (Value factor : {a, b})
    addBatch(factor, c, op.getPartial());
  for (auto [index, extra] : llvm::enumerate(op.getExtras()))
    if (isa<ShapedType>(extra.getType()))
      for (auto [own, dim] : llvm::enumerate(op.getDimsOf(index)))
        add({c, dim}, {extra, int64_t(own)});
}

void Relations::addTriangular(TriangularOpInterface op) {
  addSquare(op.getA());
  add(sizeOf(op.getC(), op.getSide() == Side::Left ? 0 : 1), sizeOf(op.getA(), 0));
  addBatch(op.getA(), op.getC());
  if (op.isInPlace())
    return;
  addShape(op.getC(), op.getB());
  addBatch(op.getB(), op.getC());
}

void Relations::addSplit(SplitOpInterface op) {
  Value a = op.getA(), b = op.getB(), c = op.getC();
  for (Value input : {a, b})
    if (input)
      addBatch(input, c);
  auto addUpdate = [&](Transpose transpose) {
    addSquare(c);
    add(sizeOf(c, 0), sizeOf(a, 0, transpose));
    if (b)
      addShape(a, b);
  };
  auto addProduct = [&](Side side) {
    addSquare(a);
    add(sizeOf(c, side == Side::Left ? 0 : 1), sizeOf(a, 0));
    addShape(c, b);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<SyrkOp, HerkOp, Syr2kOp, Her2kOp>(
          [&](auto update) { addUpdate(update.getTranspose()); })
      .Case<SymmOp, HemmOp>([&](auto product) { addProduct(product.getSide()); })
      .Default([&](Operation *) {
        addSquare(c);
        if (a)
          addShape(c, a);
      });
}

/// Sizes along one loop; what a sum of loops reads is not tested.
void Relations::addLinalg(linalg::LinalgOp op) {
  llvm::DenseMap<unsigned, Dim> loops;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
        Dim own{operand.get(), int64_t(dim)};
        auto [first, isNew] = loops.try_emplace(loop.getPosition(), own);
        if (!isNew)
          add(first->second, own);
      }
  }
}

static Pairs pairsOf(Operation *op) {
  Relations relations;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](GemmOp gemm) { relations.addGemm(gemm); })
      .Case([&](TriangularOpInterface triangular) { relations.addTriangular(triangular); })
      .Case([&](SplitOpInterface split) { relations.addSplit(split); })
      .Case([&](linalg::LinalgOp linalg) { relations.addLinalg(linalg); });
  return relations.pairs;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

namespace {
/// Emits each test once a block.
class Tests {
public:
  Tests(ModuleOp module, Block *block)
      : module(module), builder(OpBuilder::atBlockBegin(block)), loc(builder.getUnknownLoc()) {}
  void add(Stated left, Stated right);

private:
  Value sizeOf(Stated size);
  static SizePlace placeOf(Stated size) {
    return size.argument ? SizePlace{uint16_t(size.argument.getArgNumber()), uint16_t(size.dim)}
                         : SizePlace();
  }

  ModuleOp module;
  OpBuilder builder;
  Location loc;
  SmallVector<std::pair<Stated, Stated>> known;
};
} // namespace

Value Tests::sizeOf(Stated size) {
  if (!size.argument)
    return arith::ConstantIndexOp::create(builder, loc, size.dim);
  if (isa<MemRefType>(size.argument.getType()))
    return memref::DimOp::create(builder, loc, size.argument, size.dim);
  return tensor::DimOp::create(builder, loc, size.argument, size.dim);
}

void Tests::add(Stated left, Stated right) {
  std::pair pair(left, right), swapped(right, left);
  bool isOfArgument = left.argument || right.argument;
  if (left == right || !isOfArgument || llvm::is_contained(known, pair) ||
      llvm::is_contained(known, swapped))
    return;
  known.push_back(pair);
  Type index = builder.getIndexType();
  if (!module.lookupSymbol(kSameSize)) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    auto type = builder.getFunctionType({index, index, index}, {});
    func::FuncOp::create(top, module.getLoc(), kSameSize, type).setPrivate();
  }
  Value places = arith::ConstantIndexOp::create(builder, loc,
                                                int64_t(sizePlaces(placeOf(left), placeOf(right))));
  func::CallOp::create(builder, loc, kSameSize, TypeRange(),
                       ValueRange{sizeOf(left), sizeOf(right), places});
}

void compiler::testSizes(ModuleOp module) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, memref::MemRefDialect, tensor::TensorDialect>();
  llvm::MapVector<Block *, SmallVector<std::pair<Stated, Stated>>> blocks;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](Operation *op) {
      for (auto [left, right] : pairsOf(op)) {
        std::optional<Stated> one = statedBy(left), other = statedBy(right);
        if (one && other)
          blocks[op->getBlock()].push_back({*one, *other});
      }
    });
  for (auto &[block, pairs] : blocks) {
    Tests tests(module, block);
    for (auto &[left, right] : pairs)
      tests.add(left, right);
  }
}
