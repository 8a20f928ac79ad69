//===- KernelInterface.h - What crosses from host to kernel -----*- C++ -*-===//
//
// A kernel has bare pointers and i64 values as arguments; what is static is compiled in.
// This file holds both ends: the host operands of a launch with their contract,
// and the memref views that the kernel builds from its arguments.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TRANSFORMS_KERNEL_KERNELINTERFACE_H
#define ROOFTILE_TRANSFORMS_KERNEL_KERNELINTERFACE_H

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include <map>
#include <optional>

namespace rooftile {

/// Width in elements of the accesses to C along its columns: the plan's vector, as far as legal.
int64_t accessVectorOfC(blas::ProductOpInterface op);
/// Width of the accesses to C in the tile at the end of C, where rows are written as one run, which
/// may end inside an access.
int64_t lastVectorOfC(blas::ProductOpInterface op);

/// A matrix or scalar and what it is to the kernel.
struct KernelOperand {
  blas::Role role;
  mlir::Value value;
  int64_t index = 0; ///< Among the extra operands of an epilogue.
};

/// Operands of a launch and the contract that names them, for any operation: its
/// matrices and scalars are added in order on the host side, and found by role inside.
class KernelInterface {
public:
  /// Adds the pointer of a memref, aligned to `align` bytes, and what is dynamic in its type:
  /// offset, sizes, strides. `known`: the alignment is a fact, and need not be tested. Of the
  /// result of a blas.batch the array of addresses, which nobody tests.
  void addMatrix(mlir::OpBuilder &builder, const KernelOperand &matrix, int64_t align,
                 bool known = false);
  /// C are slices of a workspace: a test of its pointer names W.
  void setSlices(bool isSlices) { slices = isSlices; }
  /// Tests name operands of the operation that `part` is a part of, where its attributes name them.
  void setNames(mlir::Operation *part) {
    names = part->getAttrOfType<mlir::ArrayAttr>(blas::BlasDialect::kOperandsName);
  }
  /// Adds a descriptor of a matrix, by value: after all other arguments. `isMade`, an i1, is at
  /// run time whether it exists; `box`: vectors of the copied box, and real elements of each.
  void addDescriptor(blas::Role role, mlir::Value descriptor, mlir::Value isMade,
                     llvm::ArrayRef<int64_t> box);
  /// Adds a scalar; a null one is absent, a constant is compiled in. One that host code loads from
  /// memory is loaded by the kernel, which gets the address.
  void addScalar(mlir::OpBuilder &builder, const KernelOperand &scalar);

  mlir::ValueRange getOperands() const { return operands; }
  llvm::ArrayRef<blas::ArgAttr> getArgs() const { return args; }
  /// Sizes of C as its type has them, batch first; empty without a C.
  llvm::ArrayRef<int64_t> getOutputSizes() const;

  /// Emits the test of all pointers whose alignment is unknown where `builder` stands: one that
  /// is not aligned is reported to the runtime, before anything that is done with it.
  void testAlignment(mlir::OpBuilder &builder, mlir::ModuleOp module) {
    aligned = alignmentTest(builder, module);
  }
  /// That test, unless it has been emitted, and whether there are all descriptors. Null when there
  /// is nothing to test.
  mlir::Value testArguments(mlir::OpBuilder &builder, mlir::ModuleOp module) const;

  /// One operand seen from inside the kernel.
  struct Matrix {
    mlir::Value pointer; // of a batch by pointers: to their addresses
    mlir::OpFoldResult offset;
    llvm::SmallVector<mlir::OpFoldResult> sizes, strides; // as stored, batch first
    mlir::Type element = {};                              // of a batch by pointers, else null
  };
  /// The operands inside the kernel. A scalar that is absent is null.
  struct Arguments {
    using Key = std::pair<blas::Role, int64_t>;
    std::map<Key, Matrix> matrices;
    std::map<Key, mlir::Value> scalars;
    std::map<blas::Role, mlir::Value> descriptors;

    const Matrix &matrix(blas::Role role, int64_t index = 0) const {
      return matrices.at({role, index});
    }
    mlir::Value scalar(blas::Role role, int64_t index = 0) const {
      auto found = scalars.find({role, index});
      return found == scalars.end() ? mlir::Value() : found->second;
    }
    /// Null where there is none.
    mlir::Value descriptor(blas::Role role) const {
      auto found = descriptors.find(role);
      return found == descriptors.end() ? mlir::Value() : found->second;
    }
  };
  /// These operands from the kernel's arguments (i64 arguments become index).
  Arguments unpack(mlir::OpBuilder &builder, mlir::ValueRange arguments) const;

private:
  void addTable(mlir::OpBuilder &builder, const KernelOperand &batch, int64_t align);
  mlir::Value alignmentTest(mlir::OpBuilder &builder, mlir::ModuleOp module) const;
  void add(mlir::OpBuilder &builder, blas::ArgKind kind, const KernelOperand &of, int64_t dim,
           mlir::Value value);

  llvm::SmallVector<KernelOperand> entries;                                // as added, of the host
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *>> loads; // of scalars
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<blas::ArgAttr> args;
  llvm::SmallVector<std::pair<mlir::Value, blas::ArgAttr>> untested; // pointers of the host
  llvm::SmallVector<std::pair<blas::Role, mlir::Value>> described;   // and whether it is
  std::optional<mlir::Value> aligned; // the test of these, null for none, once it is emitted
  bool slices = false;
  mlir::ArrayAttr names; // of the operands of a whole operation, where this is a part
};

/// op(X) of entry `batch` as a rank 2 memref (rows x columns of op(X)). `batch` counts all batch
/// dimensions, the last one fastest; `slice` is the index of a dimension before them, if any.
mlir::Value viewMatrix(mlir::OpBuilder &builder, mlir::Location loc,
                       const KernelInterface::Matrix &matrix, blas::Transpose transpose,
                       mlir::Value batch, mlir::Value slice = {});

/// `sizes` elements of what `pointer` points to, from element `offset` on, `strides` apart.
mlir::Value viewStrided(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                        mlir::OpFoldResult offset, llvm::ArrayRef<mlir::OpFoldResult> sizes,
                        llvm::ArrayRef<mlir::OpFoldResult> strides);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_KERNEL_KERNELINTERFACE_H
