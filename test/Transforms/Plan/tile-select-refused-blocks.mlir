// Blocks whose kernel an assembler refused are chosen no more, and a remark states what was taken.
// RUN: gemm-opt %s --tile-select=chip=gfx1100 2>&1 | FileCheck %s
// CHECK: remark: gave up plan #blas.blocks<diagonal = 0, workgroupVectors = 4>: its kernel trsm_f64_right_lower_n_sweep needs 288 bytes of scratch memory a thread on gfx1100; took <
// CHECK: remark: chose plan
// CHECK: blas.trsm
// CHECK-NOT: plan(<diagonal = 0, workgroupVectors = 4>)
// CHECK: return
module attributes {blas.refused = [
  #blas.refusal<kernel = "trsm_f64_right_lower_n_sweep", blocks = <diagonal = 0, workgroupVectors = 4>,
                scratch = 288, registers = 256>]} {
  func.func @solve(%a: memref<247x247xf64>, %b: memref<343x247xf64>) {
    blas.trsm side<right> uplo<lower> ins(%a : memref<247x247xf64>) outs(%b : memref<343x247xf64>)
    return
  }
}
