// Every transpose, type and kind of size becomes PTX that ptxas accepts, without local memory.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: %python %S/ptxas.py %t.mlir | FileCheck %s
// REQUIRES: ptxas

// The planner's own choice and a wide plan by hand, each kernel once.
// CHECK-NOT: {{[1-9][0-9]* bytes of stack}}
// CHECK: gemm_f64_tt_64x64x8: {{.*}} 0 bytes of stack, 0 spilled
// CHECK-NOT: {{[1-9][0-9]* bytes of stack}}
// CHECK: {{^}}[[#COUNT:]] kernels
#wide = #blas.plan<macro = [64, 64, 16], micro = [8, 4], lanes = [4, 8], vector = 4,
                  a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4, pad = 4>>
#pair = #blas.plan<macro = [64, 64, 8], micro = [8, 4], lanes = [4, 8], vector = 2,
                  a = <via = shared, vector = 2, pad = 2>, b = <via = shared, vector = 2, pad = 2>>
func.func @f32_nn_full(%a: memref<256x256xf32>, %b: memref<256x256xf32>,
    %c: memref<256x256xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>) beta(%beta : f32)
    plan(#wide)
  return
}
func.func @f32_nn_odd(%a: memref<129x65xf32>, %b: memref<65x97xf32>,
    %c: memref<129x97xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<129x65xf32>, memref<65x97xf32>)
    outs(%c : memref<129x97xf32>) beta(%beta : f32)
  return
}
func.func @f32_nn_dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>,
    %c: memref<?x?xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
    outs(%c : memref<?x?xf32>) beta(%beta : f32)
  return
}
func.func @f32_nt_full(%a: memref<256x256xf32>, %b: memref<256x256xf32>,
    %c: memref<256x256xf32>, %beta: f32) {
  blas.gemm opB<t> ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>) beta(%beta : f32)
    plan(#wide)
  return
}
func.func @f32_nt_odd(%a: memref<129x65xf32>, %b: memref<97x65xf32>,
    %c: memref<129x97xf32>, %beta: f32) {
  blas.gemm opB<t> ins(%a, %b : memref<129x65xf32>, memref<97x65xf32>)
    outs(%c : memref<129x97xf32>) beta(%beta : f32)
  return
}
func.func @f32_nt_dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>,
    %c: memref<?x?xf32>, %beta: f32) {
  blas.gemm opB<t> ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
    outs(%c : memref<?x?xf32>) beta(%beta : f32)
  return
}
func.func @f32_tn_full(%a: memref<256x256xf32>, %b: memref<256x256xf32>,
    %c: memref<256x256xf32>, %beta: f32) {
  blas.gemm opA<t> ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>) beta(%beta : f32)
    plan(#wide)
  return
}
func.func @f32_tn_odd(%a: memref<65x129xf32>, %b: memref<65x97xf32>,
    %c: memref<129x97xf32>, %beta: f32) {
  blas.gemm opA<t> ins(%a, %b : memref<65x129xf32>, memref<65x97xf32>)
    outs(%c : memref<129x97xf32>) beta(%beta : f32)
  return
}
func.func @f32_tn_dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>,
    %c: memref<?x?xf32>, %beta: f32) {
  blas.gemm opA<t> ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
    outs(%c : memref<?x?xf32>) beta(%beta : f32)
  return
}
func.func @f32_tt_full(%a: memref<256x256xf32>, %b: memref<256x256xf32>,
    %c: memref<256x256xf32>, %beta: f32) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>) beta(%beta : f32)
    plan(#wide)
  return
}
func.func @f32_tt_odd(%a: memref<65x129xf32>, %b: memref<97x65xf32>,
    %c: memref<129x97xf32>, %beta: f32) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<65x129xf32>, memref<97x65xf32>)
    outs(%c : memref<129x97xf32>) beta(%beta : f32)
  return
}
func.func @f32_tt_dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>,
    %c: memref<?x?xf32>, %beta: f32) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
    outs(%c : memref<?x?xf32>) beta(%beta : f32)
  return
}
func.func @f64_nn_full(%a: memref<256x256xf64>, %b: memref<256x256xf64>,
    %c: memref<256x256xf64>, %beta: f64) {
  blas.gemm ins(%a, %b : memref<256x256xf64>, memref<256x256xf64>)
    outs(%c : memref<256x256xf64>) beta(%beta : f64)
    plan(#pair)
  return
}
func.func @f64_nn_odd(%a: memref<129x65xf64>, %b: memref<65x97xf64>,
    %c: memref<129x97xf64>, %beta: f64) {
  blas.gemm ins(%a, %b : memref<129x65xf64>, memref<65x97xf64>)
    outs(%c : memref<129x97xf64>) beta(%beta : f64)
  return
}
func.func @f64_nn_dynamic(%a: memref<?x?xf64>, %b: memref<?x?xf64>,
    %c: memref<?x?xf64>, %beta: f64) {
  blas.gemm ins(%a, %b : memref<?x?xf64>, memref<?x?xf64>)
    outs(%c : memref<?x?xf64>) beta(%beta : f64)
  return
}
func.func @f64_nt_full(%a: memref<256x256xf64>, %b: memref<256x256xf64>,
    %c: memref<256x256xf64>, %beta: f64) {
  blas.gemm opB<t> ins(%a, %b : memref<256x256xf64>, memref<256x256xf64>)
    outs(%c : memref<256x256xf64>) beta(%beta : f64)
    plan(#pair)
  return
}
func.func @f64_nt_odd(%a: memref<129x65xf64>, %b: memref<97x65xf64>,
    %c: memref<129x97xf64>, %beta: f64) {
  blas.gemm opB<t> ins(%a, %b : memref<129x65xf64>, memref<97x65xf64>)
    outs(%c : memref<129x97xf64>) beta(%beta : f64)
  return
}
func.func @f64_nt_dynamic(%a: memref<?x?xf64>, %b: memref<?x?xf64>,
    %c: memref<?x?xf64>, %beta: f64) {
  blas.gemm opB<t> ins(%a, %b : memref<?x?xf64>, memref<?x?xf64>)
    outs(%c : memref<?x?xf64>) beta(%beta : f64)
  return
}
func.func @f64_tn_full(%a: memref<256x256xf64>, %b: memref<256x256xf64>,
    %c: memref<256x256xf64>, %beta: f64) {
  blas.gemm opA<t> ins(%a, %b : memref<256x256xf64>, memref<256x256xf64>)
    outs(%c : memref<256x256xf64>) beta(%beta : f64)
    plan(#pair)
  return
}
func.func @f64_tn_odd(%a: memref<65x129xf64>, %b: memref<65x97xf64>,
    %c: memref<129x97xf64>, %beta: f64) {
  blas.gemm opA<t> ins(%a, %b : memref<65x129xf64>, memref<65x97xf64>)
    outs(%c : memref<129x97xf64>) beta(%beta : f64)
  return
}
func.func @f64_tn_dynamic(%a: memref<?x?xf64>, %b: memref<?x?xf64>,
    %c: memref<?x?xf64>, %beta: f64) {
  blas.gemm opA<t> ins(%a, %b : memref<?x?xf64>, memref<?x?xf64>)
    outs(%c : memref<?x?xf64>) beta(%beta : f64)
  return
}
func.func @f64_tt_full(%a: memref<256x256xf64>, %b: memref<256x256xf64>,
    %c: memref<256x256xf64>, %beta: f64) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<256x256xf64>, memref<256x256xf64>)
    outs(%c : memref<256x256xf64>) beta(%beta : f64)
    plan(#pair)
  return
}
func.func @f64_tt_odd(%a: memref<65x129xf64>, %b: memref<97x65xf64>,
    %c: memref<129x97xf64>, %beta: f64) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<65x129xf64>, memref<97x65xf64>)
    outs(%c : memref<129x97xf64>) beta(%beta : f64)
  return
}
func.func @f64_tt_dynamic(%a: memref<?x?xf64>, %b: memref<?x?xf64>,
    %c: memref<?x?xf64>, %beta: f64) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<?x?xf64>, memref<?x?xf64>)
    outs(%c : memref<?x?xf64>) beta(%beta : f64)
  return
}
// A tile of 128 accumulators a thread whose columns are guarded, as they are after the K loop.
func.func @guarded_columns(%a: memref<1024x512xf32>, %b: memref<512x100xf32>, %c: memref<1024x100xf32>) {
  blas.gemm ins(%a, %b : memref<1024x512xf32>, memref<512x100xf32>) outs(%c : memref<1024x100xf32>)
    plan(<macro = [128, 128, 8], micro = [16, 8], lanes = [4, 8], vector = 4,
          a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>>)
  return
}
