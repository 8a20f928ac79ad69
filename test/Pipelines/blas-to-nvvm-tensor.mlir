// A product by tensor copies as PTX, and through ptxas: descriptors are parameters of 128 bytes, which copies read where
// they are, not on the stack.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | not grep "local"
// RUN: gemm-opt %s --blas-to-kernels="chip=h200 format=func" 2>/dev/null | FileCheck %s --check-prefix=FUNC

// CHECK: llvm.call @rooftileTensorMap
// CHECK: gpu.launch_func
// CHECK-SAME: !llvm.array<16 x i64>
// CHECK: .param .align 64 .b8 gemm_f32_tn_64x64x16_param_3[128],
// CHECK-SAME: .param .align 64 .b8 gemm_f32_tn_64x64x16_param_4[128]
// CHECK-SAME: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes

// FUNC: gpu.func @gemm_f32_tn_64x64x16({{.*}}, %{{[a-z0-9]+}}: !llvm.array<16 x i64>, %{{[a-z0-9]+}}: !llvm.array<16 x i64>) kernel
// FUNC: lane.tensor_copy
func.func @product(%a: memref<32x128xf32>, %b: memref<32x64xf32>, %c: memref<128x64xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<32x128xf32>, memref<32x64xf32>) outs(%c : memref<128x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = tensor, vector = 4>, b = <via = shared, copy = tensor, vector = 4>, stages = 2>)
  return
}
