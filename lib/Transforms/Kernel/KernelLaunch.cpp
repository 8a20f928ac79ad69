//===- KernelLaunch.cpp - A kernel's function and its launch --------------===//

#include "rooftile/Transforms/Kernel/KernelLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Tile/Triangle.h"
#include "rooftile/Transforms/Kernel/MacroTile.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// Bytes of an entry in an array of pointers.
static constexpr int64_t kAddressBytes = 8;

/// C overlaps neither input, the inputs are only read, and pointers have the alignment of the
/// contract.
static void describePointers(gpu::GPUFuncOp kernel, const KernelInterface &interface) {
  Builder builder(kernel.getContext());
  for (auto [index, arg] : llvm::enumerate(interface.getArgs())) {
    bool isTable = arg.getKind() == ArgKind::Table;
    if (arg.getKind() != ArgKind::Pointer && !isTable)
      continue;
    kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    kernel.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                      builder.getI64IntegerAttr(isTable ? kAddressBytes : arg.getAlign()));
    if (arg.getRole() != Role::C || isTable)
      kernel.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(), builder.getUnitAttr());
  }
}

gpu::GPUFuncOp rooftile::createKernel(ModuleOp module, Location loc,
                                      const KernelInterface &interface, const KernelShape &shape) {
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto gpuModule = gpu::GPUModuleOp::create(builder, loc, shape.name + "_module");
  SymbolTable(module).insert(gpuModule);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());

  builder.setInsertionPointToStart(gpuModule.getBody());
  auto type = builder.getFunctionType(interface.getOperands().getTypes(), {});
  auto kernel = gpu::GPUFuncOp::create(builder, loc, shape.name, type);
  int32_t threads = shape.workgroup;
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr({threads, 1, 1}));
  kernel->setAttr(BlasDialect::kContractName,
                  ContractAttr::get(context, interface.getArgs(), shape.tile,
                                    interface.getOutputSizes(), threads, shape.sharedBytes,
                                    shape.residency, shape.splits, shape.cluster, shape.structure,
                                    shape.matrices));
  describePointers(kernel, interface);
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(builder, loc);
  return kernel;
}

/// A grid that no launch accepts: sizes that would multiply beyond 64 bits stop there.
static constexpr int64_t kTooMany = int64_t(1) << 31;

Grid rooftile::gridOf(ProductOpInterface op, ArrayRef<int64_t> tile, int64_t splits) {
  auto type = cast<MemRefType>(op.getMatrixC().getType());
  return {type.getShape().drop_front(op.getPartial() ? 1 : 0), tile, splits, op.getStructureC()};
}

LogicalResult rooftile::checkGrid(Operation *op, StringRef whose, const Grid &grid) {
  double workgroups = grid.splits;
  int64_t batches = grid.sizes.size() - 2;
  auto tiles = [&](int64_t dim, int64_t extent) -> double {
    int64_t size = grid.sizes[dim];
    return ShapedType::isDynamic(size) ? 1 : llvm::divideCeil(size, extent);
  };
  for (int64_t dim = 0; dim < batches; ++dim)
    workgroups *= tiles(dim, 1);
  workgroups = std::ceil(workgroups / grid.matrices);
  double rows = tiles(batches, grid.tile[0]), columns = tiles(batches + 1, grid.tile[1]);
  workgroups *= grid.structure == Structure::General ? rows * columns : tile::tilesOfTriangle(rows);
  if (workgroups <= std::numeric_limits<int32_t>::max())
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << whose << "tiles of " << grid.tile[0] << 'x' << grid.tile[1];
  if (grid.splits > 1)
    error << ", each shared by " << grid.splits << ",";
  return error << " make " << llvm::formatv("{0:f0}", workgroups).str()
               << " workgroups, but a launch has at most " << std::numeric_limits<int32_t>::max();
}

LogicalResult rooftile::checkShared(Operation *op, StringRef whose, int64_t bytes) {
  auto target =
      op->getParentOfType<ModuleOp>()->getAttrOfType<TargetAttr>(BlasDialect::kTargetName);
  int64_t most = std::numeric_limits<int32_t>::max();
  if (target)
    most = std::min(most, target->sharedBytesPerBlock);
  if (bytes <= most)
    return success();
  return op->emitOpError() << whose << bytes << " bytes of shared memory, but a workgroup "
                           << (target ? "of " + target->chip : "of any chip") << " has at most "
                           << most;
}

/// ceil(batch / matrices), of a C that exists.
static Value sharesOfBatch(OpBuilder &builder, Location loc, ContractAttr contract,
                           const Launch &launch) {
  int64_t rank = cast<MemRefType>(launch.output.getType()).getRank();
  Value batch = arith::ConstantIndexOp::create(builder, loc, 1);
  for (int64_t dim = launch.firstBatch; dim < rank - 2; ++dim)
    batch = arith::MulIOp::create(builder, loc, batch,
                                  memref::DimOp::create(builder, loc, launch.output, dim));
  Value matrices = arith::ConstantIndexOp::create(builder, loc, contract.getMatrices());
  return arith::CeilDivUIOp::create(builder, loc, batch, matrices);
}

static Value gridSize(OpBuilder &builder, Location loc, ContractAttr contract,
                      const Launch &launch) {
  int64_t rank = cast<MemRefType>(launch.output.getType()).getRank();
  auto tiles = [&](int64_t dim, int64_t tile) {
    Value extent = memref::DimOp::create(builder, loc, launch.output, dim);
    Value width = arith::ConstantIndexOp::create(builder, loc, tile);
    return arith::CeilDivUIOp::create(builder, loc, extent, width).getResult();
  };
  Value rows = tiles(rank - 2, contract.getTile()[0]),
        columns = tiles(rank - 1, contract.getTile()[1]);
  bool isWhole = contract.getStructure() == Structure::General;
  Value grid = isWhole ? arith::MulIOp::create(builder, loc, rows, columns).getResult()
                       : tile::tilesOfTriangle(builder, loc, rows);
  auto limited = [&](Value number) {
    if (rank - launch.firstBatch == 2)
      return number; // tiles of a C that exists
    Value most = arith::ConstantIndexOp::create(builder, loc, kTooMany);
    return builder.createOrFold<arith::MinUIOp>(loc, number, most);
  };
  if (contract.getMatrices() > 1)
    grid = arith::MulIOp::create(builder, loc, grid, sharesOfBatch(builder, loc, contract, launch));
  else
    for (int64_t dim = launch.firstBatch; dim < rank - 2; ++dim)
      grid = arith::MulIOp::create(builder, loc, limited(grid), limited(tiles(dim, 1)));
  if (contract.getSplits() > 1)
    grid =
        arith::MulIOp::create(builder, loc, limited(grid),
                              arith::ConstantIndexOp::create(builder, loc, contract.getSplits()));
  return grid;
}

void rooftile::createLaunch(OpBuilder &builder, Location loc, ContractAttr contract,
                            const Launch &launch) {
  Value grid = gridSize(builder, loc, contract, launch);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value threads = arith::ConstantIndexOp::create(builder, loc, contract.getWorkgroup());
  Value shared = arith::ConstantIntOp::create(builder, loc, contract.getSharedBytes(), 32);
  // An empty output has no workgroup, and a grid of 0 is an error of the driver.
  Value any = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, grid, zero);
  if (launch.condition)
    any = arith::AndIOp::create(builder, loc, any, launch.condition);
  auto branch = scf::IfOp::create(builder, loc, any, /*withElse=*/false);
  OpBuilder inside = branch.getThenBodyBuilder();
  std::optional<gpu::KernelDim3> cluster;
  if (contract.getCluster() > 1) {
    Value blocks = arith::ConstantIndexOp::create(inside, loc, contract.getCluster());
    cluster = gpu::KernelDim3{blocks, one, one};
  }
  gpu::LaunchFuncOp::create(inside, loc, launch.kernel, gpu::KernelDim3{grid, one, one},
                            gpu::KernelDim3{threads, one, one}, shared, launch.operands,
                            /*asyncTokenType=*/Type(), /*asyncDependencies=*/ValueRange(), cluster);
}

void rooftile::createLaunch(OpBuilder &builder, gpu::GPUFuncOp kernel,
                            const KernelInterface &interface, Value output, int64_t firstBatch) {
  auto symbol = SymbolRefAttr::get(kernel->getParentOfType<gpu::GPUModuleOp>().getNameAttr(),
                                   {SymbolRefAttr::get(kernel.getNameAttr())});
  Value fits = interface.testArguments(builder, kernel->getParentOfType<ModuleOp>());
  createLaunch(builder, kernel.getLoc(),
               kernel->getAttrOfType<ContractAttr>(BlasDialect::kContractName),
               {symbol, interface.getOperands(), output, firstBatch, fits});
}

Value rooftile::reserveOnStack(OpBuilder &builder, Location loc, Type type, int64_t count) {
  OpBuilder entry = builder;
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  while (parent && !isa<FunctionOpInterface>(parent))
    parent = parent->getParentOp();
  if (parent)
    entry.setInsertionPointToStart(&parent->getRegion(0).front());
  Value number = LLVM::ConstantOp::create(entry, loc, entry.getI64Type(), count);
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::AllocaOp::create(entry, loc, pointer, type, number);
}
