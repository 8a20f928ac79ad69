// Kernels of a triangle: each of its elements is written once (7 becomes 8), and nothing else: neither the other
// triangle, nor what lies around C in its memory. Odd and even numbers of tiles, a tile that C cuts, a batch, an
// epilogue. Each function returns the number of wrong elements.
// RUN: gemm-opt %s --blas-to-cpu=chip=h200 2>/dev/null | sed -E "1s/blas.target = #blas.target<[^>]*>,? ?//; s/blas.contract = #blas.contract<([^<>]|<[^<>]*>)*>,? ?//" > %t.mlir
// RUN: mlir-runner -O2 %t.mlir -e lower -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s
// RUN: mlir-runner -O2 %t.mlir -e upper -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s
// RUN: mlir-runner -O2 %t.mlir -e batch -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s
// RUN: gemm-opt %s --macro-tile --canonicalize --cse | FileCheck %s --check-prefix=GRID
// RUN: %if ptxas %{ gemm-opt %s --blas-to-nvvm="chip=h200 format=bin" -o %t.out %}
// REQUIRES: runtime-library
// CHECK: {{^}}0{{$}}

#two = #tile.map<threads = [2:(0, 2), 2:(1, 0)], values = [2:(0, 1), 2:(2, 0)]>
!sum = !tile.matrix<4x4xf32, #two>
!C = memref<?x?xf32, strided<[16, 1], offset: ?>>
!ten = memref<10x10xf32, strided<[16, 1], offset: 17>>
!sixteen = memref<2x16x16xf32, strided<[272, 16, 1]>>

gpu.module @mine {
  // C += 1 in the lower triangle, 10 x 10: 3 x 3 tiles.
  gpu.func @lower(%a: memref<f32>, %p: memref<f32>, %b: memref<f32>) kernel attributes {blas.contract = #blas.contract<
      args = [<pointer a align 4>, <pointer c align 4>, <pointer b align 4>], tile = [4, 4], workgroup = 4, sharedBytes = 0,
      structure = lower>, known_block_size = array<i32: 4, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %size = arith.constant 10 : index
    %first = arith.constant 17 : index
    %batch, %m, %n = tile.coord %size, %size triangle lower tile [4, 4]
    %C = memref.reinterpret_cast %p to offset: [%first], sizes: [%size, %size], strides: [16, 1] : memref<f32> to !C
    %sum = tile.fill %one : f32 -> !sum
    tile.update %sum, %C[%m, %n] beta(%one : f32) triangle lower edges <guard, guard> : !sum, !C
    gpu.return
  }
  // The upper one, with an epilogue that adds rows of an extra operand (of ones): C = 0 + 1 C + 1.
  gpu.func @upper(%a: memref<f32>, %p: memref<f32>, %b: memref<f32>) kernel attributes {blas.contract = #blas.contract<
      args = [<pointer a align 4>, <pointer c align 4>, <pointer b align 4>], tile = [4, 4], workgroup = 4, sharedBytes = 0,
      structure = upper>, known_block_size = array<i32: 4, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %size = arith.constant 10 : index
    %first = arith.constant 17 : index
    %batch, %m, %n = tile.coord %size, %size triangle upper tile [4, 4]
    %C = memref.reinterpret_cast %p to offset: [%first], sizes: [%size, %size], strides: [16, 1] : memref<f32> to !C
    %ones = memref.reinterpret_cast %a to offset: [0], sizes: [10, 10], strides: [0, 1]
        : memref<f32> to memref<10x10xf32, strided<[0, 1]>>
    %sum = tile.fill %zero : f32 -> !sum
    tile.update %sum, %C[%m, %n] beta(%one : f32) triangle upper edges <guard, guard> : !sum, !C
      epilogue(%x : f32, %y = %ones[1] : memref<10x10xf32, strided<[0, 1]>>) {
        %0 = arith.addf %x, %y : f32
        tile.yield %0 : f32
      }
    gpu.return
  }
  // Two matrices of 16 x 16, 4 x 4 tiles each, that none of them crosses: in runs of 2.
  gpu.func @batch(%a: memref<f32>, %p: memref<f32>, %b: memref<f32>) kernel attributes {blas.contract = #blas.contract<
      args = [<pointer a align 4>, <pointer c align 4>, <pointer b align 4>], tile = [4, 4], workgroup = 4, sharedBytes = 0,
      structure = lower>, known_block_size = array<i32: 4, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %size = arith.constant 16 : index
    %apart = arith.constant 272 : index
    %batch, %m, %n = tile.coord %size, %size triangle lower tile [4, 4]
    %first = arith.muli %batch, %apart : index
    %C = memref.reinterpret_cast %p to offset: [%first], sizes: [%size, %size], strides: [16, 1] : memref<f32> to !C
    %sum = tile.fill %one : f32 -> !sum
    tile.update %sum, %C[%m, %n] beta(%one : f32) triangle lower vector 2 : !sum, !C
    gpu.return
  }
}

/// 640 elements of 7.
func.func private @sevens() -> memref<640xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c640 = arith.constant 640 : index
  %seven = arith.constant 7.0 : f32
  %memory = memref.alloc() : memref<640xf32>
  scf.for %i = %c0 to %c640 step %c1 {
    memref.store %seven, %memory[%i] : memref<640xf32>
  }
  return %memory : memref<640xf32>
}

/// Count of wrong elements: 8 in the triangle of `matrices` matrices of `size` rows that begin at
/// `first`, 272 elements apart in rows of 16, else 7.
func.func private @count(%memory: memref<640xf32>, %first: index, %size: index, %matrices: index, %isLower: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c272 = arith.constant 272 : index
  %c640 = arith.constant 640 : index
  %none = arith.constant 0 : i32
  %seven = arith.constant 7.0 : f32
  %eight = arith.constant 8.0 : f32
  %wrong = scf.for %i = %c0 to %c640 step %c1 iter_args(%before = %none) -> i32 {
    %from = arith.subi %i, %first : index
    %matrix = arith.divui %from, %c272 : index
    %within = arith.remui %from, %c272 : index
    %row = arith.divui %within, %c16 : index
    %column = arith.remui %within, %c16 : index
    %there = arith.cmpi ult, %matrix, %matrices : index
    %inRows = arith.cmpi ult, %row, %size : index
    %inColumns = arith.cmpi ult, %column, %size : index
    %below = arith.cmpi uge, %row, %column : index
    %above = arith.cmpi ule, %row, %column : index
    %inTriangle = arith.select %isLower, %below, %above : i1
    %0 = arith.andi %there, %inRows : i1
    %1 = arith.andi %inColumns, %inTriangle : i1
    %isWritten = arith.andi %0, %1 : i1
    %expected = arith.select %isWritten, %eight, %seven : f32
    %element = memref.load %memory[%i] : memref<640xf32>
    %differs = arith.cmpf une, %element, %expected : f32
    %more = arith.extui %differs : i1 to i32
    %sum = arith.addi %before, %more : i32
    scf.yield %sum : i32
  }
  return %wrong : i32
}

/// A matrix of ones.
func.func private @ones() -> memref<10x10xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<10x10xf32>
  scf.for %i = %c0 to %c10 step %c1 {
    scf.for %j = %c0 to %c10 step %c1 {
      memref.store %one, %a[%i, %j] : memref<10x10xf32>
    }
  }
  return %a : memref<10x10xf32>
}

// GRID-LABEL: func.func private @lower_of
// GRID-DAG: %[[SIX:.*]] = arith.constant 6 : index
// GRID: gpu.launch_func @mine::@lower blocks in (%[[SIX]],
func.func private @lower_of(%a: memref<10x10xf32>, %c: !ten) {
  blas.gemm ins(%a, %a : memref<10x10xf32>, memref<10x10xf32>) outs(%c : !ten) {blas.kernel = @mine::@lower}
  return
}
func.func private @upper_of(%a: memref<10x10xf32>, %c: !ten) {
  blas.gemm ins(%a, %a : memref<10x10xf32>, memref<10x10xf32>) outs(%c : !ten) {blas.kernel = @mine::@upper}
  return
}
// GRID-LABEL: func.func private @batch_of
// GRID-DAG: %[[TWENTY:.*]] = arith.constant 20 : index
// GRID: gpu.launch_func @mine::@batch blocks in (%[[TWENTY]],
func.func private @batch_of(%a: memref<16x16xf32>, %c: !sixteen) {
  blas.gemm ins(%a, %a : memref<16x16xf32>, memref<16x16xf32>) outs(%c : !sixteen) {blas.kernel = @mine::@batch}
  return
}

func.func @lower() -> i32 {
  %first = arith.constant 17 : index
  %size = arith.constant 10 : index
  %one = arith.constant 1 : index
  %isLower = arith.constant true
  %memory = call @sevens() : () -> memref<640xf32>
  %c = memref.reinterpret_cast %memory to offset: [17], sizes: [10, 10], strides: [16, 1] : memref<640xf32> to !ten
  %a = call @ones() : () -> memref<10x10xf32>
  call @lower_of(%a, %c) : (memref<10x10xf32>, !ten) -> ()
  %wrong = call @count(%memory, %first, %size, %one, %isLower) : (memref<640xf32>, index, index, index, i1) -> i32
  return %wrong : i32
}
func.func @upper() -> i32 {
  %first = arith.constant 17 : index
  %size = arith.constant 10 : index
  %one = arith.constant 1 : index
  %isLower = arith.constant false
  %memory = call @sevens() : () -> memref<640xf32>
  %c = memref.reinterpret_cast %memory to offset: [17], sizes: [10, 10], strides: [16, 1] : memref<640xf32> to !ten
  %a = call @ones() : () -> memref<10x10xf32>
  call @upper_of(%a, %c) : (memref<10x10xf32>, !ten) -> ()
  %wrong = call @count(%memory, %first, %size, %one, %isLower) : (memref<640xf32>, index, index, index, i1) -> i32
  return %wrong : i32
}
func.func @batch() -> i32 {
  %first = arith.constant 0 : index
  %size = arith.constant 16 : index
  %two = arith.constant 2 : index
  %isLower = arith.constant true
  %memory = call @sevens() : () -> memref<640xf32>
  %c = memref.reinterpret_cast %memory to offset: [0], sizes: [2, 16, 16], strides: [272, 16, 1] : memref<640xf32> to !sixteen
  %a = memref.alloc() : memref<16x16xf32>
  call @batch_of(%a, %c) : (memref<16x16xf32>, !sixteen) -> ()
  %wrong = call @count(%memory, %first, %size, %two, %isLower) : (memref<640xf32>, index, index, index, i1) -> i32
  return %wrong : i32
}
