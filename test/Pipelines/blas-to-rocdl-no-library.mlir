// Without the device libraries, a kernel that needs one is an error that names the package.
// RUN: %bare %not gemm-opt %s --blas-to-rocdl="chip=gfx942 format=isa" 2>&1 | FileCheck %s
// RUN: %bare %not gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: :[[#@LINE+10]]:11: error: calls __nv_erff of CUDA's libdevice, which is not in CUDA_ROOT, CUDA_HOME, CUDA_PATH or /usr/local/cuda
// CHECK: error: calls __ocml_{{.*}} of AMD's device libraries, which are not found: install the package rocm-device-libs
#matrix = affine_map<(row, column) -> (row, column)>
func.func @softened(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %product = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
                           outs(%start : tensor<64x64xf32>) -> tensor<64x64xf32>
  %result = tensor.empty() : tensor<64x64xf32>
  %soft = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<64x64xf32>) outs(%result : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %exp = math.erf %in : f32
    linalg.yield %exp : f32
  } -> tensor<64x64xf32>
  return %soft, %product : tensor<64x64xf32>, tensor<64x64xf32> // both are read: no epilogue
}
