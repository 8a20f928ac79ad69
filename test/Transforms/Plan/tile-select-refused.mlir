// A plan that the assembler refused is not chosen once more: its registers count, so that fewer of its workgroups, or other
// tiles, fit. Plans that are written, and products that would not have taken what was refused, are left alone.
// RUN: gemm-opt %s --tile-select=chip=mi60 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID < %t.err

#none = #blas.plan<macro = [32, 128, 8], micro = [4, 4], lanes = [8, 8], vector = 2, a = <via = shared, pad = 2>, b = <via = shared, vector = 2>, raster = 16, residency = 2>
#fewer = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [8, 8], vector = 2, a = <via = shared, vector = 2, pad = 2>, b = <via = shared, vector = 2>, raster = 8, residency = 2>
module attributes {blas.refused = [
  #blas.refusal<kernel = "one", plan = #none, scratch = 24, registers = 260>,
  #blas.refusal<kernel = "other", plan = #fewer, scratch = 8, registers = 129>
]} {
// CHECK-LABEL: @static
// CHECK-NOT: plan(<macro = [32, 128, 8], micro = [4, 4], {{[^>]*}}>, b = <via = shared, vector = 2>, raster = 16, residency = 2>
// CHECK: plan(<macro = [
// SAID: [[#@LINE+3]]:3: remark: gave up plan #blas.plan<macro = [32, 128, 8], micro = [4, 4], {{.*}}residency = 2>: its kernel one needs 24 bytes of scratch memory a thread on gfx906; took {{[0-9x]+}}, micro
// SAID: [[#@LINE+2]]:3: remark: chose plan
func.func @static(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %c: memref<1024x1024xf64>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf64>, memref<1024x1024xf64>) outs(%c : memref<1024x1024xf64>)
  return
}
// CHECK-LABEL: @dynamic
// CHECK-NOT: macro = [64, 64, 8], {{[^>]*}}>, b = <via = shared, vector = 2>, raster = 8, residency = 2>
// CHECK: plans(
// SAID: [[#@LINE+2]]:3: remark: gave up plan #blas.plan<macro = [64, 64, 8], {{.*}}: its kernel other needs 8 bytes
func.func @dynamic(%a: memref<?x512xf64>, %b: memref<512x512xf64>, %c: memref<?x512xf64>) {
  blas.gemm ins(%a, %b : memref<?x512xf64>, memref<512x512xf64>) outs(%c : memref<?x512xf64>)
  return
}
// CHECK-LABEL: @written
// CHECK: plan(<macro = [64, 128, 16], micro = [8, 4], lanes = [4, 16], vector = 2, a = <via = shared, vector = 2, pad = 2, swizzle = 2>, b = <via = shared, vector = 2>
// SAID: remark: kept plan
// SAID-NOT: gave up
func.func @written(%a: memref<1024x1024xf64>, %b: memref<1024x1024xf64>, %c: memref<1024x1024xf64>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf64>, memref<1024x1024xf64>) outs(%c : memref<1024x1024xf64>)
    plan(<macro = [64, 128, 16], micro = [8, 4], lanes = [4, 16], vector = 2, a = <via = shared, vector = 2, pad = 2, swizzle = 2>, b = <via = shared, vector = 2>, raster = 8>)
  return
}
}
