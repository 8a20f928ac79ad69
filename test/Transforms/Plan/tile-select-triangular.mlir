// Blocks for triangular operations.
// RUN: gemm-opt %s --tile-select=chip=h200 --verify-diagnostics --split-input-file | FileCheck %s

// CHECK-LABEL: @static
func.func @static(%a: memref<4096x4096xf32>, %b: memref<4096x1024xf32>) {
  // CHECK: blas.trsm {{.*}} plan(<diagonal = {{64|128|256|512}}, {{.*}}method = invert, base = {{[0-9]+}}, workgroupVectors = {{[0-9]+}}>)
  // expected-remark @below {{that are inverted, from order}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<4096x4096xf32>) outs(%b : memref<4096x1024xf32>)
  return
}

// -----

// A matrix of middle order is one block, which all threads of a workgroup solve together.
// CHECK-LABEL: @middle
func.func @middle(%a: memref<256x256xf64>, %b: memref<256x200xf64>) {
  // CHECK: blas.trsm {{.*}} plan(<diagonal = 0, {{.*}}workgroupVectors = {{[0-9]+}}>)
  // expected-remark @below {{threads for}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<256x256xf64>) outs(%b : memref<256x200xf64>)
  return
}

// -----

// Nor does a product that is to be exact multiply by zeros.
// CHECK-LABEL: @exact_product
func.func @exact_product(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>) {
  // CHECK-NOT: method
  // CHECK: blas.trmm {{.*}} {exact}
  // expected-remark @below {{chose plan}}
  blas.trmm side<left> uplo<lower> ins(%a : memref<1024x1024xf32>) outs(%b : memref<1024x1024xf32>) {exact}
  return
}

// -----

// An exact operation is substituted.
// CHECK-LABEL: @exact
func.func @exact(%a: memref<4096x4096xf32>, %b: memref<4096x1024xf32>) {
  // CHECK-NOT: invert
  // CHECK: blas.trsm {{.*}} {exact}
  // expected-remark @below {{chose plan}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<4096x4096xf32>) outs(%b : memref<4096x1024xf32>) {exact}
  return
}

// -----

// A small matrix is one block.
// CHECK-LABEL: @small
func.func @small(%a: tensor<5x5xf64>, %b: tensor<7x5xf64>) -> tensor<7x5xf64> {
  // CHECK: blas.trmm {{.*}} plan(<diagonal = 0{{.*}}>)
  // expected-remark @below {{chose plan one block of order 5, workgroups of 32}}
  %0 = blas.trmm side<right> uplo<lower> ins(%a : tensor<5x5xf64>) outs(%b : tensor<7x5xf64>) -> tensor<7x5xf64>
  return %0 : tensor<7x5xf64>
}

// -----

// Dynamic sizes are always cut; the remark names what was assumed.
// CHECK-LABEL: @dynamic
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  // CHECK: blas.trsm {{.*}} plan(<diagonal = {{8|16|32|64}}>)
  // expected-remark @below {{dynamic sizes taken as 4096}}
  blas.trsm side<right> uplo<upper> ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  return
}

// -----

// A plan made by hand stays.
// CHECK-LABEL: @kept
func.func @kept(%a: memref<512x512xf32>, %b: memref<512x64xf32>) {
  // CHECK: blas.trsm {{.*}} plan(<diagonal = 100, workgroup = 32>)
  // expected-remark @below {{kept plan 6 blocks of order 100, workgroups of 32}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<512x512xf32>) outs(%b : memref<512x64xf32>) plan(<diagonal = 100, workgroup = 32>)
  return
}

// -----

// Every operation without a kernel is reported: quotients of 16-bit numbers would be rounded at
// every step.
func.func @types(%a: memref<8x8xf16>, %b: memref<8x8xf16>, %c: memref<8x8xbf16>, %d: memref<8x8xbf16>) {
  // expected-error @below {{'blas.trsm' op no kernel solves for operand B of 'f16'; supported: f32, f64, complex of these}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<8x8xf16>) outs(%b : memref<8x8xf16>)
  // expected-error @below {{'blas.trsm' op no kernel solves for operand B of 'bf16'; supported: f32, f64, complex of these}}
  blas.trsm side<left> uplo<lower> ins(%c : memref<8x8xbf16>) outs(%d : memref<8x8xbf16>)
  return
}

// -----

// The ragged block that blocks of order 256 leave: not by one thread a vector, though there are vectors
// for each.
// CHECK-LABEL: @edge
func.func @edge(%a: memref<252x252xf32>, %b: memref<252x214xf32>) {
  // CHECK: blas.trsm {{.*}} plan(<diagonal = 0, {{.*}}workgroupVectors = {{[0-9]+}}>)
  // expected-remark @below {{chose plan one block of order 252}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<252x252xf32>) outs(%b : memref<252x214xf32>) {blas.edge_of = memref<764x214xf32>}
  return
}

// -----

// Nor is it cut, whatever it is: blocks are split once.
// CHECK-LABEL: @whole_edge
func.func @whole_edge(%a: memref<250x250xf32>, %b: memref<250x100000xf32>) {
  // CHECK: blas.trsm {{.*}} plan(<diagonal = 0
  // expected-remark @below {{chose plan one block of order 250}}
  blas.trsm side<left> uplo<lower> ins(%a : memref<250x250xf32>) outs(%b : memref<250x100000xf32>) {blas.edge_of = memref<762x100000xf32>}
  return
}
