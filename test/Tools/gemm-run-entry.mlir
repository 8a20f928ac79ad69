// RUN: gemm-run %s --entry=good --device=cpu | FileCheck %s
// RUN: not gemm-run %s --entry=absent --device=cpu 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not gemm-run %s --device=cpu 2>&1 | FileCheck %s --check-prefix=ALL

// Only the function named must be callable; it may call others.
// CHECK: PASS called#0 f32 gemm nn 8x8x8
// CHECK-NOT: PASS
// ABSENT: no public function 'absent'
// ALL: error: 'func.func' op cannot be run: argument 0 is 'memref<*xf32>'
func.func @called(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  blas.gemm ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

func.func @good(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  call @called(%a, %c) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

func.func @unranked(%a: memref<*xf32>) { return }
