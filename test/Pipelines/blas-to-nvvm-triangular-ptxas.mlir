// Products and blocks of triangular operations become PTX that ptxas accepts, without local memory.
// RUN: gemm-opt %S/../../examples/solve.mlir --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: %python %S/ptxas.py %t.mlir | FileCheck %s
// REQUIRES: ptxas

// Four operations: sweeps of all threads, products by powers of 2, a triangle that is masked.
// CHECK-COUNT-10: {{: [0-9]+ registers, 0 bytes of stack, 0 spilled}}
// CHECK-NEXT: 10 kernels
