//===- BlasTarget.td - What the hardware is ---------------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASTARGET_TD
#define ROOFTILE_DIALECT_BLAS_BLASTARGET_TD

def Blas_Vendor : Blas_Enum<"Vendor", "who makes the chip", [
  I32EnumCase<"Nvidia", 0, "nvidia">,
  I32EnumCase<"Amd", 1, "amd">
]>;

def Blas_CalibrationAttr : AttrDef<Blas_Dialect, "Calibration"> {
  let mnemonic = "calibration";
  let summary = "measured costs of kernels on a chip: the coefficients of the cost model";
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
    One chip. TargetData.h is the table of its figures, which docs/Targets.md shows: name, unit,
    range, default and meaning of each. The chips that ship, and the source of each figure, are in
    lib/Target.

    ```mlir
    module attributes {
      blas.target = #blas.target<chip = "h200", vendor = nvidia, arch = "sm_90a", ...>
    } {}
    ```
  }];
  let parameters = (ins AttrParameter<"::rooftile::blas::TargetData", "the figures",
                                      "const ::rooftile::blas::TargetData &">:$data);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    const ::rooftile::blas::TargetData &operator*() const { return getData(); }
    const ::rooftile::blas::TargetData *operator->() const { return &getData(); }
  }];
}

#endif
