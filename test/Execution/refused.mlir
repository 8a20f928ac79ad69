// Launches that are refused: a grid of too many workgroups, although the product of the batch is 0 in 64 bits; a
// user's kernel at an address that its contract rules out. Each leaves an error and C as it was (7).
// RUN: gemm-opt %s --blas-to-cpu=chip=h200 2>/dev/null | sed -E "1s/blas.target = #blas.target<[^>]*>,? ?//; s/blas.contract = #blas.contract<([^<>]|<[^<>]*>)*>,? ?//" > %t.mlir
// RUN: mlir-runner -O2 %t.mlir -e batch -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s --check-prefix=BATCH
// RUN: mlir-runner -O2 %t.mlir -e misaligned -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s --check-prefix=MISALIGNED
// REQUIRES: runtime-library
// BATCH-DAG: kernel gemm_{{.*}}: grid {{[0-9]+}}, block {{[0-9]+}}, {{.*}} is out of range
// BATCH-DAG: {{^}}7{{$}}
// MISALIGNED-DAG: operand A is at address 0x{{[0-9a-f]*}}4, but the kernel's accesses need a multiple of 16 bytes: not launched
// MISALIGNED-DAG: {{^}}7{{$}}
!batch = memref<?x?x1x1xf32, strided<[?, ?, 1, 1]>>

gpu.module @mine {
  gpu.func @ones(%a: memref<f32>, %b: memref<f32>, %c: memref<f32>) kernel attributes {blas.contract = #blas.contract<
      args = [<pointer a align 16>, <pointer b align 4>, <pointer c align 4>], tile = [4, 4], workgroup = 1, sharedBytes = 0>,
      known_block_size = array<i32: 1, 1, 1>} {
    %one = arith.constant 1.0 : f32
    memref.store %one, %c[] : memref<f32>
    gpu.return
  }
}
func.func private @rooftileLastError() -> !llvm.ptr
func.func private @puts(!llvm.ptr) -> i32

/// Prints the error, and returns the first element of C.
func.func private @report(%c: memref<16xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %error = call @rooftileLastError() : () -> !llvm.ptr
  %written = call @puts(%error) : (!llvm.ptr) -> i32
  %first = memref.load %c[%c0] : memref<16xf32>
  %number = arith.fptosi %first : f32 to i32
  return %number : i32
}
func.func private @sevens() -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %seven = arith.constant 7.0 : f32
  %m = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %seven, %m[%i] : memref<16xf32>
  }
  return %m : memref<16xf32>
}

func.func private @products(%a: memref<1x1xf32>, %c: !batch) {
  blas.gemm ins(%a, %a : memref<1x1xf32>, memref<1x1xf32>) outs(%c : !batch)
    plan(<macro = [1, 1, 1], micro = [1, 1], lanes = [1, 1], a = <via = shared>, b = <via = shared>>)
  return
}
func.func @batch() -> i32 {
  %many = arith.constant 4294967296 : index
  %none = arith.constant 0 : index
  %c = call @sevens() : () -> memref<16xf32>
  %a = memref.reinterpret_cast %c to offset: [1], sizes: [1, 1], strides: [1, 1]
      : memref<16xf32> to memref<1x1xf32, strided<[1, 1], offset: 1>>
  %one = memref.alloc() : memref<1x1xf32>
  memref.copy %a, %one : memref<1x1xf32, strided<[1, 1], offset: 1>> to memref<1x1xf32>
  %all = memref.reinterpret_cast %c to offset: [0], sizes: [%many, %many, 1, 1], strides: [%none, %none, 1, 1]
      : memref<16xf32> to !batch
  call @products(%one, %all) : (memref<1x1xf32>, !batch) -> ()
  %result = call @report(%c) : (memref<16xf32>) -> i32
  return %result : i32
}

func.func private @mine_is_asked(%a: memref<4x4xf32>, %c: memref<4x4xf32>) {
  blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>) {blas.kernel = @mine::@ones}
  return
}
func.func @misaligned() -> i32 {
  %c4 = arith.constant 4 : index
  %bytes = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  %a = memref.view %bytes[%c4][] : memref<128xi8> to memref<4x4xf32>
  %c = call @sevens() : () -> memref<16xf32>
  %square = memref.reinterpret_cast %c to offset: [0], sizes: [4, 4], strides: [4, 1] : memref<16xf32> to memref<4x4xf32>
  call @mine_is_asked(%a, %square) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  %result = call @report(%c) : (memref<16xf32>) -> i32
  return %result : i32
}
