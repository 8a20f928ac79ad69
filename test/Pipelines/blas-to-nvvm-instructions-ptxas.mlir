// Matrix instructions in plans by hand and of the planner's choice become PTX that ptxas accepts, on both generations,
// without local memory.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --check-prefix=PTX < %t.mlir
// RUN: %python %S/ptxas.py %t.mlir | FileCheck %s
// RUN: sed 's/m16n8k[0-9]*_f64/m8n8k4_f64/; s/copy = async, //; s/stages = 3, prefetch = 1/stages = 2/; s/.128, 128, 16., micro = .8, 8./[64, 64, 16], micro = [4, 4]/' %s | gemm-opt --blas-to-nvvm="chip=a100 format=isa" -o %t.a100.mlir 2>/dev/null
// RUN: FileCheck %s --check-prefix=A100 < %t.a100.mlir
// RUN: %python %S/ptxas.py %t.a100.mlir | FileCheck %s --check-prefix=OLDER
// REQUIRES: ptxas

// PTX-DAG: mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64
// PTX-DAG: mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64
// PTX-DAG: mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16.f32.f16.f16
// PTX-DAG: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16.f32.bf16.bf16
// A100-DAG: mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64
// A100-DAG: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// A100-DAG: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK-NOT: {{[1-9][0-9]* bytes of stack}}
// CHECK: {{^}}{{[7-9]}} kernels
// OLDER-NOT: {{[1-9][0-9]* bytes of stack}}
// OLDER: {{^}}{{[7-9]}} kernels
#four = #blas.plan<macro = [64, 64, 16], micro = [4, 8], lanes = [8, 4], vector = 2, mma = m16n8k4_f64,
                   a = <via = shared, vector = 2, pad = 2>, b = <via = shared, vector = 2, pad = 2>>
#eight = #blas.plan<macro = [128, 128, 16], micro = [8, 8], lanes = [8, 4], mma = m16n8k8_f64,
                    a = <via = shared, copy = async, vector = 2, pad = 4, major = k>,
                    b = <via = shared, copy = async, vector = 2, pad = 4>, stages = 3, prefetch = 1>
!square = memref<1024x1024xf64>
!any = memref<?x?xf64>
func.func @four(%a: !square, %c: !square) {
  blas.gemm opA<t> ins(%a, %a : !square, !square) outs(%c : !square) plan(#four)
  return
}
func.func @eight(%a: !square, %c: !square, %beta: f64) {
  blas.gemm ins(%a, %a : !square, !square) outs(%c : !square) beta(%beta : f64) plan(#eight)
  return
}
func.func @sixteen(%a: !any, %b: !any, %c: !any) {
  blas.gemm opB<t> ins(%a, %b : !any, !any) outs(%c : !any)
    plan(<macro = [64, 64, 16], micro = [4, 4], lanes = [8, 4], vector = 2, mma = m16n8k16_f64,
          a = <via = shared>, b = <via = shared>>)
  return
}
func.func @chosen(%a: memref<4095x4095xf64>, %c: memref<4095x4095xf64>) {
  blas.gemm ins(%a, %a : memref<4095x4095xf64>, memref<4095x4095xf64>) outs(%c : memref<4095x4095xf64>)
  return
}
func.func @complex(%a: memref<1000x1000xcomplex<f64>>, %c: memref<1000x1000xcomplex<f64>>) {
  blas.gemm opA<c> ins(%a, %a : memref<1000x1000xcomplex<f64>>, memref<1000x1000xcomplex<f64>>)
    outs(%c : memref<1000x1000xcomplex<f64>>)
  return
}
func.func @halves(%a: memref<1024x1024xf16>, %c: memref<1024x1024xf16>) {
  blas.gemm ins(%a, %a : memref<1024x1024xf16>, memref<1024x1024xf16>) outs(%c : memref<1024x1024xf16>)
  return
}
func.func @bfloats(%a: memref<1000x1000xbf16>, %c: memref<1000x1000xf32>) {
  blas.gemm opB<t> ins(%a, %a : memref<1000x1000xbf16>, memref<1000x1000xbf16>) outs(%c : memref<1000x1000xf32>)
  return
}
