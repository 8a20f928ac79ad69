// f8 and i8 products that blas.gemm cannot say compile through loops in every pipeline, and are right on the CPU.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi250x format=isa" 2>/dev/null | FileCheck %s
// RUN: gemm-opt %s --blas-to-cpu="chip=h200" 2>/dev/null | sed "1s/blas.target = #blas.target<[^>]*>,\? \?//" > %t.cpu
// RUN: FileCheck %s < %t.cpu
// RUN: mlir-runner %t.cpu -e main -entry-point-result=i32 --shared-libs=%build/lib/librooftile_runtime.so | FileCheck %s --check-prefix=RESULT

// 16 * (1.5 * 0.5) = 12. Sixteen times 12 in sums of f8E4M3FN, each rounded: 12, 24, 36, 48, 60, 72, 80 (of 84), 96 (92), 112
// (108), 128 (124), 144 (140), 160, .. 224. 16 * (-3 * 5) = -240. A little above the middle of 1 and
// 1.125, which f32 does not see: 1.125, times 8. Together 12 * 1000000 + 224 * 1000 - 240 + 9.
// RESULT: 12223769
// CHECK-NOT: {{(= |^ +)(linalg|tensor|scf|vector|memref|affine|arith|math|builtin)\.}}
// CHECK: llvm.func @main
// CHECK-NOT: {{(= |^ +)(linalg|tensor|scf|vector|memref|affine|arith|math|builtin)\.}}
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @f8(%a: memref<8x16xf8E4M3FN>, %b: memref<16x8xf8E5M2>, %c: memref<8x8xf32>, %d: memref<8x8xf8E4M3FNUZ>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<8x16xf8E4M3FN>, memref<16x8xf8E5M2>) outs(%c : memref<8x8xf32>) {
  ^bb0(%x: f8E4M3FN, %y: f8E5M2, %z: f32):
    %p = arith.extf %x : f8E4M3FN to f32
    %q = arith.extf %y : f8E5M2 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %r, %z : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<8x8xf32>) outs(%d : memref<8x8xf8E4M3FNUZ>) {
  ^bb0(%x: f32, %y: f8E4M3FNUZ):
    %p = arith.truncf %x : f32 to f8E4M3FNUZ
    linalg.yield %p : f8E4M3FNUZ
  }
  return
}
func.func @f8_tensors(%a: tensor<8x16xf8E4M3FN>, %b: tensor<16x8xf8E4M3FN>) -> tensor<8x8xf8E4M3FN> {
  %zero = arith.constant 0.0 : f8E4M3FN
  %e = tensor.empty() : tensor<8x8xf8E4M3FN>
  %i = linalg.fill ins(%zero : f8E4M3FN) outs(%e : tensor<8x8xf8E4M3FN>) -> tensor<8x8xf8E4M3FN>
  %r = linalg.matmul ins(%a, %b : tensor<8x16xf8E4M3FN>, tensor<16x8xf8E4M3FN>) outs(%i : tensor<8x8xf8E4M3FN>) -> tensor<8x8xf8E4M3FN>
  return %r : tensor<8x8xf8E4M3FN>
}
func.func @i8(%a: tensor<8x16xi8>, %b: tensor<16x8xi8>, %c: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x8xi8>) outs(%c : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %x = arith.constant 1.5 : f8E4M3FN
  %y = arith.constant 0.5 : f8E5M2
  %a = memref.alloc() : memref<8x16xf8E4M3FN>
  %b = memref.alloc() : memref<16x8xf8E5M2>
  %c = memref.alloc() : memref<8x8xf32>
  %d = memref.alloc() : memref<8x8xf8E4M3FNUZ>
  linalg.fill ins(%x : f8E4M3FN) outs(%a : memref<8x16xf8E4M3FN>)
  linalg.fill ins(%y : f8E5M2) outs(%b : memref<16x8xf8E5M2>)
  linalg.fill ins(%zero : f32) outs(%c : memref<8x8xf32>)
  call @f8(%a, %b, %c, %d) : (memref<8x16xf8E4M3FN>, memref<16x8xf8E5M2>, memref<8x8xf32>, memref<8x8xf8E4M3FNUZ>) -> ()
  %n = memref.load %d[%c0, %c0] : memref<8x8xf8E4M3FNUZ>
  %nf = arith.extf %n : f8E4M3FNUZ to f32
  %n1 = arith.fptosi %nf : f32 to i32
  %p = arith.constant dense<12.0> : tensor<8x16xf8E4M3FN>
  %q = arith.constant dense<1.0> : tensor<16x8xf8E4M3FN>
  %r = call @f8_tensors(%p, %q) : (tensor<8x16xf8E4M3FN>, tensor<16x8xf8E4M3FN>) -> tensor<8x8xf8E4M3FN>
  %m = tensor.extract %r[%c0, %c0] : tensor<8x8xf8E4M3FN>
  %mf = arith.extf %m : f8E4M3FN to f32
  %m1 = arith.fptosi %mf : f32 to i32
  %u = arith.constant dense<-3> : tensor<8x16xi8>
  %v = arith.constant dense<5> : tensor<16x8xi8>
  %w = arith.constant dense<0> : tensor<8x8xi32>
  %i = call @i8(%u, %v, %w) : (tensor<8x16xi8>, tensor<16x8xi8>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %k1 = tensor.extract %i[%c0, %c0] : tensor<8x8xi32>
  %million = arith.constant 1000000 : i32
  %thousand = arith.constant 1000 : i32
  %s = arith.muli %n1, %million : i32
  %t = arith.muli %m1, %thousand : i32
  %st = arith.addi %s, %t : i32
  %all0 = arith.addi %st, %k1 : i32
  %eight = arith.constant 8.0 : f32
  %above = arith.constant 1.0625000000009095 : f64
  %near = arith.truncf %above : f64 to f8E4M3FN
  %nearf = arith.extf %near : f8E4M3FN to f32
  %nine = arith.mulf %nearf, %eight : f32
  %nine1 = arith.fptosi %nine : f32 to i32
  %all = arith.addi %all0, %nine1 : i32
  return %all : i32
}
