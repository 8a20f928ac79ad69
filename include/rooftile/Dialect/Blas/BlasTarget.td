//===- BlasTarget.td - What the hardware is ---------------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASTARGET_TD
#define ROOFTILE_DIALECT_BLAS_BLASTARGET_TD

def Blas_Vendor : Blas_Enum<"Vendor", "who makes the chip", [
  I32EnumCase<"Nvidia", 0, "nvidia">,
  I32EnumCase<"Amd", 1, "amd">
]>;

def Blas_InstructionRateAttr : AttrDef<Blas_Dialect, "InstructionRate"> {
  let mnemonic = "instruction_rate";
  let summary = "a matrix instruction that a chip has, and the rate of the whole device with it";
  let parameters = (ins StringRefParameter<"as in mma = of a plan">:$name, "int64_t":$gflops);
  let assemblyFormat = "`<` custom<Keyword>($name) `,` `gflops` `=` $gflops `>`";
  let genVerifyDecl = 1;
}

def Blas_CalibrationAttr : AttrDef<Blas_Dialect, "Calibration"> {
  let mnemonic = "calibration";
  let summary = "what kernels take of a chip, as measured: the coefficients of the cost model";
  let description = [{
    A figure for each thing that planning counts, such as the issue slots of a fragment read or the
    clocks around a barrier. docs/CostModel.md lists them with their units and the formula that
    they belong to; `gemm-tune fit` writes them from measurements.

    ```mlir
    #blas.calibration<multiply = 1.01, multiplyWide = 0.2, ...>
    ```
  }];
  let parameters = (ins AttrParameter<"::rooftile::blas::CalibrationData", "the values",
                                      "const ::rooftile::blas::CalibrationData &">:$data);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Blas_TargetAttr : AttrDef<Blas_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "what the hardware is, as data";
  let description = [{
    One chip. Rates are per second or per clock, sizes in bytes, all for one
    device; "unit" is a streaming multiprocessor or a compute unit. The chips
    that ship, and the source of each figure, are in lib/Target. fmaF32GFlops
    and fmaF64GFlops are the measured ceilings of the FMA units for the whole
    device; 0 where none was measured (then units * clock * FMAs per clock).
    memoryBytes is the memory of the device; 0 where it is not stated.
    asyncCopyBytes is the widest copy from global to shared memory that needs no
    register; 0 where the chip has none.
    clusterBlocks is the most workgroups of a cluster, which reach each other's shared memory
    (1: there are no clusters), clusterUnits the units that clusters of more than two fill (0: all).
    workgroupPs is the time from one workgroup that a launch begins to the next, in picoseconds and
    for the whole device (0: not measured).
    l2BytesPerClock is what one unit takes from the L2 cache, sharedReadBytesPerClock what lanes get
    from shared memory where some read the same, sectorBytes the smallest piece of memory that
    moves. bulkCopy: the chip copies whole rows to shared memory at the request of one thread, and
    counts the bytes that have arrived. dependentLaunch: a kernel may begin before the one in front
    of it in the stream has ended, and wait inside for that.
    instructions are the matrix instructions that it has (docs/Tile.md says what they do).
    calibration is what kernels take of it, as measured; where it is not stated, that which ships
    for the chip counts, or for its nearest relative.

    ```mlir
    module attributes {
      blas.target = #blas.target<chip = "h200", vendor = nvidia, arch = "sm_90a", ...>
    } {}
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name, as in chip=">:$chip,
    EnumParameter<Blas_Vendor>:$vendor,
    StringRefParameter<"architecture, as the vendor's assembler names it">:$arch,
    StringRefParameter<"further features for LLVM's code generator", [{""}]>:$features,
    "int64_t":$units,
    "int64_t":$clockMHz,
    "int64_t":$subgroup,
    "int64_t":$schedulersPerUnit,
    "int64_t":$registersPerUnit,
    "int64_t":$registersPerThread,
    "int64_t":$registerGranule,
    "int64_t":$sharedBytesPerUnit,
    "int64_t":$sharedBytesPerBlock,
    "int64_t":$sharedBytesReserved,
    "int64_t":$sharedGranule,
    "int64_t":$sharedBytesPerClock,
    DefaultValuedParameter<"int64_t", "256">:$sharedReadBytesPerClock,
    "int64_t":$sharedBanks,
    "int64_t":$threadsPerUnit,
    "int64_t":$threadsPerBlock,
    "int64_t":$blocksPerUnit,
    DefaultValuedParameter<"int64_t", "1">:$clusterBlocks,
    DefaultValuedParameter<"int64_t", "0">:$clusterUnits,
    DefaultValuedParameter<"int64_t", "0">:$workgroupPs,
    "int64_t":$fmaF32PerClock,
    "int64_t":$fmaF64PerClock,
    DefaultValuedParameter<"int64_t", "0">:$fmaF32GFlops,
    DefaultValuedParameter<"int64_t", "0">:$fmaF64GFlops,
    "int64_t":$l2Bytes,
    "int64_t":$l2GBps,
    DefaultValuedParameter<"int64_t", "64">:$l2BytesPerClock,
    DefaultValuedParameter<"int64_t", "32">:$sectorBytes,
    "int64_t":$dramReadGBps,
    "int64_t":$dramCopyGBps,
    "int64_t":$dramWriteGBps,
    DefaultValuedParameter<"int64_t", "0">:$memoryBytes,
    "int64_t":$dramLatencyCycles,
    "int64_t":$l2LatencyCycles,
    "int64_t":$sharedLatencyCycles,
    "int64_t":$fmaLatencyCycles,
    "int64_t":$launchNs,
    DefaultValuedParameter<"int64_t", "0">:$asyncCopyBytes,
    DefaultValuedParameter<"bool", "false">:$bulkCopy,
    DefaultValuedParameter<"bool", "false">:$dependentLaunch,
    OptionalArrayRefParameter<"::rooftile::blas::InstructionRateAttr">:$instructions,
    OptionalParameter<"::rooftile::blas::CalibrationAttr">:$calibration
  );
  let assemblyFormat = [{
    `<` struct($chip, $vendor, $arch, $features, $units, $clockMHz, $subgroup, $schedulersPerUnit,
               $registersPerUnit, $registersPerThread, $registerGranule, $sharedBytesPerUnit,
               $sharedBytesPerBlock, $sharedBytesReserved, $sharedGranule, $sharedBytesPerClock,
               $sharedReadBytesPerClock, $sharedBanks, $threadsPerUnit, $threadsPerBlock,
               $blocksPerUnit, $clusterBlocks, $clusterUnits, $workgroupPs, $fmaF32PerClock,
               $fmaF64PerClock, $fmaF32GFlops, $fmaF64GFlops, $l2Bytes, $l2GBps, $l2BytesPerClock,
               $sectorBytes, $dramReadGBps, $dramCopyGBps, $dramWriteGBps, $memoryBytes,
               $dramLatencyCycles, $l2LatencyCycles, $sharedLatencyCycles, $fmaLatencyCycles,
               $launchNs, $asyncCopyBytes, $bulkCopy, $dependentLaunch,
               custom<Rates>($instructions), $calibration) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The rate of an instruction; null where the chip does not have it.
    InstructionRateAttr getRateOf(::llvm::StringRef instruction) const;
  }];
}

#endif
