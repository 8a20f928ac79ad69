//===- UserKernel.cpp - A user's own kernel in place of ours --------------===//
//
// `blas.kernel = @module::@function` on a blas.gemm names a kernel that somebody wrote: a gpu.func,
// or an object in a gpu.binary. Its #blas.contract lists its arguments, so macro-tile writes the
// launch and nothing else. The contract must have everything that the operation leaves to run time;
// what it lacks is compiled into the kernel, which is its author's promise.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Transforms/Kernel/UserKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Transforms/Kernel/AlignmentTests.h"
#include "rooftile/Transforms/Kernel/KernelLaunch.h"
#include "rooftile/Transforms/Kernel/MacroTile.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Least alignment of every allocation, in bytes: a contract could not require more.
static constexpr int64_t kPointerAlign = 16;

SymbolRefAttr rooftile::userKernelOf(Operation *op) {
  return op->getAttrOfType<SymbolRefAttr>(BlasDialect::kKernelName);
}

namespace {
/// A launch in the making.
struct UserLaunch {
  ProductOpInterface op;
  SymbolRefAttr kernel;
  ContractAttr contract;
  gpu::GPUFuncOp function; ///< null for an object

  InFlightDiagnostic error() { return op.emitOpError("kernel ") << kernel << ' '; }
  LogicalResult find(ModuleOp module);
  LogicalResult checkArgument(size_t index);
  LogicalResult checkComplete();
  LogicalResult checkWorkgroup();
  SmallVector<Value> operands(OpBuilder &builder);
  void testPointer(OpBuilder &builder, Value base, ArgAttr argument);

  Value aligned; ///< That all pointers are as the contract states; null where nothing is tested.
};
} // namespace

static Value operandOf(ProductOpInterface op, Role role) {
  switch (role) {
  case Role::A:
    return op.getMatrixA();
  case Role::B:
    return op.getMatrixB();
  case Role::C:
    return op.getMatrixC();
  case Role::Alpha:
    return op.getAlpha();
  case Role::Beta:
    return op.getBeta();
  default:
    return {};
  }
}

static bool isMatrix(Role role) { return role == Role::A || role == Role::B || role == Role::C; }

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

LogicalResult UserLaunch::find(ModuleOp module) {
  Operation *symbol = SymbolTable::lookupSymbolIn(module, kernel);
  function = dyn_cast_or_null<gpu::GPUFuncOp>(symbol);
  if (!function)
    symbol = module.lookupSymbol<gpu::BinaryOp>(kernel.getRootReference());
  if (!symbol)
    return error() << "is missing: neither a gpu.func of this name nor a gpu.binary "
                   << SymbolRefAttr::get(kernel.getRootReference());
  if (function && !function.isKernel())
    return error() << "is no kernel: its gpu.func lacks `kernel`";
  contract = symbol->getAttrOfType<ContractAttr>(BlasDialect::kContractName);
  if (!contract)
    return error() << "has no " << BlasDialect::kContractName
                   << ", which describes its arguments and launch";
  if (function && function.getNumArguments() != contract.getArgs().size())
    return error() << "has " << function.getNumArguments() << " arguments but its contract "
                   << contract.getArgs().size();
  return success();
}

/// Argument `index` is something the operation has, and of the type that is passed.
LogicalResult UserLaunch::checkArgument(size_t index) {
  ArgAttr arg = contract.getArgs()[index];
  bool isScalar = arg.getKind() == ArgKind::Scalar;
  bool takesDim = arg.getKind() == ArgKind::Size || arg.getKind() == ArgKind::Stride;
  if (isMatrix(arg.getRole()) == isScalar || arg.getKind() == ArgKind::Workspace ||
      arg.getKind() == ArgKind::Table || arg.getKind() == ArgKind::Descriptor ||
      (!isMatrix(arg.getRole()) && !isScalar))
    return error() << "asks for " << arg << ", which blas.gemm does not have";
  Type expected = IntegerType::get(op.getContext(), 64);
  if (isScalar)
    expected = op.getAccumulatorType();
  if (!isScalar) {
    auto type = cast<MemRefType>(operandOf(op, arg.getRole()).getType());
    if (takesDim && arg.getDim() >= type.getRank())
      return error() << "asks for " << arg << ", but the operand is " << type;
    if (arg.getKind() == ArgKind::Pointer)
      expected = MemRefType::get({}, type.getElementType());
  }
  if (arg.getAlign() > kPointerAlign)
    return error() << "asks for " << arg << ", but pointers are aligned to " << kPointerAlign
                   << " bytes";
  if (function && function.getArgument(index).getType() != expected)
    return error() << "has argument " << index << " as " << function.getArgument(index).getType()
                   << "; " << arg << " is passed as " << expected;
  return success();
}

/// The size of the product that dimension `dim` of an operand has: M, N, K, or -1, -2, .. for
/// the batch sizes from the last on.
static int64_t sizeOf(ProductOpInterface op, Role role, int64_t dim) {
  int64_t place = dim - cast<MemRefType>(operandOf(op, role).getType()).getRank() + 2;
  if (place < 0)
    return place;
  bool transposed = (role == Role::A && isTransposed(op.getTransposeA())) ||
                    (role == Role::B && isTransposed(op.getTransposeB()));
  return StringRef(role == Role::A ? "mk" : role == Role::B ? "kn" : "mn")[place ^ transposed];
}

/// Whatever is dynamic in the operation must be an argument. Sizes that are equal stand for each
/// other; sizes give the strides of a row-major matrix without gaps.
LogicalResult UserLaunch::checkComplete() {
  auto asksFor = [&](ArgKind kind, Role role, int64_t dim) {
    return llvm::any_of(contract.getArgs(), [&](ArgAttr arg) {
      if (arg.getKind() != kind)
        return false;
      if (kind == ArgKind::Size)
        return sizeOf(op, arg.getRole(), arg.getDim()) == sizeOf(op, role, dim);
      return arg.getRole() == role && arg.getDim() == dim;
    });
  };
  for (Role role : {Role::A, Role::B, Role::C}) {
    auto type = cast<MemRefType>(operandOf(op, role).getType());
    auto [strides, offset] = type.getStridesAndOffset();
    auto missing = [&](ArgKind kind, int64_t dim, int64_t value) {
      return ShapedType::isDynamic(value) && !asksFor(kind, role, dim);
    };
    if (!asksFor(ArgKind::Pointer, role, 0) || missing(ArgKind::Offset, 0, offset))
      return error() << "does not ask for the "
                     << (ShapedType::isDynamic(offset) ? "pointer and offset" : "pointer") << " of "
                     << stringifyRole(role) << ", " << type;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (missing(ArgKind::Size, dim, type.getDimSize(dim)) ||
          (!type.getLayout().isIdentity() && missing(ArgKind::Stride, dim, strides[dim])))
        return error() << "does not ask for size and stride of dimension " << dim << " of "
                       << stringifyRole(role) << ", " << type;
  }
  for (Role role : {Role::Alpha, Role::Beta})
    if (operandOf(op, role) && !asksFor(ArgKind::Scalar, role, 0))
      return error() << "does not ask for " << stringifyRole(role) << ", which the operation has";
  return success();
}

LogicalResult UserLaunch::checkWorkgroup() {
  if (op.getMasked())
    return error() << "multiplies whole matrices, but an operand is masked";
  if (contract.getWorkgroup() > kMaxWorkgroupThreads)
    return error() << "has a workgroup of " << contract.getWorkgroup() << " threads, at most "
                   << kMaxWorkgroupThreads << " are possible";
  auto known = function ? function.getKnownBlockSize() : std::nullopt;
  if (known && (*known)[0] != contract.getWorkgroup())
    return error() << "has known_block_size " << (*known)[0] << " but its contract a workgroup of "
                   << contract.getWorkgroup();
  std::string whose;
  llvm::raw_string_ostream(whose) << "kernel " << kernel << ": ";
  Grid grid = gridOf(op, contract.getTile(), contract.getSplits());
  if (op.getTriangleAttr() && contract.getStructure() != op.getStructureC())
    return error() << "has the structure " << stringifyStructure(contract.getStructure())
                   << ", but of C the triangle " << stringifyStructure(op.getStructureC())
                   << " is computed";
  grid.structure = contract.getStructure();
  grid.matrices = contract.getMatrices();
  bool isKnown = !ShapedType::isDynamic(op.getM()) && !ShapedType::isDynamic(op.getN());
  if (grid.structure != Structure::General && isKnown && op.getM() != op.getN())
    return error() << "covers the triangle of a square C, but C is "
                   << operandOf(op, Role::C).getType();
  if (failed(checkGrid(op, whose, grid)))
    return failure();
  return checkShared(op, whose, contract.getSharedBytes());
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

/// alpha and beta where the operation does not name them.
static Value scalarOf(OpBuilder &builder, ProductOpInterface op, Role role) {
  if (Value value = operandOf(op, role))
    return value;
  return createScalar(builder, op.getLoc(), op.getAccumulatorType(), role == Role::Alpha ? 1 : 0);
}

/// The test of a base pointer, unless `given` or an allocation proves it to be aligned.
void UserLaunch::testPointer(OpBuilder &builder, Value base, ArgAttr argument) {
  Value matrix = operandOf(op, argument.getRole());
  int64_t bytes = componentBytes(cast<MemRefType>(matrix.getType()).getElementType());
  GivenAttr given = op.getGivenAttr();
  int64_t known = given ? given.getVector(static_cast<int>(argument.getRole())) * bytes : bytes;
  if (known >= argument.getAlign() || !needsAlignmentTest(matrix, argument.getAlign()))
    return;
  Value fits = createAlignmentTest(builder, op->getParentOfType<ModuleOp>(), base,
                                   argument.getAlign(), static_cast<int64_t>(argument.getRole()));
  aligned = aligned ? arith::AndIOp::create(builder, op.getLoc(), aligned, fits).getResult() : fits;
}

SmallVector<Value> UserLaunch::operands(OpBuilder &builder) {
  std::map<Role, memref::ExtractStridedMetadataOp> metadata;
  for (Role role : {Role::A, Role::B, Role::C})
    metadata[role] =
        memref::ExtractStridedMetadataOp::create(builder, op.getLoc(), operandOf(op, role));
  auto number = [&](Value index) {
    return arith::IndexCastOp::create(builder, op.getLoc(), builder.getI64Type(), index);
  };
  SmallVector<Value> values;
  for (ArgAttr arg : contract.getArgs()) {
    memref::ExtractStridedMetadataOp of = metadata[arg.getRole()];
    if (arg.getKind() == ArgKind::Scalar)
      values.push_back(scalarOf(builder, op, arg.getRole()));
    else if (arg.getKind() == ArgKind::Pointer) {
      values.push_back(of.getBaseBuffer());
      testPointer(builder, of.getBaseBuffer(), arg);
    } else if (arg.getKind() == ArgKind::Offset)
      values.push_back(number(of.getOffset()));
    else
      values.push_back(number(arg.getKind() == ArgKind::Size ? of.getSizes()[arg.getDim()]
                                                             : of.getStrides()[arg.getDim()]));
  }
  return values;
}

LogicalResult rooftile::launchUserKernel(ProductOpInterface op, ModuleOp module) {
  UserLaunch launch{op, userKernelOf(op), {}, {}, {}};
  if (op.hasTensorSemantics())
    return op.emitOpError("macro-tile works on memrefs: bufferize first");
  if (op.hasEpilogue())
    return launch.error() << "does not get the operation's epilogue";
  for (auto [name, matrix] :
       {std::pair("A", op.getMatrixA()), {"B", op.getMatrixB()}, {"C", op.getMatrixC()}})
    if (getPointers(cast<MemRefType>(matrix.getType())))
      return launch.error() << "does not accept operand " << name << ", a batch by pointers";
  if (failed(checkPlace(
          op, module, {{"A", op.getMatrixA()}, {"B", op.getMatrixB()}, {"C", op.getMatrixC()}})) ||
      failed(launch.find(module)) || failed(launch.checkWorkgroup()))
    return failure();
  for (size_t index = 0; index < launch.contract.getArgs().size(); ++index)
    if (failed(launch.checkArgument(index)))
      return failure();
  if (failed(launch.checkComplete()))
    return failure();
  OpBuilder builder(op);
  SmallVector<Value> operands = launch.operands(builder);
  createLaunch(builder, op.getLoc(), launch.contract,
               {launch.kernel, operands, op.getMatrixC(), 0, launch.aligned});
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
  op.erase();
  return success();
}
