// Instructions with operands exchanged, in plans by hand and of the planner's choice for narrow sides M, are the machine's
// own in PTX, and need no local memory.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --check-prefix=PTX < %t.mlir
// RUN: %python %S/ptxas.py %t.mlir | FileCheck %s
// RUN: not gemm-opt %s --blas-to-nvvm="chip=a100 format=isa" 2>&1 | FileCheck %s --check-prefix=OLDER
// REQUIRES: ptxas

// PTX-DAG: mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64
// PTX-DAG: mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// PTX-NOT: mma.sync.aligned.m8n16
// CHECK-NOT: {{[1-9][0-9]* bytes of stack}}
// CHECK: {{^}}3 kernels
// OLDER: mma: a100 has no such instruction for elements of 64 bits
!b = memref<1024x512xf64>
func.func @eight(%a: memref<100x1024xf64>, %b: !b, %c: memref<100x512xf64>) {
  blas.gemm ins(%a, %b : memref<100x1024xf64>, !b) outs(%c : memref<100x512xf64>)
    plan(<macro = [56, 64, 16], micro = [14, 4], lanes = [4, 8], mma = m8n16k8_f64,
          a = <via = shared, copy = async, pad = 4, major = k>,
          b = <via = shared, copy = async, vector = 2, pad = 4>, stages = 3, prefetch = 1>)
  return
}
func.func @four(%a: memref<24x1024xf64>, %b: !b, %c: memref<24x512xf64>) {
  blas.gemm ins(%a, %b : memref<24x1024xf64>, !b) outs(%c : memref<24x512xf64>)
    plan(<macro = [8, 64, 16], micro = [2, 4], lanes = [4, 8], mma = m8n16k4_f64,
          a = <via = shared, pad = 4, major = k>, b = <via = shared, vector = 2, pad = 4>>)
  return
}
func.func @chosen(%a: memref<100x8192xcomplex<f64>>, %b: memref<8192x8192xcomplex<f64>>,
                  %c: memref<100x8192xcomplex<f64>>) {
  blas.gemm ins(%a, %b : memref<100x8192xcomplex<f64>>, memref<8192x8192xcomplex<f64>>)
    outs(%c : memref<100x8192xcomplex<f64>>)
  return
}
