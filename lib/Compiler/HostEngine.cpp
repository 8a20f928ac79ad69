//===- HostEngine.cpp - Code of this process ------------------------------===//

#include "rooftile/Compiler/HostEngine.h"
#include "rooftile/Runtime/Symbols.h"

#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/CoreContainers.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

void compiler::registerHostEngine(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  func::registerInlinerExtension(registry);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
}

/// Passes that coroutines need, and those that make little code of much in little time.
static constexpr StringLiteral kQuickPasses =
    "coro-early,function(sroa,early-cse,simplifycfg),cgscc(coro-split),coro-cleanup,globaldce,"
    "function(sroa,early-cse,simplifycfg)";

static llvm::Error optimizeQuickly(llvm::Module *module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, kQuickPasses))
    return error;
  passes.run(*module, modules);
  return llvm::Error::success();
}

static llvm::orc::SymbolMap mapOf(const Symbols &symbols, llvm::orc::MangleAndInterner intern) {
  llvm::orc::SymbolMap map;
  for (auto &[name, address] : symbols)
    map[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  return map;
}

llvm::sys::MemoryBlock
CodeMemory::allocateMappedMemory(llvm::SectionMemoryManager::AllocationPurpose, size_t size,
                                 const llvm::sys::MemoryBlock *near, unsigned flags,
                                 std::error_code &error) {
  auto block = llvm::sys::Memory::allocateMappedMemory(size, near, flags, error);
  bytes += block.allocatedSize();
  return block;
}

std::error_code CodeMemory::protectMappedMemory(const llvm::sys::MemoryBlock &block,
                                                unsigned flags) {
  return llvm::sys::Memory::protectMappedMemory(block, flags);
}

std::error_code CodeMemory::releaseMappedMemory(llvm::sys::MemoryBlock &block) {
  bytes -= block.allocatedSize();
  return llvm::sys::Memory::releaseMappedMemory(block);
}

FailureOr<std::unique_ptr<ExecutionEngine>> compiler::createHostEngine(ModuleOp module,
                                                                       Effort effort,
                                                                       const Symbols &symbols,
                                                                       CodeMemory *memory) {
  bool quick = effort == Effort::Quick;
  auto level = quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  auto optimize = makeOptimizingTransformer(2, 0, nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  if (quick)
    options.transformer = optimizeQuickly;
  options.sectionMemoryMapper = memory;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return module.emitError("this machine is unknown: ") << llvm::toString(host.takeError());
  auto machine = host->setCodeGenOptLevel(level).createTargetMachine();
  if (!machine)
    return module.emitError("this machine is no target: ") << llvm::toString(machine.takeError());
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return module.emitError("cannot be compiled for this machine: ")
           << llvm::toString(engine.takeError());
  Symbols all = rooftile::runtimeSymbols();
  all.insert(all.end(), symbols.begin(), symbols.end());
  (*engine)->registerSymbols(
      [&](llvm::orc::MangleAndInterner intern) { return mapOf(all, intern); });
  return std::move(*engine);
}
