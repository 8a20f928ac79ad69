// A kernel that a user wrote runs in place of a generated one, static and dynamic, and is verified
// as every product is. A wrong one is noticed.
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=static | FileCheck %s --check-prefix=STATIC
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=dynamic --sizes=17x9,9x33,17x33 | FileCheck %s --check-prefix=DYNAMIC
// RUN: gemm-run %s --device=cpu --repeat=0 --entry=batch | FileCheck %s --check-prefix=BATCH
// RUN: sed 's/arith.mulf %x, %y/arith.addf %x, %y/' %s > %t.mlir
// RUN: not gemm-run %t.mlir --device=cpu --repeat=0 --entry=static | FileCheck %s --check-prefix=WRONG
// RUN: %if ptxas %{ gemm-opt %s --blas-to-nvvm="chip=h200 format=bin" -o %t.out %}

// STATIC: PASS static#0 f32 gemm nn 20x12x16
// DYNAMIC: PASS dynamic#0 f32 gemm nn 17x33x9
// BATCH: PASS batch#0 f32 gemm nn 20x12x16
// WRONG: FAIL static#0

gpu.module @mine {
  // One thread an element of C, 8 x 8 of them a workgroup.
  gpu.func @dots(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>, %m64: i64, %n64: i64, %k64: i64,
                 %alpha: f32, %beta: f32) kernel
      attributes {blas.contract = #blas.contract<
          args = [<pointer a align 4>, <pointer b align 4>, <pointer c align 4>, <size c[0]>,
                  <size c[1]>, <size a[1]>, <scalar alpha>, <scalar beta>],
          tile = [8, 8], workgroup = 64, sharedBytes = 0>,
          known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %m = arith.index_cast %m64 : i64 to index
    %n = arith.index_cast %n64 : i64 to index
    %k = arith.index_cast %k64 : i64 to index
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %wide = arith.addi %n, %c7 : index
    %across = arith.divui %wide, %c8 : index
    %blockM = arith.divui %block, %across : index
    %blockN = arith.remui %block, %across : index
    %threadM = arith.divui %thread, %c8 : index
    %threadN = arith.remui %thread, %c8 : index
    %tileM = arith.muli %blockM, %c8 : index
    %tileN = arith.muli %blockN, %c8 : index
    %i = arith.addi %tileM, %threadM : index
    %j = arith.addi %tileN, %threadN : index
    %insideM = arith.cmpi ult, %i, %m : index
    %insideN = arith.cmpi ult, %j, %n : index
    %inside = arith.andi %insideM, %insideN : i1
    scf.if %inside {
      %A = memref.reinterpret_cast %a to offset: [0], sizes: [%m, %k], strides: [%k, 1]
          : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
      %B = memref.reinterpret_cast %b to offset: [0], sizes: [%k, %n], strides: [%n, 1]
          : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
      %C = memref.reinterpret_cast %c to offset: [0], sizes: [%m, %n], strides: [%n, 1]
          : memref<f32> to memref<?x?xf32, strided<[?, 1]>>
      %sum = scf.for %l = %c0 to %k step %c1 iter_args(%part = %zero) -> f32 {
        %x = memref.load %A[%i, %l] : memref<?x?xf32, strided<[?, 1]>>
        %y = memref.load %B[%l, %j] : memref<?x?xf32, strided<[?, 1]>>
        %product = arith.mulf %x, %y : f32
        %next = arith.addf %part, %product : f32
        scf.yield %next : f32
      }
      %scaled = arith.mulf %alpha, %sum : f32
      %reads = arith.cmpf une, %beta, %zero : f32
      %result = scf.if %reads -> f32 {
        %old = memref.load %C[%i, %j] : memref<?x?xf32, strided<[?, 1]>>
        %kept = arith.mulf %beta, %old : f32
        %both = arith.addf %scaled, %kept : f32
        scf.yield %both : f32
      } else {
        scf.yield %scaled : f32
      }
      memref.store %result, %C[%i, %j] : memref<?x?xf32, strided<[?, 1]>>
    }
    gpu.return
  }
}

func.func @static(%a: memref<20x16xf32>, %b: memref<16x12xf32>, %c: memref<20x12xf32>) {
  blas.gemm ins(%a, %b : memref<20x16xf32>, memref<16x12xf32>) outs(%c : memref<20x12xf32>)
      {blas.kernel = @mine::@dots}
  return
}

// Rows and columns lie side by side, whatever their number is.
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
      beta(%beta : f32) {blas.kernel = @mine::@dots}
  return
}

func.func @batch(%a: tensor<20x16xf32>, %b: tensor<16x12xf32>) -> tensor<20x12xf32> {
  %empty = tensor.empty() : tensor<20x12xf32>
  %c = blas.gemm ins(%a, %b : tensor<20x16xf32>, tensor<16x12xf32>)
      outs(%empty : tensor<20x12xf32>) {blas.kernel = @mine::@dots} -> tensor<20x12xf32>
  return %c : tensor<20x12xf32>
}
