//===- BlasInterfaces.td - What all level-3 operations answer ---*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASINTERFACES_TD
#define ROOFTILE_DIALECT_BLAS_BLASINTERFACES_TD

include "mlir/IR/OpBase.td"

def Blas_Level3OpInterface : OpInterface<"Level3OpInterface"> {
  let cppNamespace = "::rooftile::blas";
  let description = [{
    A BLAS level-3 product: C = alpha * op(A) * op(B) + beta * C, or one with a
    triangular A. Sizes are static values or `ShapedType::kDynamic`; bytes and
    flops of a dynamic operation are answered for given sizes.
  }];
  let methods = [
    InterfaceMethod<"Rows of C.", "int64_t", "getM">,
    InterfaceMethod<"Columns of C.", "int64_t", "getN">,
    InterfaceMethod<"Length of the sums, the order of a triangular A.", "int64_t",
                    "getK">,
    InterfaceMethod<"Product of the batch sizes.", "int64_t", "getBatch">,
    InterfaceMethod<"The left matrix, or the triangular one.", "::mlir::Value", "getMatrixA">,
    InterfaceMethod<"The other matrix; C in place.", "::mlir::Value", "getMatrixB">,
    InterfaceMethod<"The output matrix.", "::mlir::Value", "getMatrixC">,
    InterfaceMethod<"False where C is only written, as where beta is known to be 0.", "bool",
                    "readsC">,
    InterfaceMethod<"How A enters.", "::rooftile::blas::Transpose", "getTransposeA">,
    InterfaceMethod<"How B enters.", "::rooftile::blas::Transpose", "getTransposeB">,
    InterfaceMethod<"Type in which products are summed.", "::mlir::Type", "getAccumulatorType">,
    InterfaceMethod<"What of A is read.", "::rooftile::blas::Structure", "getStructureA">,
    InterfaceMethod<"What of B is read.", "::rooftile::blas::Structure", "getStructureB">,
    InterfaceMethod<"Facts that the types do not say, or null.", "::rooftile::blas::GivenAttr",
                    "getGivenAttr", (ins), "", "return {};">,
    InterfaceMethod<"The plan (#blas.plan or #blas.blocks), or null.", "::mlir::Attribute",
                    "getPlanAttr">,
    InterfaceMethod<"Real floating-point operations for the given sizes.", "double", "getFlops",
                    (ins "int64_t":$batch, "int64_t":$m, "int64_t":$n, "int64_t":$k)>,
    InterfaceMethod<"Bytes that must move for the given sizes: each operand once, C twice if read.",
                    "double", "getBytes",
                    (ins "int64_t":$batch, "int64_t":$m, "int64_t":$n, "int64_t":$k)>
  ];
}

def Blas_EpilogueOpInterface : OpInterface<"EpilogueOpInterface"> {
  let cppNamespace = "::rooftile::blas";
  let description = [{
    An operation that may apply a function to each element of the sums before it is stored to C:
    a region on the sum, in the type of the sums, and on one element of each extra operand. An
    extra operand is a scalar, or a matrix some of whose dimensions C has.
  }];
  let methods = [
    InterfaceMethod<"The extra operands.", "::mlir::OperandRange", "getExtras">,
    InterfaceMethod<"For each extra operand the dimensions of C that are its own, or null without "
                    "an epilogue.", "::mlir::ArrayAttr", "getExtraDimsAttr">,
    InterfaceMethod<"The function, as a list of one region or none.",
                    "::mlir::MutableArrayRef<::mlir::Region>", "getEpilogue">,
    InterfaceMethod<"C, to which the result is stored.", "::mlir::Value", "getOutput">,
    InterfaceMethod<"Type of the sums.", "::mlir::Type", "getSumType">
  ];
  let extraSharedClassDeclaration = [{
    bool hasEpilogue() { return !$_op.getEpilogue().empty(); }
    /// The block of the function, which there is.
    ::mlir::Block &getEpilogueBlock() { return $_op.getEpilogue().front().front(); }
    /// Dimension `dim` of extra operand `index` is this dimension of C.
    ::llvm::ArrayRef<int64_t> getDimsOf(size_t index) {
      return ::llvm::cast<::mlir::DenseI64ArrayAttr>($_op.getExtraDimsAttr()[index]).asArrayRef();
    }
  }];
}

def Blas_TriangularOpInterface : OpInterface<"TriangularOpInterface", [Blas_Level3OpInterface]> {
  let cppNamespace = "::rooftile::blas";
  let description = [{
    What blas.trmm and blas.trsm share: one triangular matrix A, and a matrix that
    is multiplied or solved for, in place (no B) or from B to C.
  }];
  let methods = [
    InterfaceMethod<"Where op(A) stands.", "::rooftile::blas::Side", "getSide">,
    InterfaceMethod<"The stored triangle of A that is read.", "::rooftile::blas::Uplo", "getUplo">,
    InterfaceMethod<"How A enters.", "::rooftile::blas::Transpose", "getOpA">,
    InterfaceMethod<"Whether the diagonal of A is read.", "::rooftile::blas::Diag", "getDiag">,
    InterfaceMethod<"The triangular matrix.", "::mlir::Value", "getA">,
    InterfaceMethod<"The input, or null in place.", "::mlir::Value", "getB">,
    InterfaceMethod<"The output.", "::mlir::Value", "getC">,
    InterfaceMethod<"The scalar, or null for 1.", "::mlir::Value", "getAlpha">,
    InterfaceMethod<"Sets how A enters.", "void", "setOpA",
                    (ins "::rooftile::blas::Transpose":$op)>,
    InterfaceMethod<"Sets the stored triangle.", "void", "setUplo",
                    (ins "::rooftile::blas::Uplo":$uplo)>,
    InterfaceMethod<"Sets the plan.", "void", "setPlanAttr",
                    (ins "::rooftile::blas::BlocksAttr":$plan)>
  ];
  let extraSharedClassDeclaration = [{
    /// True for the form `ins(%a) outs(%b)`.
    bool isInPlace() { return !$_op.getB(); }
    /// The name of the output in messages and documents: B in place, else C.
    ::llvm::StringRef getOutputName() { return isInPlace() ? "B" : "C"; }
    /// True where op(A), the matrix as it enters, is lower triangular.
    bool isEffectivelyLower() {
      return ($_op.getUplo() == ::rooftile::blas::Uplo::Lower) !=
             ::rooftile::blas::isTransposed($_op.getOpA());
    }
    bool isOnTensors() { return ::llvm::isa<::mlir::TensorType>($_op.getC().getType()); }
    /// The plan as what it is.
    ::rooftile::blas::BlocksAttr getBlocks() {
      return ::llvm::dyn_cast_or_null<::rooftile::blas::BlocksAttr>($_op.getPlanAttr());
    }
    /// The constant value of alpha (1 when absent), or nothing when it is not a constant.
    std::optional<std::complex<double>> getConstantAlpha() {
      return ::rooftile::blas::getConstantValue($_op.getAlpha(), 1);
    }
  }];
}

#endif
