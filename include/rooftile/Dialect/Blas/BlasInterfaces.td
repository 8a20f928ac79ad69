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
    InterfaceMethod<"Number of terms of an element of C, the order of a triangular A.", "int64_t",
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
    InterfaceMethod<"What of A is read, as stored; of a product what of op(A) may differ from 0.",
                    "::rooftile::blas::Structure", "getStructureA">,
    InterfaceMethod<"What of B is read, as stored; of a product what of op(B) may differ from 0.",
                    "::rooftile::blas::Structure", "getStructureB">,
    InterfaceMethod<"Facts that the types do not specify, or null.", "::rooftile::blas::GivenAttr",
                    "getGivenAttr", (ins), "", "return {};">,
    InterfaceMethod<"The plan (#blas.plan or #blas.blocks), or null.", "::mlir::Attribute",
                    "getAnyPlan", (ins), [{ return $_op.getPlanAttr(); }]>,
    InterfaceMethod<"Real floating-point operations for the given sizes.", "double", "getFlops",
                    (ins "int64_t":$batch, "int64_t":$m, "int64_t":$n, "int64_t":$k)>,
    InterfaceMethod<"Bytes that must move for the given sizes: each operand once, C twice if read.",
                    "double", "getBytes",
                    (ins "int64_t":$batch, "int64_t":$m, "int64_t":$n, "int64_t":$k)>
  ];
  let extraSharedClassDeclaration = [{
    /// A, B or C (`operand` 0, 1, 2).
    ::mlir::Value getMatrix(int operand) {
      return operand == 0   ? $_op.getMatrixA()
             : operand == 1 ? $_op.getMatrixB()
                            : $_op.getMatrixC();
    }
    /// Op of A (`operand` 0) or B (1).
    ::rooftile::blas::Transpose getTranspose(int operand) {
      return operand == 0 ? $_op.getTransposeA() : $_op.getTransposeB();
    }
  }];
}

def Blas_EpilogueOpInterface : OpInterface<"EpilogueOpInterface"> {
  let cppNamespace = "::rooftile::blas";
  let description = [{
    An operation that may apply a function to each accumulator before it is stored to C:
    a region on the accumulator, in its type, and on one element of each extra operand. An
    extra operand is a scalar, or a matrix some of whose dimensions C has. What is stored may be one
    triangle of C.
  }];
  let methods = [
    InterfaceMethod<"The extra operands.", "::mlir::OperandRange", "getExtras", (ins), "",
                    [{ return {$_op->operand_end(), $_op->operand_end()}; }]>,
    InterfaceMethod<"For each extra operand the dimensions of C that are its own, or null without "
                    "an epilogue.", "::mlir::ArrayAttr", "getExtraDimsAttr", (ins), "",
                    "return {};">,
    InterfaceMethod<"The function, as a list of one region or none.",
                    "::mlir::MutableArrayRef<::mlir::Region>", "getEpilogue", (ins), "",
                    "return {};">,
    InterfaceMethod<"The triangle of a square C that is computed and stored, or null: all of it.",
                    "::rooftile::blas::UploAttr", "getTriangleAttr", (ins), "", "return {};">,
    InterfaceMethod<"Whether imaginary components on the diagonal of C are not read, and become 0.",
                    "bool", "getRealDiagonal", (ins), "", "return false;">,
    InterfaceMethod<"C, to which the result is stored.", "::mlir::Value", "getOutput">,
    InterfaceMethod<"Type of the accumulators.", "::mlir::Type", "getSumType">
  ];
  let extraSharedClassDeclaration = [{
    bool hasEpilogue() { return !$_op.getEpilogue().empty(); }
    /// Elements of C that are stored.
    ::rooftile::blas::Structure getStructureC() {
      ::rooftile::blas::UploAttr triangle = $_op.getTriangleAttr();
      if (!triangle)
        return ::rooftile::blas::Structure::General;
      return triangle.getValue() == ::rooftile::blas::Uplo::Lower
                 ? ::rooftile::blas::Structure::Lower
                 : ::rooftile::blas::Structure::Upper;
    }
    /// The block of the function, which there is.
    ::mlir::Block &getEpilogueBlock() { return $_op.getEpilogue().front().front(); }
    /// Dimension `dim` of extra operand `index` is this dimension of C.
    ::llvm::ArrayRef<int64_t> getDimsOf(size_t index) {
      return ::llvm::cast<::mlir::DenseI64ArrayAttr>($_op.getExtraDimsAttr()[index]).asArrayRef();
    }
  }];
}

def Blas_ProductOpInterface : OpInterface<"ProductOpInterface", [
    Blas_Level3OpInterface, Blas_EpilogueOpInterface]> {
  let cppNamespace = "::rooftile::blas";
  let description = [{
    A product that one kernel computes after a #blas.plan. All passes from tile-select to
    macro-tile ask this interface: an operation that implements it needs no change of theirs. What
    it does not have keeps its default. Parts of an operation are made by createLike: the
    same operation with some of its ProductFields (Product.h) replaced.
  }];
  let methods = [
    InterfaceMethod<"The plan, or null.", "::rooftile::blas::PlanAttr", "getPlanAttr">,
    InterfaceMethod<"Sets the plan, or with null removes it.", "void", "setPlanAttr",
                    (ins "::rooftile::blas::PlanAttr":$plan)>,
    InterfaceMethod<"The set of plans with conditions (#blas.case), or null.",
                    "::mlir::ArrayAttr", "getPlansAttr">,
    InterfaceMethod<"Sets the plans, or with null removes them.", "void", "setPlansAttr",
                    (ins "::mlir::ArrayAttr":$plans)>,
    InterfaceMethod<"The factor of the product, or null for 1.", "::mlir::Value", "getAlpha">,
    InterfaceMethod<"The factor of C, or null for 0.", "::mlir::Value", "getBeta">,
    InterfaceMethod<"Whether, and for what, results may differ from those of the definition.",
                    "::rooftile::blas::MathMode", "getMath", (ins), "",
                    "return ::rooftile::blas::MathMode::Strict;">,
    InterfaceMethod<"Whether the order of summation may change from run to run.", "bool",
                    "getAnyOrder", (ins), "", "return false;">,
    InterfaceMethod<"Whether summation is compensated.", "bool", "getCompensated", (ins), "",
                    "return false;">,
    InterfaceMethod<"Whether C has a leading dimension of slices that add up to the product.",
                    "bool", "getPartial", (ins), "", "return false;">,
    InterfaceMethod<"Whether op(A) may have more rows than C, op(B) more columns.", "bool",
                    "getPadded", (ins), "", "return false;">,
    InterfaceMethod<"Whether the structures of op(A) and op(B) hold whatever memory does.", "bool",
                    "getMasked", (ins), "", "return false;">,
    InterfaceMethod<"The accumulator type where it is stated, or null: it follows from C's.",
                    "::mlir::TypeAttr", "getAccAttr", (ins), "", "return {};">,
    InterfaceMethod<"Memory of the user for what the plan needs beside the operands, or null.",
                    "::mlir::Value", "getWorkspace", (ins), "", "return {};">,
    InterfaceMethod<"This operation with `fields` for its own, and its discardable attributes, "
                    "where `builder` stands.", "::rooftile::blas::ProductOpInterface",
                    "createLike", (ins "::mlir::OpBuilder &":$builder,
                                       "const ::rooftile::blas::ProductFields &":$fields)>
  ];
  let extraClassDeclaration = [{
    /// Elements of workspace, of the accumulator type, that the plan needs: for each packed operand
    /// K rows (batch: of each matrix) of whole 128 bytes, rounded up to 256 bytes, and splits *
    /// batch * M * N with `reduction = workspace` (and no `partial`), twice that with
    /// `complex = induced`. kDynamic where a size that counts is dynamic.
    int64_t getWorkspaceElements();
    /// Elements of the workspace for given sizes; 2^63 - 1 where it is more.
    int64_t getWorkspaceElements(int64_t batch, int64_t m, int64_t n, int64_t k);
    /// Elements of A or B as it is packed, in the accumulator type and rounded up to 256 bytes.
    int64_t getPackedElements(bool ofA, int64_t batch, int64_t m, int64_t n, int64_t k);
  }];
  let extraSharedClassDeclaration = [{
    bool hasTensorSemantics() {
      return ::llvm::isa<::mlir::TensorType>($_op.getMatrixC().getType());
    }
    /// The constant value of alpha (1 when absent), or nothing when it is not a constant.
    std::optional<std::complex<double>> getConstantAlpha() {
      return ::rooftile::blas::getConstantValue($_op.getAlpha(), 1);
    }
    /// The constant value of beta (0 when absent), or nothing when it is not a constant.
    std::optional<std::complex<double>> getConstantBeta() {
      return ::rooftile::blas::getConstantValue($_op.getBeta(), 0);
    }
    /// Slices of partial sums that C holds: its leading dimension with `partial`, else 1.
    int64_t getSlices() {
      auto c = ::llvm::cast<::mlir::ShapedType>($_op.getMatrixC().getType());
      return $_op.getPartial() ? c.getDimSize(0) : 1;
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
    InterfaceMethod<"Whether no term is added that the formula does not have.", "bool", "getExact">,
    InterfaceMethod<"The plan, or null.", "::rooftile::blas::BlocksAttr", "getPlanAttr">,
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
    /// The constant value of alpha (1 when absent), or nothing when it is not a constant.
    std::optional<std::complex<double>> getConstantAlpha() {
      return ::rooftile::blas::getConstantValue($_op.getAlpha(), 1);
    }
  }];
}

def Blas_SplitOpInterface : OpInterface<"SplitOpInterface"> {
  let cppNamespace = "::rooftile::blas";
  let description = [{
    An operation of which symmetric-split makes operations that have kernels, before anything is
    planned: blas.syrk and its relatives.
  }];
  let methods = [
    InterfaceMethod<"The first input, or null in place.", "::mlir::Value", "getA">,
    InterfaceMethod<"The second input, or null.", "::mlir::Value", "getB", (ins), "",
                    "return {};">,
    InterfaceMethod<"The output.", "::mlir::Value", "getC">,
    InterfaceMethod<"The factor of the product, or null for 1.", "::mlir::Value", "getAlpha">,
    InterfaceMethod<"The factor of C, or null for 0.", "::mlir::Value", "getBeta">,
    InterfaceMethod<"The stored triangle of C, or of the symmetric A, that counts.",
                    "::rooftile::blas::Uplo", "getUplo">,
    InterfaceMethod<"Whether elements of C are input.", "bool", "readsC">,
    InterfaceMethod<"Whether elements of C stay as they are.", "bool", "keepsC">
  ];
  let extraSharedClassDeclaration = [{
    bool isOnTensors() { return ::llvm::isa<::mlir::TensorType>($_op.getC().getType()); }
    /// The constant value of alpha (1 when absent), or nothing when it is not a constant.
    std::optional<std::complex<double>> getConstantAlpha() {
      return ::rooftile::blas::getConstantValue($_op.getAlpha(), 1);
    }
    /// The constant value of beta (0 when absent), or nothing when it is not a constant.
    std::optional<std::complex<double>> getConstantBeta() {
      return ::rooftile::blas::getConstantValue($_op.getBeta(), 0);
    }
  }];
}

#endif
