// A product that names a kernel becomes its launch, by the kernel's contract; no kernel is made.
// RUN: gemm-opt %s --macro-tile --canonicalize --cse | FileCheck %s
// RUN: gemm-opt %s --macro-tile --canonicalize --cse | FileCheck %s --check-prefix=TESTED
// RUN: gemm-opt %s --canonicalize | FileCheck %s --check-prefix=STAYS
// RUN: gemm-opt %s --tile-select=chip=h200 2>&1 >/dev/null | FileCheck %s --check-prefix=KEPT

// KEPT: remark: kept kernel @mine::@every
// KEPT: remark: kept kernel @object::@every

// CHECK-COUNT-1: gpu.module
// CHECK-NOT: gpu.module
gpu.module @mine {
  gpu.func @every(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>, %oa: i64, %a0: i64, %a1: i64, %ca: i64, %alpha: f32, %beta: f32) kernel
      attributes {blas.contract = #blas.contract<
          args = [<pointer a align 16>, <pointer b align 4>, <pointer c align 4>, <offset a>,
                  <size a[0]>, <size a[1]>, <stride a[0]>, <scalar alpha>, <scalar beta>],
          tile = [32, 64], workgroup = 128, sharedBytes = 1024>} {
    gpu.return
  }
}
gpu.binary @object {blas.contract = #blas.contract<
    args = [<pointer c align 4>, <pointer a align 4>, <pointer b align 4>],
    tile = [16, 16], workgroup = 32, sharedBytes = 0>}
  [#gpu.object<#nvvm.target<chip = "sm_90a">, assembly = ".version 9.0">]

// CHECK-LABEL: func.func @all(
// CHECK-SAME:    %[[A:.*]]: memref<?x8xf32, strided<[?, 1], offset: ?>>, %[[B:.*]]: memref<8x100xf32>, %[[C:.*]]: memref<?x100xf32>, %[[ALPHA:.*]]: f32
// CHECK-DAG:     %[[BETA:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[K:.*]] = arith.constant 8 : i64
// CHECK-DAG:     %[[SHARED:.*]] = arith.constant 1024 : i32
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[BASE:.*]], %[[OFFSET:.*]], %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[A]]
// CHECK-DAG:     %[[O:.*]] = arith.index_cast %[[OFFSET]] : index to i64
// CHECK-DAG:     %[[M:.*]] = arith.index_cast %[[SIZES]]#0 : index to i64
// CHECK-DAG:     %[[LDA:.*]] = arith.index_cast %[[STRIDES]]#0 : index to i64
// CHECK:         gpu.launch_func @mine::@every blocks in (%{{.*}}) threads in (%[[THREADS]], %{{.*}}) dynamic_shared_memory_size %[[SHARED]] args(%[[BASE]] : memref<f32>, %{{.*}} : memref<f32>, %{{.*}} : memref<f32>, %[[O]] : i64, %[[M]] : i64, %[[K]] : i64, %[[LDA]] : i64, %[[ALPHA]] : f32, %[[BETA]] : f32)
func.func @all(%a: memref<?x8xf32, strided<[?, 1], offset: ?>>, %b: memref<8x100xf32>, %c: memref<?x100xf32>, %alpha: f32) {
  blas.gemm ins(%a, %b : memref<?x8xf32, strided<[?, 1], offset: ?>>, memref<8x100xf32>) outs(%c : memref<?x100xf32>)
      alpha(%alpha : f32) {blas.kernel = @mine::@every}
  return
}

// An object's contract stands on its gpu.binary; arguments come in any order. ceil(100 / 16) = 7.
// CHECK-LABEL: func.func @object_of(
// CHECK-DAG:     %[[GRID:.*]] = arith.constant 28 : index
// CHECK:         gpu.launch_func @object::@every blocks in (%[[GRID]], %{{.*}}) threads
func.func @object_of(%a: memref<64x8xf32>, %b: memref<8x100xf32>, %c: memref<64x100xf32>) {
  blas.gemm ins(%a, %b : memref<64x8xf32>, memref<8x100xf32>) outs(%c : memref<64x100xf32>)
      {blas.kernel = @object::@every}
  return
}

// Alignment that the contract states and types do not is tested; what it does not state is not.
// TESTED-LABEL: func.func @all(
// TESTED:        %[[POINTER:.*]] = memref.extract_aligned_pointer_as_index
// TESTED:        %[[ADDRESS:.*]] = arith.index_cast %[[POINTER]] : index to i64
// TESTED:        %[[ALIGNED:.*]] = call @rooftileIsAligned(%[[ADDRESS]], %c16_i64, %c0_i64)
// TESTED-NOT:    rooftileIsAligned
// TESTED:        %[[LAUNCH:.*]] = arith.andi %{{.*}}, %[[ALIGNED]]
// TESTED:        scf.if %[[LAUNCH]] {
// TESTED:          gpu.launch_func @mine::@every
// TESTED-LABEL: func.func @object_of(
// TESTED-NOT:    rooftileIsAligned
// TESTED-LABEL: func.func @known(
// TESTED-NOT:    rooftileIsAligned
// TESTED:        gpu.launch_func @mine::@every
// TESTED-NOT:    rooftileIsAligned
// TESTED:        gpu.launch_func @mine::@every
// TESTED-LABEL: func.func @transposed(
func.func @known(%a: memref<64x8xf32>, %b: memref<8x100xf32>, %c: memref<64x100xf32>) {
  blas.gemm ins(%a, %b : memref<64x8xf32>, memref<8x100xf32>) outs(%c : memref<64x100xf32>)
      given(<a = 4>) {blas.kernel = @mine::@every}
  %own = memref.alloc() : memref<64x8xf32>
  blas.gemm ins(%own, %b : memref<64x8xf32>, memref<8x100xf32>) outs(%c : memref<64x100xf32>)
      {blas.kernel = @mine::@every}
  memref.dealloc %own : memref<64x8xf32>
  return
}

// A kernel is for the operands as they stand: transposing producers stay.
// STAYS-LABEL: func.func @transposed(
// STAYS:         memref.transpose
// STAYS:         blas.gemm ins(
func.func @transposed(%a: memref<8x64xf32>, %b: memref<8x100xf32>, %c: memref<64x100xf32>) {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<8x64xf32> to memref<64x8xf32, strided<[1, 64]>>
  blas.gemm ins(%t, %b : memref<64x8xf32, strided<[1, 64]>>, memref<8x100xf32>) outs(%c : memref<64x100xf32>)
      {blas.kernel = @mine::@every}
  return
}
