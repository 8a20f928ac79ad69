// Host code between kernels works on copies, in the order of the caller's stream, and its results are right: the driver
// is one without a GPU, whose memory is the host's and whose kernels do nothing.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.all.mlir 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: sed "1s/blas.target = #blas.target<[^>]*>,\? \?//" %t.all.mlir > %t.mlir
// RUN: rm -f %t.log
// RUN: env LD_LIBRARY_PATH=%build/test/FakeCuda ROOFTILE_FAKE_LOG=%t.log mlir-runner %t.mlir -e main -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s --check-prefix=RESULT
// RUN: FileCheck %s < %t.log
// RUN: env LD_LIBRARY_PATH=%build/test/FakeCuda ROOFTILE_FAKE_FAILURE=cuMemcpyAsync mlir-runner %t.mlir -e main -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s --check-prefix=FAILED
// REQUIRES: runtime-library

// Ones; a[i + 1] += a[i] through two arguments that overlap, of which the runtime makes one copy: 8 in the last; that read
// by a negative stride and written to the first, times ten; every second element to a column of its own.
// RESULT: 80848
// What cannot be copied in is not copied back.
// FAILED: {{^0$}}

// REMARK: remark: staged host code 'scf.for'
// REMARK: to host: memref<8xf32>
// REMARK: to device: memref<8xf32>
// REMARK: waits: for the caller's stream, so that the function cannot be captured into a graph
// REMARK: remark: staged host code 'scf.for'
// REMARK: to host: memref<?xf32, strided<[?], offset: ?>>, memref<?xf32, strided<[?], offset: ?>>
// REMARK: to device: memref<?xf32, strided<[?], offset: ?>>

// Kernel, copy in, work, copy back; one copy for both arguments of the second function.
// CHECK: cuLaunchKernel{{(Ex)?}} stream 4711
// CHECK-NEXT: cuMemcpyAsync stream 4711
// CHECK-NEXT: cuStreamSynchronize stream 4711
// CHECK-NEXT: cuMemcpyAsync stream 4711
// CHECK-NEXT: cuStreamSynchronize stream 4711
// CHECK: cuLaunchKernel{{(Ex)?}} stream 4711
// CHECK-NEXT: cuMemcpyAsync stream 4711
// CHECK-NEXT: cuStreamSynchronize stream 4711
// CHECK-NEXT: cuMemcpyAsync stream 4711
// CHECK-NEXT: cuStreamSynchronize stream 4711
#view = strided<[?], offset: ?>

func.func private @rooftileSetStream(!llvm.ptr)
func.func private @ones(%a: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  linalg.fill ins(%one : f32) outs(%a : memref<8xf32>)
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %one, %a[%i] : memref<8xf32>
  }
  return
}
func.func private @prefix(%a: memref<?xf32, #view>, %b: memref<?xf32, #view>, %own: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %b, %c0 : memref<?xf32, #view>
  linalg.fill ins(%zero : f32) outs(%own : memref<4xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32, #view>
    %y = memref.load %b[%i] : memref<?xf32, #view>
    %z = arith.addf %x, %y : f32
    memref.store %z, %b[%i] : memref<?xf32, #view>
  }
  return
}
func.func private @ends(%a: memref<8xf32>, %table: memref<4x2xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %ten = arith.constant 10.0 : f32
  linalg.fill ins(%zero : f32) outs(%table : memref<4x2xf32>)
  %back = memref.reinterpret_cast %a to offset: [7], sizes: [8], strides: [-1]
      : memref<8xf32> to memref<8xf32, strided<[-1], offset: 7>>
  %last = memref.load %back[%c0] : memref<8xf32, strided<[-1], offset: 7>>
  %product = arith.mulf %last, %ten : f32
  memref.store %product, %a[%c0] : memref<8xf32>
  %column = memref.subview %table[0, 1] [4, 1] [1, 1]
      : memref<4x2xf32> to memref<4xf32, strided<[2], offset: 1>>
  %odd = memref.subview %a[1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %odd[%i] : memref<4xf32, strided<[2], offset: 1>>
    memref.store %x, %column[%i] : memref<4xf32, strided<[2], offset: 1>>
  }
  linalg.fill ins(%zero : f32) outs(%table : memref<4x2xf32>)
  %first = memref.load %a[%c0] : memref<8xf32>
  %x = memref.load %table[%c3, %c1] : memref<4x2xf32>
  %y = memref.load %table[%c1, %c1] : memref<4x2xf32>
  %thousand = arith.constant 1000.0 : f32
  %hundred = arith.constant 100.0 : f32
  %f = arith.mulf %first, %thousand : f32
  %g = arith.mulf %x, %hundred : f32
  %t = arith.mulf %y, %ten : f32
  %s = arith.addf %f, %g : f32
  %u = arith.addf %s, %t : f32
  %v = arith.addf %u, %x : f32
  %r = arith.fptosi %v : f32 to i32
  return %r : i32
}
func.func @main() -> i32 {
  %i = llvm.mlir.constant(4711 : i64) : i64
  %stream = llvm.inttoptr %i : i64 to !llvm.ptr
  call @rooftileSetStream(%stream) : (!llvm.ptr) -> ()
  %a = memref.alloc() : memref<8xf32>
  %own = memref.alloc() : memref<4xf32>
  %table = memref.alloc() : memref<4x2xf32>
  call @ones(%a) : (memref<8xf32>) -> ()
  %low = memref.subview %a[0] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1]>>
  %high = memref.subview %a[1] [7] [1] : memref<8xf32> to memref<7xf32, strided<[1], offset: 1>>
  %x = memref.cast %low : memref<7xf32, strided<[1]>> to memref<?xf32, #view>
  %y = memref.cast %high : memref<7xf32, strided<[1], offset: 1>> to memref<?xf32, #view>
  call @prefix(%x, %y, %own) : (memref<?xf32, #view>, memref<?xf32, #view>, memref<4xf32>) -> ()
  %r = call @ends(%a, %table) : (memref<8xf32>, memref<4x2xf32>) -> i32
  return %r : i32
}
