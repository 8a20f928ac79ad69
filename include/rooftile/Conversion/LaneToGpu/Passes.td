//===- Passes.td - What kernels need on all GPUs -----------*- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_LANETOGPU_PASSES_TD
#define ROOFTILE_CONVERSION_LANETOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ApproximateMath : Pass<"approximate-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Compute exp, tanh and erf in f32 by polynomials";
  let description = [{
    The functions of an epilogue that are no instructions of every chip become upstream's
    approximations: fused multiply-adds, comparisons and integer arithmetic on the exponent, with no
    call of a library. math.absf, math.copysign and math.floor (of what an i32 holds) become
    arithmetic as well.

    Before: the code of one thread. After: of the dialect math fused multiply-adds are left, and
    exp, tanh and erf of f64.

    ```mlir
    %y = math.absf %x : f32
    // becomes
    %bits = arith.bitcast %x : f32 to i32
    %magnitude = arith.andi %bits, %c2147483647_i32 : i32
    %y = arith.bitcast %magnitude : i32 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def FinishAccumulators : Pass<"finish-accumulators", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Finish accumulators before the condition that they are stored under";
  let description = [{
    LLVM moves the last multiply-adds of a sum into the branch that stores it, where their
    factors need more registers than the accumulators. A `lane.compiler_fence` after the last one
    keeps them where they are.

    Before: the code of one thread. After: what is stored under a condition, or computed
    of accumulators for it, uses the fenced one, also where it is the result of an `scf.if`.

    ```mlir
    %sum = math.fma %a, %b, %before : f32
    scf.if %inside { memref.store %sum, %c[%i] : memref<?xf32> }
    // becomes
    %sum = math.fma %a, %b, %before : f32
    %finished = lane.compiler_fence(%sum : f32)
    scf.if %inside { memref.store %finished, %c[%i] : memref<?xf32> }
    ```
  }];
  let dependentDialects = ["::rooftile::lane::LaneDialect"];
  let statistics = [Statistic<"numAccumulators", "accumulators", "accumulators that got a fence">];
}

#endif
