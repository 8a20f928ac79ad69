// RUN: gemm-opt %s --tile-select=chip=h200 --verify-diagnostics | FileCheck %s
// RUN: gemm-opt %s --tile-select=chip=h200 2>/dev/null | gemm-opt --tile-select 2>/dev/null > %t.twice
// RUN: gemm-opt %s --tile-select=chip=h200 2>/dev/null | diff - %t.twice

// CHECK: module attributes {blas.target = #blas.target<chip = "h200"

// Full tiles, all figures static: tensor copies of operands along M and N, two stages.
// CHECK-LABEL: @full
func.func @full(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) {
  // CHECK: blas.gemm {{.*}} plan(<macro = [{{128|256}}, {{128|256}}, {{.*}}], micro = [{{.*}}], lanes = [{{.*}}],
  // CHECK-SAME: vector = 4, a = <via = shared, copy = tensor, vector = 4, pack = 1>, b = <via = shared, copy = tensor, vector = 4>, unroll = 16, raster = {{8|16}}>)
  // expected-remark @below {{compute bound: 682.7 flops per byte}}
  blas.gemm ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>)
            outs(%c : memref<4096x4096xf32>)
  return
}

// Odd sizes: no wide access is legal. f64 goes to the matrix units.
// CHECK-LABEL: @tail
func.func @tail(%a: memref<4095x4095xf64>, %b: memref<4095x4095xf64>, %c: memref<4095x4095xf64>) {
  // CHECK: blas.gemm {{.*}} plan(<{{.*}} lanes = [8, 4], mma = m16n8k8_f64, a = <via = shared, {{.*}}pad = 4{{.*}}>, b = <via = shared{{.*}}>
  // expected-remark @below {{chose plan}}
  blas.gemm ins(%a, %b : memref<4095x4095xf64>, memref<4095x4095xf64>)
            outs(%c : memref<4095x4095xf64>)
  return
}

// Dynamic sizes get a set of plans; the last one serves everything.
// CHECK-LABEL: @dynamic
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // CHECK: blas.gemm {{.*}} plans([#blas.case<when = <{{.*}}#blas.case<plan = <{{[^#]*}}])
  // expected-remark @below {{chose plans for 16 cases, the first that holds, or the cheapest with a price:}}
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// A small product gets tiles that reach most of the chip.
// CHECK-LABEL: @small
func.func @small(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  // CHECK: blas.gemm {{.*}} plan(<macro = [{{16|32}}, {{16|32|64}},
  // expected-remark @below {{of the workgroup slots filled}}
  blas.gemm ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
            outs(%c : memref<256x256xf32>)
  return
}

// Empty and tiny products get a plan as well.
// CHECK-LABEL: @tiny
func.func @tiny(%a: memref<1x1xf32>, %b: memref<1x1xf32>, %c: memref<1x1xf32>,
                %d: memref<0x5xf32>, %e: memref<5x7xf32>, %f: memref<0x7xf32>) {
  // CHECK-COUNT-2: plan(<
  // expected-remark @below {{chose plan}}
  blas.gemm ins(%a, %b : memref<1x1xf32>, memref<1x1xf32>) outs(%c : memref<1x1xf32>)
  // expected-remark @below {{nothing to multiply}}
  blas.gemm ins(%d, %e : memref<0x5xf32>, memref<5x7xf32>) outs(%f : memref<0x7xf32>)
  return
}

// linalg is raised first; a tensor counts as contiguous row-major.
// CHECK-LABEL: @linalg
func.func @linalg(%a: tensor<512x1024xf32>, %b: tensor<1024x2048xf32>, %c: tensor<512x2048xf32>)
    -> tensor<512x2048xf32> {
  // CHECK: blas.gemm {{.*}} plan(<{{.*}} a = <via = shared, {{.*}}pad = 4{{.*}}>, b = <via = shared, {{.*}}vector = 4>
  // expected-remark @below {{chose plan}}
  %0 = linalg.matmul ins(%a, %b : tensor<512x1024xf32>, tensor<1024x2048xf32>)
                     outs(%c : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  return %0 : tensor<512x2048xf32>
}
