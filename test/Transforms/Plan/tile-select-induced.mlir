// RUN: gemm-opt %s --tile-select=chip=h200 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --tile-select=chip=h200 2>&1 | FileCheck %s --check-prefix=WHY

// A^T B of complex block vectors: sizes of the plan count real elements, of which tiles have whole
// 16 and 8.
// CHECK-LABEL: func.func @transposed
// CHECK:       plan(<macro = [48, 48, {{[0-9]+}}], {{.*}}mma = m16n8k8_f64, complex = induced, a = <via = shared, copy = async, vector = 2
// WHY:         chose plan 48x48x{{[0-9]+}}, micro {{.*}}, m16n8k8_f64, induced complex
func.func @transposed(%a: memref<5000000x24xcomplex<f64>>, %b: memref<5000000x24xcomplex<f64>>, %c: memref<24x24xcomplex<f64>>) {
  blas.gemm opA<c> ins(%a, %b : memref<5000000x24xcomplex<f64>>, memref<5000000x24xcomplex<f64>>) outs(%c : memref<24x24xcomplex<f64>>)
  return
}

// 112 real elements on each side would need three registers too many by the model: 56 columns are
// multiplied as complex numbers.
// CHECK-LABEL: func.func @wide
// CHECK:       plan(<macro = [{{56, 32|32, 56}}, 8], {{.*}}k4_f64, {{.*}}layout = planar
func.func @wide(%a: memref<600000x56xcomplex<f64>>, %b: memref<600000x56xcomplex<f64>>, %c: memref<56x56xcomplex<f64>>) {
  blas.gemm opA<t> ins(%a, %b : memref<600000x56xcomplex<f64>>, memref<600000x56xcomplex<f64>>) outs(%c : memref<56x56xcomplex<f64>>)
  return
}

// Nor where B is conjugated, C is wide, or sums are of the same real numbers as before.
// CHECK-LABEL: func.func @others
// CHECK-NOT:   induced
// CHECK:       return
func.func @others(%a: memref<5000000x24xcomplex<f64>>, %b: memref<5000000x24xcomplex<f64>>, %c: memref<24x24xcomplex<f64>>, %f: memref<5000000x24xcomplex<f32>>, %g: memref<24x24xcomplex<f32>>, %w: memref<256x256xcomplex<f64>>, %v: memref<8192x256xcomplex<f64>>) {
  blas.gemm opA<t> opB<j> ins(%a, %b : memref<5000000x24xcomplex<f64>>, memref<5000000x24xcomplex<f64>>) outs(%c : memref<24x24xcomplex<f64>>)
  blas.gemm opA<t> ins(%f, %f : memref<5000000x24xcomplex<f32>>, memref<5000000x24xcomplex<f32>>) outs(%g : memref<24x24xcomplex<f32>>)
  blas.gemm opA<t> ins(%v, %v : memref<8192x256xcomplex<f64>>, memref<8192x256xcomplex<f64>>) outs(%w : memref<256x256xcomplex<f64>>)
  return
}
