// One triangle of C: its tiles alone are walked and launched, and nothing beyond the diagonal is written.
// RUN: gemm-opt %s --macro-tile --canonicalize --cse | FileCheck %s
// RUN: gemm-opt %s --macro-tile --macro-tile --canonicalize --cse | FileCheck %s

// 100 x 100 in 4 x 4 tiles: 10 of them, the last of which are moved back inside.
// CHECK: gpu.func @gemm_f32_nt_32x32x8_lower({{.*}}blas.contract = #blas.contract<{{.*}}tile = [32, 32]{{.*}}structure = lower>
// CHECK: tile.coord %c100, %c100 triangle lower tile [32, 32]
// CHECK: tile.update {{.*}} beta(%{{.*}} : f32) from(%{{.*}}, %{{.*}}) triangle lower edges <inside, inside>
// CHECK-LABEL: func.func @lower
// CHECK: gpu.launch_func {{.*}} blocks in (%c10,
func.func @lower(%a: memref<100x64xf32>, %c: memref<100x100xf32>, %beta: f32) {
  blas.gemm op_b<t> triangle<lower> ins(%a, %a : memref<100x64xf32>, memref<100x64xf32>) outs(%c : memref<100x100xf32>) beta(%beta : f32)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}

// X^H X in one tile: one ring, which the right operand reads with rows and columns exchanged.
// CHECK: gpu.func @gemm_c64_cn_32x32x8_upper
// CHECK: %[[RING:.*]] = tile.alloc
// CHECK-NOT: tile.alloc
// CHECK: tile.copy {{.*}}
// CHECK-NOT: tile.copy
// CHECK: tile.view %[[RING]][%{{.*}}] [%c0, %{{.*}}] :
// CHECK: tile.view %[[RING]][%{{.*}}] [%{{.*}}, %c0] transposed :
// CHECK: tile.update {{.*}} triangle upper real_diagonal edges <guard, guard>
// CHECK-LABEL: func.func @gram
func.func @gram(%x: memref<1000x24xcomplex<f32>>, %c: memref<24x24xcomplex<f32>>) {
  blas.gemm op_a<c> triangle<upper> real_diagonal ins(%x, %x : memref<1000x24xcomplex<f32>>, memref<1000x24xcomplex<f32>>) outs(%c : memref<24x24xcomplex<f32>>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared, copy = async>, b = <via = shared, copy = async>, stages = 3>)
  return
}

// Partial sums: of the slices, too, one triangle is written.
// CHECK: gpu.func @gemm_f32_tn_32x32x8_lower_partial
// CHECK: tile.coord {{.*}} triangle lower tile [32, 32] splits 2
// CHECK: tile.update {{.*}} triangle lower
// CHECK: gpu.func @reduce_f32
// CHECK-NOT: triangle lower tile
// CHECK: tile.update {{.*}} triangle lower
func.func @slices(%a: memref<64x32xf32>, %w: memref<2x32x32xf32>, %c: memref<32x32xf32>) {
  blas.gemm op_a<t> partial triangle<lower> ins(%a, %a : memref<64x32xf32>, memref<64x32xf32>) outs(%w : memref<2x32x32xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 2>)
  blas.reduce triangle<lower> ins(%w : memref<2x32x32xf32>) outs(%c : memref<32x32xf32>) plan(<tile = [4, 32], threads = 128>)
  return
}
