// math<emulated> lets three real products stand in for the four of a complex one (3M); nothing else does.
// RUN: gemm-opt %s --tile-select=chip=h200 --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @emulated
// CHECK: plan(<macro = {{.*}}, products = 3, a =
func.func @emulated(%a: memref<4096x4096xcomplex<f32>>, %b: memref<4096x4096xcomplex<f32>>, %c: memref<4096x4096xcomplex<f32>>) {
  // expected-remark @+1 {{3 products}}
  blas.gemm opB<c> math<emulated> ins(%a, %b : memref<4096x4096xcomplex<f32>>, memref<4096x4096xcomplex<f32>>) outs(%c : memref<4096x4096xcomplex<f32>>)
  return
}

// -----

// Four products of real elements, each six of bf16: faster than three of f32, where B is not conjugated.
// CHECK-LABEL: @in_parts
// CHECK: plan(<macro = {{.*}}, mma = wgmma_m64k16_bf16, products = 6, complex = induced, {{.*}}pack = 1{{.*}}pack = 1{{.*}}reduction = workspace
func.func @in_parts(%a: memref<4096x4096xcomplex<f32>>, %b: memref<4096x4096xcomplex<f32>>, %c: memref<4096x4096xcomplex<f32>>) {
  // expected-remark @+1 {{6 products}}
  blas.gemm math<emulated> ins(%a, %b : memref<4096x4096xcomplex<f32>>, memref<4096x4096xcomplex<f32>>) outs(%c : memref<4096x4096xcomplex<f32>>)
  return
}

// -----

// On matrix units additions of components would last longer than the products that they save.
// CHECK-LABEL: @units
// CHECK-NOT: products
func.func @units(%a: memref<4096x4096xcomplex<f64>>, %b: memref<4096x4096xcomplex<f64>>, %c: memref<4096x4096xcomplex<f64>>) {
  // expected-remark @+1 {{m16n8k4_f64}}
  blas.gemm math<emulated> ins(%a, %b : memref<4096x4096xcomplex<f64>>, memref<4096x4096xcomplex<f64>>) outs(%c : memref<4096x4096xcomplex<f64>>)
  return
}

// -----

// CHECK-LABEL: @strict
// CHECK-NOT: products
func.func @strict(%a: memref<4096x4096xcomplex<f64>>, %b: memref<4096x4096xcomplex<f64>>, %c: memref<4096x4096xcomplex<f64>>) {
  // expected-remark @+1 {{m16n8k4_f64}}
  blas.gemm ins(%a, %b : memref<4096x4096xcomplex<f64>>, memref<4096x4096xcomplex<f64>>) outs(%c : memref<4096x4096xcomplex<f64>>)
  return
}

// -----

// CHECK-LABEL: @real
// CHECK-NOT: products
func.func @real(%a: memref<512x512xf64>, %b: memref<512x512xcomplex<f64>>, %c: memref<512x512xcomplex<f64>>) {
  // expected-remark @+1 {{chose plan}}
  blas.gemm math<emulated> ins(%a, %b : memref<512x512xf64>, memref<512x512xcomplex<f64>>) outs(%c : memref<512x512xcomplex<f64>>)
  return
}

// -----

func.func @asked(%a: memref<512x512xcomplex<f32>>, %b: memref<512x512xcomplex<f32>>, %c: memref<512x512xcomplex<f32>>) {
  // expected-error @+1 {{plan does not fit: products = 3 replaces four of complex elements of one type, where the operation has math<emulated>}}
  blas.gemm ins(%a, %b : memref<512x512xcomplex<f32>>, memref<512x512xcomplex<f32>>) outs(%c : memref<512x512xcomplex<f32>>)
    plan(<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], products = 3, a = <via = shared>, b = <via = shared>>)
  return
}

// -----

func.func @six_of_one(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error @+1 {{plan does not fit: products = 6 replaces one of f32 elements without a structure, where the operation has math<emulated>}}
  blas.gemm ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
    plan(<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], mma = m16n8k16_bf16, products = 6, promote = 12,
          a = <via = shared, pack = 1>, b = <via = shared, pack = 1>>)
  return
}

// -----

// Instructions of tf32 read 19 bits of an f32: only where the operation permits it. That of a warpgroup reads rows along K.
// CHECK-LABEL: @tf32
// CHECK: mma = wgmma_m64k8_tf32, a = <via = shared, {{.*}}major = k>, b = <via = shared, {{.*}}major = k>
func.func @tf32(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) {
  // expected-remark @+1 {{wgmma_m64k8_tf32}}
  blas.gemm opB<t> math<tf32> ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>)
  return
}

// -----

// CHECK-LABEL: @strict_f32
// CHECK-NOT: mma =
func.func @strict_f32(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) {
  // expected-remark @+1 {{plan}}
  blas.gemm opB<t> ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>)
  return
}

// -----

// CHECK-LABEL: @copied
// CHECK: mma = wgmma_m64k8_tf32, a = <via = shared, {{.*}}major = k>, b = <via = shared, {{.*}}pack = 1{{.*}}major = k>
func.func @copied(%a: memref<4096x4096xf32>, %b: memref<4096x4096xf32>, %c: memref<4096x4096xf32>) {
  // expected-remark @+1 {{wgmma_m64k8_tf32}}
  blas.gemm math<tf32> ins(%a, %b : memref<4096x4096xf32>, memref<4096x4096xf32>) outs(%c : memref<4096x4096xf32>)
  return
}
