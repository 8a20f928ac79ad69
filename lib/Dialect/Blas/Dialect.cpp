//===- Dialect.cpp - Registration of the dialect blas ---------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "rooftile/Dialect/Blas/Blas.h"

using namespace mlir;
using namespace rooftile::blas;

#include "rooftile/Dialect/Blas/BlasDialect.cpp.inc"

namespace {
/// A function with operations of the dialect may become part of its callers, and is as it was.
struct BlasInlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const override { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const override { return true; }
};
} // namespace

void BlasDialect::initialize() {
  addInterfaces<BlasInlining>();
  addOperations<
#define GET_OP_LIST
#include "rooftile/Dialect/Blas/Blas.cpp.inc"
      >();
  registerAttributes();
  registerBytecode();
}

bool rooftile::blas::isElementType(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() || complex.getElementType().isF64();
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

static bool isKernelList(Attribute value) {
  auto kernels = dyn_cast<ArrayAttr>(value);
  return kernels && llvm::all_of(kernels, llvm::IsaPred<KernelAttr>);
}

/// The type of a matrix or of a batch of them.
static bool isMatrixType(Attribute value) {
  auto type = dyn_cast<TypeAttr>(value);
  auto shaped = type ? dyn_cast<ShapedType>(type.getValue()) : nullptr;
  return shaped && shaped.hasRank() && shaped.getRank() >= 2;
}

static bool isOperandList(Attribute value) {
  auto operands = dyn_cast<ArrayAttr>(value);
  return operands && operands.size() == 3 && llvm::all_of(operands, [](Attribute each) {
           auto argument = dyn_cast<ArgAttr>(each);
           return argument && argument.getKind() == ArgKind::Pointer;
         });
}

ArrayAttr rooftile::blas::operandNames(MLIRContext *context, ArrayRef<Role> operands) {
  SmallVector<Attribute> names;
  for (Role role : operands)
    names.push_back(ArgAttr::get(context, ArgKind::Pointer, role, 0, 0));
  return ArrayAttr::get(context, names);
}

static bool isRefusalList(Attribute value) {
  auto refusals = dyn_cast<ArrayAttr>(value);
  return refusals && llvm::all_of(refusals, llvm::IsaPred<RefusalAttr>);
}

/// Attributes of the dialect on operations of others have the types of their names.
LogicalResult BlasDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  if (name == kTargetName && !isa<TargetAttr>(value))
    return op->emitError("attribute '") << name << "' is " << value << ", expected a #blas.target";
  if (name == kContractName && !isa<ContractAttr>(value))
    return op->emitError("attribute '")
           << name << "' is " << value << ", expected a #blas.contract";
  if (name == kKernelPlanName && !isa<PlanAttr, BlocksAttr>(value))
    return op->emitError("attribute '")
           << name << "' is " << value << ", expected a #blas.plan or #blas.blocks";
  if (name == kKernelName && !isa<SymbolRefAttr>(value))
    return op->emitError("attribute '")
           << name << "' is " << value << ", expected a symbol such as @module::@function";
  if (name == kEdgeOfName && !isMatrixType(value))
    return op->emitError("attribute '")
           << name << "' is " << value << ", expected the type of a matrix";
  if (name == kOperandsName && !isOperandList(value))
    return op->emitError("attribute '")
           << name << "' is " << value << ", expected three #blas.arg<pointer ...>";
  if (name == kKernelsName && !isKernelList(value))
    return op->emitError("attribute '")
           << name << "' is " << value << ", expected an array of #blas.kernel";
  if (name == kRefusedName && !isRefusalList(value))
    return op->emitError("attribute '")
           << name << "' is " << value << ", expected an array of #blas.refusal";
  return success();
}

LogicalResult BlasDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                    NamedAttribute attribute) {
  if (attribute.getName() != kGivenName)
    return success();
  auto function = dyn_cast<FunctionOpInterface>(op);
  Type type = function ? function.getArgumentTypes()[argument] : Type();
  if (!isa_and_nonnull<MemRefType>(type))
    return op->emitError("argument ")
           << argument << ": '" << kGivenName << "' is a fact about memrefs, not about " << type;
  if (!isa<AddressAttr>(attribute.getValue()))
    return op->emitError("argument ") << argument << ": '" << kGivenName << "' is "
                                      << attribute.getValue() << ", expected a #blas.address";
  return success();
}
