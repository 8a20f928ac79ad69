//===- Verifiers.cpp - What blas.gemm can be ------------------------------===//
//
// Every message names the operand and both sizes or types. What depends on the
// hardware or on dynamic sizes is checked later: by Planning, and at run time.
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"
#include "rooftile/Dialect/Blas/Overlap.h"
#include "rooftile/Dialect/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

static ShapedType shaped(Value value) { return cast<ShapedType>(value.getType()); }

bool rooftile::blas::differ(int64_t left, int64_t right) {
  return !ShapedType::isDynamic(left) && !ShapedType::isDynamic(right) && left != right;
}

LogicalResult rooftile::blas::verifyMatrix(Operation *op, NamedMatrix matrix) {
  auto [name, value] = matrix;
  ShapedType type = shaped(value);
  if (!isElementType(type.getElementType()))
    return op->emitOpError("operand ")
           << name << " has elements of " << type.getElementType()
           << ", expected f16, bf16, f32, f64, complex<f32> or complex<f64>";
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && !memref.isStrided())
    return op->emitOpError("operand ") << name << " has no strides: " << memref;
  if (getPointers(type) && !isa<GemmOp, TrmmOp, TrsmOp>(op))
    return op->emitOpError("operand ") << name << " is a batch by pointers, " << type
                                       << ": blas.gemm, trmm and trsm alone accept these";
  return success();
}

LogicalResult rooftile::blas::verifyForm(Operation *op, ArrayRef<NamedMatrix> inputs,
                                         NamedMatrix output) {
  Type type = output.second.getType();
  bool tensor = isa<TensorType>(type);
  for (auto [name, operand] : inputs)
    if (isa<TensorType>(operand.getType()) != tensor)
      return op->emitOpError("mixes tensors and memrefs: operand ")
             << name << " is " << operand.getType() << ", " << output.first << " is " << type;
  if (!tensor && op->getNumResults() != 0)
    return op->emitOpError("on memrefs has no result");
  if (tensor && op->getNumResults() != 1)
    return op->emitOpError("on tensors has one result");
  if (tensor && op->getResult(0).getType() != type)
    return op->emitOpError("result is ")
           << op->getResult(0).getType() << " but " << output.first << " is " << type;
  return success();
}

LogicalResult rooftile::blas::verifyBatch(Operation *op, ArrayRef<NamedMatrix> inputs,
                                          NamedMatrix output, int64_t slices) {
  ShapedType c = shaped(output.second);
  if (c.getRank() < 2)
    return op->emitOpError("operand ")
           << output.first << " has rank " << c.getRank() << ", expected at least 2";
  for (auto [name, value] : inputs) {
    ShapedType type = shaped(value);
    int64_t rank = c.getRank() - slices;
    if (type.getRank() != 2 && type.getRank() != rank)
      return op->emitOpError("operand ")
             << name << " has rank " << type.getRank() << ", expected 2 or the rank of "
             << output.first << ", " << rank;
    if (type.getRank() == 2)
      continue;
    for (int64_t dim = 0; dim < rank - 2; ++dim)
      if (differ(type.getDimSize(dim), c.getDimSize(slices + dim)))
        return op->emitOpError("batch dimension ")
               << dim << " of operand " << name << " is " << type.getDimSize(dim) << " but that of "
               << output.first << " is " << c.getDimSize(slices + dim);
  }
  return success();
}

static LogicalResult verifySizes(GemmOp op) {
  ShapedType a = shaped(op.getA()), b = shaped(op.getB()), c = shaped(op.getC());
  int64_t rowsA = getSizeOf(a, op.getOpA(), 0), colsA = getSizeOf(a, op.getOpA(), 1);
  int64_t rowsB = getSizeOf(b, op.getOpB(), 0), colsB = getSizeOf(b, op.getOpB(), 1);
  int64_t rowsC = getSizeOf(c, Transpose::None, 0), colsC = getSizeOf(c, Transpose::None, 1);
  if (differ(colsA, rowsB))
    return op.emitOpError("K differs: op(A) has ")
           << colsA << " columns but op(B) has " << rowsB << " rows";
  // More is padding of an operation that is `padded`.
  auto fits = [&](int64_t size, int64_t ofC) {
    return !differ(size, ofC) || (op.getPadded() && size > ofC);
  };
  if (!fits(rowsA, rowsC))
    return op.emitOpError("M differs: op(A) has ")
           << rowsA << " rows but C has " << rowsC << " rows";
  if (!fits(colsB, colsC))
    return op.emitOpError("N differs: op(B) has ")
           << colsB << " columns but C has " << colsC << " columns";
  return success();
}

static LogicalResult verifyAccumulator(GemmOp op, Type a, Type b, Type c) {
  Type acc = op.getAccumulatorType();
  if (!isElementType(acc) || isa<ComplexType>(acc) != isa<ComplexType>(c))
    return op.emitOpError("accumulator type ") << acc << " does not fit C of " << c;
  for (auto [name, type] : {std::pair("A", a), std::pair("B", b)})
    if (!holdsExactly(acc, type))
      return op.emitOpError("accumulator type ")
             << acc << " cannot hold operand " << name << " of " << type;
  if (!holdsExactly(acc, c))
    return op.emitOpError("accumulator type ") << acc << " is narrower than C of " << c;
  return success();
}

static LogicalResult verifyTypes(GemmOp op) {
  Type a = shaped(op.getA()).getElementType(), b = shaped(op.getB()).getElementType();
  Type c = shaped(op.getC()).getElementType(), acc = op.getAccumulatorType();
  auto mismatch = [&] {
    return op.emitOpError("operand types do not match: A is ")
           << a << ", B is " << b << ", C is " << c << "; ";
  };
  if ((isa<ComplexType>(a) || isa<ComplexType>(b)) != isa<ComplexType>(c))
    return mismatch() << "C is complex exactly when A or B is";
  if (!op.getAcc() &&
      (componentBytes(a) > componentBytes(acc) || componentBytes(b) > componentBytes(acc)))
    return mismatch() << "a wider operand than C needs an explicit acc";
  if (failed(verifyAccumulator(op, a, b, c)))
    return failure();
  for (auto [name, value] : {std::pair("alpha", op.getAlpha()), std::pair("beta", op.getBeta())})
    if (value && value.getType() != acc)
      return op.emitOpError("operand ")
             << name << " is " << value.getType() << " but products are summed in " << acc;
  return success();
}

LogicalResult rooftile::blas::verifyOutput(Operation *op, ArrayRef<NamedMatrix> inputs,
                                           NamedMatrix output) {
  auto type = dyn_cast<MemRefType>(output.second.getType());
  if (!type)
    return success();
  for (auto [name, input] : inputs)
    if (input == output.second)
      return op->emitOpError("output ") << output.first << " is also operand " << name
                                        << ": the output must not overlap an input";
  return verifyDistinct(op, output.first, type);
}

LogicalResult rooftile::blas::verifyTriangle(EpilogueOpInterface op, int64_t rows,
                                             int64_t columns) {
  UploAttr triangle = op.getTriangleAttr();
  auto c = shaped(op.getOutput());
  if (triangle && differ(rows, columns))
    return op->emitOpError("triangle<") << stringifyUplo(triangle.getValue()) << ">: C is " << rows
                                        << " x " << columns << ", expected a square";
  if (op.getRealDiagonal() && (!triangle || !isa<ComplexType>(c.getElementType())))
    return op->emitOpError("realDiagonal belongs to a triangle of complex elements, but C is ")
           << c << (triangle ? "" : ", all of it");
  return success();
}

/// Partial sums have a static number of slices, and nothing to add C to.
static LogicalResult verifyPartial(GemmOp op) {
  ShapedType c = shaped(op.getC());
  if (!op.getPartial())
    return success();
  if (c.getRank() < 3 || c.isDynamicDim(0) || c.getDimSize(0) < 1)
    return op.emitOpError("partial: operand C is ")
           << c << ", expected a leading dimension of 1 or more slices";
  if (op.getBeta() || op.getWorkspace())
    return op.emitOpError("partial sums accept no ") << (op.getBeta() ? "beta" : "workspace");
  return success();
}

/// Operands that are packed into a workspace are of its type.
static LogicalResult verifyPacked(GemmOp op) {
  PlanAttr plan = op.getPlanAttr();
  if (!plan)
    return success();
  for (auto [name, matrix, path] :
       {std::tuple("A", op.getA(), plan->a), std::tuple("B", op.getB(), plan->b)})
    if (Type type = shaped(matrix).getElementType(); path.pack && type != op.getAccumulatorType())
      return op.emitOpError("workspace of ")
             << op.getAccumulatorType() << " cannot hold packed operand " << name << " of " << type;
  return success();
}

/// A workspace is a row of accumulator elements, not too short for the plan.
static LogicalResult verifyWorkspace(GemmOp op) {
  if (!op.getWorkspace())
    return success();
  auto type = dyn_cast<MemRefType>(op.getWorkspace().getType());
  if (!type || type.getRank() != 1 || !type.areTrailingDimsContiguous(1) ||
      type.getElementType() != op.getAccumulatorType())
    return op.emitOpError("workspace is ")
           << op.getWorkspace().getType() << ", expected a contiguous memref of rank 1 of "
           << op.getAccumulatorType();
  int64_t needed = ProductOpInterface(op).getWorkspaceElements(), present = type.getDimSize(0);
  if (!ShapedType::isDynamic(needed) && !ShapedType::isDynamic(present) && present < needed)
    return op.emitOpError("workspace has ") << present << " elements but the plan needs " << needed;
  return verifyPacked(op);
}

/// Refuses plans that make views of operands which are batches by pointers.
static LogicalResult verifyPointers(GemmOp op, PlanAttr plan) {
  if (!plan)
    return success();
  for (auto [name, value] : {std::pair("A", op.getA()), {"B", op.getB()}, {"C", op.getC()}})
    if (plan->tail == Tail::Split && getPointers(shaped(value)))
      return op.emitOpError("plan: tail = split makes views of operands, but operand ")
             << name << " is a batch by pointers";
  for (auto [name, path, value] : {std::tuple("A", plan->a, op.getA()), {"B", plan->b, op.getB()}})
    if (path.pack && getPointers(shaped(value)))
      return op.emitOpError("plan: pack copies operand ")
             << name << " first, but it is a batch by pointers";
  Reduction reduction = plan->reduction;
  if ((reduction == Reduction::Workspace || reduction == Reduction::Atomic) &&
      getPointers(shaped(op.getC())))
    return op.emitOpError("plan: reduction = ")
           << stringifyReduction(reduction)
           << " writes C by a second kernel, but operand C is a batch by pointers";
  return success();
}

/// Checks every plan of the operation.
static LogicalResult verifyPointers(GemmOp op) {
  if (failed(verifyPointers(op, op.getPlanAttr())))
    return failure();
  if (op.getPlansAttr())
    for (auto each : op.getPlansAttr().getAsRange<CaseAttr>())
      if (failed(verifyPointers(op, each.getPlan())))
        return failure();
  return success();
}

/// A structure of a product specifies where zeros are, or are to be.
static LogicalResult verifyStructures(GemmOp op) {
  Structure last = op.getMasked() ? Structure::UnitUpper : Structure::Upper;
  for (auto [name, structure] : {std::pair("A", op.getStructureA()), {"B", op.getStructureB()}})
    if (structure > last)
      return op.emitOpError("operand ")
             << name << " is " << stringifyStructure(structure) << ", but of a product it is "
             << (op.getMasked() ? "masked to be lower, upper, unit_lower, unit_upper"
                                : "known to be lower, upper")
             << " or general";
  bool general =
      op.getStructureA() == Structure::General && op.getStructureB() == Structure::General;
  if (op.getMasked() && general)
    return op.emitOpError("masked needs the structure of an operand: structureA, structureB");
  return success();
}

LogicalResult GemmOp::verify() {
  NamedMatrix inputs[] = {{"A", getA()}, {"B", getB()}}, output{"C", getC()};
  for (NamedMatrix matrix : {inputs[0], inputs[1], output})
    if (failed(verifyMatrix(*this, matrix)))
      return failure();
  if (failed(verifyForm(*this, inputs, output)) || failed(verifyPartial(*this)) ||
      failed(verifyBatch(*this, inputs, output, getPartial())) || failed(verifySizes(*this)) ||
      failed(verifyTypes(*this)) || failed(verifyWorkspace(*this)) || failed(verifyFacts(*this)) ||
      failed(verifyPointers(*this)) || failed(verifyStructures(*this)) ||
      failed(verifyTriangle(*this, getM(), getN())))
    return failure();
  return verifyOutput(*this, inputs, output);
}
