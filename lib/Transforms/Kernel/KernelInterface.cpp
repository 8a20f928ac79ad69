//===- KernelInterface.cpp - What crosses from host to kernel -------------===//

#include "rooftile/Transforms/Kernel/KernelInterface.h"
#include "TileOperand.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Kernel/PlanMaps.h"
#include "rooftile/Transforms/Thread/ScalarLoads.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Width of accesses to C that comes from shared memory, at most.
static int64_t exchangeVectorOfC(ProductOpInterface op) {
  return exchangeVector(elementBytes(op.getAccumulatorType()));
}

/// Width of accesses to rows of C written as one run.
static int64_t flatVectorOfC(ProductOpInterface op, int64_t legal) {
  PlanAttr plan = op.getPlanAttr();
  return std::gcd(std::gcd(legal, plan->macroM * plan->flat), exchangeVectorOfC(op));
}

int64_t rooftile::lastVectorOfC(ProductOpInterface op) {
  return flatVectorOfC(op, getFlatRuns(op.getMatrixC()).vector);
}

int64_t rooftile::accessVectorOfC(ProductOpInterface op) {
  auto type = cast<MemRefType>(op.getMatrixC().getType());
  PlanAttr plan = op.getPlanAttr();
  if (plan->flat) {
    // Tiles that are moved back may begin anywhere.
    bool ownTail = isAtLeast(op, 0, plan->macroM) && !overlaps(op, 0);
    return ownTail ? flatVectorOfC(op, getFlatRuns(op.getMatrixC()).aligned) : lastVectorOfC(op);
  }
  int64_t run = plan->exchangesC() ? exchangeVectorOfC(op) : plan->runOf(1);
  return std::min(run, getLegalVector(op, 2, type.getRank() - 1));
}

//===----------------------------------------------------------------------===//
// Host side
//===----------------------------------------------------------------------===//

void KernelInterface::add(OpBuilder &builder, ArgKind kind, const KernelOperand &of, int64_t dim,
                          Value value) {
  if (value.getType().isIndex())
    value = arith::IndexCastOp::create(builder, value.getLoc(), builder.getI64Type(), value);
  operands.push_back(value);
  args.push_back(ArgAttr::get(builder.getContext(), kind, of.role, dim, /*align=*/0, of.index));
}

void KernelInterface::addMatrix(OpBuilder &builder, const KernelOperand &matrix, int64_t align,
                                bool known) {
  entries.push_back(matrix);
  Value memref = matrix.value;
  auto type = cast<MemRefType>(memref.getType());
  if (getPointers(type))
    return addTable(builder, matrix, align);
  // A view as real elements (blas.as_real) is passed as the complex memref: only one size differs,
  // by a known factor.
  auto reals = memref.getDefiningOp<AsRealOp>();
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, memref.getLoc(),
                                                           reals ? reals.getSource() : memref);
  operands.push_back(metadata.getBaseBuffer());
  args.push_back(ArgAttr::get(builder.getContext(), ArgKind::Pointer, matrix.role, /*dim=*/0, align,
                              matrix.index));
  if (!known && needsAlignmentTest(memref, align))
    untested.push_back({metadata.getBaseBuffer(), args.back()});
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  if (ShapedType::isDynamic(offset))
    add(builder, ArgKind::Offset, matrix, 0, metadata.getOffset());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      add(builder, ArgKind::Size, matrix, dim, metadata.getSizes()[dim]);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (ShapedType::isDynamic(strides[dim]))
      add(builder, ArgKind::Stride, matrix, dim, metadata.getStrides()[dim]);
}

/// The addresses of a batch by pointers, its sizes and the strides within a matrix.
void KernelInterface::addTable(OpBuilder &builder, const KernelOperand &matrix, int64_t align) {
  auto batch = matrix.value.getDefiningOp<BatchOp>();
  auto type = cast<MemRefType>(matrix.value.getType());
  Location loc = matrix.value.getLoc();
  Value table = batch.getPointers();
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, table);
  operands.push_back(metadata.getBaseBuffer());
  args.push_back(ArgAttr::get(builder.getContext(), ArgKind::Table, matrix.role, /*dim=*/0, align,
                              matrix.index));
  if (type.isDynamicDim(0))
    add(builder, ArgKind::Size, matrix, 0, metadata.getSizes()[0]);
  for (int64_t dim : {1, 2})
    if (auto size = dyn_cast<Value>(batch.getSize(dim)))
      add(builder, ArgKind::Size, matrix, dim, size);
  for (int64_t dim : {1, 2})
    if (auto stride = dyn_cast<Value>(batch.getStride(dim)))
      add(builder, ArgKind::Stride, matrix, dim, stride);
}

ArrayRef<int64_t> KernelInterface::getOutputSizes() const {
  for (const KernelOperand &entry : entries)
    if (auto type = dyn_cast<MemRefType>(entry.value.getType()); type && entry.role == Role::C)
      return type.getShape();
  return {};
}

void KernelInterface::addScalar(OpBuilder &builder, const KernelOperand &scalar) {
  if (!scalar.value)
    return;
  entries.push_back(scalar);
  if (matchPattern(scalar.value, m_Constant()))
    return;
  SmallVector<Operation *> found = scalarLoads(scalar.value);
  if (found.empty())
    return add(builder, ArgKind::Scalar, scalar, 0, scalar.value);
  for (Value memref : memrefsOf(found)) {
    auto metadata = memref::ExtractStridedMetadataOp::create(builder, memref.getLoc(), memref);
    int64_t align = elementBytes(cast<MemRefType>(memref.getType()).getElementType());
    operands.push_back(metadata.getBaseBuffer());
    args.push_back(ArgAttr::get(builder.getContext(), ArgKind::Pointer, scalar.role, /*dim=*/0,
                                align, scalar.index));
  }
  loads[scalar.value] = std::move(found);
}

void KernelInterface::addDescriptor(Role role, Value descriptor, Value isMade,
                                    ArrayRef<int64_t> box) {
  described.push_back({role, isMade});
  operands.push_back(descriptor);
  args.push_back(ArgAttr::get(descriptor.getContext(), ArgKind::Descriptor, role, /*dim=*/0,
                              /*align=*/0, /*index=*/0, box));
}

/// Both hold; null stands for nothing to test.
static Value both(OpBuilder &builder, Value first, Value second) {
  if (!first || !second)
    return first ? first : second;
  return arith::AndIOp::create(builder, second.getLoc(), first, second);
}

Value KernelInterface::alignmentTest(OpBuilder &builder, ModuleOp module) const {
  Value all;
  for (auto [pointer, arg] : untested) {
    Role role = arg.getRole();
    if (slices && role == Role::C)
      role = Role::W;
    else if (names && role < Role::Alpha)
      role = cast<ArgAttr>(names[static_cast<int>(role)]).getRole();
    // Extra operands are counted on after the roles.
    int64_t number = static_cast<int64_t>(role) + (role == Role::E ? arg.getIndex() : 0);
    all = both(builder, all, createAlignmentTest(builder, module, pointer, arg.getAlign(), number));
  }
  return all;
}

Value KernelInterface::testArguments(OpBuilder &builder, ModuleOp module) const {
  Value all = aligned ? *aligned : alignmentTest(builder, module);
  for (auto [role, isMade] : described)
    all = both(builder, all, isMade);
  return all;
}

//===----------------------------------------------------------------------===//
// Kernel side
//===----------------------------------------------------------------------===//

namespace {
/// Walks the kernel's arguments in the order in which the host side added them.
struct Unpacker {
  OpBuilder &builder;
  ValueRange arguments;

  Value next() {
    Value value = arguments.front();
    arguments = arguments.drop_front();
    if (value.getType().isInteger(64))
      value = arith::IndexCastOp::create(builder, value.getLoc(), builder.getIndexType(), value);
    return value;
  }
  OpFoldResult number(int64_t known) {
    return ShapedType::isDynamic(known) ? OpFoldResult(next()) : builder.getIndexAttr(known);
  }
  /// A pointer to complex elements as one to their real elements.
  Value asElements(Value pointer, Type element) {
    Type given = cast<MemRefType>(pointer.getType()).getElementType();
    bool parts = isa<ComplexType>(given) && !isa<ComplexType>(element);
    return parts ? Value(lane::AsRealOp::create(builder, pointer.getLoc(), pointer)) : pointer;
  }
  KernelInterface::Matrix matrix(MemRefType type) {
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)type.getStridesAndOffset(strides, offset);
    KernelInterface::Matrix matrix;
    matrix.pointer = asElements(next(), type.getElementType());
    matrix.offset = number(offset);
    if (getPointers(type)) {
      strides[0] = 0; // replaced by a table of addresses
      matrix.element = type.getElementType();
    }
    for (int64_t size : type.getShape())
      matrix.sizes.push_back(number(size));
    for (int64_t stride : strides)
      matrix.strides.push_back(number(stride));
    return matrix;
  }
  Value scalar(Value host, ArrayRef<Operation *> loads) {
    if (Value constant = cloneConstant(builder, host))
      return constant;
    if (loads.empty())
      return next();
    IRMapping mapping;
    for (Value memref : memrefsOf(loads))
      mapping.map(memref, next());
    return repeatLoads(builder, host, loads, mapping);
  }
};
} // namespace

KernelInterface::Arguments KernelInterface::unpack(OpBuilder &builder, ValueRange arguments) const {
  Unpacker unpacker{builder, arguments};
  Arguments result;
  for (auto [role, host, index] : entries)
    if (auto type = dyn_cast<MemRefType>(host.getType()))
      result.matrices[{role, index}] = unpacker.matrix(type);
    else
      result.scalars[{role, index}] = unpacker.scalar(host, loads.lookup(host));
  for (auto [role, isMade] : described)
    result.descriptors[role] = unpacker.next();
  return result;
}

//===----------------------------------------------------------------------===//
// Matrices as a kernel sees them
//===----------------------------------------------------------------------===//

/// Offset of slice `slice` (null: no dimension for it) and of entry `batch` of the batch, whose
/// last dimension varies fastest: offset + sum of (digit * stride) over the leading dimensions.
static OpFoldResult batchOffset(OpBuilder &builder, Location loc,
                                const KernelInterface::Matrix &matrix, Value batch, Value slice) {
  OpFoldResult offset = matrix.offset;
  int64_t first = slice ? 1 : 0;
  for (int64_t dim = int64_t(matrix.sizes.size()) - 3; dim >= 0; --dim) {
    Value digit = dim < first ? slice : batch;
    if (dim > first) {
      Value size = getValueOrCreateConstantIndexOp(builder, loc, matrix.sizes[dim]);
      digit = arith::RemUIOp::create(builder, loc, batch, size);
      batch = arith::DivUIOp::create(builder, loc, batch, size);
    }
    Value stride = getValueOrCreateConstantIndexOp(builder, loc, matrix.strides[dim]);
    Value base = getValueOrCreateConstantIndexOp(builder, loc, offset);
    Value step = arith::MulIOp::create(builder, loc, digit, stride);
    offset = arith::AddIOp::create(builder, loc, base, step).getResult();
  }
  return offset;
}

/// The first element of matrix `batch`.
static Value baseOf(OpBuilder &builder, Location loc, const KernelInterface::Matrix &matrix,
                    Value batch) {
  if (!matrix.element)
    return matrix.pointer;
  OpFoldResult one = builder.getIndexAttr(1), zero = builder.getIndexAttr(0);
  int64_t count = getConstantIntValue(matrix.sizes[0]).value_or(ShapedType::kDynamic);
  auto type = MemRefType::get({count}, builder.getI64Type(),
                              StridedLayoutAttr::get(builder.getContext(), 0, {1}));
  Value table =
      memref::ReinterpretCastOp::create(builder, loc, type, matrix.pointer, zero,
                                        ArrayRef(matrix.sizes).take_front(1), ArrayRef(one));
  Value address = memref::LoadOp::create(builder, loc, table, batch);
  return lane::PointerOp::create(builder, loc, MemRefType::get({}, matrix.element), address);
}

Value rooftile::viewMatrix(OpBuilder &builder, Location loc, const KernelInterface::Matrix &matrix,
                           Transpose transpose, Value batch, Value slice) {
  size_t rank = matrix.sizes.size();
  OpFoldResult offset =
      matrix.element ? matrix.offset : batchOffset(builder, loc, matrix, batch, slice);
  SmallVector<OpFoldResult> sizes{matrix.sizes[rank - 2], matrix.sizes[rank - 1]};
  SmallVector<OpFoldResult> strides{matrix.strides[rank - 2], matrix.strides[rank - 1]};
  if (isTransposed(transpose)) {
    std::swap(sizes[0], sizes[1]);
    std::swap(strides[0], strides[1]);
  }
  Value base = baseOf(builder, loc, matrix, batch);
  return viewStrided(builder, loc, base, offset, sizes, strides);
}

Value rooftile::viewStrided(OpBuilder &builder, Location loc, Value pointer, OpFoldResult offset,
                            ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides) {
  auto fixed = [](ArrayRef<OpFoldResult> values) {
    return decomposeMixedValues(llvm::to_vector(values)).first;
  };
  auto layout = StridedLayoutAttr::get(builder.getContext(), fixed(offset)[0], fixed(strides));
  Type element = cast<MemRefType>(pointer.getType()).getElementType();
  auto type = MemRefType::get(fixed(sizes), element, layout);
  return memref::ReinterpretCastOp::create(builder, loc, type, pointer, offset, sizes, strides);
}
