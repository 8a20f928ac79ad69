// One triangle of C: its tiles alone are walked and launched, and nothing beyond the diagonal is written.
// RUN: gemm-opt %s --macro-tile --canonicalize --cse | FileCheck %s
// RUN: gemm-opt %s --macro-tile --macro-tile --canonicalize --cse | FileCheck %s

// 100 x 100 in 4 x 4 tiles: 10 of them.
// CHECK-LABEL: func.func @lower
// CHECK: gpu.launch_func {{.*}} blocks in (%c10,
func.func @lower(%a: memref<100x64xf32>, %c: memref<100x100xf32>, %beta: f32) {
  blas.gemm opB<t> triangle<lower> ins(%a, %a : memref<100x64xf32>, memref<100x64xf32>) outs(%c : memref<100x100xf32>) beta(%beta : f32)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}

// X^H X in one tile.
// CHECK-LABEL: func.func @gram
// CHECK: gpu.launch_func {{.*}} dynamic_shared_memory_size %c6144_i32
func.func @gram(%x: memref<1000x24xcomplex<f32>>, %c: memref<24x24xcomplex<f32>>) {
  blas.gemm opA<c> triangle<upper> realDiagonal ins(%x, %x : memref<1000x24xcomplex<f32>>, memref<1000x24xcomplex<f32>>) outs(%c : memref<24x24xcomplex<f32>>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared, copy = async>, b = <via = shared, copy = async>, stages = 3>)
  return
}

// Partial sums: of the slices, too, one triangle is written; they are added up in tiles as they are.
// CHECK-LABEL: func.func @slices
// CHECK: gpu.launch_func {{.*}} blocks in (%c2,
// CHECK: gpu.launch_func {{.*}} blocks in (%c8,
func.func @slices(%a: memref<64x32xf32>, %w: memref<2x32x32xf32>, %c: memref<32x32xf32>) {
  blas.gemm opA<t> partial triangle<lower> ins(%a, %a : memref<64x32xf32>, memref<64x32xf32>) outs(%w : memref<2x32x32xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 2>)
  blas.reduce triangle<lower> ins(%w : memref<2x32x32xf32>) outs(%c : memref<32x32xf32>) plan(<tile = [4, 32], threads = 128>)
  return
}

// Tiles that would cross the edge are moved back inside.
// CHECK-LABEL: gpu.func @gemm_f32_nt_32x32x8_lower(
// CHECK-SAME: structure = lower
// CHECK: %{{.*}}, %[[M:.*]], %[[N:.*]] = tile.coord %c100, %c100 triangle lower tile [32, 32]
// CHECK: tile.alloc
// CHECK: tile.alloc
// CHECK: tile.update {{.*}} beta(%{{.*}} : f32) from(%[[M]], %[[N]]) triangle lower edges <inside, inside>

// One ring, which the right operand reads with rows and columns exchanged.
// CHECK-LABEL: gpu.func @gemm_c64_cn_32x32x8_upper(
// CHECK: %[[RING:.*]] = tile.alloc
// CHECK-NOT: tile.alloc
// CHECK: tile.copy
// CHECK-NOT: tile.copy
// CHECK: tile.view %[[RING]][%{{.*}}] [%c0, %[[SLICE:.*]]] :
// CHECK: tile.view %[[RING]][%{{.*}}] [%[[SLICE]], %c0] transposed :
// CHECK: tile.update {{.*}} triangle upper realDiagonal edges <guard, guard>

// CHECK-LABEL: gpu.func @gemm_f32_tn_32x32x8_lower_partial(
// CHECK: tile.coord {{.*}} triangle lower tile [32, 32] splits 2
// CHECK: tile.update {{.*}} triangle lower
// CHECK-LABEL: gpu.func @reduce_f32(
// CHECK: tile.coord %c32, %c32 tile [4, 32]
// CHECK: tile.update {{.*}} triangle lower
