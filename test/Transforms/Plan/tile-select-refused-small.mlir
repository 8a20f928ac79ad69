// The last block of a triangle has one kernel to choose from. Where that was refused, it gets fewer elements of a vector in registers.
// RUN: gemm-opt %s --tile-select=chip=gfx906 2>&1 | FileCheck %s
// CHECK: remark: gave up plan #blas.blocks<diagonal = 0, a = shared, b = shared, rows = 16>: {{.*}}; took <diagonal = 0, a = shared, b = shared, rows = 8>
// CHECK: blas.trsm {{.*}} plan(<diagonal = 0, a = shared, b = shared, rows = 8>)
module attributes {blas.refused = [
  #blas.refusal<kernel = "trsm_c128_right_upper_n", blocks = <diagonal = 0, a = shared, b = shared, rows = 16>,
                scratch = 196, registers = 304>]} {
  func.func @solve(%a: memref<27x27xcomplex<f64>>, %b: memref<267x27xcomplex<f64>>) {
    blas.trsm side<right> uplo<upper> ins(%a : memref<27x27xcomplex<f64>>) outs(%b : memref<267x27xcomplex<f64>>) {blas.edge_of = memref<267x1563xcomplex<f64>>}
    return
  }
}
