//===- RocdlToBinary.cpp - Kernels in ROCDL to ISA or code objects --------===//
//
// Like upstream's gpu-module-to-binary, for machines that have no ROCm: the
// device libraries and the linker are looked for where distributions put them,
// one by one and only when a kernel needs them. What the code object states of a
// kernel (registers, LDS) is kept beside it in the IR. A kernel that needs
// scratch memory is an error: its plan does not fit the registers of the chip, and
// would run an order of magnitude slower than one that does. On trial the rest is compiled after
// that error, for fit-plans.
//
//===----------------------------------------------------------------------===//

#include "../LaneToGpu/KernelBinary.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Target/LLVM/ROCDL/Utils.h"
#include "rooftile/Conversion/LaneToRocdl/CodeObject.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/TargetParser/TargetParser.h"

#define DEBUG_TYPE "rocdl-to-binary"

using namespace mlir;
using namespace rooftile;

namespace rooftile {
#define GEN_PASS_DEF_ROCDLTOBINARY
#include "rooftile/Conversion/Passes.h.inc"
} // namespace rooftile

static int64_t numberOf(gpu::KernelMetadataAttr kernel, StringRef name) {
  auto value = kernel.getAttr<IntegerAttr>(name);
  return value ? value.getInt() : 0;
}

/// `kernels` without counts that code objects of their chip lack, which upstream states as -1.
static gpu::KernelTableAttr withoutUnknown(gpu::KernelTableAttr kernels) {
  auto isUnknown = [](NamedAttribute each) {
    auto value = dyn_cast<IntegerAttr>(each.getValue());
    auto sizes = dyn_cast<DenseI32ArrayAttr>(each.getValue());
    return (value && value.getValue().trunc(32).isAllOnes()) ||
           (sizes && llvm::is_contained(sizes.asArrayRef(), -1));
  };
  SmallVector<gpu::KernelMetadataAttr> known;
  for (gpu::KernelMetadataAttr kernel : kernels) {
    NamedAttrList metadata(kernel.getMetadata());
    SmallVector<StringAttr> names;
    for (NamedAttribute each : metadata)
      if (isUnknown(each))
        names.push_back(each.getName());
    for (StringAttr name : names)
      metadata.erase(name);
    known.push_back(gpu::KernelMetadataAttr::get(kernel.getName(), kernel.getFunctionType(),
                                                 kernel.getArgAttrs(),
                                                 metadata.getDictionary(kernels.getContext())));
  }
  return gpu::KernelTableAttr::get(kernels.getContext(), known);
}

/// Registers of a thread that do not fit.
static int64_t spillsOf(gpu::KernelMetadataAttr kernel) {
  return numberOf(kernel, "vgpr_spill_count");
}

/// Resources that the code object states. Scratch memory may hold more than spilled registers.
static ThreadUse readUse(gpu::KernelMetadataAttr kernel) {
  return {numberOf(kernel, "private_segment_fixed_size"),
          numberOf(kernel, "vgpr_count") + spillsOf(kernel)};
}

/// The program itself asks for memory of a thread: a loop of the user's with a buffer, not a kernel
/// with a plan.
static bool hasBuffers(Operation *function) {
  return function && !function->hasAttr(blas::BlasDialect::kKernelPlanName) &&
         function->walk([](Operation *op) { return WalkResult(failure(isa<LLVM::AllocaOp>(op))); })
             .wasInterrupted();
}

/// No kernel may keep registers in memory, but those that have buffers of their own. On trial all
/// that have plans are warned.
static LogicalResult checkScratch(gpu::GPUModuleOp module, gpu::KernelTableAttr kernels,
                                  StringRef chip, bool trial) {
  for (gpu::KernelMetadataAttr kernel : kernels) {
    Operation *function = module.lookupSymbol(kernel.getName());
    int64_t bytes = readUse(kernel).scratchBytes, spills = spillsOf(kernel);
    if (bytes == 0 || hasBuffers(function))
      continue;
    InFlightDiagnostic error = (function ? function : module.getOperation())->emitError("kernel ");
    error << kernel.getName().getValue() << " needs " << bytes
          << " bytes of scratch memory a thread on " << chip;
    if (spills > 0)
      error << ", for " << spills << " registers that do not fit";
    if (function)
      namePlan(error, function);
    if (!trial || !function || !function->hasAttr(blas::BlasDialect::kKernelPlanName))
      return error;
  }
  return success();
}

namespace {
/// Links device libraries; the object is made for what it states, even where text is asked for.
class Serializer : public KernelSerializer<ROCDL::SerializeGPUModuleBase> {
public:
  Serializer(gpu::GPUModuleOp module, ROCDL::ROCDLTargetAttr target, bool binary, bool trial)
      : KernelSerializer(module, binary, target, gpu::TargetOptions(findDeviceLibraries())),
        trial(trial) {}

protected:
  std::optional<SmallVector<std::unique_ptr<llvm::Module>>>
  loadBitcodeFiles(llvm::Module &llvmModule) override {
    StringRef call = libraryCall(llvmModule, {"__ocml_", "__ockl_"});
    if (!call.empty() && findDeviceLibraries().empty()) {
      getOperation().emitError("calls ")
          << call << " of AMD's device libraries, which are not found: install the package "
          << "rocm-device-libs, or set ROCM_PATH to a folder with amdgcn/bitcode";
      return std::nullopt;
    }
    return SerializeGPUModuleBase::loadBitcodeFiles(llvmModule);
  }

  FailureOr<Bytes> assemble(StringRef text, EmitError emitError) override {
    auto object = ROCDL::assembleIsa(text, triple, chip, features, emitError);
    if (failed(object))
      return failure();
    table = withoutUnknown(ROCDL::getKernelMetadata(kernels, *object));
    if (failed(checkScratch(kernels, table, chip, trial)))
      return failure();
    if (binary)
      return linkCodeObject(*object, emitError);
    return Bytes(text.begin(), text.end());
  }

private:
  bool trial;
};
} // namespace

LogicalResult rooftile::rocdlToBinary(gpu::GPUModuleOp module, bool binary, bool trial) {
  auto target = onlyTarget<ROCDL::ROCDLTargetAttr>(module);
  if (!target)
    return module.emitOpError("has no #rocdl.target: run lane-to-rocdl first");
  if (llvm::AMDGPU::parseArchAMDGCN(target.getChip()) == llvm::AMDGPU::GK_NONE)
    return module.emitError("LLVM supports no AMD GPU '") << target.getChip() << "'";
  ROCDL::SerializeGPUModuleBase::init();
  Serializer serializer(module, target, binary, trial);
  std::optional<SmallVector<char, 0>> bytes = serializer.run();
  if (!bytes)
    return failure();
  noteRefused(module, serializer.getKernels(), readUse);
  replaceByBinary(module, target, binary, *bytes, serializer.getKernels());
  return success();
}

namespace {
struct RocdlToBinaryPass : rooftile::impl::RocdlToBinaryBase<RocdlToBinaryPass> {
  using Base::Base;
  void runOnOperation() override {
    bool binary = format == Format::Bin || (format == Format::Auto && !findLinker().empty());
    for (auto module : llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>())) {
      LDBG() << module.getName() << ": " << (binary ? "code object" : "ISA");
      if (failed(rocdlToBinary(module, binary, trial)))
        return signalPassFailure();
      ++numModules;
    }
  }
};
} // namespace
