//===- Passes.td - Passes that run pipelines ---------------*- tablegen -*-===//
#ifndef ROOFTILE_PIPELINES_PASSES_TD
#define ROOFTILE_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def FitPlans : Pass<"fit-plans", "::mlir::ModuleOp"> {
  let summary = "Plan and compile for AMD GPUs, with the next plan where a kernel does not fit";
  let description = [{
    Precondition: blas operations and linalg on memrefs. Postcondition: as behind
    tile-select and the rest of blas-to-rocdl: host code in the LLVM dialect, and
    gpu.binary operations.

    The module goes through all of these passes on trial. Where no kernel needs
    scratch memory, that is the result: nothing is compiled twice. Else the module is
    put back as it was, with what the assembler said of the kernels it refused as
    `blas.refused` on it, and the next trial begins: tile-select counts registers of
    these plans by that, takes the next plan that fits, and says so in a remark. That
    covers every product the pipeline plans: cases of dynamic sizes, edges, blocks.

    A plan that is written in the module stays as it is: that it does not fit is an error,
    as rocdl-to-binary tells it. So is what is refused after eight trials. Remarks,
    warnings and errors are those of the last one.

    ```mlir
    blas.gemm ... // planning counts 100 registers and takes 128x128x8, residency = 2: 128 at most
    // the assembler takes 128, and 48 bytes of scratch memory: the second trial begins as
    module attributes {blas.refused = [{kernel = "gemm_f32_nn_128x128x8", plan = #blas.plan<...>,
                                        registers = 140 : i64, scratch = 48 : i64} ]} {
      blas.gemm ...
    }
    // and ends as
    gpu.binary @gemm_f32_nn_128x128x8_module [...] // residency = 1: 256 registers at most
    ```
  }];
  let options = [Option<"chip", "chip", "std::string", "\"\"",
                        "AMD chip to plan for; empty: the module's target, else the GPU present">,
                 Option<"format", "format", "::rooftile::Format", "::rooftile::Format::Auto",
                        "how kernels are embedded", [{::rooftile::rocdlFormats()}]>];
}

#endif
