// Driver calls of a compiled function, on one without a GPU: once the kernels are loaded and the
// constants copied, a call is its kernels, copies and pool allocations on the caller's stream, nothing else.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | sed "1s/blas.target = #blas.target<[^>]*>,\? \?//; s/{blas.kernels = .*} \[#gpu/[#gpu/" > %t.mlir
// RUN: rm -f %t.log
// RUN: env LD_LIBRARY_PATH=%build/test/FakeCuda ROOFTILE_FAKE_LOG=%t.log mlir-runner %t.mlir -e main -entry-point-result=void --shared-libs=%build/lib/librooftile_runtime.so
// RUN: FileCheck %s < %t.log
// RUN: FileCheck %s --check-prefix=NEVER < %t.log
// REQUIRES: runtime-library

// The first call loads and copies.
// CHECK: cuMemcpy stream 0
// CHECK-COUNT-3: cuLaunchKernel{{(Ex)?}} stream 4711
// The second call.
// CHECK: cuMemFreeAsync stream 4711
// CHECK-NEXT: cuMemAllocFromPoolAsync stream 4712
// CHECK-NEXT: cuLaunchKernel{{(Ex)?}} stream 4712
// CHECK-NEXT: cuLaunchKernel{{(Ex)?}} stream 4712
// CHECK-NEXT: cuLaunchKernel{{(Ex)?}} stream 4712
// CHECK-NEXT: cuMemFreeAsync stream 4712
// CHECK-NEXT: cuModuleUnload
// NEVER-NOT: {{cuStream|cuCtxSynchronize|cuEvent}}
#column = affine_map<(i, j) -> (j)>
#both = affine_map<(i, j) -> (i, j)>

func.func private @rooftileSetStream(!llvm.ptr)
func.func private @layers(%x: tensor<?x32xf32>, %y: tensor<?x16xf32> {bufferization.writable = true})
    -> tensor<?x16xf32> {
  %w1 = arith.constant dense<0.5> : tensor<32x64xf32>
  %w2 = arith.constant dense<0.25> : tensor<64x16xf32>
  %bias = arith.constant dense<1.0> : tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x32xf32>
  %e1 = tensor.empty(%n) : tensor<?x64xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<?x32xf32>, tensor<32x64xf32>)
                     outs(%i1 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %b = linalg.generic {indexing_maps = [#column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%bias : tensor<64xf32>) outs(%h : tensor<?x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    %r = arith.maximumf %s, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x64xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  %d = linalg.matmul ins(%b, %w2 : tensor<?x64xf32>, tensor<64x16xf32>)
                     outs(%i2 : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %d : tensor<?x16xf32>
}
func.func @main() {
  %n = arith.constant 100 : index
  %x = bufferization.alloc_tensor(%n) : tensor<?x32xf32>
  %y = bufferization.alloc_tensor(%n) : tensor<?x16xf32>
  %i = llvm.mlir.constant(4711 : i64) : i64
  %j = llvm.mlir.constant(4712 : i64) : i64
  %first = llvm.inttoptr %i : i64 to !llvm.ptr
  %second = llvm.inttoptr %j : i64 to !llvm.ptr
  call @rooftileSetStream(%first) : (!llvm.ptr) -> ()
  %y1 = call @layers(%x, %y) : (tensor<?x32xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  call @rooftileSetStream(%second) : (!llvm.ptr) -> ()
  %y2 = call @layers(%x, %y1) : (tensor<?x32xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  return
}
