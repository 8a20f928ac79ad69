// One function for every M, N and K: tile-select makes a set of plans, plan-dispatch the choice.
//
//   gemm-opt --tile-select --plan-dispatch examples/dynamic.mlir
//   gemm-run examples/dynamic.mlir                                  # 256 x 256 x 256
//   gemm-run examples/dynamic.mlir --sizes=4096x512,512x4096,4096x4096
//   gemm-run examples/dynamic.mlir --sizes=4095x511,511x4095,4095x4095
func.func @any_size(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
