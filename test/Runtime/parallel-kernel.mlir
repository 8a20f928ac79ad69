// Bias and relu around a product as kernels of dynamic sizes, run as coroutines of the host: every thread maps
// to the element it should, strided copies too. 5 x 70 elements are two workgroups, the last one in part.
// RUN: mlir-opt %s --convert-linalg-to-parallel-loops | gemm-opt --parallel-kernel | mlir-opt --gpu-kernel-outlining | gemm-opt --canonicalize --blas-to-cpu=chip=h200 | sed "1s/blas.target = #blas.target<[^>]*>,\? \?//" > %t.mlir
// RUN: mlir-runner -O2 %t.mlir -e main -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s
// REQUIRES: runtime-library
// CHECK: {{^0$}}

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>

/// to[i, j] = i * 100 + j, to be read column by column.
func.func private @fill(%to: memref<?x?xf32, strided<[1, ?], offset: ?>>) {
  %hundred = arith.constant 100.0 : f32
  linalg.generic {indexing_maps = [#both], iterator_types = ["parallel", "parallel"]}
      outs(%to : memref<?x?xf32, strided<[1, ?], offset: ?>>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ii = arith.index_cast %i : index to i32
    %jj = arith.index_cast %j : index to i32
    %x = arith.sitofp %ii : i32 to f32
    %y = arith.sitofp %jj : i32 to f32
    %m = arith.mulf %x, %hundred : f32
    %s = arith.addf %m, %y : f32
    linalg.yield %s : f32
  }
  return
}

func.func private @bias(%bias: memref<?xf32>, %y: memref<?x?xf32>) {
  %limit = arith.constant 250.0 : f32
  linalg.generic {indexing_maps = [#column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<?xf32>) outs(%y : memref<?x?xf32>) {
  ^bb0(%b: f32, %o: f32):
    %s = arith.addf %b, %o : f32
    %r = arith.maximumf %s, %limit : f32
    linalg.yield %r : f32
  }
  return
}

/// The number of elements that are wrong.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c70 = arith.constant 70 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %limit = arith.constant 250.0 : f32
  %hundred = arith.constant 100.0 : f32
  %half = arith.constant 0.5 : f32
  %m = memref.alloc(%c70, %c5) : memref<?x?xf32>
  %t = memref.transpose %m (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %cast = memref.cast %t : memref<?x?xf32, strided<[1, ?]>> to memref<?x?xf32, strided<[1, ?], offset: ?>>
  func.call @fill(%cast) : (memref<?x?xf32, strided<[1, ?], offset: ?>>) -> ()
  %y = memref.alloc(%c5, %c70) : memref<?x?xf32>
  memref.copy %t, %y : memref<?x?xf32, strided<[1, ?]>> to memref<?x?xf32>
  %bias = memref.alloc(%c70) : memref<?xf32>
  scf.for %j = %c0 to %c70 step %c1 {
    memref.store %half, %bias[%j] : memref<?xf32>
  }
  func.call @bias(%bias, %y) : (memref<?xf32>, memref<?x?xf32>) -> ()
  %wrong = scf.for %i = %c0 to %c5 step %c1 iter_args(%outer = %zero) -> (i32) {
    %row = scf.for %j = %c0 to %c70 step %c1 iter_args(%inner = %outer) -> (i32) {
      %ii = arith.index_cast %i : index to i32
      %jj = arith.index_cast %j : index to i32
      %x = arith.sitofp %ii : i32 to f32
      %z = arith.sitofp %jj : i32 to f32
      %a = arith.mulf %x, %hundred : f32
      %b = arith.addf %a, %z : f32
      %c = arith.addf %b, %half : f32
      %expected = arith.maximumf %c, %limit : f32
      %found = memref.load %y[%i, %j] : memref<?x?xf32>
      %differs = arith.cmpf une, %expected, %found : f32
      %add = arith.extui %differs : i1 to i32
      %sum = arith.addi %inner, %add : i32
      scf.yield %sum : i32
    }
    scf.yield %row : i32
  }
  return %wrong : i32
}
