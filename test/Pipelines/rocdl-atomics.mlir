// Atomic additions (anyOrder) are instructions of the memory where the chip has them; elsewhere the plan
// is refused, and the planner picks none.
// RUN: sed 's/TYPE/f32/g;s/LANES/8/' %s | gemm-opt --blas-to-rocdl="chip=gfx90a format=isa" | FileCheck %s --check-prefixes=CHECK,F32
// RUN: sed 's/TYPE/f32/g;s/LANES/8/' %s | gemm-opt --blas-to-rocdl="chip=gfx942 format=isa" | FileCheck %s --check-prefixes=CHECK,F32
// RUN: sed 's/TYPE/f32/g;s/LANES/4/' %s | gemm-opt --blas-to-rocdl="chip=gfx1100 format=isa" | FileCheck %s --check-prefixes=CHECK,F32
// RUN: sed 's/TYPE/f64/g;s/LANES/8/' %s | gemm-opt --blas-to-rocdl="chip=gfx90a format=isa" | FileCheck %s --check-prefixes=CHECK,F64
// RUN: sed 's/TYPE/f64/g;s/LANES/8/' %s | gemm-opt --blas-to-rocdl="chip=gfx942 format=isa" | FileCheck %s --check-prefixes=CHECK,F64
// RUN: sed 's/TYPE/f64/g;s/LANES/4/' %s | not gemm-opt --blas-to-rocdl="chip=gfx1100 format=isa" 2>&1 | FileCheck %s --check-prefix=NO64
// RUN: sed 's/TYPE/f32/g;s/LANES/8/' %s | not gemm-opt --blas-to-rocdl="chip=gfx906 format=isa" 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK-NOT: atomic_cmpswap
// CHECK-NOT: buffer_wbl2
// F32: global_atomic_add_f32
// F64: global_atomic_add_f64
// CHECK-NOT: atomic_cmpswap
// CHECK-NOT: buffer_wbl2
// NO64: reduction = atomic adds to real numbers of 8 bytes, but memory of rx7900xtx adds to those of 4 at most
// NONE: reduction = atomic adds to real numbers of 4 bytes, but memory of mi60 adds to those of 0 at most
func.func @split(%a: memref<32x1024xTYPE>, %b: memref<1024x32xTYPE>, %c: memref<32x32xTYPE>) {
  blas.gemm anyOrder ins(%a, %b : memref<32x1024xTYPE>, memref<1024x32xTYPE>) outs(%c : memref<32x32xTYPE>)
    plan(<macro = [32, 32, 8], micro = [4, 4], a = <via = shared>, b = <via = shared>, splits = 4,
          reduction = atomic, lanes = [8, LANES]>)
  return
}
