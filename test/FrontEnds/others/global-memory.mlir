// RUN: gemm-run %s --device=cpu --against=loops
// RUN: gemm-opt %s --split-input-file --blas-to-nvvm=format=isa -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-rocdl="chip=mi300x format=isa" -o /dev/null
// RUN: gemm-opt %s --split-input-file --blas-to-kernels=format=func -o /dev/null
// RUN: gemm-opt %s --tile-select=chip=h200 --split-input-file 2>&1 | FileCheck %s
// CHECK: blas.gemm {{.*}}#gpu.address_space<global>

// Global memory by its names.
func.func @number(%a: memref<16x8xf32, 1>, %b: memref<8x24xf32, 1>, %c: memref<16x24xf32, 1>) {
  linalg.matmul ins(%a, %b : memref<16x8xf32, 1>, memref<8x24xf32, 1>) outs(%c : memref<16x24xf32, 1>)
  return
}
func.func @named(%a: memref<16x8xf32, #gpu.address_space<global>>, %b: memref<8x24xf32, #gpu.address_space<global>>,
                 %c: memref<16x24xf32, #gpu.address_space<global>>) {
  linalg.matmul ins(%a, %b : memref<16x8xf32, #gpu.address_space<global>>, memref<8x24xf32, #gpu.address_space<global>>)
                outs(%c : memref<16x24xf32, #gpu.address_space<global>>)
  return
}

// -----

// A vector, an intermediate, a cast, a call and an elementwise operation.
memref.global "private" constant @bias : memref<24xf32, 1> = dense<0.5>
func.func private @layer(%x: memref<16x8xf32, 1>, %w: memref<8x24xf32>, %y: memref<16x24xf32, 1>) {
  %generic = memref.memory_space_cast %y : memref<16x24xf32, 1> to memref<16x24xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%generic : memref<16x24xf32>)
  linalg.matmul ins(%x, %w : memref<16x8xf32, 1>, memref<8x24xf32>) outs(%generic : memref<16x24xf32>)
  return
}
func.func @layers(%x: memref<16x8xf32, 1>, %w: memref<8x24xf32>, %v: memref<24xf32, #gpu.address_space<global>>, %y: memref<16xf32, 1>) {
  %h = memref.alloc() : memref<16x24xf32, 1>
  call @layer(%x, %w, %h) : (memref<16x8xf32, 1>, memref<8x24xf32>, memref<16x24xf32, 1>) -> ()
  %bias = memref.get_global @bias : memref<24xf32, 1>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<24xf32, 1>) outs(%h : memref<16x24xf32, 1>) {
  ^bb0(%b: f32, %o: f32):
    %0 = arith.addf %b, %o : f32
    linalg.yield %0 : f32
  }
  linalg.matvec ins(%h, %v : memref<16x24xf32, 1>, memref<24xf32, #gpu.address_space<global>>) outs(%y : memref<16xf32, 1>)
  return
}
