//===- TargetData.h - The values of a target --------------------*- C++ -*-===//
//
// All that #blas.target specifies, as a plain struct: the figures of one chip. Rates are those of
// the whole device unless the row states otherwise; a unit is a streaming multiprocessor or a
// compute unit. The chips that ship, and the source of each figure, are in lib/Target/Chips.
//
// visitKeys is the table of keys: their order is that of the text, their defaults are those of the
// members. Parsing, printing, verification, comparison, hashing, the key of kept choices and the
// table of docs/Targets.md come from it. A new figure is a member, a row, and who reads it.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_TARGETDATA_H
#define ROOFTILE_DIALECT_BLAS_TARGETDATA_H

#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "rooftile/Dialect/Blas/Enums.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::tile {
struct Instruction;
} // namespace rooftile::tile

namespace rooftile::blas {

/// A row of the table of keys. The type of its member decides which values a key has.
struct TargetKey {
  static constexpr int64_t kUnbounded = std::numeric_limits<int64_t>::max();

  llvm::StringLiteral name, unit, doc;
  bool required = true;                 ///< Else it is left out where it has its default.
  int64_t least = 1, most = kUnbounded; ///< Range of an integer.
};

/// A matrix instruction that a chip has, and the rate of the whole device with it.
struct InstructionRate {
  const tile::Instruction *instruction = nullptr;
  int64_t gflops = 0;

  bool operator==(const InstructionRate &other) const {
    return instruction == other.instruction && gflops == other.gflops;
  }
};

/// #blas.target: the figures of one chip.
struct TargetData {
  std::string chip;
  Vendor vendor = Vendor::Nvidia;
  std::string arch, features;
  int64_t units = 0, clockMHz = 0, subgroup = 0, schedulersPerUnit = 0;
  int64_t registersPerUnit = 0, registersPerThread = 0, registerGranule = 0;
  int64_t sharedBytesPerUnit = 0, sharedBytesPerBlock = 0, sharedBytesReserved = 0;
  int64_t sharedGranule = 0, sharedBytesPerClock = 0, sharedReadBytesPerClock = 256;
  int64_t sharedBanks = 0, threadsPerUnit = 0, threadsPerBlock = 0, blocksPerUnit = 0;
  int64_t clusterBlocks = 1, clusterUnits = 0, workgroupPs = 0;
  int64_t fmaF32PerClock = 0, fmaF64PerClock = 0, fmaF32GFlops = 0, fmaF64GFlops = 0;
  int64_t packedF32 = 1;
  int64_t l2Bytes = 0, l2GBps = 0, l2BytesPerClock = 64, sectorBytes = 32;
  int64_t l2SharedGBps = 0;
  int64_t dramReadGBps = 0, dramCopyGBps = 0, dramWriteGBps = 0, memoryBytes = 0;
  int64_t dramLatencyCycles = 0, l2LatencyCycles = 0, sharedLatencyCycles = 0;
  int64_t fmaLatencyCycles = 0, launchNs = 0, asyncCopyBytes = 0, atomicAddBytes = 8;
  int64_t scalarRegisters = 0; ///< 32-bit ones.
  bool bulkCopy = false, dependentLaunch = false;
  std::vector<InstructionRate> instructions;
  std::optional<CalibrationData> calibration;

  /// Scalar registers that loads fill at a time: the others hold addresses and sizes. 64 of 96 is
  /// what the SGEMM of MI25 and MI60 with A in scalar registers has.
  int64_t scalarGroup() const { return scalarRegisters * 2 / 3 / 8 * 8; }

  /// Calls `visit` with each key and the pointer to its member.
  template <typename Visit> static void visitKeys(Visit &&visit) {
    visitUnit(visit);
    visitRates(visit);
    visitAbilities(visit);
  }
  /// Names, and what a unit holds.
  template <typename Visit> static void visitUnit(Visit &&visit);
  /// Starts of workgroups, rates and latencies.
  template <typename Visit> static void visitRates(Visit &&visit);
  /// Abilities of the chip beside multiply-adds and plain accesses.
  template <typename Visit> static void visitAbilities(Visit &&visit);

  /// The rate with an instruction of a machine in GFLOP/s; 0 where the chip does not have it.
  int64_t gflopsOf(llvm::StringRef machine) const;
};

template <typename Visit> void TargetData::visitUnit(Visit &&visit) {
  using T = TargetData;
  visit(TargetKey{"chip", "", "name, as in `chip=`"}, &T::chip);
  visit(TargetKey{"vendor", "", "who makes the chip"}, &T::vendor);
  visit(TargetKey{"arch", "`sm_..`, `gfx..`", "architecture, as the vendor's assembler names it"},
        &T::arch);
  visit(TargetKey{"features", "", "further features for LLVM's code generator", false},
        &T::features);
  visit(TargetKey{"units", "units", "SMs or CUs of the device"}, &T::units);
  visit(TargetKey{"clockMHz", "MHz", "clock under load, to which all figures in clocks refer"},
        &T::clockMHz);
  visit(TargetKey{"subgroup", "threads", "warp or wavefront, a power of 2", true, 1, 64},
        &T::subgroup);
  visit(TargetKey{"schedulersPerUnit", "", "subgroups that a unit can issue in one clock"},
        &T::schedulersPerUnit);
  visit(TargetKey{"registersPerUnit", "32-bit registers", "register file of a unit"},
        &T::registersPerUnit);
  visit(TargetKey{"registersPerThread", "32-bit registers", "what one thread can address"},
        &T::registersPerThread);
  visit(TargetKey{"registerGranule", "32-bit registers",
                  "registers of a subgroup come in multiples of it"},
        &T::registerGranule);
  visit(TargetKey{"sharedBytesPerUnit", "bytes", "shared memory of a unit"},
        &T::sharedBytesPerUnit);
  visit(TargetKey{"sharedBytesPerBlock", "bytes", "the most that one workgroup may have"},
        &T::sharedBytesPerBlock);
  visit(TargetKey{"sharedBytesReserved", "bytes", "reserved by the driver for each workgroup", true,
                  0},
        &T::sharedBytesReserved);
  visit(TargetKey{"sharedGranule", "bytes", "unit of allocation"}, &T::sharedGranule);
  visit(TargetKey{"sharedBytesPerClock", "bytes a clock", "port of the shared memory of a unit"},
        &T::sharedBytesPerClock);
  visit(TargetKey{"sharedReadBytesPerClock", "bytes a clock",
                  "what lanes get from the shared memory of a unit where some read the same",
                  false},
        &T::sharedReadBytesPerClock);
  visit(TargetKey{"sharedBanks", "banks of 4 bytes", "of the shared memory of a unit"},
        &T::sharedBanks);
  visit(TargetKey{"threadsPerUnit", "threads", "resident on a unit at most"}, &T::threadsPerUnit);
  visit(TargetKey{"threadsPerBlock", "threads", "of a workgroup at most"}, &T::threadsPerBlock);
  visit(TargetKey{"blocksPerUnit", "workgroups", "resident on a unit at most"}, &T::blocksPerUnit);
}

template <typename Visit> void TargetData::visitRates(Visit &&visit) {
  using T = TargetData;
  visit(TargetKey{"clusterBlocks", "workgroups",
                  "of a cluster at most, which reach each other's shared memory; 1: no clusters",
                  false},
        &T::clusterBlocks);
  visit(TargetKey{"clusterUnits", "units", "that clusters of more than two workgroups fill; 0: all",
                  false, 0},
        &T::clusterUnits);
  visit(TargetKey{"workgroupPs", "ps",
                  "from one workgroup that a launch begins to the next, of the whole device; 0: "
                  "not measured",
                  false, 0},
        &T::workgroupPs);
  visit(TargetKey{"fmaF32PerClock", "FMAs a clock", "of a unit, f32, on paper"},
        &T::fmaF32PerClock);
  visit(TargetKey{"fmaF64PerClock", "FMAs a clock", "of a unit, f64, on paper"},
        &T::fmaF64PerClock);
  visit(TargetKey{"packedF32", "FMAs",
                  "of neighbours in registers, f32, that one instruction makes (`v_pk_fma_f32`): "
                  "fmaF32PerClock counts these, and single ones are as many times slower",
                  false, 1, 2},
        &T::packedF32);
  visit(TargetKey{"fmaF32GFlops", "GFLOP/s",
                  "measured ceiling of the FMA units, f32; 0: the figure on paper counts", false,
                  0},
        &T::fmaF32GFlops);
  visit(TargetKey{"fmaF64GFlops", "GFLOP/s",
                  "measured ceiling of the FMA units, f64; 0: the figure on paper counts", false,
                  0},
        &T::fmaF64GFlops);
  visit(TargetKey{"l2Bytes", "bytes", "L2 cache"}, &T::l2Bytes);
  visit(TargetKey{"l2GBps", "GB/s", "bandwidth of L2"}, &T::l2GBps);
  visit(TargetKey{"l2SharedGBps", "GB/s",
                  "bandwidth of L2 for what several units read; 0: as l2GBps", false, 0},
        &T::l2SharedGBps);
  visit(TargetKey{"l2BytesPerClock", "bytes a clock", "rate of one unit from L2", false},
        &T::l2BytesPerClock);
  visit(TargetKey{"sectorBytes", "bytes", "the smallest piece of memory that moves", false},
        &T::sectorBytes);
  visit(TargetKey{"dramReadGBps", "GB/s", "DRAM, only reads"}, &T::dramReadGBps);
  visit(TargetKey{"dramCopyGBps", "GB/s", "DRAM, half reads, half writes"}, &T::dramCopyGBps);
  visit(TargetKey{"dramWriteGBps", "GB/s", "DRAM, only writes"}, &T::dramWriteGBps);
  visit(TargetKey{"memoryBytes", "bytes", "memory of the device; 0: not stated", false, 0},
        &T::memoryBytes);
  visit(TargetKey{"dramLatencyCycles", "clocks", "a dependent access to DRAM, idle"},
        &T::dramLatencyCycles);
  visit(TargetKey{"l2LatencyCycles", "clocks", "a dependent access to L2, idle"},
        &T::l2LatencyCycles);
  visit(TargetKey{"sharedLatencyCycles", "clocks", "a dependent access to shared memory, idle"},
        &T::sharedLatencyCycles);
  visit(TargetKey{"fmaLatencyCycles", "clocks", "a dependent FMA"}, &T::fmaLatencyCycles);
  visit(TargetKey{"launchNs", "ns", "a launch in a stream", true, 0}, &T::launchNs);
}

template <typename Visit> void TargetData::visitAbilities(Visit &&visit) {
  using T = TargetData;
  visit(TargetKey{"asyncCopyBytes", "bytes; 0, 4, 8, 16",
                  "widest copy from global to shared memory without a register; 0: none", false, 0,
                  16},
        &T::asyncCopyBytes);
  visit(TargetKey{"atomicAddBytes", "bytes; 0, 4, 8",
                  "widest floating-point number that memory adds to by itself (4: f32, 8: f32 and "
                  "f64); 0: none",
                  false, 0, 8},
        &T::atomicAddBytes);
  visit(TargetKey{"scalarRegisters", "32-bit registers",
                  "scalar registers of a subgroup that a kernel may fill with loads, and that "
                  "multiply-adds read; 0: none",
                  false, 0, 128},
        &T::scalarRegisters);
  visit(TargetKey{"bulkCopy", "",
                  "whole rows, or boxes of a matrix, are copied at the request of one thread "
                  "(`cp.async.bulk`), and the bytes that have arrived are counted",
                  false},
        &T::bulkCopy);
  visit(TargetKey{"dependentLaunch", "",
                  "a kernel may begin before the one before it in the stream ends, and wait inside",
                  false},
        &T::dependentLaunch);
  visit(TargetKey{"instructions", "GFLOP/s each",
                  "matrix instructions of the chip (docs/Tile.md) and the rate with each", false},
        &T::instructions);
  visit(TargetKey{"calibration", "",
                  "measured costs of kernels on the chip; else what ships for it, or for its "
                  "nearest relative",
                  false},
        &T::calibration);
}

bool operator==(const TargetData &left, const TargetData &right);
inline bool operator!=(const TargetData &left, const TargetData &right) { return !(left == right); }
llvm::hash_code hash_value(const TargetData &target);

/// <chip = "h200", vendor = nvidia, ...>: the text of the attribute after its name.
std::string textOf(const TargetData &target);

/// The first invalid figure: "units = 0 is not positive"; empty for a chip that can exist.
std::string whyInvalid(const TargetData &target);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_TARGETDATA_H
