// Complex elements become two registers each, narrow ones are converted where they are multiplied.
// RUN: gemm-opt %s --micro-tile --cse | FileCheck %s

#accumulator = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
#rows = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
#columns = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
#six = #tile.map<threads = [2:(0, 3), 2:(2, 0)], values = [3:(0, 1), 2:(1, 0)]>
#three = #tile.map<threads = [2:(0, 3), 2:(0, 0)], values = [3:(0, 1)]>
!A = memref<16x8xcomplex<f32>, strided<[8, 1]>>
!C = memref<16x8xcomplex<f32>, strided<[8, 1]>>
!column = !tile.matrix<4x1xcomplex<f32>, #rows>
!sum = !tile.matrix<4x4xcomplex<f32>, #accumulator>
!ring = !tile.buffer<1 x 1x4xcomplex<f32>, strides = [4, 1]>

gpu.module @complex {
  // CHECK-LABEL: gpu.func @product
  // CHECK-SAME: (%[[A:.*]]: memref<complex<f32>>, %[[C:.*]]: memref<complex<f32>>, %[[BETA:.*]]: complex<f32>)
  gpu.func @product(%a: memref<complex<f32>>, %c: memref<complex<f32>>, %beta: complex<f32>) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<complex<f32>> to !A
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<complex<f32>> to !C
    // CHECK: %[[SHARED:.*]] = memref.view %{{.*}} : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
    %ring = tile.alloc : !ring
    %none = tile.fill %zero : complex<f32> -> !sum
    // A column of A: two elements apart, each read as a pair.
    // CHECK: %[[REALS:.*]] = lane.as_real %[[A]] : memref<complex<f32>> -> memref<f32>
    // CHECK: %[[FLAT:.*]] = memref.reinterpret_cast %[[REALS]]
    // CHECK-COUNT-2: vector.load %[[FLAT]][%{{.*}}] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    %x = tile.load %A[%c0, %c0] : !A -> !column
    // Two neighbours of the ring in one access of 16 bytes.
    // CHECK: %[[Y:.*]] = vector.load %[[SHARED]][%{{.*}}] {alignment = 16 : i64} : memref<?xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    // CHECK: %[[PARTS:.*]]:4 = vector.to_elements %[[Y]]
    %y = tile.load %ring : !ring -> !tile.matrix<1x4xcomplex<f32>, #columns>
    // With a.re, all four elements; then with a.im: the products of two imaginary parts are subtracted.
    // CHECK: %[[RE0:.*]] = math.fma %[[XRE:.*]], %[[PARTS]]#0, %{{.*}} : f32
    // CHECK: %[[IM0:.*]] = math.fma %[[XRE]], %[[PARTS]]#1, %{{.*}} : f32
    // CHECK: math.fma %[[XRE]], %[[PARTS]]#2
    // CHECK: math.fma %[[XRE]], %[[PARTS]]#3
    // CHECK-COUNT-4: math.fma
    // CHECK: %[[IM:.*]] = math.fma %[[XIM:.*]], %[[PARTS]]#0, %[[IM0]]
    %next = tile.mma %x, %y, %none : !column, !tile.matrix<1x4xcomplex<f32>, #columns>, !sum
    // CHECK: %[[BETA_RE:.*]] = complex.re %[[BETA]]
    // CHECK: %[[READS_RE:.*]] = arith.cmpf une, %[[BETA_RE]]
    // CHECK: %[[BETA_IM:.*]] = complex.im %[[BETA]]
    // CHECK: %[[READS:.*]] = arith.ori %[[READS_RE]], %{{.*}} : i1
    // CHECK: scf.if %[[READS]]
    // CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    // CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    // CHECK: } else {
    // CHECK-NOT: vector.load
    // CHECK: vector.store
    tile.update %next, %C[%c0, %c0] beta(%beta : complex<f32>) vector 2 : !sum, !C
    gpu.return
  }

  // Two rows and three columns a thread: along the columns, one part of a number of A six times in a row, and back along
  // the next row (real numbers go down the rows of one column after the other).
  // CHECK-LABEL: gpu.func @wide
  // CHECK: %[[RE0:.*]]:2 = vector.to_elements
  // CHECK: %[[RE1:.*]]:2 = vector.to_elements
  // CHECK-COUNT-6: math.fma %[[RE0]]#0,
  // CHECK-COUNT-6: math.fma %[[RE1]]#0,
  // CHECK: arith.negf %[[RE0]]#1
  gpu.func @wide(%a: memref<complex<f32>>, %c: memref<complex<f32>>) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<complex<f32>> to !A
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<complex<f32>> to !C
    %x = tile.load %A[%c0, %c0] : !A -> !column
    %y = tile.load %A[%c0, %c0] : !A -> !tile.matrix<1x6xcomplex<f32>, #three>
    %none = tile.fill %zero : complex<f32> -> !tile.matrix<4x6xcomplex<f32>, #six>
    %sum = tile.mma %x, %y, %none : !column, !tile.matrix<1x6xcomplex<f32>, #three>, !tile.matrix<4x6xcomplex<f32>, #six>
    tile.update %sum, %C[%c0, %c0] : !tile.matrix<4x6xcomplex<f32>, #six>, !C
    gpu.return
  }

  // CHECK-LABEL: gpu.func @halves
  gpu.func @halves(%a: memref<f16>, %c: memref<bf16>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<f16> to memref<16x8xf16, strided<[8, 1]>>
    %C = memref.reinterpret_cast %c to offset: [0], sizes: [16, 8], strides: [8, 1] : memref<bf16> to memref<16x8xbf16, strided<[8, 1]>>
    %x = tile.load %A[%c0, %c0] : memref<16x8xf16, strided<[8, 1]>> -> !tile.matrix<4x1xf16, #rows>
    // CHECK: vector.load {{.*}} {alignment = 4 : i64} : memref<?xf16>, vector<2xf16>
    %y = tile.load %A[%c0, %c0] vector 2 : memref<16x8xf16, strided<[8, 1]>> -> !tile.matrix<1x4xf16, #columns>
    %none = tile.fill %zero : f32 -> !tile.matrix<4x4xf32, #accumulator>
    // Four numbers, each converted once, for four products.
    // CHECK-COUNT-4: arith.extf %{{.*}} : f16 to f32
    // CHECK-NOT: arith.extf
    %sum = tile.mma %x, %y, %none : !tile.matrix<4x1xf16, #rows>, !tile.matrix<1x4xf16, #columns>, !tile.matrix<4x4xf32, #accumulator>
    // CHECK-COUNT-4: arith.truncf %{{.*}} : f32 to bf16
    // CHECK: vector.store {{.*}} : memref<?xbf16>, vector<2xbf16>
    tile.update %sum, %C[%c0, %c0] vector 2 : !tile.matrix<4x4xf32, #accumulator>, memref<16x8xbf16, strided<[8, 1]>>
    gpu.return
  }
}

// A NaN is not added.
gpu.module @known {
  // CHECK-LABEL: gpu.func @known
  // CHECK: %[[NUMBER:.*]] = arith.cmpf ord, %[[LOW:.*]], %[[LOW]] : f32
  // CHECK: %[[ADDED:.*]] = arith.select %[[NUMBER]], %[[LOW]], %{{.*}} : f32
  // CHECK: arith.addf %{{.*}}, %[[ADDED]] : f32
  gpu.func @known(%a: memref<f32>, %x: f32, %y: f32) kernel
      attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<f32> to memref<4x4xf32, strided<[4, 1]>>
    %high = tile.fill %x : f32 -> !tile.matrix<4x4xf32, #accumulator>
    %low = tile.fill %y : f32 -> !tile.matrix<4x4xf32, #accumulator>
    %sum = tile.add_known %high, %low : !tile.matrix<4x4xf32, #accumulator>
    tile.update %sum, %A[%c0, %c0] : !tile.matrix<4x4xf32, #accumulator>, memref<4x4xf32, strided<[4, 1]>>
    gpu.return
  }
}

// The middle part of three, and the first one with what is no finite number.
gpu.module @parts {
  // CHECK-LABEL: gpu.func @parts
  // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
  // CHECK: %[[EXPONENT:.*]] = arith.andi %[[BITS]], %c2139095040_i32
  // CHECK: %[[NEXT:.*]] = arith.addi %[[EXPONENT]], %c8388608_i32
  // CHECK: %[[SPECIAL:.*]] = arith.shrsi %[[NEXT]], %c31_i32
  // CHECK: %[[FINITE:.*]] = arith.xori %[[SPECIAL]], %c-1_i32
  // CHECK: %[[NUMBER:.*]] = arith.andi %[[BITS]], %[[FINITE]]
  // CHECK: %[[X:.*]] = arith.bitcast %[[NUMBER]] : i32 to f32
  // CHECK: arith.andi %{{.*}}, %c-65536_i32
  // CHECK: %[[REST:.*]] = arith.subf %[[X]], %{{.*}} : f32
  // CHECK: arith.andi %{{.*}}, %c-65536_i32
  // CHECK: arith.ori
  // CHECK: vector.store {{.*}} : memref<?xbf16>, vector<2xbf16>
  gpu.func @parts(%b: memref<bf16>, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %B = memref.reinterpret_cast %b to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<bf16> to memref<4x4xbf16, strided<[4, 1]>>
    %all = tile.fill %x : f32 -> !tile.matrix<4x4xf32, #accumulator>
    %middle = tile.part 1 of %all : !tile.matrix<4x4xf32, #accumulator>
    tile.update %middle, %B[%c0, %c0] vector 2 : !tile.matrix<4x4xf32, #accumulator>, memref<4x4xbf16, strided<[4, 1]>>
    %first = tile.part 0 special of %all : !tile.matrix<4x4xf32, #accumulator>
    tile.update %first, %B[%c0, %c0] vector 2 : !tile.matrix<4x4xf32, #accumulator>, memref<4x4xbf16, strided<[4, 1]>>
    gpu.return
  }
}

// Zeros, which nothing that computes the matrix comes after.
gpu.module @cleared {
  // CHECK-LABEL: gpu.func @cleared
  // CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: arith.addf %{{.*}}, %[[ZERO]] : f32
  gpu.func @cleared(%a: memref<f32>, %x: f32) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %c0 = arith.constant 0 : index
    %A = memref.reinterpret_cast %a to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<f32> to memref<4x4xf32, strided<[4, 1]>>
    %all = tile.fill %x : f32 -> !tile.matrix<4x4xf32, #accumulator>
    %none = tile.clear %all : !tile.matrix<4x4xf32, #accumulator>
    %sum = arith.addf %all, %none : !tile.matrix<4x4xf32, #accumulator>
    tile.update %sum, %A[%c0, %c0] : !tile.matrix<4x4xf32, #accumulator>, memref<4x4xf32, strided<[4, 1]>>
    gpu.return
  }
}
