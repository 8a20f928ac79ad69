// Row-major, column-major and blocks of larger matrices are strides, not cases.

// Column-major, as Fortran and BLAS libraries store matrices: stride 1 along the rows.
func.func @column_major(%a: memref<96x128xf64, strided<[1, 96]>>,
                        %b: memref<128x64xf64, strided<[1, 128]>>,
                        %c: memref<96x64xf64, strided<[1, 96]>>) {
  blas.gemm ins(%a, %b : memref<96x128xf64, strided<[1, 96]>>,
                         memref<128x64xf64, strided<[1, 128]>>)
            outs(%c : memref<96x64xf64, strided<[1, 96]>>)
  return
}

// The block at row 8, column 16 of a matrix with leading dimension 256.
func.func @block(%matrix: memref<128x256xf32>, %b: memref<64x48xf32>, %c: memref<96x48xf32>) {
  %a = memref.subview %matrix[8, 16] [96, 64] [1, 1]
      : memref<128x256xf32> to memref<96x64xf32, strided<[256, 1], offset: 2064>>
  blas.gemm ins(%a, %b : memref<96x64xf32, strided<[256, 1], offset: 2064>>, memref<64x48xf32>)
            outs(%c : memref<96x48xf32>)
  return
}

// Every second column: neither dimension is contiguous.
func.func @every_second_column(%matrix: memref<64x128xf32>, %b: memref<64x64xf32>,
                               %c: memref<64x64xf32>) {
  %a = memref.subview %matrix[0, 0] [64, 64] [1, 2]
      : memref<64x128xf32> to memref<64x64xf32, strided<[128, 2]>>
  blas.gemm ins(%a, %b : memref<64x64xf32, strided<[128, 2]>>, memref<64x64xf32>)
            outs(%c : memref<64x64xf32>)
  return
}

// A transposed view costs nothing: the canonicalizer makes it opB<t>.
func.func @transposed_view(%a: memref<64x32xf32>, %bt: memref<48x32xf32>, %c: memref<64x48xf32>) {
  %b = memref.transpose %bt (row, column) -> (column, row)
      : memref<48x32xf32> to memref<32x48xf32, strided<[1, 32]>>
  blas.gemm ins(%a, %b : memref<64x32xf32>, memref<32x48xf32, strided<[1, 32]>>)
            outs(%c : memref<64x48xf32>)
  return
}

// Sizes, strides and offset known at run time only.
func.func @dynamic(%a: memref<?x?xf32, strided<[?, ?], offset: ?>>,
                   %b: memref<?x?xf32, strided<[?, ?], offset: ?>>,
                   %c: memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  blas.gemm ins(%a, %b : memref<?x?xf32, strided<[?, ?], offset: ?>>,
                         memref<?x?xf32, strided<[?, ?], offset: ?>>)
            outs(%c : memref<?x?xf32, strided<[?, ?], offset: ?>>)
  return
}
