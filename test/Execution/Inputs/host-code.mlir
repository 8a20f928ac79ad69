// Host code around products that is more than launches: each function has one kind of it.

// A number that host code computes of numbers.
func.func @number(%a: memref<8x6xf32>, %b: memref<6x5xf32>, %c: memref<8x5xf32>, %s: f32,
                  %n: i32 {rooftile.range = array<i64: 1, 9>}) {
  %wide = arith.sitofp %n : i32 to f32
  %root = math.sqrt %wide : f32
  %alpha = arith.divf %s, %root : f32
  linalg.matmul ins(%a, %b : memref<8x6xf32>, memref<6x5xf32>) outs(%c : memref<8x5xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} outs(%c : memref<8x5xf32>) {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %alpha : f32
    linalg.yield %y : f32
  }
  return
}

// One that uses a function of a device.
func.func @exponential(%a: memref<8x6xf32>, %b: memref<6x5xf32>, %c: memref<8x5xf32>, %s: f32) {
  %alpha = math.exp %s : f32
  linalg.matmul ins(%a, %b : memref<8x6xf32>, memref<6x5xf32>) outs(%c : memref<8x5xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]} outs(%c : memref<8x5xf32>) {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %alpha : f32
    linalg.yield %y : f32
  }
  return
}

// Elements are stored one by one, some of what a product has written.
func.func @stores(%a: memref<8x6xf32>, %b: memref<6x5xf32>, %c: memref<8x5xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  linalg.matmul ins(%a, %b : memref<8x6xf32>, memref<6x5xf32>) outs(%c : memref<8x5xf32>)
  scf.for %i = %c0 to %c5 step %c1 {
    %x = memref.load %c[%i, %i] : memref<8x5xf32>
    %y = arith.addf %x, %s : f32
    memref.store %y, %c[%i, %i] : memref<8x5xf32>
  }
  return
}

// An element decides what is computed.
func.func @decides(%a: memref<8x6xf32>, %b: memref<6x5xf32>, %c: memref<8x5xf32>,
                   %which: memref<1xi8>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i8
  %x = memref.load %which[%c0] : memref<1xi8>
  %less = arith.cmpi slt, %x, %zero : i8
  scf.if %less {
    linalg.matmul ins(%a, %b : memref<8x6xf32>, memref<6x5xf32>) outs(%c : memref<8x5xf32>)
  }
  return
}

// A matrix of the module, and a copy of a part of it.
memref.global "private" constant @weights : memref<6x2xf32> =
    dense<[[1.0, 2.0], [3.0, -1.0], [0.5, 2.0], [-2.0, 1.0], [4.0, 0.0], [1.0, 1.0]]>
func.func @constant(%a: memref<8x6xf32>, %c: memref<8x2xf32>, %d: memref<3x2xf32>) {
  %w = memref.get_global @weights : memref<6x2xf32>
  linalg.matmul ins(%a, %w : memref<8x6xf32>, memref<6x2xf32>) outs(%c : memref<8x2xf32>)
  %part = memref.subview %c[1, 0] [3, 2] [2, 1]
      : memref<8x2xf32> to memref<3x2xf32, strided<[4, 1], offset: 2>>
  memref.copy %part, %d : memref<3x2xf32, strided<[4, 1], offset: 2>> to memref<3x2xf32>
  return
}

// Values: results are memory that the caller gets.
func.func @values(%a: tensor<8x6xf32>, %b: tensor<6x5xf32>) -> (tensor<8x5xf32>, tensor<5x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x5xf32>) -> tensor<8x5xf32>
  %c = linalg.matmul ins(%a, %b : tensor<8x6xf32>, tensor<6x5xf32>)
                     outs(%z : tensor<8x5xf32>) -> tensor<8x5xf32>
  %t = tensor.empty() : tensor<5x8xf32>
  %d = linalg.transpose ins(%c : tensor<8x5xf32>) outs(%t : tensor<5x8xf32>) permutation = [1, 0]
  return %c, %d : tensor<8x5xf32>, tensor<5x8xf32>
}

// A function of the module that is called twice.
func.func @calls(%a: memref<6x6xf32>, %b: memref<6x6xf32>, %c: memref<6x6xf32>) {
  call @product(%a, %b, %c) : (memref<6x6xf32>, memref<6x6xf32>, memref<6x6xf32>) -> ()
  call @product(%c, %b, %a) : (memref<6x6xf32>, memref<6x6xf32>, memref<6x6xf32>) -> ()
  return
}
func.func private @product(%a: memref<6x6xf32>, %b: memref<6x6xf32>, %c: memref<6x6xf32>) {
  linalg.matmul ins(%a, %b : memref<6x6xf32>, memref<6x6xf32>) outs(%c : memref<6x6xf32>)
  return
}
