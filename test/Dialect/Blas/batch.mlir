// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --canonicalize | FileCheck %s --check-prefix=NUMBERS
// RUN: gemm-opt %s -o %t.mlir && gemm-opt %s --emit-bytecode | gemm-opt | diff %t.mlir -

// CHECK-LABEL: func @known(
// CHECK-NEXT:    %[[A:.*]] = blas.batch %arg0 : memref<1000xi64> to memref<1000x16x32xf32, #blas.pointers<strides = [32, 1], align = 16>>
// CHECK-NEXT:    blas.gemm ins(%[[A]], %arg1 : memref<1000x16x32xf32, #blas.pointers<strides = [32, 1], align = 16>>, memref<32x48xf32>) outs(%arg2 : memref<1000x16x48xf32>)
func.func @known(%pa: memref<1000xi64>, %b: memref<32x48xf32>, %c: memref<1000x16x48xf32>) {
  %a = blas.batch %pa : memref<1000xi64> to memref<1000x16x32xf32, #blas.pointers<strides = [32, 1], align = 16>>
  blas.gemm ins(%a, %b : memref<1000x16x32xf32, #blas.pointers<strides = [32, 1], align = 16>>, memref<32x48xf32>) outs(%c : memref<1000x16x48xf32>)
  return
}

// Sizes and strides that are asked for are the operands; nothing is left of the operation.
// CHECK-LABEL: func @numbers(
// CHECK-NEXT:    %[[A:.*]] = blas.batch %arg0 sizes[%arg1] strides[%arg2] : memref<?xi64> to memref<?x?x32xf64, #blas.pointers<strides = [?, 1]>>
// NUMBERS-LABEL: func @numbers(
// NUMBERS-SAME:    %[[TABLE:.*]]: memref<?xi64>, %[[ROWS:.*]]: index, %[[LEADING:.*]]: index)
// NUMBERS-NOT:     blas.batch
// NUMBERS-DAG:     %[[C1:.*]] = arith.constant 1 : index
// NUMBERS-DAG:     %[[C32:.*]] = arith.constant 32 : index
// NUMBERS:         %[[COUNT:.*]] = memref.dim %[[TABLE]], %{{.*}}
// NUMBERS:         return %[[COUNT]], %[[ROWS]], %[[C32]], %[[LEADING]], %[[C1]]
func.func @numbers(%pa: memref<?xi64>, %m: index, %lda: index) -> (index, index, index, index, index) {
  %a = blas.batch %pa sizes [%m] strides [%lda] : memref<?xi64> to memref<?x?x32xf64, #blas.pointers<strides = [?, 1]>>
  %c0 = arith.constant 0 : index
  %count = memref.dim %a, %c0 : memref<?x?x32xf64, #blas.pointers<strides = [?, 1]>>
  %base, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %a : memref<?x?x32xf64, #blas.pointers<strides = [?, 1]>> -> memref<f64>, index, index, index, index, index, index, index
  return %count, %sizes#1, %sizes#2, %strides#1, %strides#2 : index, index, index, index, index
}

// A product of nothing still writes C, by its kernel: nothing else reaches matrices anywhere.
// NUMBERS-LABEL: func @nothing(
// NUMBERS:         blas.gemm
func.func @nothing(%a: memref<5x4x0xf32>, %b: memref<5x0x4xf32>, %pc: memref<5xi64>) {
  %c = blas.batch %pc : memref<5xi64> to memref<5x4x4xf32, #blas.pointers<strides = [4, 1]>>
  blas.gemm ins(%a, %b : memref<5x4x0xf32>, memref<5x0x4xf32>) outs(%c : memref<5x4x4xf32, #blas.pointers<strides = [4, 1]>>)
  return
}
