// RUN: gemm-opt %s --triangular-split --canonicalize --cse --split-input-file | FileCheck %s

// Three whole blocks of order 64 and one of 8. Identities become inverses of order 32 in place, all
// six at once, and then of order 64. A block is solved by a product with its inverse, from what is
// left of B to B itself; the last one, smaller than `base`, by substitution: an edge, which is
// planned for itself. In the copies of blocks columns of a denormal number on the diagonal are scaled, and so are rows of X.
// CHECK-LABEL: func @invert(
// CHECK-SAME:    %[[A:.*]]: memref<200x200xf32>, %[[B:.*]]: memref<200x64xf32>)
// CHECK:         %[[R:.*]] = memref.alloc() : memref<200x64xf32>
// CHECK:         blas.pack ins(%[[B]] : {{.*}}) outs(%[[R]] : {{.*}})
// CHECK:         %[[V:.*]] = memref.alloc() : memref<3x64x64xf32>
// CHECK:         %[[S:.*]] = memref.alloc() : memref<3x64x64xf32>
// CHECK:         %[[BLOCKS:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [3, 64, 64], strides: [12864, 200, 1]
// CHECK:         linalg.generic {{.*}} ins(%[[BLOCKS]], %[[BLOCKS]] : {{.*}}) outs(%[[S]], %[[V]] : memref<3x64x64xf32>, memref<3x64x64xf32>)
// CHECK:           arith.select %{{.*}}, %{{.*}}, %cst{{.*}} : f32
// CHECK:           arith.select %{{.*}}, %cst{{.*}}, %cst{{.*}} : f32
// CHECK:         %[[BASE:.*]] = memref.reinterpret_cast %[[S]] to offset: [0], sizes: [3, 2, 32, 32], strides: [4096, 2080, 64, 1]
// CHECK:         %[[OF:.*]] = memref.reinterpret_cast %[[V]] to offset: [0], sizes: [3, 2, 32, 32], strides: [4096, 2080, 64, 1]
// CHECK:         blas.trsm side<left> uplo<lower> ins(%[[BASE]] : {{.*}}) outs(%[[OF]] : {{.*}})
// CHECK:         %[[A21:.*]] = memref.reinterpret_cast %[[S]] to offset: [2048], sizes: [3, 1, 32, 32]
// CHECK:         %[[T:.*]] = memref.alloc() : memref<3x1x32x32xf32>
// CHECK:         blas.gemm structureB<lower> ins(%[[A21]], %{{.*}} : {{.*}}) outs(%[[T]] : {{.*}})
// CHECK:         blas.gemm structureA<lower> ins(%{{.*}}, %[[T]] : {{.*}}) outs(%{{.*}} : {{.*}}) alpha(%{{.*}} : f32)
// CHECK:         scf.for %[[STEP:.*]] = %c0 to %c3
// CHECK:           %[[VQ:.*]] = memref.subview %[[V]][%[[STEP]], 0, 0] [1, 64, 64] [1, 1, 1]
// CHECK:           %[[RQ:.*]] = memref.subview %[[R]][%{{.*}}, 0] [64, 64] [1, 1]
// CHECK:           %[[XQ:.*]] = memref.subview %[[B]][%{{.*}}, 0] [64, 64] [1, 1]
// CHECK:           blas.gemm structureA<lower> ins(%[[VQ]], %[[RQ]] : {{.*}}) outs(%[[XQ]] : {{.*}}) given(<a = 4, b = 4, c = 4>) {{.*}} epilogue(%{{.*}}: f32, %{{.*}} = %{{.*}}[0] : memref<64xf32, strided<[201], offset: ?>>)
// CHECK:           memref.subview %[[R]]
// CHECK:           blas.gemm ins({{.*}}) outs({{.*}}) alpha({{.*}}) beta({{.*}})
// CHECK:         blas.trsm side<left> uplo<lower> ins(%{{.*}}, %{{.*}} : memref<8x8xf32, {{.*}}>, memref<8x64xf32, {{.*}}>) outs(%{{.*}} : memref<8x64xf32, {{[^)]*}}>) {blas.edge_of = memref<200x64xf32>}{{$}}
func.func @invert(%a: memref<200x200xf32>, %b: memref<200x64xf32>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<200x200xf32>) outs(%b : memref<200x64xf32>) plan(<diagonal = 64, method = invert, base = 32>)
  return
}

// -----

// A unit diagonal has no reciprocals: A is read where it is, unless a ragged block needs copies.
// CHECK-LABEL: func @unit(
// CHECK-SAME:    %[[A:.*]]: memref<64x64xf32>, %[[B:.*]]: memref<64x8xf32>)
// CHECK:         %[[R:.*]] = memref.alloc() : memref<64x8xf32>
// CHECK:         blas.pack ins(%[[B]] : {{.*}}) outs(%[[R]] : {{.*}})
// CHECK:         memref.reinterpret_cast %[[A]]
// CHECK-NOT:     linalg.generic {{.*}} ins(
// CHECK-LABEL: func @unit_corner(
// CHECK-SAME:    %[[A:.*]]: memref<22x22xf32>,
// CHECK:         %[[WHOLE:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [2, 8, 8]
// CHECK:         linalg.generic {{.*}} ins(%[[WHOLE]] : {{.*}}) outs(%{{.*}}, %{{.*}} : {{.*}})
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK:           linalg.yield %[[X]], %{{.*}} : f32, f32
func.func @unit(%a: memref<64x64xf32>, %b: memref<64x8xf32>) {
  blas.trsm side<left> uplo<lower> diag<unit> ins(%a : memref<64x64xf32>) outs(%b : memref<64x8xf32>) plan(<diagonal = 64, method = invert, base = 32>)
  return
}

func.func @unit_corner(%a: memref<22x22xf32>, %b: memref<22x8xf32>) {
  blas.trsm side<left> uplo<lower> diag<unit> ins(%a : memref<22x22xf32>) outs(%b : memref<22x8xf32>) plan(<diagonal = 8, method = invert, base = 4>)
  return
}

// -----

// A ragged block that is larger than `base`: its inverse is a corner of that of the last whole one,
// which is copied beside the others, so that the same kernels invert it.
// CHECK-LABEL: func @corner(
// CHECK-SAME:    %[[A:.*]]: memref<22x22xf64>, %[[B:.*]]: memref<5x22xf64>)
// CHECK:         %[[V:.*]] = memref.alloc() : memref<3x8x8xf64>
// CHECK:         %[[S:.*]] = memref.alloc() : memref<3x8x8xf64>
// CHECK:         %[[WHOLE:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [2, 8, 8], strides: [184, 22, 1]
// CHECK:         linalg.generic {{.*}} ins(%[[WHOLE]], %[[WHOLE]] : {{.*}}) outs(%{{.*}}, %{{.*}} : memref<2x8x8xf64, {{.*}}>, memref<2x8x8xf64, {{.*}}>)
// CHECK:         %[[END:.*]] = memref.reinterpret_cast %[[A]] to offset: [322], sizes: [1, 8, 8]
// CHECK:         linalg.generic {{.*}} ins(%[[END]], %[[END]] : {{.*}}) outs(%{{.*}}, %{{.*}} : memref<1x8x8xf64, {{.*}}>, memref<1x8x8xf64, {{.*}}>)
// CHECK:         blas.trsm {{.*}} ins(%{{.*}} : memref<3x2x4x4xf64, {{.*}}>)
// CHECK-NOT:     blas.trsm
// CHECK:         scf.for
// CHECK:         memref.subview %[[V]][2, 2, 2] [1, 6, 6] [1, 1, 1] : memref<3x8x8xf64>
// CHECK:         blas.gemm structureB<upper>
func.func @corner(%a: memref<22x22xf64>, %b: memref<5x22xf64>) {
  blas.trsm side<right> uplo<upper> ins(%a : memref<22x22xf64>) outs(%b : memref<5x22xf64>) plan(<diagonal = 8, method = invert, base = 4>)
  return
}

// -----

// The whole triangle, as a product reads it.
// CHECK-LABEL: func @product(
// CHECK-SAME:    %[[A:.*]]: memref<100x100xf32>, %[[B:.*]]: memref<100x64xf32>)
// CHECK:         %[[M:.*]] = memref.alloc() : memref<100x128xf32>
// CHECK:         %[[W:.*]] = memref.subview %[[M]][0, 0] [100, 100] [1, 1]
// CHECK:         blas.pack op<t> structure<unit_lower> ins(%[[A]] : {{.*}}) outs(%[[W]] : {{.*}})
// CHECK:         blas.gemm opA<t> structureA<lower> ins(%[[W]], %{{.*}} : {{.*}}) outs(%[[B]] : {{.*}})
// CHECK-NOT:     blas.gemm
func.func @product(%a: memref<100x100xf32>, %b: memref<100x64xf32>) {
  blas.trmm side<left> uplo<lower> diag<unit> ins(%a : memref<100x100xf32>) outs(%b : memref<100x64xf32>) plan(<diagonal = 0, method = product>)
  return
}

// -----

// Blocks on the diagonal alone are copied; pairs of one and of two blocks are added, of which the
// last may be cut. Out of place B is read where it is.
// CHECK-LABEL: func @levels(
// CHECK-SAME:    %[[A:.*]]: memref<28x28xf64>, %[[B:.*]]: memref<28x6xf64>, %[[C:.*]]: memref<28x6xf64>)
// CHECK:         blas.pack op<t> structure<lower> ins(%{{.*}} : memref<3x8x8xf64, strided<[232, 28, 1]>>)
// CHECK:         blas.gemm opA<t> structureA<lower> ins(%{{.*}}, %{{.*}} : {{.*}}, memref<3x8x6xf64, strided<[48, 6, 1]>>)
// CHECK:         blas.pack op<t> structure<lower> ins(%{{.*}} : memref<1x4x4xf64
// CHECK:         blas.gemm opA<t> structureA<lower>
// CHECK:         blas.gemm ins(%{{.*}} : memref<1x8x8xf64, strided<[464, 28, 1], offset: 224>>
// CHECK:         blas.gemm ins(%{{.*}} : memref<1x4x8xf64, strided<[464, 28, 1], offset: 688>>
// CHECK:         blas.gemm ins(%{{.*}} : memref<1x12x16xf64, strided<[928, 28, 1], offset: 448>>
// CHECK-NOT:     blas.gemm
func.func @levels(%a: memref<28x28xf64>, %b: memref<28x6xf64>, %c: memref<28x6xf64>) {
  blas.trmm side<left> uplo<lower> ins(%a, %b : memref<28x28xf64>, memref<28x6xf64>) outs(%c : memref<28x6xf64>) plan(<diagonal = 8, method = product>)
  return
}

// -----

// The triangle of A^T is upper, and masked where the product reads it. In place B is copied.
// CHECK-LABEL: func @mask(
// CHECK-SAME:    %[[A:.*]]: memref<100x100xf32>, %[[B:.*]]: memref<100x64xf32>)
// CHECK:         %[[OWN:.*]] = memref.alloc() : memref<100x64xf32>
// CHECK:         blas.pack ins(%[[B]] : {{.*}}) outs(%[[OWN]] : {{.*}})
// CHECK-NOT:     blas.pack
// CHECK:         blas.gemm opA<t> structureA<unit_upper> masked ins(%[[A]], %[[OWN]] : {{.*}}) outs(%[[B]] : {{.*}})
func.func @mask(%a: memref<100x100xf32>, %b: memref<100x64xf32>) {
  blas.trmm side<left> uplo<lower> opA<t> diag<unit> ins(%a : memref<100x100xf32>) outs(%b : memref<100x64xf32>) plan(<diagonal = 0, method = mask>)
  return
}

// -----

// Blocks on the diagonal alone are masked, what is beside them is multiplied as it is.
// CHECK-LABEL: func @mask_levels(
// CHECK-NOT:     memref.alloc
// CHECK:         blas.gemm structureB<lower> masked ins(%{{.*}}, %{{.*}} : memref<2x6x8xf64{{.*}}>, memref<2x8x8xf64{{.*}}>)
// CHECK:         blas.gemm ins(%{{.*}}, %{{.*}} : memref<1x6x8xf64{{.*}}>, memref<1x8x8xf64{{.*}}>) outs(%{{.*}}) beta(
// CHECK-NOT:     blas.gemm
func.func @mask_levels(%a: memref<16x16xf64>, %b: memref<6x16xf64>, %c: memref<6x16xf64>) {
  blas.trmm side<right> uplo<lower> ins(%a, %b : memref<16x16xf64>, memref<6x16xf64>) outs(%c : memref<6x16xf64>) plan(<diagonal = 8, method = mask>)
  return
}
