// Every operation, type and attribute of the dialect, read and printed again.
// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --mlir-print-op-generic | gemm-opt | FileCheck %s

// Maps are printed once each, as aliases.
// CHECK-DAG: #[[ACC:.*]] = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
// CHECK-DAG: #[[ROWS:.*]] = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
// CHECK-DAG: #[[COLUMNS:.*]] = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
// CHECK-DAG: #[[COPY:.*]] = #tile.map<threads = [2:(0, 1), 2:(1, 0)], values = [2:(2, 0)]>
// CHECK-DAG: #[[WIDE:.*]] = #tile.map<threads = [53:(0, 1)], values = [7:(1, 0)]>
// CHECK-DAG: #[[ONE:.*]] = #tile.map<threads = [], values = []>
#accumulator = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
#rows = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
#columns = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
#copy = #tile.map<threads = [2:(0, 1), 2:(1, 0)], values = [2:(2, 0)]>
#one = #tile.map<threads = [], values = []>

!acc = !tile.matrix<4x4xf32, #accumulator>
!ring = !tile.buffer<2 x 4x2xf32, strides = [1, 8]>
!stage = !tile.buffer<1 x 4x2xf32, strides = [1, 8]>
!slice = !tile.buffer<1 x 4x1xf32, strides = [1, 8]>

// CHECK-LABEL: @program
func.func @program(%A: memref<8x4xf32>, %C: memref<8x8xf32>, %alpha: f32, %beta: f32,
                   %b: !tile.matrix<1x4xf32, #columns>) {
  %i = arith.constant 0 : index
  %size = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  // CHECK: %[[BATCH:.*]], %[[M:.*]], %[[N:.*]] = tile.coord %{{.*}}, %{{.*}} tile [4, 4] raster 2
  %batch, %m, %n = tile.coord %size, %size tile [4, 4] raster 2
  // CHECK: tile.coord %{{.*}}, %{{.*}} batches %{{.*}} byRows tile [4, 4] raster 2 splits 3
  %batch2, %m2, %n2, %split2 = tile.coord %size, %size batches %size byRows tile [4, 4] raster 2 splits 3
  // CHECK: tile.coord %{{.*}}, %{{.*}} tile [4, 4]{{$}}
  %batch1, %m1, %n1 = tile.coord %size, %size tile [4, 4]
  // CHECK: tile.coord %{{.*}}, %{{.*}} triangle lower tile [4, 4]{{$}}
  %batch3, %m3, %n3 = tile.coord %size, %size triangle lower tile [4, 4]
  // CHECK: tile.coord %{{.*}}, %{{.*}} triangle upper tile [4, 4] splits 3
  %batch4, %m4, %n4, %split4 = tile.coord %size, %size triangle upper tile [4, 4] splits 3
  // CHECK: %[[RING:.*]] = tile.alloc : !tile.buffer<2 x 4x2xf32, strides = [1, 8]>
  %ring = tile.alloc : !ring
  // CHECK: %[[SUM:.*]] = tile.fill %{{.*}} : f32 -> !tile.matrix<4x4xf32, #[[ACC]]>
  %sum = tile.fill %zero : f32 -> !acc
  // CHECK: %[[TILE:.*]] = tile.load %{{.*}}[%[[M]], %{{.*}}] edges <clamp, zero> : memref<8x4xf32> -> !tile.matrix<4x2xf32, #[[COPY]]>
  %tile = tile.load %A[%m, %i] edges <clamp, zero> : memref<8x4xf32> -> !tile.matrix<4x2xf32, #copy>
  // CHECK: %[[SLOT:.*]] = tile.view %[[RING]][%{{.*}}] [%{{.*}}, %{{.*}}] : !tile.buffer<2 x 4x2xf32, strides = [1, 8]> -> !tile.buffer<1 x 4x2xf32, strides = [1, 8]>
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !stage
  // CHECK: tile.store %[[TILE]], %[[SLOT]] : !tile.matrix<4x2xf32, #[[COPY]]>, !tile.buffer<1 x 4x2xf32, strides = [1, 8]>
  tile.store %tile, %stage : !tile.matrix<4x2xf32, #copy>, !stage
  // CHECK: tile.copy %{{.*}}[%[[M]], %{{.*}}], %[[SLOT]] map #[[COPY]] edges <clamp, zero> : memref<8x4xf32>, !tile.buffer<1 x 4x2xf32, strides = [1, 8]>
  tile.copy %A[%m, %i], %stage map #copy edges <clamp, zero> : memref<8x4xf32>, !stage
  // CHECK: tile.commit
  tile.commit
  // CHECK: tile.wait 2
  tile.wait 2
  // A view of a view.
  // CHECK: %[[SLICE:.*]] = tile.view %[[SLOT]]
  %slice = tile.view %stage[%i] [%i, %i] : !stage -> !slice
  // CHECK: %[[FRAGMENT:.*]] = tile.load %[[SLICE]] : !tile.buffer<1 x 4x1xf32, strides = [1, 8]> -> !tile.matrix<4x1xf32, #[[ROWS]]>
  %a = tile.load %slice : !slice -> !tile.matrix<4x1xf32, #rows>
  // CHECK: %[[NEXT:.*]] = tile.mma %[[FRAGMENT]], %{{.*}}, %[[SUM]] : !tile.matrix<4x1xf32, #[[ROWS]]>, !tile.matrix<1x4xf32, #[[COLUMNS]]>, !tile.matrix<4x4xf32, #[[ACC]]>
  %next = tile.mma %a, %b, %sum : !tile.matrix<4x1xf32, #rows>, !tile.matrix<1x4xf32, #columns>, !acc
  // Register matrices are values of arith and math as well.
  // CHECK: arith.mulf %[[NEXT]], %[[NEXT]] : !tile.matrix<4x4xf32, #[[ACC]]>
  %square = arith.mulf %next, %next : !acc
  // CHECK: tile.update %{{.*}}, %{{.*}}[%[[M]], %[[N]]] alpha(%{{.*}} : f32) beta(%{{.*}} : f32) edges <guard, inside> vector 2 : !tile.matrix<4x4xf32, #[[ACC]]>, memref<8x8xf32>
  tile.update %square, %C[%m, %n] alpha(%alpha : f32) beta(%beta : f32) edges <guard, inside> vector 2 : !acc, memref<8x8xf32>
  // CHECK: tile.update %[[SUM]], %{{.*}}[%[[M]], %[[N]]] : !tile.matrix<4x4xf32, #[[ACC]]>, memref<8x8xf32>
  tile.update %sum, %C[%m, %n] : !acc, memref<8x8xf32>
  // CHECK: tile.update %[[SUM]], %{{.*}}[%[[M]], %[[N]]] beta(%{{.*}} : f32) from(%[[M]], %{{.*}}) edges <inside, inside>
  tile.update %sum, %C[%m, %n] beta(%beta : f32) from (%m, %i) edges <inside, inside> : !acc, memref<8x8xf32>
  // CHECK: tile.update %[[SUM]], %{{.*}}[%[[M]], %[[N]]] beta(%{{.*}} : f32) triangle lower edges <guard, guard> vector 2
  tile.update %sum, %C[%m, %n] beta(%beta : f32) triangle lower edges <guard, guard> vector 2 : !acc, memref<8x8xf32>
  // CHECK: tile.update atomic %[[SUM]], %{{.*}}[%[[M]], %[[N]]] triangle upper :
  tile.update atomic %sum, %C[%m, %n] triangle upper : !acc, memref<8x8xf32>
  return
}

// Odd sizes are ordinary, and so are f64 and a matrix of one element.
// CHECK-LABEL: @odd
// CHECK-SAME: !tile.matrix<7x53xf64, #[[WIDE]]>
// CHECK-SAME: !tile.matrix<1x1xf64, #[[ONE]]>
func.func private @odd(!tile.matrix<7x53xf64, <threads = [53:(0, 1)], values = [7:(1, 0)]>>,
                       !tile.matrix<1x1xf64, #one>)

// Lines whose elements change places.
// CHECK-LABEL: @apart
// CHECK-SAME: !tile.buffer<2 x 16x16xcomplex<f64>, strides = [20, 1], swizzle = 8, planeStride = 320>
func.func private @apart(!tile.buffer<2 x 16x16xcomplex<f64>, strides = [20, 1], swizzle = 8, planeStride = 320>)

// CHECK-LABEL: @swizzled
// CHECK-SAME: !tile.buffer<2 x 16x16xf32, strides = [1, 20], swizzle = 8>
func.func private @swizzled(!tile.buffer<2 x 16x16xf32, strides = [1, 20], swizzle = 8>)

!numbers = !tile.matrix<4x4xcomplex<f32>, #accumulator>
!column = !tile.matrix<4x1xcomplex<f32>, #rows>

// Elements of two components, and operands of other types than the accumulators.
// CHECK-LABEL: @elements
func.func @elements(%C: memref<8x8xcomplex<f32>>, %H: memref<8x8xbf16>, %i: index, %a: !column,
                    %b: !tile.matrix<1x4xf16, #columns>, %x: !acc) {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  // CHECK: tile.alloc : !tile.buffer<2 x 4x2xcomplex<f32>, strides = [1, 8]>
  %ring = tile.alloc : !tile.buffer<2 x 4x2xcomplex<f32>, strides = [1, 8]>
  %none = tile.fill %zero : complex<f32> -> !numbers
  // CHECK: %[[SUM:.*]] = tile.mma %{{.*}}, %{{.*}}, %{{.*}} conjugateA : !tile.matrix<4x1xcomplex<f32>, #[[ROWS]]>, !tile.matrix<1x4xf16, #[[COLUMNS]]>, !tile.matrix<4x4xcomplex<f32>, #[[ACC]]>
  %sum = tile.mma %a, %b, %none conjugateA : !column, !tile.matrix<1x4xf16, #columns>, !numbers
  // CHECK: %[[TWICE:.*]] = tile.add %[[SUM]], %[[SUM]] : !tile.matrix<4x4xcomplex<f32>, #[[ACC]]>
  %twice = tile.add %sum, %sum : !numbers
  // CHECK: %[[RE:.*]], %[[IM:.*]] = tile.components %[[TWICE]] : !tile.matrix<4x4xcomplex<f32>, #[[ACC]]> -> !tile.matrix<4x4xf32, #[[ACC]]>
  %re, %im = tile.components %twice : !numbers -> !acc
  // CHECK: tile.join %[[RE]], %[[IM]] : !tile.matrix<4x4xf32, #[[ACC]]> -> !tile.matrix<4x4xcomplex<f32>, #[[ACC]]>
  %joined = tile.join %re, %im : !acc -> !numbers
  // CHECK: tile.add_known %[[RE]], %[[IM]] : !tile.matrix<4x4xf32, #[[ACC]]>
  %known = tile.add_known %re, %im : !acc
  // CHECK: tile.update %[[TWICE]], %{{.*}} : !tile.matrix<4x4xcomplex<f32>, #[[ACC]]>, memref<8x8xcomplex<f32>>
  tile.update %twice, %C[%i, %i] : !numbers, memref<8x8xcomplex<f32>>
  // CHECK: tile.update {{.*}} : !tile.matrix<4x4xf32, #[[ACC]]>, memref<8x8xbf16>
  tile.update %x, %H[%i, %i] : !acc, memref<8x8xbf16>
  return
}

#lines = #tile.map<threads = [2:(0, 0), 2:(0, 1)], values = [4:(1, 0)]>
// CHECK-LABEL: @bulk
func.func @bulk(%A: memref<8x4xf32, strided<[1, 8]>>, %ring: !tile.buffer<2 x 4x2xf32, strides = [1, 8]>, %i: index) {
  // CHECK: %[[SLOT:.*]] = tile.view
  %stage = tile.view %ring[%i] [%i, %i] : !ring -> !stage
  // CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}], %[[SLOT]] map {{.*}} vector 4 bulk : memref<
  tile.copy %A[%i, %i], %stage map #lines vector 4 bulk : memref<8x4xf32, strided<[1, 8]>>, !stage
  // CHECK: tile.arrived %{{.*}}[%{{.*}}] : !tile.buffer<2 x 4x2xf32, strides = [1, 8]>
  tile.arrived %ring[%i] : !ring
  return
}
