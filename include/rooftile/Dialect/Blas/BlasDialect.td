//===- BlasDialect.td - The matrix level ------------------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASDIALECT_TD
#define ROOFTILE_DIALECT_BLAS_BLASDIALECT_TD

include "mlir/IR/OpBase.td"

def Blas_Dialect : Dialect {
  let name = "blas";
  let cppNamespace = "::rooftile::blas";
  let summary = "BLAS level-3 operations, and the attributes that specify how they run";
  let description = [{
    The matrix level of Rooftile: *what* is computed. Operations are
    destination-passing on tensors or memrefs of any strided layout. The
    attributes `#blas.target` (what the hardware is) and `#blas.plan` (what to
    do) are the only channel between passes.
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::complex::ComplexDialect",
                           "::mlir::linalg::LinalgDialect"];
  let extraClassDeclaration = [{
    /// Name of the plan attribute on a blas operation.
    static constexpr ::llvm::StringLiteral kPlanName = "plan";
    /// Name of the target attribute on a module.
    static constexpr ::llvm::StringLiteral kTargetName = "blas.target";
    /// Name of the contract attribute on a gpu.func.
    static constexpr ::llvm::StringLiteral kContractName = "blas.contract";
    /// Name of the attribute on a gpu.func that names the plan it carries out, for messages.
    static constexpr ::llvm::StringLiteral kKernelPlanName = "blas.plan";
    /// Name of the attribute of an operation that holds the symbol of a user's own kernel.
    static constexpr ::llvm::StringLiteral kKernelName = "blas.kernel";
    /// Name of the attribute of a part of another operation that lists which of its operands A, B
    /// and C of the part are: an array of #blas.arg<pointer ...>, for messages.
    static constexpr ::llvm::StringLiteral kOperandsName = "blas.operands";
    /// Name of the attribute of an edge that holds the type of the whole C.
    static constexpr ::llvm::StringLiteral kEdgeOfName = "blas.edge_of";
    /// Name of the attribute of a function's argument with facts about its memory.
    static constexpr ::llvm::StringLiteral kGivenName = "blas.given";
    /// Name of the list of kernels, with their contracts, on a gpu.binary.
    static constexpr ::llvm::StringLiteral kKernelsName = "blas.kernels";
    /// Name of the list of kernels that an assembler refused, on a gpu.binary or a module.
    static constexpr ::llvm::StringLiteral kRefusedName = "blas.refused";
    /// Reads the words of older bytecode, too.
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
  private:
    void registerAttributes();
    void registerBytecode();
  }];
}

/// An operation whose properties are stored in bytecode by name, see lib/Dialect/Blas/Bytecode.cpp.
class Blas_Op<string mnemonic, list<Trait> traits> : Op<Blas_Dialect, mnemonic, traits> {
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::readProperties(::mlir::DialectBytecodeReader &reader,
                                                    ::mlir::OperationState &state) {
      return readByName<$cppClass>(reader, state);
    }
    void $cppClass::writeProperties(::mlir::DialectBytecodeWriter &writer) {
      writeByName(*this, writer);
    }
  }];
}

#endif
