// Parallel loops of host code become kernels over all of their iterations, for any sizes.
// RUN: gemm-opt %s --parallel-kernel --cse | FileCheck %s
// RUN: gemm-opt %s --parallel-kernel --parallel-kernel --cse | FileCheck %s
#transposed = strided<[1, ?], offset: ?>

// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[M:[a-z0-9_]+]]: memref<?x?xf32, strided<[1, ?], offset: ?>>, %[[ROWS:[a-z0-9_]+]]: index, %[[COLUMNS:[a-z0-9_]+]]: index
// CHECK: %[[R:[a-z0-9_]+]] = arith.maxsi %[[ROWS]], %c0
// CHECK: %[[C:[a-z0-9_]+]] = arith.maxsi %[[COLUMNS]], %c0
// CHECK: %[[TOTAL:[a-z0-9_]+]] = arith.muli %[[R]], %[[C]]
// CHECK: %[[GROUPS:[a-z0-9_]+]] = arith.ceildivui %[[TOTAL]], %c256
// CHECK: scf.if
// CHECK: %[[BASE:[a-z0-9_]+]], %[[OFFSET:[a-z0-9_]+]], %[[SIZES:[a-z0-9_]+]]:2, %[[STRIDES:[a-z0-9_]+]]:2 = memref.extract_strided_metadata %[[M]]
// CHECK-DAG: %[[OFFSET_NUMBER:[a-z0-9_]+]] = arith.index_cast %[[OFFSET]] : index to i64
// CHECK-DAG: %[[STRIDE_NUMBER:[a-z0-9_]+]] = arith.index_cast %[[STRIDES]]#1 : index to i64
// CHECK-DAG: %[[TOTAL_NUMBER:[a-z0-9_]+]] = arith.index_cast %[[TOTAL]] : index to i64
// CHECK: gpu.launch blocks(%[[B:[a-z0-9_]+]], {{.*}} = %[[GROUPS]], {{.*}}) threads(%[[T:[a-z0-9_]+]], {{.*}} = %c256, {{.*}})
// CHECK-DAG: %[[O:[a-z0-9_]+]] = arith.index_cast %[[OFFSET_NUMBER]] : i64 to index
// CHECK-DAG: %[[S:[a-z0-9_]+]] = arith.index_cast %[[STRIDE_NUMBER]] : i64 to index
// CHECK-DAG: %[[END:[a-z0-9_]+]] = arith.index_cast %[[TOTAL_NUMBER]] : i64 to index
// CHECK: %[[VIEW:[a-z0-9_]+]] = memref.reinterpret_cast %[[BASE]] to offset: [%[[O]]], sizes: [%{{.*}}, %{{.*}}], strides: [1, %[[S]]]
// CHECK: %[[FIRST:[a-z0-9_]+]] = arith.muli %[[B]], %c256
// CHECK: %[[I:[a-z0-9_]+]] = arith.addi %[[FIRST]], %[[T]]
// CHECK: %[[EXISTS:[a-z0-9_]+]] = arith.cmpi ult, %[[I]], %[[END]]
// CHECK: scf.if %[[EXISTS]]
// CHECK: %[[COLUMN:[a-z0-9_]+]] = arith.remui %[[I]], %[[COUNT:[a-z0-9_]+]]
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.divui %[[I]], %[[COUNT]]
// CHECK: memref.load %[[VIEW]][%[[ROW]], %[[COLUMN]]]
// CHECK-NOT: scf.parallel
func.func @dynamic(%m: memref<?x?xf32, #transposed>, %rows: index, %columns: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%rows, %columns) step (%c1, %c1) {
    %x = memref.load %m[%i, %j] : memref<?x?xf32, #transposed>
    %y = arith.addf %x, %x : f32
    memref.store %y, %m[%i, %j] : memref<?x?xf32, #transposed>
  }
  return
}

// Static sizes leave no arithmetic to the host, and only what is inside is a loop: 3 x 100 in 2 workgroups.
// CHECK-LABEL: func.func @static
// CHECK-NOT: scf.if
// CHECK: gpu.launch blocks({{.*}} = %c2, {{.*}} = %c1, {{.*}} = %c1) threads
// CHECK: arith.cmpi ult, %{{.*}}, %c300
// CHECK: arith.remui %{{.*}}, %c100
// CHECK: %[[STEPS:[a-z0-9_]+]] = arith.muli %{{.*}}, %c2
// CHECK: arith.addi %[[STEPS]], %c10
// CHECK: scf.for
func.func @static(%m: memref<300x300xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %c209 = arith.constant 209 : index
  scf.parallel (%i, %j) = (%c0, %c10) to (%c3, %c209) step (%c1, %c2) {
    scf.for %k = %c0 to %c3 step %c1 {
      %x = memref.load %m[%i, %k] : memref<300x300xf32>
      memref.store %x, %m[%k, %j] : memref<300x300xf32>
    }
  }
  return
}

// A strided copy between kernels is a kernel, a contiguous one is left to the driver.
// CHECK-LABEL: func.func @copies
// CHECK-COUNT-2: gpu.launch
// CHECK-NOT: gpu.launch
// CHECK: memref.copy
// CHECK: return
func.func @copies(%m: memref<8x8xf32>, %t: memref<8x8xf32, strided<[1, 8]>>, %to: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %zero, %m[%i, %c0] : memref<8x8xf32>
  }
  memref.copy %t, %m : memref<8x8xf32, strided<[1, 8]>> to memref<8x8xf32>
  memref.copy %m, %to : memref<8x8xf32> to memref<8x8xf32>
  return
}

// Without kernels a copy is the host's; a loop that reduces is, too.
// CHECK-LABEL: func.func @host
// CHECK: memref.copy
// CHECK: scf.parallel
// CHECK: scf.reduce
func.func @host(%m: memref<8x8xf32>, %t: memref<8x8xf32, strided<[1, 8]>>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  memref.copy %t, %m : memref<8x8xf32, strided<[1, 8]>> to memref<8x8xf32>
  %sum = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %x = memref.load %m[%i, %i] : memref<8x8xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %sum : f32
}
