// Reductions that are spread over threads give what they give undivided, here on the CPU.
// RUN: gemm-opt %s --spread-reductions | FileCheck %s
// RUN: gemm-opt %s --spread-reductions --blas-to-cpu="chip=h200" 2>/dev/null | sed "1s/blas.target = #blas.target<[^>]*>,\? \?//" | mlir-runner -e main -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s --check-prefix=RESULT
// RUN: gemm-opt %s --blas-to-cpu="chip=h200" 2>/dev/null | sed "1s/blas.target = #blas.target<[^>]*>,\? \?//" | mlir-runner -e main -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s --check-prefix=RESULT

// CHECK-COUNT-5: scf.parallel
// 7 + the sum of 0 .. 9999 is 49995007; of 3 rows the largest are 3332, 6665 and 9998, in the order 2, 1, 0 of the output,
// whose first is taken: 9998; of 10 elements, fewer than threads, the least: 0. 49995007 + 9998 - 0.
// RESULT: 50005005
func.func private @sum(%x: memref<?xi32>, %s: memref<i32>) {
  linalg.reduce { arith.addi } ins(%x : memref<?xi32>) outs(%s : memref<i32>) dimensions = [0]
  return
}
func.func private @rows(%x: memref<3x3333xi32>, %s: memref<3xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (2 - i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<3x3333xi32>) outs(%s : memref<3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %m = arith.maxsi %in, %out : i32
    linalg.yield %m : i32
  }
  return
}
func.func private @least(%x: memref<?xi32>, %s: memref<i32>) {
  linalg.reduce { arith.minsi } ins(%x : memref<?xi32>) outs(%s : memref<i32>) dimensions = [0]
  return
}
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %all = arith.constant 10000 : index
  %seven = arith.constant 7 : i32
  %x = memref.alloc(%all) : memref<?xi32>
  scf.for %i = %c0 to %all step %c1 {
    %n = arith.index_cast %i : index to i32
    memref.store %n, %x[%i] : memref<?xi32>
  }
  %s = memref.alloc() : memref<i32>
  memref.store %seven, %s[] : memref<i32>
  call @sum(%x, %s) : (memref<?xi32>, memref<i32>) -> ()
  %rows = memref.reinterpret_cast %x to offset: [0], sizes: [3, 3333], strides: [3333, 1]
      : memref<?xi32> to memref<3x3333xi32>
  %large = memref.alloc() : memref<3xi32>
  scf.for %i = %c0 to %c1 step %c1 {
    linalg.fill ins(%seven : i32) outs(%large : memref<3xi32>)
  }
  call @rows(%rows, %large) : (memref<3x3333xi32>, memref<3xi32>) -> ()
  %few = memref.reinterpret_cast %x to offset: [0], sizes: [%c10], strides: [1]
      : memref<?xi32> to memref<?xi32>
  %t = memref.alloc() : memref<i32>
  memref.store %seven, %t[] : memref<i32>
  call @least(%few, %t) : (memref<?xi32>, memref<i32>) -> ()
  %a = memref.load %s[] : memref<i32>
  %b = memref.load %large[%c0] : memref<3xi32>
  %c = memref.load %t[] : memref<i32>
  %ab = arith.addi %a, %b : i32
  %abc = arith.subi %ab, %c : i32
  return %abc : i32
}
