// Plans of one triangle of C: square tiles, half the flops and half the workgroups; tiles without triangles are not drawn.
// RUN: gemm-opt %s --tile-select=chip=h200 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --tile-select=chip=h200 2>&1 | FileCheck %s --check-prefix=WHY

// CHECK-LABEL: func.func @square
// CHECK: blas.gemm opB<t> triangle<lower> {{.*}} plan(<macro = [128, 128, {{[0-9]+}}]
// CHECK-NOT: raster
// CHECK: return
// WHY: chose plan 128x128x{{[0-9]+}}
// WHY: waves: 528 workgroups
func.func @square(%a: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) {
  blas.gemm opB<t> triangle<lower> ins(%a, %a : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>)
  return
}

// A Gram matrix of block vectors: partial sums of one tile. As real numbers it would be another triangle.
// CHECK-LABEL: func.func @gram
// CHECK: blas.gemm opA<c> triangle<upper> realDiagonal {{.*}} plan(<macro = [[TILE:\[24, 24|\[32, 32]], {{.*}} reduction = {{workspace|cluster}}
// CHECK-NOT: induced
// CHECK: return
func.func @gram(%x: memref<1000000x24xcomplex<f64>>, %c: memref<24x24xcomplex<f64>>) {
  blas.gemm opA<c> triangle<upper> realDiagonal ins(%x, %x : memref<1000000x24xcomplex<f64>>, memref<1000000x24xcomplex<f64>>) outs(%c : memref<24x24xcomplex<f64>>)
  return
}

// Any size: squares only, since C is one.
// CHECK-LABEL: func.func @any
// CHECK: blas.gemm opB<t> triangle<lower> {{.*}} plans([
// CHECK-NOT: m = <most = 32>
// CHECK: return
func.func @any(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm opB<t> triangle<lower> ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
