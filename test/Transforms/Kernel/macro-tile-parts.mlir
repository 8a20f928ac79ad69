// Kernels that belong to one operation are launched together or not at all.
// RUN: gemm-opt %s --macro-tile --canonicalize --cse | FileCheck %s

#wide = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], vector = 4,
                   a = <via = shared>, b = <via = shared, vector = 4>>
#narrow = #blas.plan<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4],
                     a = <via = shared>, b = <via = shared>>

// The pointers of the second kernel, C among them through a view, are tested before the first.
// CHECK-LABEL: func.func @tested
// CHECK-SAME:    %[[A:.*]]: memref<32x8xf32>, %[[B:.*]]: memref<8x16xf32>, %[[C:.*]]: memref<32x16xf32>)
// CHECK-NOT:     execute_region
// CHECK-NOT:     gpu.launch_func
// CHECK-DAG:     %[[AT_B:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK-DAG:     %[[ADDRESS_B:.*]] = arith.index_cast %[[AT_B]]
// CHECK-DAG:     %[[FITS_B:.*]] = call @rooftileIsAligned(%[[ADDRESS_B]], %c16_i64, %c1_i64)
// CHECK-DAG:     %[[AT_C:.*]] = memref.extract_aligned_pointer_as_index %[[C]]
// CHECK-DAG:     %[[ADDRESS_C:.*]] = arith.index_cast %[[AT_C]]
// CHECK-DAG:     %[[FITS_C:.*]] = call @rooftileIsAligned(%[[ADDRESS_C]], %c16_i64, %c2_i64)
// CHECK:         %[[ALL:.*]] = arith.andi %[[FITS_B]], %[[FITS_C]]
// CHECK-NEXT:    scf.if %[[ALL]] {
// CHECK:           gpu.launch_func @gemm_f32_nn_16x16x8_module::
// CHECK:           gpu.launch_func @gemm_f32_nn_16x16x8_module_0::
// CHECK-NOT:     rooftileIsAligned
// CHECK:         return
func.func @tested(%a: memref<32x8xf32>, %b: memref<8x16xf32>, %c: memref<32x16xf32>) {
  scf.execute_region no_inline {
    %a0 = memref.subview %a[0, 0] [16, 8] [1, 1] : memref<32x8xf32> to memref<16x8xf32, strided<[8, 1]>>
    %c0 = memref.subview %c[0, 0] [16, 16] [1, 1] : memref<32x16xf32> to memref<16x16xf32, strided<[16, 1]>>
    blas.gemm ins(%a0, %b : memref<16x8xf32, strided<[8, 1]>>, memref<8x16xf32>)
      outs(%c0 : memref<16x16xf32, strided<[16, 1]>>) plan(#narrow)
    %a1 = memref.subview %a[16, 0] [16, 8] [1, 1] : memref<32x8xf32> to memref<16x8xf32, strided<[8, 1], offset: 128>>
    %c1 = memref.subview %c[16, 0] [16, 16] [1, 1] : memref<32x16xf32> to memref<16x16xf32, strided<[16, 1], offset: 256>>
    blas.gemm ins(%a1, %b : memref<16x8xf32, strided<[8, 1], offset: 128>>, memref<8x16xf32>)
      outs(%c1 : memref<16x16xf32, strided<[16, 1], offset: 256>>) plan(#wide)
    scf.yield
  }
  return
}

// Nothing to test, nothing left of the region; a region of the user's that may be inlined is not one.
// CHECK-LABEL: func.func @untested
// CHECK-NEXT:    %{{.*}} = arith.constant
// CHECK-NOT:     execute_region
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func
// CHECK:         return
func.func @untested(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %c: memref<16x16xf32>) {
  scf.execute_region no_inline {
    blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%c : memref<16x16xf32>) plan(#narrow)
    scf.yield
  }
  return
}

// Room for partial sums is tested before all parts, too: what the numbers are computed from moves along.
// CHECK-LABEL: func.func @room
// CHECK-SAME:    %[[C:[a-z0-9]*]]: memref<?x16xf32>, %[[W:[a-z0-9]*]]: memref<?xf32>)
// CHECK-NOT:     gpu.launch_func
// CHECK-DAG:     %[[ROWS:.*]] = memref.dim %[[C]], %c0
// CHECK-DAG:     %[[NEEDED:.*]] = arith.muli %[[ROWS]], %c32
// CHECK-DAG:     %[[PRESENT:.*]] = memref.dim %[[W]], %c0
// CHECK-DAG:     %[[NUMBER:.*]] = arith.index_cast %[[NEEDED]]
// CHECK-DAG:     %[[OF:.*]] = arith.index_cast %[[PRESENT]]
// CHECK:         %[[FITS:.*]] = call @rooftileHasRoom(%[[OF]], %[[NUMBER]])
// CHECK-NEXT:    scf.if %[[FITS]] {
// CHECK:           gpu.launch_func
// CHECK-NOT:     rooftileHasRoom
// CHECK:         return
func.func private @rooftileHasRoom(i64, i64) -> i1
func.func @room(%a: memref<16x8xf32>, %b: memref<8x16xf32>, %d: memref<16x16xf32>, %c: memref<?x16xf32>, %w: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  scf.execute_region no_inline {
    blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%d : memref<16x16xf32>) plan(#narrow)
    %rows = memref.dim %c, %c0 : memref<?x16xf32>
    %c32 = arith.constant 32 : index
    %needed = arith.muli %rows, %c32 : index
    %present = memref.dim %w, %c0 : memref<?xf32>
    %number = arith.index_cast %needed : index to i64
    %of = arith.index_cast %present : index to i64
    %fits = func.call @rooftileHasRoom(%of, %number) : (i64, i64) -> i1
    scf.if %fits {
      blas.gemm ins(%a, %b : memref<16x8xf32>, memref<8x16xf32>) outs(%d : memref<16x16xf32>) plan(#narrow)
    }
    scf.yield
  }
  return
}
