// A tile program becomes the code of one thread.
// RUN: gemm-opt %s --unroll-slices --micro-tile --canonicalize --cse | FileCheck %s
// Nothing of the dialect is left, so the second time does nothing.
// RUN: gemm-opt %s --unroll-slices --micro-tile --canonicalize --cse | FileCheck %s --check-prefix=GONE
// RUN: gemm-opt %s --unroll-slices --micro-tile > %t.once
// RUN: gemm-opt %t.once --micro-tile | diff - %t.once

// GONE-NOT: !tile
// GONE-NOT: tile.{{coord|alloc|view|fill|load|store|mma|update|slices}}
// GONE-NOT: unrealized_conversion_cast

#one = #tile.map<threads = [4:(1, 0)], values = []>
#four = #tile.map<threads = [2:(0, 4), 2:(1, 0)], values = [4:(0, 1), 2:(2, 0)]>
#accumulator = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
#rows = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
#columns = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
!three = !tile.matrix<12x1xf32, #tile.map<threads = [4:(1, 0)], values = [3:(4, 0)]>>
!row = !tile.matrix<4x2xf32, #tile.map<threads = [4:(1, 0)], values = [2:(0, 1)]>>
!one = !tile.matrix<4x1xf32, #one>
!four = !tile.matrix<4x8xf32, #four>
!acc = !tile.matrix<4x4xf32, #accumulator>
!a = !tile.matrix<4x1xf32, #rows>
!b = !tile.matrix<1x4xf32, #columns>
!matrix = memref<?x?xf32, strided<[?, 1], offset: ?>>

gpu.module @kernels {

// Workgroup 7 of 3 x 3 tiles in rasters of 2: the last band has one row of tiles only.
// CHECK-LABEL: gpu.func @coord
// CHECK: %[[ID:[a-z0-9_]+]] = gpu.block_id x
// CHECK: %[[X:[a-z0-9_]+]] = arith.index_castui %[[ID]] : index to i32
// CHECK: %[[BATCH:[a-z0-9_]+]] = arith.divui %[[X]], %c9_i32
// CHECK: %[[Y:[a-z0-9_]+]] = arith.remui %[[X]], %c9_i32
// CHECK: %[[BAND:[a-z0-9_]+]] = arith.divui %[[Y]], %c6_i32
// CHECK: %[[FIRST:[a-z0-9_]+]] = arith.muli %[[BAND]], %c2_i32
// CHECK: %[[WITHIN:[a-z0-9_]+]] = arith.remui %[[Y]], %c6_i32
// CHECK: %[[LEFT:[a-z0-9_]+]] = arith.subi %c3_i32, %[[FIRST]]
// CHECK: %[[HEIGHT:[a-z0-9_]+]] = arith.minui %[[LEFT]], %c2_i32
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.remui %[[WITHIN]], %[[HEIGHT]]
// CHECK: %[[M:[a-z0-9_]+]] = arith.addi %[[FIRST]], %[[ROW]]
// CHECK: %[[N:[a-z0-9_]+]] = arith.divui %[[WITHIN]], %[[HEIGHT]]
// CHECK: arith.index_castui %[[BATCH]]
// CHECK: %[[WIDE_M:[a-z0-9_]+]] = arith.index_castui %[[M]]
// CHECK: arith.muli %[[WIDE_M]], %c4
// CHECK: %[[WIDE_N:[a-z0-9_]+]] = arith.index_castui %[[N]]
// CHECK: arith.muli %[[WIDE_N]], %c4
gpu.func @coord(%out: memref<3xindex>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 9 : index
  %columns = arith.constant 10 : index
  %batch, %m, %n = tile.coord %rows, %columns tile [4, 4] raster 2
  memref.store %batch, %out[%c0] : memref<3xindex>
  memref.store %m, %out[%c1] : memref<3xindex>
  memref.store %n, %out[%c2] : memref<3xindex>
  gpu.return
}

// One tile wide: workgroups follow each other down the rows, whatever the raster; no height to divide by.
// CHECK-LABEL: gpu.func @coord_of_rows
// CHECK: %[[X:[a-z0-9_]+]] = arith.index_castui
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.remui %[[X]], %c3_i32
// CHECK-NOT: arith.divui
// CHECK: %[[M:[a-z0-9_]+]] = arith.index_castui %[[ROW]]
// CHECK-NEXT: arith.muli %[[M]], %c4
gpu.func @coord_of_rows(%out: memref<2xindex>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = arith.constant 9 : index
  %columns = arith.constant 4 : index
  %batch, %m, %n = tile.coord %rows, %columns tile [4, 4] raster 2
  memref.store %m, %out[%c0] : memref<2xindex>
  memref.store %n, %out[%c1] : memref<2xindex>
  gpu.return
}

// Matrices of a batch one above the other: 3 x 5 rows of tiles in rasters of 2, 3 tiles wide.
// CHECK-LABEL: gpu.func @coord_by_rows
// CHECK: %[[X:[a-z0-9_]+]] = arith.index_castui
// CHECK: %[[BAND:[a-z0-9_]+]] = arith.divui %[[X]], %c6_i32
// CHECK: %[[FIRST:[a-z0-9_]+]] = arith.muli %[[BAND]], %c2_i32
// CHECK: %[[WITHIN:[a-z0-9_]+]] = arith.remui %[[X]], %c6_i32
// CHECK: %[[LEFT:[a-z0-9_]+]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK: %[[HEIGHT:[a-z0-9_]+]] = arith.minui %[[LEFT]], %c2_i32
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.remui %[[WITHIN]], %[[HEIGHT]]
// CHECK: %[[OF_ALL:[a-z0-9_]+]] = arith.addi %[[FIRST]], %[[ROW]]
// CHECK: %[[N:[a-z0-9_]+]] = arith.divui %[[WITHIN]], %[[HEIGHT]]
// CHECK: %[[BATCH:[a-z0-9_]+]] = arith.divui %[[OF_ALL]], %c3_i32
// CHECK: %[[M:[a-z0-9_]+]] = arith.remui %[[OF_ALL]], %c3_i32
// CHECK: arith.index_castui %[[BATCH]]
// CHECK: arith.index_castui %[[M]]
// CHECK: arith.index_castui %[[N]]
gpu.func @coord_by_rows(%out: memref<3xindex>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %rows = arith.constant 9 : index
  %columns = arith.constant 10 : index
  %count = arith.constant 5 : index
  %batch, %m, %n = tile.coord %rows, %columns batches %count byRows tile [4, 4] raster 2
  memref.store %batch, %out[%c0] : memref<3xindex>
  memref.store %m, %out[%c1] : memref<3xindex>
  memref.store %n, %out[%c2] : memref<3xindex>
  gpu.return
}

// Side by side: 3 rows of 5 x 3 tiles.
// CHECK-LABEL: gpu.func @coord_by_columns
// CHECK: %[[WITHIN:[a-z0-9_]+]] = arith.remui
// CHECK: %[[OF_ALL:[a-z0-9_]+]] = arith.divui %[[WITHIN]]
// CHECK: %[[BATCH:[a-z0-9_]+]] = arith.divui %[[OF_ALL]], %c3_i32
// CHECK: %[[N:[a-z0-9_]+]] = arith.remui %[[OF_ALL]], %c3_i32
gpu.func @coord_by_columns(%out: memref<3xindex>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %rows = arith.constant 9 : index
  %columns = arith.constant 10 : index
  %count = arith.constant 5 : index
  %batch, %m, %n = tile.coord %rows, %columns batches %count tile [4, 4] raster 2
  memref.store %n, %out[%c0] : memref<3xindex>
  memref.store %batch, %out[%c0] : memref<3xindex>
  gpu.return
}

// Inside: no comparison. Two accesses of 16 bytes, rows 2 apart.
// CHECK-LABEL: gpu.func @load_inside
// CHECK-NOT: arith.minsi
// CHECK-NOT: arith.select
// CHECK-COUNT-2: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-NOT: memref.load
gpu.func @load_inside(%p: memref<f32>, %i: index, %rows: index, %columns: index, %stride: index, %q: memref<f32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %A = memref.reinterpret_cast %p to offset: [%i], sizes: [%rows, %columns], strides: [%stride, 1] : memref<f32> to !matrix
  %C = memref.reinterpret_cast %q to offset: [%i], sizes: [%rows, %columns], strides: [%stride, 1] : memref<f32> to !matrix
  %tile = tile.load %A[%i, %i] edges <inside, inside> vector 4 : !matrix -> !four
  tile.update %tile, %C[%i, %i] vector 4 : !four, !matrix
  gpu.return
}

// Clamped: rows stay at or below the last, an access of 4 columns at or below the last but three.
// CHECK-LABEL: gpu.func @load_clamp
// CHECK-SAME: %[[I:[a-z0-9_]+]]: index, %[[ROWS:[a-z0-9_]+]]: index, %[[COLUMNS:[a-z0-9_]+]]: index
// CHECK-DAG: %[[LAST_ROW:[a-z0-9_]+]] = arith.addi %[[ROWS]], %c-1
// CHECK-DAG: arith.minsi %{{.*}}, %[[LAST_ROW]]
// CHECK-DAG: %[[LAST_ACCESS:[a-z0-9_]+]] = arith.addi %[[COLUMNS]], %c-4
// CHECK-DAG: arith.minsi %{{.*}}, %[[LAST_ACCESS]]
// CHECK: vector.load
gpu.func @load_clamp(%p: memref<f32>, %i: index, %rows: index, %columns: index, %stride: index, %q: memref<f32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %A = memref.reinterpret_cast %p to offset: [%i], sizes: [%rows, %columns], strides: [%stride, 1] : memref<f32> to !matrix
  %C = memref.reinterpret_cast %q to offset: [%i], sizes: [%rows, %columns], strides: [%stride, 1] : memref<f32> to !matrix
  %tile = tile.load %A[%i, %i] edges <clamp, clamp> vector 4 : !matrix -> !four
  tile.update %tile, %C[%i, %i] vector 4 : !four, !matrix
  gpu.return
}

// Zero: a negative coordinate is a large unsigned one; element 0 is read instead and 0 selected.
// CHECK-LABEL: gpu.func @load_zero
// CHECK-SAME: %[[I:[a-z0-9_]+]]: index, %{{[a-z0-9_]+}}: index, %[[COLUMNS:[a-z0-9_]+]]: index
// CHECK: %[[INSIDE:[a-z0-9_]+]] = arith.cmpi ult, %[[COLUMN:[a-z0-9_]+]], %[[COLUMNS]]
// CHECK: %[[SAFE:[a-z0-9_]+]] = arith.select %[[INSIDE]], %[[COLUMN]], %c0
// CHECK: %[[READ:[a-z0-9_]+]] = memref.load
// CHECK: arith.select %[[INSIDE]], %[[READ]], %cst : f32
gpu.func @load_zero(%p: memref<f32>, %i: index, %rows: index, %columns: index, %stride: index, %q: memref<f32>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %A = memref.reinterpret_cast %p to offset: [%i], sizes: [%rows, %columns], strides: [%stride, 1] : memref<f32> to !matrix
  %C = memref.reinterpret_cast %q to offset: [%i], sizes: [%rows, %columns], strides: [%stride, 1] : memref<f32> to !matrix
  %tile = tile.load %A[%i, %i] edges <inside, zero> : !matrix -> !one
  tile.update %tile, %C[%i, %i] : !one, !matrix
  gpu.return
}

// One that lies over the others begins where they begin.
// CHECK-LABEL: gpu.func @over
// CHECK: memref.view %{{.*}}[%c0][] : {{.*}} to memref<32xf32,
// CHECK: memref.view %{{.*}}[%c0][] : {{.*}} to memref<64xf32,
gpu.func @over(%p: memref<f32>, %i: index) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %ring = tile.alloc : !tile.buffer<1 x 2x4xf32, strides = [4, 1]>
  %buffer = tile.alloc over : !tile.buffer<1 x 2x4xf32, strides = [40, 1]>
  %tile = tile.load %C[%i, %i] : memref<8x8xf32, strided<[8, 1]>> -> !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>
  tile.store %tile, %ring : !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>, !tile.buffer<1 x 2x4xf32, strides = [4, 1]>
  tile.store %tile, %buffer : !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>, !tile.buffer<1 x 2x4xf32, strides = [40, 1]>
  gpu.return
}

// Buffers follow each other in dynamic shared memory: 2 stages of 8 floats at multiples of 128 bytes, the next at byte 256. Stage = counter mod 2.
// Rows of 4 floats at multiples of 16 bytes are read in one access; those of 5 are read one by one.
// CHECK-LABEL: gpu.func @buffers
// CHECK-SAME: %[[P:[a-z0-9_]+]]: memref<f32>, %[[I:[a-z0-9_]+]]: index
// CHECK: %[[SHARED:[a-z0-9_]+]] = gpu.dynamic_shared_memory
// CHECK: %[[WIDE:[a-z0-9_]+]] = memref.view %[[SHARED]][%c0][] : {{.*}} to memref<64xf32,
// CHECK: %[[ODD:[a-z0-9_]+]] = memref.view %[[SHARED]][%c256][] : {{.*}} to memref<32xf32,
// CHECK: %[[SLOT:[a-z0-9_]+]] = arith.remui %[[I]], %c2
// CHECK: %[[PLACE:[a-z0-9_]+]] = arith.muli %[[SLOT]], %c32
// CHECK: vector.store %{{.*}}, %[[WIDE]][%{{.*}}] {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK-COUNT-4: memref.store %{{.*}}, %[[ODD]][
// CHECK: vector.load %[[WIDE]][%{{.*}}] {alignment = 16 : i64}
// CHECK-COUNT-4: memref.load %[[ODD]][
// CHECK-NOT: %[[ODD]]
gpu.func @buffers(%p: memref<f32>, %i: index) kernel attributes {known_block_size = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : index
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %wide = tile.alloc : !tile.buffer<2 x 2x4xf32, strides = [4, 1]>
  %odd = tile.alloc : !tile.buffer<1 x 2x4xf32, strides = [5, 1]>
  %tile = tile.load %C[%i, %i] vector 4 : memref<8x8xf32, strided<[8, 1]>> -> !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>
  %stage = tile.view %wide[%i] [%c0, %c0] : !tile.buffer<2 x 2x4xf32, strides = [4, 1]> -> !tile.buffer<1 x 2x4xf32, strides = [4, 1]>
  tile.store %tile, %stage : !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>, !tile.buffer<1 x 2x4xf32, strides = [4, 1]>
  tile.store %tile, %odd : !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>, !tile.buffer<1 x 2x4xf32, strides = [5, 1]>
  %x = tile.load %stage : !tile.buffer<1 x 2x4xf32, strides = [4, 1]> -> !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>
  %y = tile.load %odd : !tile.buffer<1 x 2x4xf32, strides = [5, 1]> -> !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>
  %sum = arith.addf %x, %y : !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>
  tile.update %sum, %C[%i, %i] vector 4 : !tile.matrix<2x4xf32, <threads = [2:(1, 0)], values = [4:(0, 1)]>>, memref<8x8xf32, strided<[8, 1]>>
  gpu.return
}

// 16 bytes are two f64; a view that begins at column 1 of K-major rows keeps its width, at row 1 it does not.
// CHECK-LABEL: gpu.func @view_offsets
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : {{.*}}, vector<2xf64>
// CHECK-COUNT-2: memref.load {{.*}} : memref<16xf64
gpu.func @view_offsets(%p: memref<f64>, %i: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f64> to memref<8x8xf64, strided<[8, 1]>>
  %ring = tile.alloc : !tile.buffer<1 x 4x4xf64, strides = [1, 4]>
  %column = tile.view %ring[%c0] [%c0, %c1] : !tile.buffer<1 x 4x4xf64, strides = [1, 4]> -> !tile.buffer<1 x 2x1xf64, strides = [1, 4]>
  %row = tile.view %ring[%c0] [%c1, %c0] : !tile.buffer<1 x 4x4xf64, strides = [1, 4]> -> !tile.buffer<1 x 2x1xf64, strides = [1, 4]>
  %x = tile.load %column : !tile.buffer<1 x 2x1xf64, strides = [1, 4]> -> !tile.matrix<2x1xf64, <threads = [], values = [2:(1, 0)]>>
  %y = tile.load %row : !tile.buffer<1 x 2x1xf64, strides = [1, 4]> -> !tile.matrix<2x1xf64, <threads = [], values = [2:(1, 0)]>>
  %sum = arith.addf %x, %y : !tile.matrix<2x1xf64, <threads = [], values = [2:(1, 0)]>>
  tile.update %sum, %C[%i, %i] : !tile.matrix<2x1xf64, <threads = [], values = [2:(1, 0)]>>, memref<8x8xf64, strided<[8, 1]>>
  gpu.return
}

// The K loop carries registers; the slice loop is unrolled. FMAs go through the columns to and fro, so
// that one factor of each stays in place.
// CHECK-LABEL: gpu.func @multiply
// CHECK: scf.for {{.*}} iter_args(%[[S00:[a-z0-9_]+]] = %{{.*}}, %[[S01:[a-z0-9_]+]] = %{{.*}}, %[[S10:[a-z0-9_]+]] = %{{.*}}, %[[S11:[a-z0-9_]+]] = %{{.*}}) -> (f32, f32, f32, f32)
// CHECK: %[[A:[a-z0-9_]+]]:2 = vector.to_elements
// CHECK: %[[B:[a-z0-9_]+]]:2 = vector.to_elements
// CHECK: %[[T00:[a-z0-9_]+]] = math.fma %[[A]]#0, %[[B]]#0, %[[S00]]
// CHECK: %[[T01:[a-z0-9_]+]] = math.fma %[[A]]#0, %[[B]]#1, %[[S01]]
// CHECK: %[[T11:[a-z0-9_]+]] = math.fma %[[A]]#1, %[[B]]#1, %[[S11]]
// CHECK: %[[T10:[a-z0-9_]+]] = math.fma %[[A]]#1, %[[B]]#0, %[[S10]]
// CHECK-NOT: scf.for
// CHECK: math.fma %{{.*}}, %[[T00]]
// CHECK: math.fma %{{.*}}, %[[T01]]
// CHECK: math.fma %{{.*}}, %[[T11]]
// CHECK: math.fma %{{.*}}, %[[T10]]
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : f32, f32, f32, f32
gpu.func @multiply(%p: memref<f32>, %i: index, %steps: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %ringA = tile.alloc : !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
  %ringB = tile.alloc : !tile.buffer<1 x 2x4xf32, strides = [4, 1]>
  %sum = tile.fill %zero : f32 -> !acc
  %total = scf.for %k = %c0 to %steps step %c1 iter_args(%before = %sum) -> (!acc) {
    %after = scf.for %s = %c0 to %c2 step %c1 iter_args(%partial = %before) -> (!acc) {
      %sliceA = tile.view %ringA[%c0] [%c0, %s] : !tile.buffer<1 x 4x2xf32, strides = [1, 4]> -> !tile.buffer<1 x 4x1xf32, strides = [1, 4]>
      %a = tile.load %sliceA : !tile.buffer<1 x 4x1xf32, strides = [1, 4]> -> !a
      %sliceB = tile.view %ringB[%c0] [%s, %c0] : !tile.buffer<1 x 2x4xf32, strides = [4, 1]> -> !tile.buffer<1 x 1x4xf32, strides = [4, 1]>
      %b = tile.load %sliceB : !tile.buffer<1 x 1x4xf32, strides = [4, 1]> -> !b
      %next = tile.mma %a, %b, %partial : !a, !b, !acc
      scf.yield %next : !acc
    } {tile.slices}
    scf.yield %after : !acc
  } {tile.steps}
  tile.update %total, %C[%i, %i] vector 2 : !acc, memref<8x8xf32, strided<[8, 1]>>
  gpu.return
}

// Without beta, or with a constant 0, C is not read.
// CHECK-LABEL: gpu.func @no_beta
// CHECK-SAME: %[[X:[a-z0-9_]+]]: f32
// CHECK-NOT: {{(memref|vector).load}}
// CHECK: memref.store %[[X]]
// CHECK-NOT: {{(memref|vector).load}}
// CHECK: memref.store %[[X]]
// CHECK-NOT: {{(memref|vector).load}}
// CHECK: gpu.return
gpu.func @no_beta(%p: memref<f32>, %i: index, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %zero = arith.constant 0.0 : f32
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %sum = tile.fill %x : f32 -> !one
  tile.update %sum, %C[%i, %i] : !one, memref<8x8xf32, strided<[8, 1]>>
  tile.update %sum, %C[%i, %i] beta(%zero : f32) : !one, memref<8x8xf32, strided<[8, 1]>>
  gpu.return
}

// beta = 1/2 by constant: alpha * sum, then beta * C + that.
// CHECK-LABEL: gpu.func @alpha_beta
// CHECK-SAME: %[[X:[a-z0-9_]+]]: f32, %[[ALPHA:[a-z0-9_]+]]: f32
// CHECK: %[[HALF:[a-z0-9_]+]] = arith.constant 5.000000e-01 : f32
// CHECK: %[[OLD:[a-z0-9_]+]] = memref.load
// CHECK: %[[SCALED:[a-z0-9_]+]] = arith.mulf %[[ALPHA]], %[[X]]
// CHECK: %[[NEW:[a-z0-9_]+]] = math.fma %[[HALF]], %[[OLD]], %[[SCALED]]
// CHECK: memref.store %[[NEW]]
gpu.func @alpha_beta(%p: memref<f32>, %i: index, %x: f32, %alpha: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %half = arith.constant 0.5 : f32
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %sum = tile.fill %x : f32 -> !one
  tile.update %sum, %C[%i, %i] alpha(%alpha : f32) beta(%half : f32) : !one, memref<8x8xf32, strided<[8, 1]>>
  gpu.return
}

// A beta known at run time only: the branch for 0 does not read C. NaN is not 0.
// CHECK-LABEL: gpu.func @run_time_beta
// CHECK-SAME: %[[X:[a-z0-9_]+]]: f32, %[[BETA:[a-z0-9_]+]]: f32
// CHECK: %[[READS:[a-z0-9_]+]] = arith.cmpf une, %[[BETA]], %cst
// CHECK: scf.if %[[READS]] {
// CHECK:   %[[OLD:[a-z0-9_]+]] = memref.load
// CHECK:   math.fma %[[BETA]], %[[OLD]], %[[X]]
// CHECK:   memref.store
// CHECK: } else {
// CHECK-NOT: memref.load
// CHECK:   memref.store %[[X]]
gpu.func @run_time_beta(%p: memref<f32>, %i: index, %x: f32, %beta: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %sum = tile.fill %x : f32 -> !one
  tile.update %sum, %C[%i, %i] beta(%beta : f32) : !one, memref<8x8xf32, strided<[8, 1]>>
  gpu.return
}

// Guarded: each access stands under the condition that its row and column are there. The distance
// from the thread's first element to the edge is compared with a constant of each.
// CHECK-LABEL: gpu.func @guard
// CHECK-SAME: %[[I:[a-z0-9_]+]]: index, %[[X:[a-z0-9_]+]]: f32, %[[ROWS:[a-z0-9_]+]]: index, %[[COLUMNS:[a-z0-9_]+]]: index
// CHECK: arith.subi %[[COLUMNS]], %[[I]] : index
// CHECK: %[[ACROSS:[a-z0-9_]+]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[COLUMN:[a-z0-9_]+]] = arith.cmpi sgt, %[[ACROSS]], %c0_i32 : i32
// CHECK: arith.subi %[[ROWS]], %{{.*}} : index
// CHECK: %[[DOWN:[a-z0-9_]+]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.cmpi sgt, %[[DOWN]], %c0_i32 : i32
// CHECK: %[[BOTH:[a-z0-9_]+]] = arith.andi %[[ROW]], %[[COLUMN]]
// CHECK: scf.if %[[BOTH]] {
// CHECK: memref.store %[[X]]
// CHECK-NEXT: }
gpu.func @guard(%p: memref<f32>, %i: index, %x: f32, %rows: index, %columns: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [%rows, %columns], strides: [8, 1] : memref<f32> to memref<?x?xf32, strided<[8, 1]>>
  %sum = tile.fill %x : f32 -> !one
  tile.update %sum, %C[%i, %i] edges <guard, guard> : !one, memref<?x?xf32, strided<[8, 1]>>
  gpu.return
}

// A row of the tile that lies beyond the matrix for all threads is not written at all.
// CHECK-LABEL: gpu.func @beyond
// CHECK: scf.if
// CHECK: memref.store
// CHECK-NOT: memref.store
// CHECK: gpu.return
gpu.func @beyond(%p: memref<f32>, %i: index, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [3, 8], strides: [8, 1] : memref<f32> to memref<3x8xf32, strided<[8, 1]>>
  %sum = tile.fill %x : f32 -> !tile.matrix<8x1xf32, #tile.map<threads = [4:(1, 0)], values = [2:(4, 0)]>>
  tile.update %sum, %C[%i, %i] edges <guard, inside> : !tile.matrix<8x1xf32, #tile.map<threads = [4:(1, 0)], values = [2:(4, 0)]>>, memref<3x8xf32, strided<[8, 1]>>
  gpu.return
}

// A tile that was moved back inside the matrix leaves the rows before `from` to its neighbour: they are
// neither read nor written.
// CHECK-LABEL: gpu.func @from
// CHECK-SAME: %[[X:[a-z0-9_]+]]: f32, %[[FIRST:[a-z0-9_]+]]: index
// CHECK: %[[THREAD:[a-z0-9_]+]] = gpu.thread_id x
// CHECK: %[[ROW:[a-z0-9_]+]] = arith.addi %{{.*}}, %[[THREAD]]
// CHECK: %[[NOT_BEFORE:[a-z0-9_]+]] = arith.maxsi %[[FIRST]], %[[ROW]]
// CHECK: arith.subi %[[NOT_BEFORE]], %[[ROW]]
// CHECK-NOT: memref.load
// CHECK: %[[OWN:[a-z0-9_]+]] = arith.cmpi sle, %{{.*}}, %c0_i32 : i32
// CHECK-NOT: memref.load
// CHECK: scf.if
// CHECK: memref.load
// CHECK: memref.store
gpu.func @from(%p: memref<f32>, %i: index, %x: f32, %first: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %one = arith.constant 1.0 : f32
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %sum = tile.fill %x : f32 -> !one
  tile.update %sum, %C[%i, %i] beta(%one : f32) from (%first, %i) edges <inside, inside> : !one, memref<8x8xf32, strided<[8, 1]>>
  gpu.return
}

// C is read two accesses ahead of the write: rows by whole runs, each where the matrix has it; what
// it has not counts as 0. Rows of a stride that is not known follow from the row before.
// CHECK-LABEL: gpu.func @ahead
// CHECK-SAME: %[[ROWS:[a-z0-9_]+]]: index, %[[LD:[a-z0-9_]+]]: index
// CHECK-COUNT-2: scf.if %{{.*}} -> (f32) {
// CHECK: scf.if
// CHECK: memref.store
// CHECK: scf.if %{{.*}} -> (f32) {
// CHECK: memref.store
// CHECK-NOT: memref.load
// CHECK: memref.store
// CHECK: gpu.return
gpu.func @ahead(%p: memref<f32>, %i: index, %x: f32, %rows: index, %ld: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %one = arith.constant 1.0 : f32
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [%rows, 8], strides: [%ld, 1] : memref<f32> to memref<?x8xf32, strided<[?, 1]>>
  %sum = tile.fill %x : f32 -> !three
  tile.update %sum, %C[%i, %i] beta(%one : f32) edges <guard, inside> ahead 2 : !three, memref<?x8xf32, strided<[?, 1]>>
  gpu.return
}

// Fewer than a row has: each access is read where it is written.
// CHECK-LABEL: gpu.func @not_ahead
// CHECK: memref.load
// CHECK: memref.store
// CHECK: memref.load
// CHECK: memref.store
gpu.func @not_ahead(%p: memref<f32>, %i: index, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %one = arith.constant 1.0 : f32
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %sum = tile.fill %x : f32 -> !row
  tile.update %sum, %C[%i, %i] beta(%one : f32) ahead 1 : !row, memref<8x8xf32, strided<[8, 1]>>
  gpu.return
}

// Elementwise operations act on each register; scalars are shared; attributes stay.
// CHECK-LABEL: gpu.func @elementwise
// CHECK-SAME: %[[ANY:[a-z0-9_]+]]: i1
// CHECK: %[[X:[a-z0-9_]+]] = memref.load
// CHECK: %[[SQUARE:[a-z0-9_]+]] = arith.mulf %[[X]], %[[X]] fastmath<contract> : f32
// CHECK: %[[CHOSEN:[a-z0-9_]+]] = arith.select %[[ANY]], %[[SQUARE]], %[[X]] : f32
// CHECK: math.exp %[[CHOSEN]] : f32
gpu.func @elementwise(%p: memref<f32>, %i: index, %any: i1) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
  %C = memref.reinterpret_cast %p to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<f32> to memref<8x8xf32, strided<[8, 1]>>
  %x = tile.load %C[%i, %i] : memref<8x8xf32, strided<[8, 1]>> -> !one
  %square = arith.mulf %x, %x fastmath<contract> : !one
  %chosen = arith.select %any, %square, %x : !one
  %result = math.exp %chosen : !one
  tile.update %result, %C[%i, %i] : !one, memref<8x8xf32, strided<[8, 1]>>
  gpu.return
}
}
