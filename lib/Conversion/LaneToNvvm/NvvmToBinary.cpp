//===- NvvmToBinary.cpp - Kernels of NVVM as PTX or cubin -----------------===//
//
// LLVM makes PTX, CUDA's ptxas a cubin where it is asked for and found; CUDA's
// libdevice is linked only into kernels that call it. All modules are made side by
// side where the context has threads. The report of ptxas about a kernel is kept beside it in
// the IR. What this process has made before is found again (KnownKernels). Registers that do not
// fit go to local memory, which the L1 cache holds: the kernel is right but slow, so it is a
// warning at the operation, with its plan. Without ptxas that is unknown, and a remark reports it.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelBinary.h"
#include "KnownKernels.h"
#include "Ptxas.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVM/NVVM/Utils.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "nvvm-to-binary"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_NVVMTOBINARY
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static constexpr llvm::StringLiteral kRegisters("registers"), kSpillBytes("spill_bytes"),
    kStackBytes("stack_bytes");

/// Resources of each kernel, for the binary; those that spill are reported.
static gpu::KernelTableAttr describe(gpu::GPUModuleOp module, StringRef chip,
                                     ArrayRef<FunctionUse> functions) {
  Builder builder(module.getContext());
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (const FunctionUse &use : functions) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(use.name);
    if (!function || !function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
      continue;
    NamedAttribute numbers[] = {
        builder.getNamedAttr(kRegisters, builder.getI64IntegerAttr(use.registers)),
        builder.getNamedAttr(kSpillBytes, builder.getI64IntegerAttr(use.spillBytes)),
        builder.getNamedAttr(kStackBytes, builder.getI64IntegerAttr(use.stackBytes))};
    kernels.push_back(gpu::KernelMetadataAttr::get(function, builder.getDictionaryAttr(numbers)));
    if (use.spillBytes == 0)
      continue;
    InFlightDiagnostic warning = function.emitWarning("kernel ");
    warning << use.name << " spills " << use.spillBytes << " bytes a thread on " << chip << " with "
            << use.registers
            << " registers: smaller micro tiles, fewer threads or a lower residency "
            << "leave more";
    namePlan(warning, function);
  }
  return gpu::KernelTableAttr::get(module.getContext(), kernels);
}

/// Report of ptxas. A thread stores a register that does not fit in four bytes.
static ThreadUse readUse(gpu::KernelMetadataAttr kernel) {
  int64_t bytes = kernel.getAttr<IntegerAttr>(kSpillBytes).getInt();
  return {bytes, kernel.getAttr<IntegerAttr>(kRegisters).getInt() + bytes / 4};
}

namespace {
/// Links libdevice, and asks ptxas for cubins.
class Serializer : public KernelSerializer<LLVM::ModuleToObject> {
public:
  SmallVector<FunctionUse> functions; ///< As ptxas describes them.

  Serializer(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target, bool binary)
      : KernelSerializer(module, binary, target.getTriple(), target.getChip(), target.getFeatures(),
                         target.getO()) {}

protected:
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &llvmModule) override {
    SmallVector<std::unique_ptr<llvm::Module>> files;
    StringRef call = libraryCall(llvmModule, {"__nv_"});
    if (call.empty())
      return files;
    std::string path = findLibdevice();
    if (path.empty()) {
      getOperation().emitError("calls ")
          << call << " of CUDA's libdevice, which is not in CUDA_ROOT, CUDA_HOME, CUDA_PATH or "
          << "/usr/local/cuda: install CUDA's libnvvm";
      return std::nullopt;
    }
    files.push_back(loadBitcodeFile(llvmModule.getContext(), path));
    if (!files.back())
      return std::nullopt;
    return files;
  }

  /// At level 3 LLVM runs value numbering once more before it makes code, a fifth of the time here;
  /// ptxas makes the same instructions of both levels for kernels of static sizes.
  LogicalResult optimizeModule(llvm::Module &llvmModule, int level) override {
    return ModuleToObject::optimizeModule(llvmModule, std::min(level, 2));
  }

  FailureOr<Bytes> assemble(StringRef text, EmitError emitError) override {
    if (!binary)
      return Bytes(text.begin(), text.end());
    FailureOr<Cubin> cubin = assemblePtx(text, chip, emitError);
    if (failed(cubin))
      return failure();
    functions = std::move(cubin->functions);
    return std::move(cubin->bytes);
  }
};
} // namespace

namespace {
/// Result of compiling a gpu.module.
struct Binary {
  gpu::GPUModuleOp module;
  NVVM::NVVMTargetAttr target;
  SmallVector<char, 0> bytes;
  gpu::KernelTableAttr kernels;

  KnownKernels::Shared findOrMake(bool binary);
  LogicalResult make(bool binary);
  void replace(bool binary);
};
} // namespace

/// Null, with an error, where it cannot be made.
KnownKernels::Shared Binary::findOrMake(bool binary) {
  std::string options;
  llvm::raw_string_ostream(options)
      << target << (binary ? findPtxas() : "no ptxas") << ' ' << findLibdevice();
  std::optional<KnownKernels::Key> key = KnownKernels::keyOf(module, options);
  if (KnownKernels::Shared known = key ? KnownKernels::instance().find(*key) : nullptr)
    return known;
  Serializer serializer(module, target, binary);
  std::optional<SmallVector<char, 0>> made = serializer.run();
  if (!made)
    return nullptr;
  auto binaryOf = std::make_shared<const Cubin>(Cubin{std::move(*made), serializer.functions});
  if (key)
    KnownKernels::instance().add(*key, binaryOf);
  return binaryOf;
}

/// Changes nothing beside the module: others are made at the same time.
LogicalResult Binary::make(bool binary) {
  target = onlyTarget<NVVM::NVVMTargetAttr>(module);
  if (!target)
    return module.emitOpError("has no #nvvm.target: run lane-to-nvvm first");
  KnownKernels::Shared made = findOrMake(binary);
  if (!made)
    return failure();
  bytes = made->bytes;
  if (binary)
    kernels = describe(module, target.getChip(), made->functions);
  if (binary)
    noteRefused(module, kernels, readUse);
  return success();
}

void Binary::replace(bool binary) {
  // The driver compiles PTX with this.
  Builder builder(module.getContext());
  DictionaryAttr level = builder.getDictionaryAttr(
      builder.getNamedAttr("O", builder.getI32IntegerAttr(target.getO())));
  replaceByBinary(module, target, binary, bytes, kernels, binary ? DictionaryAttr() : level);
}

bool rooftile::countsRegisters(Format format) {
  return format != Format::Isa && !findPtxas().empty();
}

/// In the order in which threads begin: the longest does not begin last.
static SmallVector<Binary *> longestFirst(MutableArrayRef<Binary> binaries) {
  SmallVector<std::pair<int64_t, size_t>> sized; // negative, so that equals keep their order
  for (auto [index, each] : llvm::enumerate(binaries)) {
    int64_t operations = 0;
    each.module.walk([&](Operation *) { ++operations; });
    sized.push_back({-operations, index});
  }
  llvm::sort(sized);
  return llvm::map_to_vector(sized, [&](auto &each) { return &binaries[each.second]; });
}

namespace {
struct NvvmToBinaryPass : rooftile::impl::NvvmToBinaryBase<NvvmToBinaryPass> {
  using NvvmToBinaryBase::NvvmToBinaryBase;

  void runOnOperation() override {
    bool lacksTool = format == Format::Auto && !countsRegisters(format);
    bool binary = format != Format::Isa && !lacksTool;
    auto modules = getOperation().getOps<gpu::GPUModuleOp>();
    if (lacksTool && !modules.empty())
      getOperation().emitRemark("ptxas is not found: kernels are PTX, and whether their registers "
                                "fit is not checked");
    NVVM::SerializeGPUModuleBase::init();
    SmallVector<Binary> binaries;
    for (auto module : modules) {
      LDBG() << module.getName() << ": " << (binary ? "cubin" : "PTX");
      binaries.push_back({module, {}, {}, {}});
    }
    auto make = [&](Binary *each) { return each->make(binary); };
    if (failed(failableParallelForEach(&getContext(), longestFirst(binaries), make)))
      return signalPassFailure();
    for (Binary &each : binaries)
      each.replace(binary);
    numModules += binaries.size();
  }
};
} // namespace
