//===- Blas.h - The matrix level --------------------------------*- C++ -*-===//
//
// The dialect `blas`: operations, and the attributes #blas.target, #blas.plan
// and #blas.contract that carry every decision from pass to pass.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_BLAS_H
#define ROOFTILE_DIALECT_BLAS_BLAS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "rooftile/Dialect/Blas/BlocksData.h"
#include "rooftile/Dialect/Blas/Enums.h"
#include "rooftile/Dialect/Blas/PlanData.h"
#include "rooftile/Dialect/Blas/TargetData.h"

#include <complex>
#include <optional>

#include "rooftile/Dialect/Blas/BlasDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "rooftile/Dialect/Blas/BlasAttributes.h.inc"

namespace rooftile::blas {

/// The value of a constant scalar, `absent` for a null one, or nothing when it is not a constant.
std::optional<std::complex<double>> getConstantValue(mlir::Value scalar, double absent);

/// True for an operand that enters transposed (t or c).
inline bool isTransposed(Transpose op) {
  return op == Transpose::Trans || op == Transpose::Adjoint;
}
/// True for an operand that enters conjugated (c or j).
inline bool isConjugated(Transpose op) { return op == Transpose::Adjoint || op == Transpose::Conj; }

/// That of the transposed matrix: lower and upper are exchanged.
inline Structure transposed(Structure structure) {
  int number = static_cast<int>(structure);
  return structure == Structure::General
             ? structure
             : static_cast<Structure>(number % 2 == 1 ? number + 1 : number - 1);
}

/// A triangle below the diagonal, or above it; its diagonal may be ones.
inline bool isLower(Structure structure) {
  return structure == Structure::Lower || structure == Structure::UnitLower;
}
inline bool isUpper(Structure structure) { return isLower(transposed(structure)); }

struct ProductFields;

} // namespace rooftile::blas

#include "rooftile/Dialect/Blas/BlasInterfaces.h.inc"

#define GET_OP_CLASSES
#include "rooftile/Dialect/Blas/Blas.h.inc"

namespace mlir {
class RewriterBase;
} // namespace mlir

namespace rooftile::blas {

/// Lets one-shot bufferization turn tensor forms into memref forms.
void registerBufferizableOpInterfaceExternalModels(mlir::DialectRegistry &registry);
/// The part of it that is about blas.view.
void registerViewBufferization(mlir::DialectRegistry &registry);

/// Reads A and B from where transposing producers (linalg.transpose of tensors or
/// the same as linalg.generic, memref.transpose) read them, and toggles op(A) and
/// op(B). True when `gemm` changed; one with a plan stays as planned.
bool absorbTransposes(mlir::RewriterBase &rewriter, GemmOp gemm);

/// Reads A of a triangular operation from where a transposing producer reads it: op(A) and uplo
/// change sides. True when the operation changed; one with a plan stays as planned.
bool absorbTransposes(mlir::RewriterBase &rewriter, TriangularOpInterface op);

/// The constants by which `index` multiplies each of `dims` dimensions, where it is their sum and
/// no constant is negative; else nothing.
std::optional<llvm::SmallVector<int64_t>> factorsOf(mlir::AffineExpr index, unsigned dims);

/// The memref `source` under the dimensions of `map`, of `sizes`: blas.view for memrefs.
/// Indices of the source get `offsets` added, one for each of its dimensions, or none.
mlir::Value createStridedView(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                              mlir::AffineMap map, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                              llvm::ArrayRef<mlir::OpFoldResult> offsets = {});

/// The type of a matrix with the strides that are known of it: a tensor that is a view (blas.view)
/// has those of the memref that it becomes. For every other value its type.
mlir::ShapedType getLayoutType(mlir::Value matrix);

/// The memref that `memref` is a view of; null where it is none.
mlir::Value getViewSource(mlir::Value memref);

/// Bytes of which the base pointer of `matrix` is presumed to be a multiple: kMaxAccessBytes, or
/// less where `blas.given` of the function's argument that it is a view of states that; dynamic
/// where each call has its own.
int64_t getAlign(mlir::Value matrix);

/// A matrix in memory, as far as accesses to it depend on that.
struct StoredMatrix {
  StoredMatrix(mlir::ShapedType type, int64_t align) : type(type), align(align) {}
  StoredMatrix(mlir::Value matrix) : type(getLayoutType(matrix)), align(getAlign(matrix)) {}

  mlir::ShapedType type;
  int64_t align; ///< Bytes, as by getAlign.
};

/// blas.operands of a part: its A, B and C are these operands of the whole operation.
mlir::ArrayAttr operandNames(mlir::MLIRContext *context, llvm::ArrayRef<Role> operands);

/// The product of the sizes of a batch: 2^63 - 1 where it is more, dynamic where one of them is.
int64_t batchOf(llvm::ArrayRef<int64_t> sizes);

/// Elements of one type that copies of an operand are padded to: 16 bytes, or one element.
int64_t packedMultiple(mlir::Type element);

/// A packed operand, and partial sums, begin at a multiple of so many bytes of a workspace.
inline constexpr int64_t kWorkspaceAlign = 256;

/// A tile of rows x columns elements that passes through shared memory on its way to C is written
/// by rows: the width of accesses, and the threads among which it divides evenly. Others hold the
/// same elements again.
struct ExchangeShare {
  int64_t vector = 0, threads = 0; ///< 0: it divides among no number of them.
};

/// The share of the most threads, of `threads` halved again and again, in the widest accesses, at
/// most `vector` elements.
ExchangeShare exchangeShare(int64_t rows, int64_t columns, int64_t threads, int64_t vector);

/// A copy of the constant, inserted at `builder`; null for a scalar that is no constant.
mlir::Value cloneConstant(mlir::OpBuilder &builder, mlir::Value scalar);

/// The constant `value` of a real type, which gets its real component, or a complex one.
mlir::Value createScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                         std::complex<double> value);

/// The type in which products of such elements are summed where nothing else is stated: f32 for f16
/// and bf16, else their own.
mlir::Type getDefaultSumType(mlir::Type element);

/// An i1 that is false where a real or complex scalar is 0.
mlir::Value createNonZeroTest(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value scalar);

/// The layout of a batch by pointers; null for every other matrix.
PointersAttr getPointers(mlir::ShapedType type);

/// True for f16, bf16, f32, f64, complex<f32> and complex<f64>: what a matrix holds.
bool isElementType(mlir::Type type);

/// Rows (`dim` 0) or columns (`dim` 1) of op(X), for X of shape [batch,] rows, columns.
inline int64_t getSizeOf(mlir::ShapedType type, Transpose op, int dim) {
  return type.getDimSize(type.getRank() - 2 + (isTransposed(op) ? 1 - dim : dim));
}

/// True for a matrix that stands for a whole batch: without batch dimensions, or where each of them
/// has stride 0 or size 1.
bool isShared(mlir::ShapedType type);

/// Whether rows and columns, the last two dimensions, are known to follow each other upward in
/// memory.
bool runsForward(mlir::ShapedType type);

/// The dimension (as stored) along which neighbours of a matrix are neighbours in memory, of N x 1
/// that of N; -1 for none. A tensor counts as contiguous row-major.
int64_t getContiguousDim(mlir::ShapedType type);

/// Widest access in elements (a power of two, at most 16 bytes) along dimension `dim` of a matrix
/// as stored: stride 1 there; its size, the other strides, the offset and the alignment known to be
/// multiples. `given`: the width that #blas.given states for the operand.
int64_t getLegalVector(const StoredMatrix &matrix, int64_t dim, int64_t given = 1);

/// Widest access along the contiguous dimension that no static number of the matrix forbids.
int64_t getPossibleVector(const StoredMatrix &matrix);

/// A matrix whose vectors, along the contiguous dimension, follow each other without gaps: elements
/// of a vector, and of the widest access to all of them as one run; 0 where that is not known.
struct FlatRuns {
  int64_t length = 0, vector = 0;
  /// `vector` for accesses whose last one may cross the end of the matrix: asynchronous copies are
  /// given the elements that remain.
  int64_t aligned = 0;

  int64_t widest(Copy copy) const { return copy == Copy::Async ? aligned : vector; }
};
FlatRuns getFlatRuns(const StoredMatrix &matrix);

/// Why `op` cannot be a product of the real elements of its operands (complex =
/// induced), for a message; empty where it can.
std::string whyNotInduced(ProductOpInterface op);

/// Why copies of the operands of `op` cannot be multiplied as real elements in parts of bf16
/// (complex = induced, products = 6), for a message; empty where they can.
std::string whyNotInducedInParts(ProductOpInterface op);

/// Whether A, or B, lies so that its real elements are a matrix along M, or N.
bool liesAsReals(ProductOpInterface op, bool ofA);

/// getLegalVector of A, B or C (`operand` 0, 1, 2) of a product, with the width that `given` states
/// for it.
int64_t getLegalVector(Level3OpInterface op, int operand, int64_t dim);

/// True where the stride along dimension `dim` is known to be 1.
bool hasUnitStride(mlir::ShapedType type, int64_t dim);

/// `type` with a stride of 1 where `order` has it and it is dynamic in the type; tensors, batches
/// by pointers, and types that have another stride there, stay as they are.
mlir::ShapedType withOrder(mlir::ShapedType type, Order order);

/// Both facts at once, which do not contradict each other; null is no fact.
ExtentAttr intersect(ExtentAttr left, ExtentAttr right);
GivenAttr intersect(GivenAttr left, GivenAttr right);

/// `given` agrees with the types, `plans` with `plan`; else an error on `op`. Part of its verifier.
llvm::LogicalResult verifyFacts(ProductOpInterface op);

/// Succeeds where `when` can hold for `op`, as far as its types and `given` determine; else
/// `refuse` makes the diagnostic, which gets the reason.
llvm::LogicalResult canHold(ProductOpInterface op, GivenAttr when,
                            llvm::function_ref<mlir::InFlightDiagnostic()> refuse);

/// True when M, N or K (`dim` 0, 1, 2) is known to be at least, or a multiple of, `tile`.
bool isAtLeast(Level3OpInterface op, int dim, int64_t tile);
bool isMultiple(Level3OpInterface op, int dim, int64_t tile);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_BLAS_H
