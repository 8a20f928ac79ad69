//===- Passes.td - Operations that stand around products ---*- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_OTHEROPS_PASSES_TD
#define ROOFTILE_CONVERSION_OTHEROPS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeAggregates : Pass<"decompose-aggregates"> {
  let summary = "Turn operations that stand for several into linalg operations of loops";
  let description = [{
    `linalg.softmax` and whatever else has a decomposition of upstream's (AggregatedOpInterface),
    on tensors or memrefs, the Winograd transforms, `linalg.pack` and `linalg.unpack` become
    operations that have loops. On memrefs it is done on tensors of them, with one copy of the
    result where bufferization needs it.

    Before: tensors, or memrefs before bufferization. After: none of these is left; one that has
    no decomposition (inner tiles of a size that is not known) is a located error.

    ```mlir
    %s = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> ..
    // becomes
    %m = linalg.generic ..  // the largest of each row
    %d = linalg.generic ..  // exp(x - m)
    %n = linalg.generic ..  // sum of each row
    %s = linalg.generic ..  // d / n
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::affine::AffineDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::linalg::LinalgDialect"];
}

def OrderProducts : Pass<"order-products"> {
  let summary = "Run parallel loops around products one iteration after the other";
  let description = [{
    Kernels are launched by sequential code of the host. A scf.forall or scf.parallel without
    results that holds an operation of `blas` becomes nested scf.for loops.

    Before: memrefs. After: no operation of `blas` lies in such a loop.

    ```mlir
    scf.parallel (%i) = (%c0) to (%c4) step (%c1) { blas.gemm .. }
    // becomes
    scf.for %i = %c0 to %c4 step %c1 { blas.gemm .. }
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def SpreadReductions : Pass<"spread-reductions", "::mlir::func::FuncOp"> {
  let summary = "Compute reductions to few results by many threads, in steps";
  let description = [{
    A linalg operation with few parallel iterations and a long reduction becomes a parallel loop
    whose threads each reduce every t-th element, from the neutral element on, and a second
    operation that combines what they have found; that one is spread again where it is long. The
    order of floating-point operations is another one, but always the same. An operation without
    any parallel dimension that cannot be spread (several results, no neutral element) is one
    thread's work.

    Before: linalg on memrefs in host code. After: no operation is left there that has no parallel
    dimension.

    ```mlir
    linalg.reduce { arith.addf } ins(%x : memref<1000000xf32>) outs(%s : memref<f32>)
      dimensions = [0]
    // becomes
    %part = memref.alloc() : memref<4096xf32>
    scf.parallel (%t) = (%c0) to (%c4096) step (%c1) {
      %sum = scf.for %i = %t to %c1000000 step %c4096 iter_args(%s = %zero) -> (f32) { .. }
      memref.store %sum, %part[%t] : memref<4096xf32>
    }
    // .. and 4096 to 64, 64 to 1
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect"];
}

def ExpandNarrowFloats : Pass<"expand-narrow-floats"> {
  let summary = "Expand conversions of floats of 8 bits and fewer to integer arithmetic";
  let description = [{
    Neither LLVM nor every GPU supports floats of 4, 6 and 8 bits: to LLVM they are integers of that
    width. Arithmetic on them is done in f32; conversions with a scale (arith.scaling_extf and
    arith.scaling_truncf, of MX formats) become plain ones with a multiplication or division;
    arith.extf from them and arith.truncf to them become integer operations and exact ones of f32.
    Rounding is to nearest, ties to even; NaN,
    infinity, subnormals and what is too large are as the type's semantics in LLVM define.

    Before: operations on scalars and vectors; named linalg operations, which have fixed bodies,
    become linalg.generic. After: of such types only constants, bitcasts, selections, loads and
    stores are left, which LLVM's type conversion makes integers.

    ```mlir
    %y = arith.extf %x : f8E5M2 to f32
    // becomes
    %bits = arith.bitcast %x : f8E5M2 to i8
    %wide = arith.extui %bits : i8 to i32
    ...
    %y = arith.bitcast %y_bits : i32 to f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::mlir::linalg::LinalgDialect"];
}

def ExpandViews : Pass<"expand-views"> {
  let summary = "Turn views of memrefs into an address, an offset, sizes and strides";
  let description = [{
    Subviews, reshapes and transposes become `memref.reinterpret_cast` of indices that host code
    computes: what upstream's expand-strided-metadata does, and `memref.transpose`.

    Before: memrefs. After: no view is left but `memref.cast` and `memref.reinterpret_cast`.

    ```mlir
    %t = memref.transpose %a (i, j) -> (j, i) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
    // becomes
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : ..
    %t = memref.reinterpret_cast %base to offset: [0], sizes: [4, %sizes#0], strides: [1, 4] : ..
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def StrideReshapes : Pass<"stride-reshapes"> {
  let summary = "Replace expansions to two dynamic sizes in a group by memref.reinterpret_cast";
  let description = [{
    Where a dimension becomes several of which more than one has a dynamic size, strides are
    products of the sizes that the operation names. Upstream's expand-strided-metadata, which lowers
    all other reshapes, computes the only dynamic size of a group and crashes where there are two.

    Before: memrefs. After: no memref.expand_shape has two dynamic sizes in a group.

    ```mlir
    %e = memref.expand_shape %x [[0, 1]] output_shape [%m, %n] : memref<?xf32> into memref<?x?xf32>
    // becomes
    %base, %offset, %size, %stride = memref.extract_strided_metadata %x : memref<?xf32> -> ..
    %e = memref.reinterpret_cast %base to offset: [0], sizes: [%m, %n], strides: [%n, 1] : ..
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect"];
}

def ReportLeftovers : Pass<"report-leftovers", "::mlir::ModuleOp"> {
  let summary = "Report operations that a pipeline has not lowered";
  let description = [{
    The last step of a pipeline. Each operation of host code that is neither LLVM's nor a launch is
    left for others: a remark names it, once for each name and function. Nothing is changed.

    Before: everything is lowered that the pipeline can lower. After: the same.

    ```mlir
    %e = "other.scale"(%d) : (i64) -> i64  // remark: 'other.scale' is left as it is: ..
    // becomes
    %e = "other.scale"(%d) : (i64) -> i64
    ```
  }];
}

def SeparateModules : Pass<"separate-modules", "::mlir::ModuleOp"> {
  let summary = "Make host code of several modules fit into one program";
  let description = [{
    Private functions that are defined become internal: those of two modules may have one name. The
    functions of MLIR's runtime (`mgpuLaunchKernel` and the others, `memrefCopy`) are called by this
    project's names (`rooftileLaunchKernel`, `rooftileMemrefCopy`), so that both runtimes can be in
    one process. Calls that only the translation to LLVM IR writes, of binaries and launches, find
    internal functions of MLIR's names, which call ours.

    Before: host code in the LLVM dialect; binaries and launches as they are translated. After:
    what the module defines for others are its public functions. A second run changes nothing. A
    function of the user's that has one of these names is an error.

    ```mlir
    %m = llvm.call @mgpuMemAlloc(%bytes, %stream, %shared) : (i64, !llvm.ptr, i8) -> !llvm.ptr
    llvm.func @twice(%x: i64) -> i64 attributes {sym_visibility = "private"} { .. }
    // becomes
    %m = llvm.call @rooftileMemAlloc(%bytes, %stream, %shared) : (i64, !llvm.ptr, i8) -> !llvm.ptr
    llvm.func internal @twice(%x: i64) -> i64 attributes {sym_visibility = "private"} { .. }
    ```
  }];
  let options = [
    Option<"ownRuntime", "own-runtime", "bool", "true",
           "Call this project's runtime; else MLIR's names stay, for a runtime that has them">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def CComplex : Pass<"c-complex", "::mlir::ModuleOp"> {
  let summary = "Pass complex values to and from the C interface as C does";
  let description = [{
    A complex<f32> of a function `_mlir_ciface_..` is two floats, which LLVM passes in two
    registers. A `float _Complex` of C is in one where the machine is an x86-64 (the module's
    triple, else this process): there arguments and the result become vectors of two floats. Both
    definitions and calls of functions of others are changed.

    Before: the LLVM dialect. After: C declares such functions with `float _Complex` and `double
    _Complex`. A second run changes nothing.

    ```mlir
    llvm.func @_mlir_ciface_scale(%x: !llvm.ptr, %alpha: !llvm.struct<(f32, f32)>)
    // becomes
    llvm.func @_mlir_ciface_scale(%x: !llvm.ptr, %alpha: vector<2xf32>)
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
