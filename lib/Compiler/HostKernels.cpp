//===- HostKernels.cpp - Kernels that become code of this process ---------===//

#include "HostKernels.h"
#include "CompileThread.h"
#include "OnModule.h"
#include "rooftile/Compiler/Build.h"
#include "rooftile/Compiler/HostEngine.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Runtime.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/MapVector.h"

#include <atomic>
#include <mutex>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

//===----------------------------------------------------------------------===//
// A module of some kernels
//===----------------------------------------------------------------------===//

/// A function that launches the kernel of `launch` alone: kernels become code as their launches do.
/// Operands are its arguments, but for constants: grids have one dimension.
static void addLaunch(ModuleOp module, gpu::LaunchFuncOp launch, StringRef name) {
  Location loc = launch.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping copies;
  for (Value operand : launch->getOperands()) {
    if (copies.contains(operand))
      continue;
    if (matchPattern(operand, m_Constant()))
      builder.clone(*operand.getDefiningOp(), copies);
    else
      copies.map(operand, body->addArgument(operand.getType(), loc));
  }
  builder.clone(*launch, copies);
  func::ReturnOp::create(builder, loc);
  function.setFunctionType(builder.getFunctionType(body->getArgumentTypes(), {}));
}

/// The bytecode of a module with the kernels of `launches`.
static std::string moduleOf(ModuleOp module, ArrayRef<gpu::LaunchFuncOp> launches) {
  OwningOpRef<ModuleOp> own = ModuleOp::create(module.getLoc());
  (*own)->setDiscardableAttrs(module->getDiscardableAttrDictionary());
  OpBuilder builder = OpBuilder::atBlockEnd(own->getBody());
  for (gpu::LaunchFuncOp launch : launches)
    if (StringAttr group = launch.getKernelModuleName(); !own->lookupSymbol(group))
      builder.clone(*module.lookupSymbol(group));
  for (auto [index, launch] : llvm::enumerate(launches))
    addLaunch(*own, launch, "rooftile_launch_" + std::to_string(index));
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  // To a stream in memory; it fails where an older version is asked for.
  (void)writeBytecodeToFile(*own, stream);
  return bytecode;
}

//===----------------------------------------------------------------------===//
// Their code
//===----------------------------------------------------------------------===//

/// Bytes that an engine keeps beside code, in memory of its own: contexts, symbols, a target (LLVM
/// 22.1, by the resident memory of a process).
static constexpr size_t kEngineBytes = size_t(840) << 10;

namespace {

/// Kernels that become code together.
class KernelGroup {
public:
  KernelGroup(std::string bytecode, std::vector<std::string> symbols,
              std::shared_ptr<std::atomic<size_t>> bytes)
      : bytecode(std::move(bytecode)), symbols(std::move(symbols)), bytes(std::move(bytes)) {
    *this->bytes += this->bytecode.size();
  }
  /// An engine compiles once more as it ends; the process removes those that outlive the compiler.
  ~KernelGroup() {
    if (engine && !runOnCompileThread([&] { engine.reset(); }))
      (void)engine.release();
  }
  /// Compiles the kernels where they are not yet code; false, with a recorded error, where that
  /// fails.
  bool prepare();
  /// Launches kernel `index`, as a HostKernel.
  void launch(size_t index, int64_t grid, int64_t block, int64_t cluster, int64_t sharedBytes,
              void **parameters);

private:
  void compile();
  LogicalResult load(ModuleOp module);

  std::string bytecode; ///< Until the kernels are code.
  const std::vector<std::string> symbols;
  std::once_flag isCompiled;
  std::string error; ///< Why there is no code.
  std::vector<cpu::Kernel> kernels;
  CodeMemory memory;
  std::unique_ptr<ExecutionEngine> engine;
  const std::shared_ptr<std::atomic<size_t>> bytes; ///< Bytes of all groups of an executable.
};

} // namespace

/// Kernels can be found, and functions that launch them are gone.
static void keepKernels(ModuleOp module, ArrayRef<std::string> symbols) {
  bool isErasing = true;
  while (isErasing) { // what only erased functions have called goes, too
    isErasing = false;
    for (auto function : llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
      if (llvm::is_contained(symbols, function.getName())) {
        function.setLinkage(LLVM::Linkage::External);
      } else if (!function.isExternal() && SymbolTable::symbolKnownUseEmpty(function, module)) {
        function.erase();
        isErasing = true;
      }
  }
}

LogicalResult KernelGroup::load(ModuleOp module) {
  if (failed(runPasses(module, [](OpPassManager &pm) { buildCpuPipeline(pm); })))
    return failure();
  keepKernels(module, symbols);
  auto created = createHostEngine(module, Effort::Quick, {}, &memory);
  if (failed(created))
    return failure();
  engine = std::move(*created);
  for (const std::string &symbol : symbols) {
    auto address = engine->lookup(symbol);
    if (!address)
      return module.emitError("cannot be loaded: ") << llvm::toString(address.takeError());
    kernels.push_back(reinterpret_cast<cpu::Kernel>(*address));
  }
  return success();
}

void KernelGroup::compile() {
  error = kIsEnding;
  runOnCompileThread([&] {
    auto parse = [&](MLIRContext *context) {
      return parseSourceString<ModuleOp>(bytecode, context, symbols.front());
    };
    error = onModule(parse, /*parallel=*/false, [&](ModuleOp module) { return load(module); });
  });
  *bytes += memory.bytes + kEngineBytes - bytecode.size();
  bytecode = std::string();
}

bool KernelGroup::prepare() {
  std::call_once(isCompiled, [&] { compile(); });
  if (!error.empty())
    recordError("kernel " + symbols.front() + kCannotBeCompiled + error);
  return error.empty();
}

void KernelGroup::launch(size_t index, int64_t grid, int64_t block, int64_t cluster,
                         int64_t sharedBytes, void **parameters) {
  if (prepare())
    rooftileCpuLaunch(symbols[index].c_str(), kernels[index], grid, block, cluster, sharedBytes,
                      parameters, /*sites=*/nullptr, /*granuleBytes=*/0);
}

HostKernels compiler::hostKernels(ModuleOp module, ArrayRef<gpu::LaunchFuncOp> launches) {
  llvm::MapVector<Block *, SmallVector<gpu::LaunchFuncOp>> blocks;
  for (gpu::LaunchFuncOp launch : launches)
    blocks[launch->getBlock()].push_back(launch);
  HostKernels result;
  result.bytes = std::make_shared<std::atomic<size_t>>(0);
  llvm::DenseMap<Operation *, HostKernel> kernels;
  for (auto &[block, together] : blocks) {
    std::vector<std::string> symbols;
    for (gpu::LaunchFuncOp launch : together)
      symbols.push_back(
          (launch.getKernelModuleName().getValue() + "_" + launch.getKernelName().getValue())
              .str());
    auto group = std::make_shared<KernelGroup>(moduleOf(module, together), symbols, result.bytes);
    for (auto [index, launch] : llvm::enumerate(together))
      kernels[launch] = [group, index = index](int64_t grid, int64_t block, int64_t cluster,
                                               int64_t sharedBytes, void **parameters) {
        group->launch(index, grid, block, cluster, sharedBytes, parameters);
      };
    result.groups.push_back([group] { group->prepare(); });
  }
  for (gpu::LaunchFuncOp launch : launches)
    result.kernels.push_back(std::move(kernels[launch]));
  return result;
}
