// Other operations are left as they were, and a remark gives the reason.
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file --remarks-filter=convert-linalg-to-blas 2>&1 | FileCheck %s
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file 2>&1 | FileCheck %s
// RUN: gemm-opt %s --convert-linalg-to-blas -split-input-file 2>/dev/null | FileCheck %s --check-prefix=SILENT
// SILENT-NOT: remark
// SILENT-NOT: blas.gemm
// SILENT: linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
// SILENT-NOT: blas.gemm

// CHECK: remark: {{.*}}linalg.matmul stays: operand A has elements of i8 and C of i32; blas.gemm accepts f16, bf16, f32, f64, complex<f32> and complex<f64>
func.func @integers(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %d = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<4x8xi8>, tensor<8x6xi8>) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %d : tensor<4x6xi32>
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: operand B has elements of f32, which would be rounded to f16 before the product
func.func @narrowing(%a: tensor<4x8xf16>, %b: tensor<8x6xf32>, %c: tensor<4x6xf16>) -> tensor<4x6xf16> {
  %d = linalg.matmul ins(%a, %b : tensor<4x8xf16>, tensor<8x6xf32>) outs(%c : tensor<4x6xf16>) -> tensor<4x6xf16>
  return %d : tensor<4x6xf16>
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: C has a dimension that neither A nor B has
func.func @broadcast_columns(%a: tensor<4x8xf32>, %b: tensor<8xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: operand A is also the output
func.func @in_place(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: operand A is memref<4x4xf32, affine_map<{{.*}}>> and C is memref<4x4xf32>; blas.gemm accepts tensors or strided memrefs
func.func @tiled_layout(%a: memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// CHECK: remark: {{.*}}linalg.generic stays: operand B is summed over a loop of its own
func.func @own_sum(%a: tensor<4x8xf32>, %b: tensor<8x6x2xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (k, n, l)>, affine_map<(m, n, k, l) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6x2xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// A factor that is rounded first is more than blas.gemm can say.
// CHECK: remark: {{.*}}linalg.generic stays: its body is not c + a * b
func.func @rounded(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %narrow = arith.truncf %x : f32 to f16
    %wide = arith.extf %narrow : f16 to f32
    %p = arith.mulf %wide, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}
// -----

// Every channel by itself: no matrix is multiplied.
// CHECK: remark: {{.*}}linalg.depthwise_conv_2d_nhwc_hwc stays: every element of C is a dot product by itself, as in a depthwise convolution, and no part of a product of matrices
func.func @depthwise(%x: tensor<2x6x6x4xf32>, %w: tensor<3x3x4xf32>, %y: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  %d = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<2x6x6x4xf32>, tensor<3x3x4xf32>) outs(%y : tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>
  return %d : tensor<2x4x4x4xf32>
}
// -----

// CHECK: remark: {{.*}}linalg.quantized_matmul stays: it multiplies 4 inputs, as quantized and scaled products do; blas.gemm multiplies 2
func.func @quantized(%a: tensor<4x8xi8>, %b: tensor<8x6xi8>, %za: i32, %zb: i32, %c: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %d = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<4x8xi8>, tensor<8x6xi8>, i32, i32) outs(%c : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %d : tensor<4x6xi32>
}
// -----

// CHECK: remark: {{.*}}linalg.generic stays: it multiplies 3 inputs, as quantized and scaled products do; blas.gemm multiplies 2
func.func @scaled(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %s: tensor<8xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b, %s : tensor<4x8xf32>, tensor<8x6xf32>, tensor<8xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %scale: f32, %z: f32):
    %w = arith.mulf %y, %scale : f32
    %p = arith.mulf %x, %w : f32
    %t = arith.addf %z, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}
// -----

// An encoding may mean any layout.
#sparse = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
// CHECK: remark: {{.*}}linalg.matmul stays: operand A has the encoding #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>: it is no dense matrix
func.func @encoded(%a: tensor<4x8xf32, #sparse>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<4x8xf32, #sparse>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}
// -----

// CHECK: remark: {{.*}}linalg.matmul stays: it is inside of scf.forall, where a product is part of a kernel or task and does not become one of its own
func.func @forall(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x4x6xf32>) -> tensor<4x4x6xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %c) -> (tensor<4x4x6xf32>) {
    %s = tensor.extract_slice %o[%i, 0, 0] [1, 4, 6] [1, 1, 1] : tensor<4x4x6xf32> to tensor<4x6xf32>
    %d = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%s : tensor<4x6xf32>) -> tensor<4x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i, 0, 0] [1, 4, 6] [1, 1, 1] : tensor<4x6xf32> into tensor<4x4x6xf32>
    }
  }
  return %r : tensor<4x4x6xf32>
}
// -----

// CHECK: remark: {{.*}}linalg.matmul stays: it is inside of scf.parallel
func.func @parallel(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<?x4x6xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = memref.subview %c[%i, 0, 0] [1, 4, 6] [1, 1, 1] : memref<?x4x6xf32> to memref<4x6xf32, strided<[6, 1], offset: ?>>
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%s : memref<4x6xf32, strided<[6, 1], offset: ?>>)
  }
  return
}
// -----

// CHECK: remark: {{.*}}linalg.matmul stays: it is inside of gpu.launch
func.func @launch(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
    gpu.terminator
  }
  return
}
// -----

// CHECK: remark: {{.*}}linalg.matmul stays: it is inside of async.execute
func.func @task(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  %token = async.execute {
    linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
    async.yield
  }
  async.await %token : !async.token
  return
}

// -----

// CHECK: remark: {{.*}}linalg.generic stays: operand A is not read at linear combinations of loops
func.func @halved(%a: tensor<2x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m floordiv 2, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<2x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.generic stays: C is a part of its tensor
func.func @every_second_row(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m * 2, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<8x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %d : tensor<8x6xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.generic stays: every element of C is a dot product by itself
func.func @dots(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>], iterator_types = ["parallel", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%c : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %d : tensor<4xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.generic stays: it multiplies and reduces, but its body does not add products to C (c + a * b)
func.func @difference(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %d = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.subf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  return %d : tensor<4x6xf32>
}

// -----

// CHECK: remark: {{.*}}vector.contract stays: it multiplies vectors, inside of a kernel
func.func @vectors(%a: vector<4x8xf32>, %b: vector<8x6xf32>, %c: vector<4x6xf32>) -> vector<4x6xf32> {
  %d = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %a, %b, %c : vector<4x8xf32>, vector<8x6xf32> into vector<4x6xf32>
  return %d : vector<4x6xf32>
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: operand A has elements of i1 and C of i1; blas.gemm accepts
func.func @bits(%a: tensor<4x8xi1>, %b: tensor<8x6xi1>, %c: tensor<4x6xi1>) -> tensor<4x6xi1> {
  %d = linalg.matmul ins(%a, %b : tensor<4x8xi1>, tensor<8x6xi1>) outs(%c : tensor<4x6xi1>) -> tensor<4x6xi1>
  return %d : tensor<4x6xi1>
}

// -----

// CHECK: remark: {{.*}}linalg.matmul stays: operand B is in memory space 3 : i64, which is not global memory
func.func @shared(%a: memref<4x8xf32, 1>, %b: memref<8x6xf32, 3>, %c: memref<4x6xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32, 1>, memref<8x6xf32, 3>) outs(%c : memref<4x6xf32>)
  return
}

// -----

// CHECK: remark: {{.*}}linalg.matvec stays: a size of operand C is not that of another operand
func.func @contradiction(%a: memref<8x4xf32>, %b: memref<4xf32>) {
  %n = arith.constant 9 : index
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.matvec ins(%a, %b : memref<8x4xf32>, memref<4xf32>) outs(%c : memref<?xf32>)
  return
}

// -----

// No product: sums of squares, pooling.
// CHECK-NOT: remark
func.func @pooling(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3xf32>, %y: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %d = linalg.pooling_nhwc_sum ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3xf32>) outs(%y : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %d : tensor<1x6x6x4xf32>
}
