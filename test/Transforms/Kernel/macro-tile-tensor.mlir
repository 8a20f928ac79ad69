// Plans with copy = tensor: the kernel gets a descriptor of each matrix, and one thread has a whole tile copied.
// RUN: split-file %s %t
// RUN: gemm-opt %t/tn.mlir --macro-tile | FileCheck %s
// RUN: gemm-opt %t/invalid.mlir --split-input-file --macro-tile --verify-diagnostics

// CHECK-DAG: #[[A:.*]] = #tile.map<threads = [32:(0, 0), 2:(0, 0)], values = [64:(1, 0), 16:(0, 1)]>
// CHECK-DAG: #[[B:.*]] = #tile.map<threads = [32:(0, 0), 2:(0, 0)], values = [64:(0, 1), 16:(1, 0)]>

// 32 vectors of 128 elements of 4 bytes, 512 bytes apart, after the test of the pointers. What cannot be described is not
// launched.
// CHECK-LABEL: func.func @product
// CHECK: llvm.alloca %{{.*}} x !llvm.array<16 x i64>
// CHECK: %[[PLACE:.*]] = llvm.alloca %{{.*}} x !llvm.array<16 x i64>
// CHECK-COUNT-3: call @rooftileIsAligned
// CHECK: %[[MADE:.*]] = call @rooftileTensorMap(%[[PLACE]], %{{.*}}) : (!llvm.ptr, i64, i64, i64, i64, i64, i64, i64, i64) -> i1
// CHECK: %[[DESCRIPTOR:.*]] = llvm.load %[[PLACE]] : !llvm.ptr -> !llvm.array<16 x i64>
// CHECK: arith.andi %{{.*}}, %[[MADE]] : i1
// CHECK: gpu.launch_func {{.*}} args({{.*}} : memref<f32>, {{.*}} : !llvm.array<16 x i64>, {{.*}} : !llvm.array<16 x i64>)

// CHECK: gpu.func @{{.*}}(%{{.*}}: memref<f32> {{.*}}, %[[OF_A:[^ ]*]]: !llvm.array<16 x i64>, %[[OF_B:[^ ]*]]: !llvm.array<16 x i64>) kernel
// CHECK-SAME: <descriptor a box [16, 64]>, <descriptor b box [16, 64]>]
// CHECK-SAME: sharedBytes = 16416
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} map #[[A]] vector 4 bulk descriptor(%[[OF_A]] : !llvm.array<16 x i64>)
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} map #[[B]] vector 4 bulk descriptor(%[[OF_B]] : !llvm.array<16 x i64>)

// Boxes cross the edges of M and K: what is beyond arrives as 0, and is not stored. They begin where K does.
// CHECK-LABEL: gpu.module @gemm_f32_tn_64x64x16_module_0
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} map #[[A]] vector 4 bulk descriptor
// CHECK: tile.update %{{.*}} edges <guard, inside>

//--- tn.mlir
#plan = #blas.plan<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4,
  a = <via = shared, copy = tensor, vector = 4>, b = <via = shared, copy = tensor, vector = 4>, stages = 2>
func.func @product(%a: memref<32x128xf32>, %b: memref<32x64xf32>, %c: memref<128x64xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<32x128xf32>, memref<32x64xf32>) outs(%c : memref<128x64xf32>) plan(#plan)
  return
}

func.func @crosses(%a: memref<27x100xf32>, %b: memref<27x64xf32>, %c: memref<100x64xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<27x100xf32>, memref<27x64xf32>) outs(%c : memref<100x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = tensor, vector = 4>, b = <via = shared, copy = tensor, vector = 4>, stages = 2, tail = guard>)
  return
}

//--- invalid.mlir
func.func @batch(%a: memref<3x32x64xf32>, %b: memref<32x64xf32>, %c: memref<3x64x64xf32>) {
  // expected-error @+1 {{plan: a: copy = tensor, but the operand is a batch, or rows may not follow each other upward; operand A is 'memref<3x32x64xf32>'}}
  blas.gemm opA<t> ins(%a, %b : memref<3x32x64xf32>, memref<32x64xf32>) outs(%c : memref<3x64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = tensor, vector = 4>, b = <via = shared, copy = tensor, vector = 4>, stages = 2>)
  return
}

// -----

func.func @flip(%a: memref<32x64xf32>, %b: memref<32x64xf32, strided<[-64, 1], offset: 1984>>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan: b: copy = tensor, but the operand is a batch, or rows may not follow each other upward; operand B is 'memref<32x64xf32, strided<[-64, 1], offset: 1984>>'}}
  blas.gemm opA<t> ins(%a, %b : memref<32x64xf32>, memref<32x64xf32, strided<[-64, 1], offset: 1984>>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = tensor, vector = 4>, b = <via = shared, copy = tensor, vector = 4>, stages = 2>)
  return
}

// -----

func.func @box(%a: memref<32x256xcomplex<f32>>, %b: memref<32x64xcomplex<f32>>, %c: memref<256x64xcomplex<f32>>) {
  // expected-error @+1 {{plan: a: copy = tensor of 512 real elements along a side of the tile, but at most 256 are moved}}
  blas.gemm opA<t> ins(%a, %b : memref<32x256xcomplex<f32>>, memref<32x64xcomplex<f32>>) outs(%c : memref<256x64xcomplex<f32>>)
    plan(<macro = [256, 32, 4], micro = [8, 4], lanes = [4, 8], vector = 2, a = <via = shared, copy = tensor, vector = 2>, b = <via = shared, copy = bulk, vector = 2>, stages = 2>)
  return
}

// -----

// expected-error @+1 {{has the name 'rooftileTensorMap', which compiled code calls}}
func.func private @rooftileTensorMap()
func.func @taken(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<32x64xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, copy = tensor, vector = 4>, b = <via = shared, copy = tensor, vector = 4>, stages = 2>)
  return
}
