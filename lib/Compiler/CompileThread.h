//===- CompileThread.h - Where and when LLVM may run ------------*- C++ -*-===//
//
// LLVM and MLIR have thread_local objects, which the main thread loses as soon as main returns, and
// static ones that are made on first use, which are destroyed before static objects of the program
// that are older. Programs compile from destructors of their static objects, and from threads that
// nobody joins.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_COMPILER_COMPILETHREAD_H
#define ROOFTILE_LIB_COMPILER_COMPILETHREAD_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::compiler {

/// Why nothing is compiled any more.
inline constexpr const char *kIsEnding =
    "the process is ending, and the compiler's static objects are destroyed";

/// Calls `work` on a thread of its own, and waits for it. False, without a call, where LLVM's
/// static objects are gone. The end of the process waits for works that are under way, some seconds
/// at most.
bool runOnCompileThread(llvm::function_ref<void()> work);

/// Whether LLVM's static objects are gone.
bool isCompilerGone();

} // namespace rooftile::compiler

#endif // ROOFTILE_LIB_COMPILER_COMPILETHREAD_H
