// Views between a product and the tensors that it multiplies are read through.
// RUN: gemm-opt %s --convert-linalg-to-blas --canonicalize -split-input-file | FileCheck %s

// Heads of an attention layer are views, not copies: two batch dimensions become one by the reshape,
// and two again by what it reads.
// CHECK:       #[[HEADS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 128 + d2, d1 * 64 + d3)>
// CHECK-LABEL: func @attention_scores(
// CHECK-SAME:    %[[Q:.*]]: tensor<256x256xf32>, %[[K:.*]]: tensor<256x256xf32>
// CHECK-NOT:     linalg
// CHECK-DAG:     %[[HQ:.*]] = blas.view %[[Q]] map #[[HEADS]] : tensor<256x256xf32> to tensor<2x4x128x64xf32>
// CHECK-DAG:     %[[HK:.*]] = blas.view %[[K]] map #[[HEADS]] : tensor<256x256xf32> to tensor<2x4x128x64xf32>
// CHECK:         %[[S:.*]] = blas.gemm opB<t> ins(%[[HQ]], %[[HK]] : {{.*}}) outs({{.*}} : tensor<2x4x128x128xf32>)
// CHECK:         tensor.collapse_shape %[[S]] {{\[}}[0, 1], [2], [3]]
func.func @attention_scores(%q: tensor<256x256xf32>, %k: tensor<256x256xf32>) -> tensor<8x128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 128, 4, 64] : tensor<256x256xf32> into tensor<2x128x4x64xf32>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 128, 4, 64] : tensor<256x256xf32> into tensor<2x128x4x64xf32>
  %eq = tensor.empty() : tensor<2x4x128x64xf32>
  %ek = tensor.empty() : tensor<2x4x64x128xf32>
  %qt = linalg.transpose ins(%q4 : tensor<2x128x4x64xf32>) outs(%eq : tensor<2x4x128x64xf32>) permutation = [0, 2, 1, 3]
  %kt = linalg.transpose ins(%k4 : tensor<2x128x4x64xf32>) outs(%ek : tensor<2x4x64x128xf32>) permutation = [0, 2, 3, 1]
  %q3 = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x4x128x64xf32> into tensor<8x128x64xf32>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x4x64x128xf32> into tensor<8x64x128xf32>
  %e = tensor.empty() : tensor<8x128x128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
  %s = linalg.batch_matmul ins(%q3, %k3 : tensor<8x128x64xf32>, tensor<8x64x128xf32>) outs(%z : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
  return %s : tensor<8x128x128xf32>
}

// -----

// The way back: the product writes where the transposition after it does.
// CHECK:       #[[SWAP:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
// CHECK-LABEL: func @heads_back(
// CHECK-NOT:     linalg
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x128x4x64xf32>
// CHECK:         %[[V:.*]] = blas.view %[[E]] map #[[SWAP]]
// CHECK:         %[[D:.*]] = blas.gemm ins({{.*}}) outs(%[[V]] : tensor<2x4x128x64xf32>)
// CHECK:         %[[R:.*]] = blas.view %[[D]] map #[[SWAP]]
// CHECK:         tensor.collapse_shape %[[R]] {{\[}}[0, 1], [2, 3]]
func.func @heads_back(%p: tensor<8x128x128xf32>, %v: tensor<8x128x64xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<8x128x128xf32>, tensor<8x128x64xf32>) outs(%z : tensor<8x128x64xf32>) -> tensor<8x128x64xf32>
  %o4 = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 4, 128, 64] : tensor<8x128x64xf32> into tensor<2x4x128x64xf32>
  %et = tensor.empty() : tensor<2x128x4x64xf32>
  %ot = linalg.transpose ins(%o4 : tensor<2x4x128x64xf32>) outs(%et : tensor<2x128x4x64xf32>) permutation = [0, 2, 1, 3]
  %r = tensor.collapse_shape %ot [[0, 1], [2, 3]] : tensor<2x128x4x64xf32> into tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// -----

// A weight that is repeated for the batch is shared: one taller product.
// CHECK-LABEL: func @repeated_weight(
// CHECK-SAME:    %[[A:.*]]: tensor<3x4x8xf32>, %[[W:.*]]: tensor<8x6xf32>
// CHECK-NOT:     linalg
// CHECK:         blas.gemm ins(%{{.*}}, %[[W]] : tensor<12x8xf32>, tensor<8x6xf32>)
func.func @repeated_weight(%a: tensor<3x4x8xf32>, %w: tensor<8x6xf32>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %e = tensor.empty() : tensor<3x8x6xf32>
  %b = linalg.broadcast ins(%w : tensor<8x6xf32>) outs(%e : tensor<3x8x6xf32>) dimensions = [0]
  %d = linalg.batch_matmul ins(%a, %b : tensor<3x4x8xf32>, tensor<3x8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %d : tensor<3x4x6xf32>
}

// -----

// Packed, multiplied by tiles, unpacked: one plain product.
// CHECK-LABEL: func @packed(
// CHECK-SAME:    %[[A:.*]]: tensor<32x64xf32>, %[[B:.*]]: tensor<64x48xf32>, %[[C:.*]]: tensor<32x48xf32>
// CHECK-NEXT:    %[[D:.*]] = blas.gemm ins(%[[A]], %[[B]] : tensor<32x64xf32>, tensor<64x48xf32>) outs(%[[C]] : tensor<32x48xf32>)
// CHECK-NEXT:    return %[[D]]
func.func @packed(%a: tensor<32x64xf32>, %b: tensor<64x48xf32>, %c: tensor<32x48xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<4x16x8x4xf32>
  %eb = tensor.empty() : tensor<6x16x8x4xf32>
  %ec = tensor.empty() : tensor<4x6x8x8xf32>
  %pa = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %ea : tensor<32x64xf32> -> tensor<4x16x8x4xf32>
  %pb = linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %eb : tensor<64x48xf32> -> tensor<6x16x8x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%ec : tensor<4x6x8x8xf32>) -> tensor<4x6x8x8xf32>
  %d = linalg.mmt4d ins(%pa, %pb : tensor<4x16x8x4xf32>, tensor<6x16x8x4xf32>) outs(%z : tensor<4x6x8x8xf32>) -> tensor<4x6x8x8xf32>
  %u = linalg.unpack %d inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %c : tensor<4x6x8x8xf32> -> tensor<32x48xf32>
  return %u : tensor<32x48xf32>
}

// -----

// A batch that would end up innermost in memory stays a copy: neighbours would be no neighbours.
// CHECK-LABEL: func @batch_innermost(
// CHECK:         linalg.transpose
// CHECK:         blas.gemm
func.func @batch_innermost(%a: tensor<4x8x3xf32>, %b: tensor<3x8x6xf32>, %c: tensor<3x4x6xf32>) -> tensor<3x4x6xf32> {
  %e = tensor.empty() : tensor<3x4x8xf32>
  %t = linalg.transpose ins(%a : tensor<4x8x3xf32>) outs(%e : tensor<3x4x8xf32>) permutation = [2, 0, 1]
  %d = linalg.batch_matmul ins(%t, %b : tensor<3x4x8xf32>, tensor<3x8x6xf32>) outs(%c : tensor<3x4x6xf32>) -> tensor<3x4x6xf32>
  return %d : tensor<3x4x6xf32>
}

// -----

// Padding is content of its own.
// CHECK-LABEL: func @padded(
// CHECK:         linalg.pack
// CHECK:         blas.gemm
func.func @padded(%a: tensor<30x64xf32>, %b: tensor<64x48xf32>, %c: tensor<4x8x48xf32>) -> tensor<4x8x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64x8xf32>
  %p = linalg.pack %a padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<30x64xf32> -> tensor<4x64x8xf32>
  %d = linalg.contract indexing_maps = [affine_map<(o, i, n, k) -> (o, k, i)>, affine_map<(o, i, n, k) -> (k, n)>, affine_map<(o, i, n, k) -> (o, i, n)>]
    ins(%p, %b : tensor<4x64x8xf32>, tensor<64x48xf32>) outs(%c : tensor<4x8x48xf32>) -> tensor<4x8x48xf32>
  return %d : tensor<4x8x48xf32>
}

// -----

// The heads of C, on tensors: a view to write to, and its inverse.
// CHECK:       #[[BETWEEN:.*]] = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
// CHECK-LABEL: func @head_between(
// CHECK-SAME:    %[[C:[^:]*]]: tensor<5x3x7xf32>)
// CHECK:         %[[V:.*]] = blas.view %[[C]] map #[[BETWEEN]] : tensor<5x3x7xf32> to tensor<3x5x7xf32>
// CHECK:         %[[D:.*]] = blas.gemm opB<t> ins({{.*}}) outs(%[[V]] : tensor<3x5x7xf32>) beta
// CHECK:         %[[R:.*]] = blas.view %[[D]] map #[[BETWEEN]] : tensor<3x5x7xf32> to tensor<5x3x7xf32>
// CHECK:         return %[[R]]
func.func @head_between(%q: tensor<5x3x8xf32>, %k: tensor<7x3x8xf32>, %c: tensor<5x3x7xf32>) -> tensor<5x3x7xf32> {
  %d = linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>, affine_map<(h, m, n, k) -> (n, h, k)>, affine_map<(h, m, n, k) -> (m, h, n)>]
    ins(%q, %k : tensor<5x3x8xf32>, tensor<7x3x8xf32>) outs(%c : tensor<5x3x7xf32>) -> tensor<5x3x7xf32>
  return %d : tensor<5x3x7xf32>
}

// -----

// A dynamic batch before static sizes is taken apart, too.
// CHECK-LABEL: func @dynamic_heads(
// CHECK-NOT:     linalg.transpose
// CHECK:         blas.gemm ins({{.*}} : tensor<?x4x128x64xf32>, tensor<{{.*}}>) outs({{.*}} : tensor<?x4x128x16xf32>) beta
func.func @dynamic_heads(%q: tensor<?x256xf32>, %n: index, %m: index, %v: tensor<?x64x16xf32>, %c: tensor<?x128x16xf32>) -> tensor<?x128x16xf32> {
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [%n, 128, 4, 64] : tensor<?x256xf32> into tensor<?x128x4x64xf32>
  %e = tensor.empty(%n) : tensor<?x4x128x64xf32>
  %t = linalg.transpose ins(%q4 : tensor<?x128x4x64xf32>) outs(%e : tensor<?x4x128x64xf32>) permutation = [0, 2, 1, 3]
  %q3 = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<?x4x128x64xf32> into tensor<?x128x64xf32>
  %d = linalg.batch_matmul ins(%q3, %v : tensor<?x128x64xf32>, tensor<?x64x16xf32>) outs(%c : tensor<?x128x16xf32>) -> tensor<?x128x16xf32>
  return %d : tensor<?x128x16xf32>
}
