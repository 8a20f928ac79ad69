//===- Passes.td - Kernels on the host ---------------------*- tablegen -*-===//
#ifndef ROOFTILE_CONVERSION_LANETOCPU_PASSES_TD
#define ROOFTILE_CONVERSION_LANETOCPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def LaneToCpu : Pass<"lane-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Turn kernels into coroutines of the host, launches into calls of the runtime";
  let description = [{
    Each GPU thread is an LLVM coroutine: it suspends where it starts, at every
    barrier, after writing the number of that barrier to the thread's record, and
    at its end. The runtime resumes the threads of a workgroup in shuffled order,
    on shared memory that starts as NaN (rooftile/Runtime/Cpu/Cpu.h has the record).
    The workgroups of a cluster are resident together.

    With `record` a kernel reports every access to shared memory before it makes it,
    and describes its operations, so that the runtime finds races whatever the order.

    Before: kernels of `gpu`, `memref`, `vector`, `arith`, `math` and `cf`. After:
    `llvm.func`s without a gpu.module; the pipeline blas-to-cpu lowers the rest.

    ```mlir
    gpu.launch_func @m::@k blocks in (%grid, %c1, %c1) threads in (%c64, %c1, %c1)
      dynamic_shared_memory_size %bytes args(%p : memref<f32>)
    gpu.barrier
    // becomes
    llvm.call @rooftileCpuLaunch(%name, %m_k, %grid, %c64, %one, %bytes, %parameters,
      %sites, %granule) : (...) -> ()
    llvm.store %number, %barrier_field : i64, !llvm.ptr
    %resumed = llvm.intr.coro.suspend %none, %false : i8
    ```
  }];
  let options = [Option<"record", "record", "bool", /*default=*/"false",
                        "report accesses to shared memory to the runtime">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "kernels that became coroutines">,
                    Statistic<"numLaunches", "launches", "launches that became calls">];
}

#endif
