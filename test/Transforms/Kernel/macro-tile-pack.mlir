// RUN: gemm-opt %s --macro-tile --canonicalize | FileCheck %s
// RUN: gemm-opt %s --tile-select=chip=h200 2>/dev/null | FileCheck %s --check-prefix=PLAN

// Read along the rows of W, transposed in shared memory, written along its columns. Padding holds copies
// of the last column.
// CHECK-LABEL: func @transposed(
// CHECK:         gpu.launch_func @pack_f32_t_module::@pack_f32_t blocks in (%c128, %c1, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %c16896_i32
// PLAN-LABEL:  func @transposed(
// PLAN:          blas.pack op<t> {{.*}} plan(<tile = [32, 128], threads = 256, vector = 4, path = <via = shared, vector = 4, pad = 4, swizzle = 4, lanes = 8>>)
func.func @transposed(%a: memref<1023x512xf32>, %w: memref<512x1024xf32>) {
  blas.pack op<t> ins(%a : memref<1023x512xf32>) outs(%w : memref<512x1024xf32>)
    plan(<tile = [32, 128], threads = 256, vector = 4, path = <via = shared, vector = 4, pad = 4, swizzle = 4, lanes = 8>>)
  return
}

// Read as it is written: in the accesses that the rows of A allow.
// CHECK-LABEL: func @straight(
// CHECK:         gpu.launch_func @pack_f64_n_module::@pack_f64_n {{.*}} threads in (%c256, %c1, %c1) dynamic_shared_memory_size %c0_i32
// PLAN-LABEL:  func @straight(
// PLAN:          blas.pack ins({{.*}} plan(<tile = [32, 64], threads = 256, vector = 2>)
func.func @straight(%a: memref<512x1023xf64>, %w: memref<512x1024xf64>) {
  blas.pack ins(%a : memref<512x1023xf64>) outs(%w : memref<512x1024xf64>)
    plan(<tile = [32, 64], threads = 256, vector = 2>)
  return
}

// Odd rows, known at run time only: single elements, and eight threads side by side.
// PLAN-LABEL:  func @odd(
// PLAN:          blas.pack op<t> {{.*}} aligned(4) plan(<tile = [32, 128], threads = 256, vector = 4, path = <via = shared, pad = 4, lanes = 8>>)
func.func @odd(%a: memref<?x?xf32>, %w: memref<?x?xf32>) {
  blas.pack op<t> ins(%a : memref<?x?xf32>) outs(%w : memref<?x?xf32>) aligned(4)
    plan(<tile = [32, 128], threads = 256, vector = 4, path = <via = shared, pad = 4, lanes = 8>>)
  return
}

// CHECK-LABEL: gpu.func @pack_f32_t(
// CHECK-SAME:    args = [<pointer a align 16>, <pointer c align 16>]
// CHECK:         %[[TILE:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}] edges <inside, clamp> vector 4 : memref<512x1023xf32, strided<[1, 512]>>
// CHECK:         tile.store %[[TILE]], %[[VIEW:.*]] :
// CHECK:         %[[TURNED:.*]] = tile.load %[[VIEW]] :
// CHECK:         tile.update %[[TURNED]], %{{.*}} vector 4 :
// CHECK-LABEL: gpu.func @pack_f64_n(
// CHECK:         %[[ROWS:.*]] = tile.load %{{.*}} edges <inside, clamp> : memref<512x1023xf64{{.*}}>
// CHECK:         tile.update %[[ROWS]]{{.*}} vector 2
