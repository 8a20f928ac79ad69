// RUN: gemm-opt %s --split-input-file --verify-diagnostics

!acc = !tile.matrix<4x4xf32, <threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>>

func.func @rank(%acc: !acc, %c: memref<4x4xf32>, %x: memref<4xf32>, %i: index) {
  // expected-error @+1 {{extra operand 0 is 'memref<4xf32>' with 1 widths, expected a memref of rank 2 with one}}
  tile.update %acc, %c[%i, %i] : !acc, memref<4x4xf32> epilogue(%sum: f32, %e = %x[1] : memref<4xf32>) {
    tile.yield %e : f32
  }
  return
}

// -----

!acc = !tile.matrix<4x4xf32, <threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>>

func.func @width(%acc: !acc, %c: memref<4x4xf32>, %x: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{extra operand 0 is read in accesses of 2 along runs of 1}}
  tile.update %acc, %c[%i, %i] : !acc, memref<4x4xf32> epilogue(%sum: f32, %e = %x[2] : memref<4x4xf32>) {
    tile.yield %e : f32
  }
  return
}

// -----

!acc = !tile.matrix<4x4xf32, <threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>>

func.func @atomic(%acc: !acc, %c: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{atomic additions accept no epilogue}}
  tile.update atomic %acc, %c[%i, %i] : !acc, memref<4x4xf32> epilogue(%sum: f32) {
    tile.yield %sum : f32
  }
  return
}

// -----

!acc = !tile.matrix<4x4xf32, <threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>>

func.func @argument(%acc: !acc, %c: memref<4x4xf32>, %i: index) {
  // expected-error @+1 {{argument 0 of the epilogue is 'f64', expected 'f32', the sum's}}
  tile.update %acc, %c[%i, %i] : !acc, memref<4x4xf32> epilogue(%sum: f64) {
    tile.yield %sum : f64
  }
  return
}
