//===- Passes.td - Passes that run pipelines ---------------*- tablegen -*-===//
#ifndef ROOFTILE_PIPELINES_PASSES_TD
#define ROOFTILE_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def SetAside : Pass<"set-aside", "::mlir::ModuleOp"> {
  let summary = "Run a pipeline on a module without what is not host code";
  let description = [{
    Functions with values of other storage than dense tensors and global memory, and inner modules,
    stay as they are, with all functions and constants that are connected with them by names; a
    remark names the value. The pipeline runs on everything else. All that gemm-opt offers as one
    flag runs in this.

    Precondition: that of the pipeline. Postcondition: the same, followed by what has stayed.

    ```mlir
    func.func @dense(%x: tensor<8xf32>) -> tensor<8xf32> {..}
    func.func @sparse(%x: tensor<8xf32, #csr>) -> tensor<8xf32, #csr> {..}
    // --set-aside="pipeline=blas-to-cpu"
    llvm.func @dense(..) {..}
    func.func @sparse(%x: tensor<8xf32, #csr>) -> tensor<8xf32, #csr> {..}
    ```
  }];
  let options = [Option<"pipeline", "pipeline", "std::string", "\"\"",
                        "what runs, as text: passes of a builtin.module">];
  let constructor = "rooftile::createSetAside(::mlir::OpPassManager(\"builtin.module\"))";
}

def FitPlans : Pass<"fit-plans", "::mlir::ModuleOp"> {
  let summary = "Plan and compile for a GPU, with the next plan where a kernel does not fit";
  let description = [{
    Precondition: blas operations and linalg on memrefs. Postcondition: as after
    tile-select and the rest of blas-to-nvvm, for AMD of blas-to-rocdl: host code in the
    LLVM dialect, and gpu.binary operations.

    Run the driver `rooftile::fitPlans` on these passes in two steps: up to macro-tile, and the
    rest. Where no kernel keeps registers in memory, the first trial is the result: nothing is
    compiled twice. Else the module is put back with the refusals of the assembler as
    `blas.refused` on it. In the next trial tile-select counts registers of these plans by them,
    selects the next plan that fits, and reports it in a remark; kernels whose tile programs stay
    the same keep their binaries, and only the others are lowered again. Every product that the
    pipeline plans is covered: cases of dynamic sizes, edges, blocks. For NVIDIA only ptxas counts
    registers: with `format=isa`, or without ptxas, nothing is refused.

    A plan that is written in the module, or in a list, stays: rocdl-to-binary reports that it
    does not fit as an error, nvvm-to-binary as a warning. So does what is refused after eight
    trials. Remarks, warnings and errors are those of the last trial.

    ```mlir
    blas.gemm ... // planning counts 100 registers and selects 128x128x8, residency = 2: 128 at most
    // the assembler needs 128, and 48 bytes of scratch memory: the second trial begins as
    module attributes {blas.refused = [
        #blas.refusal<kernel = "gemm_f32_nn_128x128x8", plan = <...>, scratch = 48,
                      registers = 140>]} {
      blas.gemm ...
    }
    // and ends as
    gpu.binary @gemm_f32_nn_128x128x8_module [...] // residency = 1: 256 registers at most
    ```
  }];
  let options = [Option<"vendor", "vendor", "::rooftile::blas::Vendor",
                        "::rooftile::blas::Vendor::Nvidia", "who makes the chip",
                        [{::llvm::cl::values(
                          clEnumValN(::rooftile::blas::Vendor::Nvidia, "nvidia", "NVIDIA"),
                          clEnumValN(::rooftile::blas::Vendor::Amd, "amd", "AMD"))}]>,
                 Option<"chip", "chip", "std::string", "\"\"",
                        "chip to plan for; empty: the module's target, else the GPU present">,
                 Option<"plans", "plans", "std::string", "\"\"",
                        "file with a user's own plans and kernels (see tile-select)">,
                 Option<"format", "format", "::rooftile::Format", "::rooftile::Format::Auto",
                        "how kernels are embedded", [{::rooftile::formats()}]>,
                 Option<"sourceLines", "source-lines", "bool", "false",
                        "source lines in the code of NVIDIA kernels, for profilers">,
                 Option<"kernelsOnly", "kernels-only", "bool", "false",
                        "leave host code as it is, as blas-to-kernels does">,
                 Option<"plan", "plan", "std::string", "\"\"",
                        "passes up to macro-tile, as text; empty: by the other options">,
                 Option<"finish", "finish", "std::string", "\"\"",
                        "passes after these, as text; empty: by the other options">];
  let statistics = [Statistic<"numTrials", "trials", "times that modules were compiled">];
}

#endif
