// Lists name triangular operations, too, and leave keys out: blocks come from the first source that has them, with the
// line in the remark. What cannot be read is an error at its line.
// RUN: split-file %s %t
// RUN: gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/list.txt" 2>&1 | FileCheck %t/in.mlir
// RUN: not gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/large.txt" 2>&1 | FileCheck %t/large.txt
// RUN: not gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/word.txt" 2>&1 | FileCheck %t/word.txt
// RUN: not gemm-opt %t/in.mlir --tile-select="chip=h200 plans=%t/kind.txt" 2>&1 | FileCheck %t/kind.txt

//--- list.txt
v1 trsm type=f32 side=right * -> #blas.blocks<diagonal = 16>
v1 trsm type=f32 side=left uplo=* n=* m>=64 * -> #blas.blocks<diagonal = 32>
v1 gemm type=f64 op=nt m=any * -> #blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 2, a = <via = shared>, b = <via = shared>>
//--- in.mlir
// CHECK: in.mlir:[[@LINE+4]]:3: remark: chose plan 4 blocks of order 32
// CHECK: from: {{.*}}list.txt:2
// CHECK: remark: chose plan one block of order 8,
func.func @solves(%a: memref<128x128xf32>, %b: memref<128x64xf32>, %s: memref<8x8xf32>, %t: memref<8x64xf32>) {
  blas.trsm side<left> uplo<lower> ins(%a : memref<128x128xf32>) outs(%b : memref<128x64xf32>)
  blas.trsm side<left> uplo<lower> ins(%s : memref<8x8xf32>) outs(%t : memref<8x64xf32>)
  return
}
// CHECK: in.mlir:[[@LINE+3]]:3: remark: chose plan 32x32x8, micro 4x4
// CHECK: from: {{.*}}list.txt:3
func.func @open(%a: memref<?x48xf64>, %b: memref<512x48xf64>, %c: memref<?x512xf64>) {
  blas.gemm opB<t> ins(%a, %b : memref<?x48xf64>, memref<512x48xf64>) outs(%c : memref<?x512xf64>)
  return
}
// CHECK: blas.trsm {{.*}} plan(<diagonal = 32>)
//--- large.txt
# CHECK: large.txt:2:26: error: blocks: workgroup = 2048 is not in 1 .. 1024
v1 trsm * -> #blas.blocks<diagonal = 32, workgroup = 2048>
//--- word.txt
# CHECK: word.txt:2:9: error: expected KEY=VALUE, not 'side'
v1 trsm side -> #blas.blocks<diagonal = 32>
//--- kind.txt
# CHECK: kind.txt:2:14: error: #blas.side<left> is no plan, no blocks and no kernel
v1 trsm * -> #blas.side<left>
