//===- Passes.td - From blas operations to tile programs --------*- tablegen -*-===//
#ifndef ROOFTILE_TRANSFORMS_PASSES_TD
#define ROOFTILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToBlas : Pass<"convert-linalg-to-blas"> {
  let summary = "Raise linalg matrix products to blas.gemm";
  let description = [{
    Rewrites `linalg.matmul`, `linalg.batch_matmul`, `linalg.contract` and a `linalg.generic`
    of the same body, on tensors or memrefs, in every transposed form. A product added to zeros
    has no beta. Transposing producers become op(A) and op(B).

    Afterwards, what is left of them is what blas.gemm cannot say (integers, operands wider than
    C, several reduction loops, broadcast rows or columns); a remark names the reason
    (`--remarks-filter=convert-linalg-to-blas`).

    ```mlir
    %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
    %d = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>)
                       outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
    // becomes
    %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>)
                   outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
    ```
  }];
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::arith::ArithDialect"];
}

def BlasAttachTarget : Pass<"blas-attach-target", "::mlir::ModuleOp"> {
  let summary = "Put the #blas.target of a chip on the module";
  let dependentDialects = ["::rooftile::blas::BlasDialect"];
  let options = [Option<"chip", "chip", "std::string", "\"\"",
                        "chip name, such as h200; empty: the GPU present, else h200">];
}

def TileSelect : Pass<"tile-select", "::mlir::ModuleOp"> {
  let summary = "Choose a #blas.plan for every blas operation and say why";
  let dependentDialects = ["::rooftile::blas::BlasDialect", "::mlir::arith::ArithDialect"];
  let options = [Option<"chip", "chip", "std::string", "\"\"",
                        "chip name, used when the module names no target">];
}

def MacroTile : Pass<"macro-tile", "::mlir::ModuleOp"> {
  let summary = "Turn each planned blas operation into a kernel: a tile program for one workgroup";
  let dependentDialects = ["::rooftile::tile::TileDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def LeapFrog : Pass<"leap-frog"> {
  let summary = "Pipeline the K loop and the slice loop of a tile program";
  let dependentDialects = ["::rooftile::tile::TileDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def TileSync : Pass<"tile-sync"> {
  let summary = "Insert the barriers that the uses of shared buffers need";
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

#endif
