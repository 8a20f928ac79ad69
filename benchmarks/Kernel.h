//===- Kernel.h - A problem compiled to a loaded kernel ---------*- C++ -*-===//
#ifndef ROOFTILE_BENCHMARKS_KERNEL_H
#define ROOFTILE_BENCHMARKS_KERNEL_H

#include "Problem.h"
#include "rooftile/Runtime/CudaDriver.h"

namespace rooftile::bench {

/// A kernel called by its contract: with static sizes its arguments are three pointers.
struct Kernel {
  void *function = nullptr;
  int64_t grid = 0, threads = 0, sharedBytes = 0;
  std::string plan;                        ///< the #blas.plan it was made from
  double irMs = 0, ptxMs = 0, cubinMs = 0; ///< blas to LLVM IR, to PTX, to cubin (0: not timed)

  bool launch(const CudaDriver &driver, uint64_t a, uint64_t b, uint64_t c, void *stream) const;
};

/// Plans (unless the line names a plan), compiles and loads.
llvm::Expected<Kernel> compile(const Problem &problem, const CudaDriver &driver,
                               llvm::StringRef chip, llvm::StringRef format);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCHMARKS_KERNEL_H
