// RUN: gemm-opt %s --reduction-select --canonicalize | FileCheck %s
// RUN: gemm-opt %s --reduction-select --canonicalize --cse | FileCheck %s --check-prefix=TESTED
// RUN: gemm-opt %s --reduction-select --reduction-select --canonicalize | FileCheck %s

// The user's memory; alpha stays with the product, beta goes to the sum.
// CHECK-LABEL: func @workspace(
// CHECK-SAME:    %[[A:.*]]: memref<16x64xf32>, %[[B:.*]]: memref<64x32xf32>, %[[C:.*]]: memref<16x32xf32>, %[[W:.*]]: memref<2048xf32>, %[[BETA:.*]]: f32)
// CHECK:         %[[SLICES:.*]] = memref.reinterpret_cast %[[W]] to offset: [0], sizes: [4, 16, 32], strides: [512, 32, 1]
// CHECK-NEXT:    scf.execute_region no_inline {
// CHECK-NEXT:    blas.gemm partial ins(%[[A]], %[[B]] : {{.*}}) outs(%[[SLICES]] : memref<4x16x32xf32{{.*}}>) alpha(%{{.*}} : f32) plan({{.*}} reduction = workspace, splits = 4
// CHECK-NEXT:    blas.reduce ins(%[[SLICES]] : {{.*}}) outs(%[[C]] : memref<16x32xf32>) beta(%[[BETA]] : f32)
// CHECK-NOT:     plan
// CHECK:         return
func.func @workspace(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>, %w: memref<2048xf32>, %beta: f32) {
  %two = arith.constant 2.0 : f32
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
    alpha(%two : f32) beta(%beta : f32) workspace(%w : memref<2048xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 4>)
  return
}

// A part of a longer workspace, and sizes that are known at run time only.
// CHECK-LABEL: func @dynamic_workspace(
// CHECK-SAME:    %[[C:[^:]*]]: memref<3x?x32xf32>, %[[W:.*]]: memref<?xf32, strided<[1], offset: ?>>)
// CHECK:         %[[M:.*]] = memref.dim %[[C]], %{{.*}}
// CHECK:         %[[MATRIX:.*]] = arith.muli %[[M]], %{{.*}}
// CHECK:         %[[SLICE:.*]] = arith.muli %[[M]], %c96
// CHECK:         %{{.*}}, %[[OFFSET:.*]], %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[W]]
// CHECK:         memref.reinterpret_cast %[[W]] to offset: [%[[OFFSET]]], sizes: [2, 3, %[[M]], 32], strides: [%[[SLICE]], %[[MATRIX]], 32, 1]
func.func @dynamic_workspace(%a: memref<3x?x64xf32>, %b: memref<64x32xf32>, %c: memref<3x?x32xf32>, %w: memref<?xf32, strided<[1], offset: ?>>) {
  blas.gemm ins(%a, %b : memref<3x?x64xf32>, memref<64x32xf32>) outs(%c : memref<3x?x32xf32>)
    workspace(%w : memref<?xf32, strided<[1], offset: ?>>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = workspace, splits = 2>)
  return
}

// The dynamic size of a workspace is tested; without room nothing runs.
// TESTED-LABEL: func @workspace(
// TESTED-NOT:     rooftileHasRoom
// TESTED-LABEL: func @dynamic_workspace(
// TESTED:         %[[NEEDED:.*]] = arith.muli %{{.*}}, %c192
// TESTED:         %[[PRESENT:.*]] = memref.dim %{{.*}}, %c0 : memref<?xf32
// TESTED:         %[[P:.*]] = arith.index_cast %[[PRESENT]] : index to i64
// TESTED:         %[[N:.*]] = arith.index_cast %[[NEEDED]] : index to i64
// TESTED:         %[[FITS:.*]] = call @rooftileHasRoom(%[[P]], %[[N]])
// TESTED:         scf.execute_region
// TESTED-NEXT:      scf.if %[[FITS]] {
// TESTED-NEXT:        blas.gemm partial
// TESTED-NEXT:        blas.reduce
// TESTED-NEXT:      }
// TESTED-NEXT:      scf.yield
// TESTED-LABEL: func @allocated(
// TESTED-NOT:     rooftileHasRoom

// Memory of its own: once, around all loops that leave its size alone.
// CHECK-LABEL: func @allocated(
// CHECK:         %[[W:.*]] = memref.alloc() : memref<2x16x32xf32>
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        scf.execute_region no_inline {
// CHECK-NEXT:          blas.gemm partial {{.*}} outs(%[[W]] : memref<2x16x32xf32>)
// CHECK-NEXT:          blas.reduce
// CHECK-NEXT:          scf.yield
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %[[W]]
func.func @allocated(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
        plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
              reduction = workspace, splits = 2>)
    }
  }
  return
}

// A size that changes from step to step keeps the memory inside.
// CHECK-LABEL: func @changing_size(
// CHECK:         scf.for
// CHECK-NEXT:      memref.subview
// CHECK-NEXT:      %[[W:.*]] = memref.alloc(%{{.*}}) : memref<2x?x32xf32>
// CHECK:           memref.dealloc %[[W]]
func.func @changing_size(%a: memref<?x64xf32>, %b: memref<64x32xf32>, %c: memref<64x32xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %part = memref.subview %c[0, 0] [%i, 32] [1, 1] : memref<64x32xf32> to memref<?x32xf32, strided<[32, 1]>>
    blas.gemm ins(%a, %b : memref<?x64xf32>, memref<64x32xf32>) outs(%part : memref<?x32xf32, strided<[32, 1]>>)
      plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
            reduction = workspace, splits = 2>)
  }
  return
}

// C is scaled before anything is added to it.
// CHECK-LABEL: func @atomic(
// CHECK-SAME:    %[[C:[^:]*]]: memref<16x32xf32>, %[[BETA:.*]]: f32)
// CHECK:         %[[ONE:.*]] = arith.constant 1.0
// CHECK:         scf.execute_region no_inline {
// CHECK:         %[[NONE:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [0, 16, 32], strides: [0, 32, 1]
// CHECK-NEXT:    blas.reduce ins(%[[NONE]] : memref<0x16x32xf32, {{.*}}>) outs(%[[C]] : memref<16x32xf32>) beta(%[[BETA]] : f32)
// CHECK-NEXT:    blas.gemm anyOrder ins({{.*}}) outs(%[[C]] : memref<16x32xf32>) alpha(%{{.*}} : f32) beta(%[[ONE]] : f32) plan({{.*}} reduction = atomic, splits = 4
// CHECK-NEXT:    scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @atomic(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>, %beta: f32) {
  %two = arith.constant 2.0 : f32
  blas.gemm anyOrder ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
    alpha(%two : f32) beta(%beta : f32)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>,
          reduction = atomic, splits = 4>)
  return
}

// Nothing to do: no plan, or one workgroup for all of K.
// CHECK-LABEL: func @others(
// CHECK-NEXT:    blas.gemm ins
// CHECK-NEXT:    blas.gemm ins
// CHECK-NEXT:    return
func.func @others(%a: memref<16x64xf32>, %b: memref<64x32xf32>, %c: memref<16x32xf32>) {
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x32xf32>) outs(%c : memref<16x32xf32>)
    plan(<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], a = <via = shared>, b = <via = shared>>)
  return
}
