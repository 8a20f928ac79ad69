// Host code around launches: room for arguments once a call, buffers that vector
// accesses may start at, and names of its own.
// RUN: gemm-opt --blas-to-cpu=chip=h200 --split-input-file --verify-diagnostics %s | FileCheck %s

// The stack does not grow with the iterations of a loop around a launch.
// CHECK-LABEL: llvm.func @in_loop
// CHECK: llvm.alloca
// CHECK: llvm.cond_br
// CHECK-NOT: llvm.alloca
// CHECK: llvm.call @rooftileCpuLaunch
// CHECK-NOT: llvm.alloca
// CHECK: llvm.return
func.func @in_loop(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+2 {{chose plan}}
  scf.for %i = %c0 to %n step %c1 {
    blas.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  }
  return
}

// -----

// CHECK: llvm.mlir.global private @weights({{.*}}alignment = 64
memref.global "private" @weights : memref<4x4xf32> = dense<2.0>

// CHECK-LABEL: llvm.func @aligned
// CHECK: llvm.alloca %{{[0-9]+}} x f32 {alignment = 64 : i64}
func.func @aligned(%a: memref<4x4xf32>, %c: memref<4x4xf32>) {
  %b = memref.get_global @weights : memref<4x4xf32>
  %own = memref.alloca() : memref<4x4xf32>
  // expected-remark @+1 {{chose plan}}
  blas.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%own : memref<4x4xf32>)
  // expected-remark @+1 {{chose plan}}
  blas.gemm ins(%a, %own : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// expected-error @+1 {{has the name 'malloc', which compiled code calls}}
func.func @malloc(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-remark @+1 {{chose plan}}
  blas.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
