// Products and blocks of triangular operations become PTX that ptxas takes, without local memory.
// RUN: gemm-opt %S/../../examples/solve.mlir --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: %python %S/ptxas.py %t.mlir | FileCheck %s
// REQUIRES: ptxas

// Four operations, each with products by powers of 2, a block and the last, smaller block.
// CHECK-COUNT-14: {{(trsm|trmm|gemm)_f(32|64)_.*: [0-9]+ registers, 0 bytes of stack, 0 spilled}}
// CHECK: 14 kernels
