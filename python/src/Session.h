//===- Session.h - Compilers of this process, and calls of code -*- C++ -*-===//
//
// All functions but runWithoutLock are called with the GIL held, and release it
// where they compile or run. After a fork the child goes on with what the parent has compiled,
// unless another thread of the parent was compiling or running, or the parent
// has used a GPU: then calls raise RuntimeError, since locks or the driver may be
// in any state.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PYTHON_SESSION_H
#define ROOFTILE_PYTHON_SESSION_H

#include "Array.h"
#include "rooftile/Compiler/Compiler.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace rooftile::python {

/// Where a call runs: a GPU and a stream of it, or the host.
struct Place {
  Device device = kHost;
  uint64_t stream = 0;
  bool isWaitedFor = false; ///< The stream, before the call returns.
};

/// Compiles `operation` for a device and `chip`; raises RuntimeError where that fails.
compiler::Compiled compileFor(Device device, const std::string &chip,
                              const operation::Operation &operation);
/// Compiles the text of a module.
compiler::Compiled compileText(Device device, const std::string &chip, const std::string &module);

/// Later compilations of all devices have plans of the list in the file `path`; an empty one: of
/// the model alone. Raises ValueError where it cannot be read.
void usePlans(const std::string &path);
/// The list in use; at the start that of $ROOFTILE_PLANS.
compiler::Plans currentPlans();
/// Number of lists that were in use: what was compiled before the last one has a smaller one.
uint64_t numberOfPlans();

/// Loads the kernels of `executable` on a GPU, so that a stream of it may be captured; raises
/// RuntimeError where that fails.
void loadAt(const Place &place, const Executable &executable);

/// Launches with `registers`; false where there is nothing more to do.
using Launch = llvm::function_ref<bool(const std::vector<uint64_t> &registers)>;
/// Calls a Launch with the registers of each call of a function, one or more.
using Launches = llvm::function_ref<void(Launch)>;

/// Runs a function, once for each of `launches`; raises RuntimeError where that fails.
void runAt(const Place &place, const Executable &executable, int function, Launches launches);
/// Runs one call.
void runAt(const Place &place, const Executable &executable, int function,
           const std::vector<uint64_t> &registers);

/// run for a thread that need not hold the GIL: why it failed, or an empty string.
std::string runWithoutLock(const Place &place, const Executable &executable, int function,
                           Launches launches);

/// The plans of `operation` as JSON (PlanReport.h); raises RuntimeError where there are none.
std::string planFor(Device device, const std::string &chip, const operation::Operation &operation);

/// Runs `work` without the GIL, as compiling and running do.
void withoutLock(const std::function<void()> &work);

/// Raises ValueError where no chip has this name; an empty one is the GPU present.
void checkChip(const std::string &chip);

/// Called once, when the module is loaded.
void watchForks();

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_SESSION_H
