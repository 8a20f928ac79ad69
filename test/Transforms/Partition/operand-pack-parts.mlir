// RUN: gemm-opt %s --operand-pack --canonicalize | FileCheck %s
// RUN: gemm-opt %s --operand-pack --plan-parts=chip=h200 --macro-tile --canonicalize 2>/dev/null | FileCheck %s --check-prefix=KERNEL

// With products = 6 the copies have parts of the elements in bf16, small products first in each chunk of K.
// CHECK-LABEL: func @six(
// CHECK-DAG:     %[[WA:.*]] = memref.alloc() : memref<6144x128xbf16>
// CHECK-DAG:     %[[MB:.*]] = memref.alloc() : memref<6144x128xbf16>
// CHECK-DAG:     %[[WB:.*]] = memref.subview %[[MB]][0, 0] [6144, 72] [1, 1]
// CHECK:         blas.pack op<t> parts<order = [2, 0, 1, 1, 0, 0], chunk = 512> ins(%{{.*}} : memref<128x1000xf32>) outs(%[[WA]] : memref<6144x128xbf16>)
// CHECK-NEXT:    blas.pack parts<order = [0, 2, 1, 0, 1, 0], chunk = 512> ins(%{{.*}} : memref<1000x70xf32>) outs(%[[WB]] :
// CHECK-NEXT:    blas.gemm opA<t>{{.*}} padded ins(%[[WA]], %[[WB]] : memref<6144x128xbf16>, memref<6144x72xbf16, strided<[128, 1]>>) outs(%{{.*}} : memref<128x70xf32>)
// CHECK-SAME:      mma = wgmma_m64k16_bf16, promote = 48,
// CHECK-NOT:     products
// CHECK-NOT:     pack = 1

// One tile of f32 is stored six times, where its chunk has its blocks.
// KERNEL-LABEL: gpu.func @pack_f32_t_parts(
// KERNEL:         tile.load %{{.*}} edges <zero, inside>
// KERNEL:         %[[X:.*]] = tile.load
// KERNEL:         %[[LOW:.*]] = tile.part 2 of %[[X]]
// KERNEL:         tile.update %[[LOW]],
// KERNEL:         %[[HIGH:.*]] = tile.part 0 of %[[X]]
// KERNEL:         tile.update %[[HIGH]],
// KERNEL:         tile.part 1 of %[[X]]
// KERNEL:         tile.part 1 of %[[X]]
// KERNEL:         tile.part 0 of %[[X]]
// KERNEL:         %[[LAST:.*]] = tile.part 0 special of %[[X]]
// KERNEL:         tile.update %[[LAST]],
// KERNEL-NOT:     tile.update
// KERNEL:         gpu.return
#path = #blas.path<via = shared, copy = tensor, vector = 8, swizzle = 8, pack = 1>
func.func @six(%a: memref<128x1000xf32>, %b: memref<1000x70xf32>, %c: memref<128x70xf32>) {
  blas.gemm math<emulated> ins(%a, %b : memref<128x1000xf32>, memref<1000x70xf32>) outs(%c : memref<128x70xf32>)
    plan(<macro = [128, 64, 64], micro = [2, 16], lanes = [32, 4], vector = 2, mma = wgmma_m64k16_bf16, products = 6,
          promote = 48, a = #path, b = #path, stages = 3>)
  return
}
