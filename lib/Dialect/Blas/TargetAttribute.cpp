//===- TargetAttribute.cpp - What a #blas.target can be -------------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult InstructionRateAttr::verify(Emit emit, StringRef name, int64_t gflops) {
  const tile::Instruction *instruction = tile::findInstruction(name);
  if (!instruction)
    return emit() << "instruction '" << name << "' does not exist; there are "
                  << tile::instructionNames();
  if (instruction->isExchanged())
    return emit() << "instruction " << name << " is " << instruction->machine
                  << " with operands exchanged: chips have the rate of that";
  if (gflops <= 0)
    return emit() << "instruction " << name << ": gflops = " << gflops << " is not positive";
  return success();
}

/// No instruction appears twice.
static LogicalResult verifyOnce(Emit emit, StringRef chip, ArrayRef<InstructionRateAttr> rates) {
  llvm::SmallDenseSet<StringRef> names;
  for (InstructionRateAttr rate : rates)
    if (!names.insert(rate.getName()).second)
      return emit() << "target '" << chip << "': instruction " << rate.getName()
                    << " appears twice";
  return success();
}

InstructionRateAttr TargetAttr::getRateOf(StringRef instruction) const {
  for (InstructionRateAttr rate : getInstructions())
    if (rate.getName() == instruction)
      return rate;
  return {};
}

/// Widest subgroup that there is.
static constexpr int64_t kMaxSubgroup = 64;

/// Chip and architecture are named, the latter as the vendor does.
static LogicalResult verifyNames(Emit emit, StringRef chip, Vendor vendor, StringRef arch) {
  if (chip.empty() || arch.empty())
    return emit() << "target: chip and arch must be named";
  StringRef prefix = vendor == Vendor::Amd ? "gfx" : "sm_";
  if (!arch.starts_with(prefix))
    return emit() << "target '" << chip << "': arch = \"" << arch << "\" does not begin with "
                  << prefix << ", as those of vendor = " << stringifyVendor(vendor) << " do";
  return success();
}

static LogicalResult verifySubgroup(Emit emit, StringRef chip, int64_t subgroup) {
  if (subgroup <= kMaxSubgroup && llvm::isPowerOf2_64(subgroup))
    return success();
  return emit() << "target '" << chip << "': subgroup = " << subgroup << " is no power of 2 up to "
                << kMaxSubgroup;
}

LogicalResult TargetAttr::verify(
    Emit emit, StringRef chip, Vendor vendor, StringRef arch, StringRef, int64_t units,
    int64_t clockMHz, int64_t subgroup, int64_t schedulersPerUnit, int64_t registersPerUnit,
    int64_t registersPerThread, int64_t registerGranule, int64_t sharedBytesPerUnit,
    int64_t sharedBytesPerBlock, int64_t sharedBytesReserved, int64_t sharedGranule,
    int64_t sharedBytesPerClock, int64_t sharedReadBytesPerClock, int64_t sharedBanks,
    int64_t threadsPerUnit, int64_t threadsPerBlock, int64_t blocksPerUnit, int64_t clusterBlocks,
    int64_t clusterUnits, int64_t workgroupPs, int64_t fmaF32PerClock, int64_t fmaF64PerClock,
    int64_t fmaF32GFlops, int64_t fmaF64GFlops, int64_t l2Bytes, int64_t l2GBps,
    int64_t l2BytesPerClock, int64_t sectorBytes, int64_t dramReadGBps, int64_t dramCopyGBps,
    int64_t dramWriteGBps, int64_t memoryBytes, int64_t dramLatencyCycles, int64_t l2LatencyCycles,
    int64_t sharedLatencyCycles, int64_t fmaLatencyCycles, int64_t launchNs, int64_t asyncCopyBytes,
    bool, bool, ArrayRef<InstructionRateAttr> instructions, CalibrationAttr) {
  const std::pair<llvm::StringLiteral, int64_t> positive[] = {
      {"units", units},
      {"clockMHz", clockMHz},
      {"subgroup", subgroup},
      {"schedulersPerUnit", schedulersPerUnit},
      {"registersPerUnit", registersPerUnit},
      {"registersPerThread", registersPerThread},
      {"registerGranule", registerGranule},
      {"sharedBytesPerUnit", sharedBytesPerUnit},
      {"sharedBytesPerBlock", sharedBytesPerBlock},
      {"sharedGranule", sharedGranule},
      {"sharedBytesPerClock", sharedBytesPerClock},
      {"sharedReadBytesPerClock", sharedReadBytesPerClock},
      {"sharedBanks", sharedBanks},
      {"threadsPerUnit", threadsPerUnit},
      {"threadsPerBlock", threadsPerBlock},
      {"blocksPerUnit", blocksPerUnit},
      {"clusterBlocks", clusterBlocks},
      {"fmaF32PerClock", fmaF32PerClock},
      {"fmaF64PerClock", fmaF64PerClock},
      {"l2Bytes", l2Bytes},
      {"l2GBps", l2GBps},
      {"l2BytesPerClock", l2BytesPerClock},
      {"sectorBytes", sectorBytes},
      {"dramReadGBps", dramReadGBps},
      {"dramCopyGBps", dramCopyGBps},
      {"dramWriteGBps", dramWriteGBps},
      {"dramLatencyCycles", dramLatencyCycles},
      {"l2LatencyCycles", l2LatencyCycles},
      {"sharedLatencyCycles", sharedLatencyCycles},
      {"fmaLatencyCycles", fmaLatencyCycles}};
  for (auto [name, value] : positive)
    if (value <= 0)
      return emit() << "target '" << chip << "': " << name << " = " << value << " is not positive";
  if (sharedBytesReserved < 0 || launchNs < 0 || workgroupPs < 0 || fmaF32GFlops < 0 ||
      fmaF64GFlops < 0 || memoryBytes < 0)
    return emit() << "target '" << chip
                  << "': a reserve, a memory, a launch time or a measured rate is negative";
  if (clusterUnits < 0 || clusterUnits > units)
    return emit() << "target '" << chip << "': clusterUnits = " << clusterUnits
                  << " of units = " << units;
  if (asyncCopyBytes != 0 && asyncCopyBytes != 4 && asyncCopyBytes != 8 && asyncCopyBytes != 16)
    return emit() << "target '" << chip << "': asyncCopyBytes = " << asyncCopyBytes
                  << " is not 0, 4, 8 or 16";
  if (failed(verifyNames(emit, chip, vendor, arch)) || failed(verifySubgroup(emit, chip, subgroup)))
    return failure();
  return verifyOnce(emit, chip, instructions);
}
