// Plans come from a user's list where one of its lines applies: the fastest of those that fit.
// RUN: split-file %s %t
// RUN: gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/tiles.txt" 2>&1 | FileCheck %t/in.mlir
// RUN: gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/tiles.txt" 2>/dev/null | gemm-opt --plan-parts 2>&1 | FileCheck %t/in.mlir --check-prefix=AGAIN

//--- tiles.txt
# Two for large products; the second is not for this chip.
v1 gemm type=f32 m>=1024 n>=1024 * -> #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared>, b = <via = shared>>
v1 gemm type=f32 m>=1024 n>=1024 m<10000 * -> #blas.plan<macro = [128, 128, 16], micro = [8, 8], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>, residency = 2> # faster
  v1 gemm type=f32 m>=1024 * -> #blas.plan<macro = [256, 256, 256], micro = [16, 16], lanes = [4, 8], vector = 4, a = <via = shared>, b = <via = shared>>

v1 gemm type=f64 op=nt m=512 n=512 k%16=0 k<64 -> #blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 2, a = <via = shared>, b = <via = shared>>
v1 gemm type=f64 op=tt * -> @mine::@small
v1 gemm type=c64 op=* m=64 n=64 k=64 alias=* -> #blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 2, a = <via = shared>, b = <via = shared>>
v1 gemm type=f16/f16/f32 * -> #blas.plan<macro = [64, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 4, a = <via = shared>, b = <via = shared>>
v1 gemm type=f64 op=nn m=16 n=16 k=32 -> #blas.plan<macro = [8, 8, 8], micro = [1, 1], lanes = [8, 4], a = <via = shared>, b = <via = shared>>
v1 gemm type=f64 op=nn m=16 n=16 k=32 * -> #blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [8, 4], a = <via = shared>, b = <via = shared>>
//--- in.mlir
// Patterns that end in a wildcard match operations that a line states in part: here strides in both directions.
// CHECK: in.mlir:[[@LINE+3]]:3: remark: chose plan 16x16x8
// CHECK: from: {{.*}}tiles.txt:11
func.func @strided(%a: memref<16x32xf64, strided<[64, 2]>>, %b: memref<32x16xf64>, %c: memref<16x16xf64>) {
  blas.gemm ins(%a, %b : memref<16x32xf64, strided<[64, 2]>>, memref<32x16xf64>) outs(%c : memref<16x16xf64>)
  return
}
// Complex numbers, and types that differ.
// CHECK: in.mlir:[[@LINE+5]]:3: remark: chose plan 32x32x8
// CHECK: from: {{.*}}tiles.txt:8
// CHECK: remark: chose plan 64x32x8
// CHECK: from: {{.*}}tiles.txt:9
func.func @types(%a: memref<64x64xcomplex<f32>>, %h: memref<64x64xf16>, %c: memref<64x64xf32>, %d: memref<64x64xcomplex<f32>>) {
  blas.gemm ins(%a, %a : memref<64x64xcomplex<f32>>, memref<64x64xcomplex<f32>>) outs(%d : memref<64x64xcomplex<f32>>)
  blas.gemm ins(%h, %h : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
  return
}
// CHECK: in.mlir:[[@LINE+5]]:3: remark: chose plan 128x128x16, micro 8x8, leap-frog
// CHECK: runner-up: 64x64x8, micro 4x4, leap-frog, {{.*}} (of 3 plans, 1 do not fit)
// CHECK: from: {{.*}}tiles.txt:3
// AGAIN-NOT: remark
func.func @large(%a: memref<2048x1024xf32>, %b: memref<1024x2048xf32>, %c: memref<2048x2048xf32>) {
  blas.gemm ins(%a, %b : memref<2048x1024xf32>, memref<1024x2048xf32>)
            outs(%c : memref<2048x2048xf32>)
  return
}
// CHECK: in.mlir:[[@LINE+4]]:3: remark: chose plan 32x32x8, micro 4x4, leap-frog
// CHECK: runner-up: of 1 plans, 0 do not fit
// CHECK: from: {{.*}}tiles.txt:6
func.func @small_k(%a: memref<512x48xf64>, %b: memref<512x48xf64>, %c: memref<512x512xf64>) {
  blas.gemm opB<t> ins(%a, %b : memref<512x48xf64>, memref<512x48xf64>) outs(%c : memref<512x512xf64>)
  return
}
// CHECK: in.mlir:[[@LINE+2]]:3: remark: took kernel @mine::@small from {{.*}}tiles.txt:7
func.func @kernel(%a: memref<16x8xf64>, %b: memref<8x16xf64>, %c: memref<8x8xf64>) {
  blas.gemm opA<t> opB<t> ins(%a, %b : memref<16x8xf64>, memref<8x16xf64>) outs(%c : memref<8x8xf64>)
  return
}
// No line matches: the model's own plans. A comparison of a dynamic size does not hold.
// CHECK: in.mlir:[[@LINE+3]]:3: remark: chose plans for
// CHECK: any:
func.func @other(%a: memref<?x48xf64>, %b: memref<48x512xf64>, %c: memref<?x512xf64>) {
  blas.gemm ins(%a, %b : memref<?x48xf64>, memref<48x512xf64>) outs(%c : memref<?x512xf64>)
  return
}
// CHECK: func.func @large
// CHECK: blas.gemm {{.*}} plan(<macro = [128, 128, 16], {{.*}}residency = 2>)
// CHECK: func.func @kernel
// CHECK: blas.gemm opA<t> opB<t> {{.*}} {blas.kernel = @mine::@small}
