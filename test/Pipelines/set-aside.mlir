// Functions that are no host code stay, with all that names them or is named by them, and everything else is compiled.
// RUN: gemm-opt %s --set-aside="pipeline=blas-to-cpu{chip=h200}" --verify-diagnostics -o %t.alone && FileCheck %s < %t.alone
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2> %t.says | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAYS --input-file=%t.says
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-cpu=chip=h200 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-kernels="chip=h200 format=func" 2>/dev/null | FileCheck %s --check-prefix=KERNELS
// RUN: not gemm-run %s --device=cpu 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK: llvm.func @dense
// CHECK: func.func @sparse(%{{.*}}: tensor<16x16xf32, #
// CHECK: linalg.matmul
// CHECK: func.func @packed
// CHECK: func.func @tile(%{{.*}}: memref<16x16xf32, 3>
// CHECK: linalg.fill
// CHECK: module @inner
// CHECK: linalg.matmul
// CHECK: memref.global "private" constant @table
// CHECK: func.func private @scale
// CHECK: func.func @calls

// KERNELS: func.func @dense
// KERNELS: gpu.launch_func
// KERNELS: func.func @sparse
// KERNELS: linalg.matmul

// SAYS-DAG: remark: function 'sparse' stays: 'func.func': argument 0 has the encoding
// SAYS-DAG: remark: function 'packed' stays: 'func.func': argument 0 has the encoding "packed": it is no dense matrix
// SAYS-DAG: remark: function 'tile' stays: 'func.func': argument 0 is in memory space 3 : i64, which is not global memory
// SAYS-DAG: remark: module 'inner' stays: a module inside the module is another program
// SAYS-DAG: remark: function 'scale' stays: a part that stays calls it, or is called by it
// SAYS-DAG: remark: function 'calls' stays: a part that stays calls it, or is called by it
// SAYS-DAG: remark: chose plan

// REFUSED: error: 'func.func': argument 0 has the encoding {{.*}}: it is no dense matrix; host code has dense tensors, and memory that is global

#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
// expected-remark @+1 {{function 'sparse' stays: 'func.func': argument 0 has the encoding}}
func.func @sparse(%a: tensor<16x16xf32, #csr>, %b: tensor<16x8xf32>, %c: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x16xf32, #csr>, tensor<16x8xf32>) outs(%c : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}
// expected-remark @+1 {{function 'packed' stays: 'func.func': argument 0 has the encoding "packed": it is no dense matrix}}
func.func @packed(%a: tensor<16x16xf32, "packed">, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x16xf32, "packed">, tensor<16x16xf32>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
// expected-remark @+1 {{function 'tile' stays: 'func.func': argument 0 is in memory space 3 : i64, which is not global memory}}
func.func @tile(%a: memref<16x16xf32, 3>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%a : memref<16x16xf32, 3>)
  %table = memref.get_global @table : memref<4xf32>
  call @scale(%table) : (memref<4xf32>) -> ()
  return
}
memref.global "private" constant @table : memref<4xf32> = dense<2.0>
// expected-remark @+1 {{function 'scale' stays: a part that stays calls it, or is called by it}}
func.func private @scale(%x: memref<4xf32>) {
  return
}
// expected-remark @+1 {{function 'calls' stays: a part that stays calls it, or is called by it}}
func.func @calls(%x: memref<4xf32>) {
  call @scale(%x) : (memref<4xf32>) -> ()
  return
}
// expected-remark @+1 {{module 'inner' stays: a module inside the module is another program}}
module @inner {
  func.func @dense(%a: tensor<16x16xf32>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
    %0 = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
}
func.func @dense(%a: memref<16x16xf32, 1>, %c: memref<16x16xf32, 1>) {
  // expected-remark @+1 {{chose plan}}
  linalg.matmul ins(%a, %a : memref<16x16xf32, 1>, memref<16x16xf32, 1>) outs(%c : memref<16x16xf32, 1>)
  return
}
