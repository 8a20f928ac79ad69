//===- ProbeKernels.cpp - Kernels that measure a chip ---------------------===//

#include "rooftile/Bench/ProbeKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Parser/Parser.h"
#include "rooftile/Dialect/Lane/Lane.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;

static constexpr llvm::StringLiteral kKernels =
#include "ProbeKernels.inc"
    ;

/// Accumulators that a subgroup holds, so that no instruction waits for the last; and times that a
/// loop adds to each.
static constexpr int64_t kSums = kMatricesOfStep, kRounds = 8;

/// A kernel of `kSums` independent accumulators, to which `instruction` adds again and again.
static void addRate(gpu::GPUModuleOp kernels, const tile::Instruction &instruction) {
  OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
  Location loc = kernels.getLoc();
  Type integer = builder.getI64Type(),
       pointer = LLVM::LLVMPointerType::get(builder.getContext(), 1);
  auto kernel = gpu::GPUFuncOp::create(builder, loc, ("rate_" + instruction.name).str(),
                                       builder.getFunctionType({integer, integer}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, integer, value);
  };
  Value results = LLVM::IntToPtrOp::create(builder, loc, pointer, kernel.getArgument(1));
  auto place = [&](int32_t index) -> Value {
    return LLVM::GEPOp::create(builder, loc, pointer, integer, results,
                               ArrayRef<LLVM::GEPArg>{index});
  };
  tile::InstructionAttr attribute = tile::plainInstruction(builder.getContext(), instruction);
  auto values = [&](int operand, int64_t count) {
    Type type = attribute.getTypes()[operand];
    return SmallVector<Value>(count, LLVM::LoadOp::create(builder, loc, type, place(8), 8));
  };
  SmallVector<Value> a = values(0, attribute.getA().getNumValues()),
                     b = values(1, attribute.getB().getNumValues()),
                     sums = values(2, attribute.getC().getNumValues() * kSums);
  auto loop = scf::ForOp::create(
      builder, loc, constant(0), kernel.getArgument(0), constant(1), sums,
      [&](OpBuilder &builder, Location loc, Value, ValueRange carried) {
        SmallVector<Value> next;
        int64_t values = attribute.getC().getNumValues();
        for (int64_t sum = 0; sum < kSums; ++sum)
          llvm::append_range(next,
                             lane::MmaOp::create(builder, loc, a, b,
                                                 carried.slice(sum * values, values), attribute)
                                 .getAccumulators());
        scf::YieldOp::create(builder, loc, next);
      });
  loop->setAttr("unroll", builder.getI64IntegerAttr(kRounds));
  for (auto [index, sum] : llvm::enumerate(loop.getResults()))
    LLVM::StoreOp::create(builder, loc, sum, place(64 + index), 8);
  gpu::ReturnOp::create(builder, loc);
}

/// Unrolls the loops that state a factor.
static void unrollLoops(gpu::GPUModuleOp kernels) {
  kernels.walk([](scf::ForOp loop) {
    if (auto factor = loop->getAttrOfType<IntegerAttr>("unroll"))
      (void)loopUnrollByFactor(loop, factor.getInt());
  });
}

/// A host function that launches `kernel`.
static void addLaunch(gpu::GPUFuncOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = kernel.getLoc();
  SmallVector<Type> types(2 + kernel.getNumArguments(), builder.getI64Type());
  auto host = func::FuncOp::create(builder, loc, ("probe_" + kernel.getName()).str(),
                                   builder.getFunctionType(types, {}));
  builder.setInsertionPointToStart(host.addEntryBlock());
  auto index = [&](unsigned argument) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      host.getArgument(argument));
  };
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  gpu::LaunchFuncOp::create(builder, loc, kernel, {index(0), one, one}, {index(1), one, one},
                            nullptr, host.getArguments().drop_front(2));
  func::ReturnOp::create(builder, loc);
}

OwningOpRef<ModuleOp> bench::probeModule(blas::TargetAttr target) {
  MLIRContext *context = target.getContext();
  context->loadDialect<gpu::GPUDialect, lane::LaneDialect, func::FuncDialect>();
  auto module = parseSourceString<ModuleOp>(kKernels, context, "ProbeKernels.inc");
  if (!module)
    return module;
  (*module)->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), UnitAttr::get(context));
  (*module)->setAttr(blas::BlasDialect::kTargetName, target);
  auto kernels = *module->getOps<gpu::GPUModuleOp>().begin();
  for (const blas::InstructionRate &rate : target->instructions)
    if (!rate.instruction->readsShared())
      addRate(kernels, *rate.instruction);
  unrollLoops(kernels);
  for (auto kernel : llvm::to_vector(kernels.getOps<gpu::GPUFuncOp>()))
    addLaunch(kernel);
  return module;
}
