//===- Context.h - What a handle of the C interface stands for --*- C++ -*-===//
#ifndef ROOFTILE_LIB_CAPI_CONTEXT_H
#define ROOFTILE_LIB_CAPI_CONTEXT_H

#include "Call.h"
#include "Messages.h"
#include "rooftile/Compiler/Compiler.h"
#include "rooftile/Runtime/Device/Driver.h"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <unordered_map>

namespace rooftile::capi {

/// An operation that can be run.
struct Prepared {
  Checked checked;             ///< For kernels of all sizes, the operation only.
  compiler::Compiled compiled; ///< Nothing, where nothing is to be done.
};

} // namespace rooftile::capi

/// The executables of operations that were called. The compiler, which is asked for others, finds
/// them by text.
struct rooftile_context {
  using Shared = std::shared_ptr<const rooftile::capi::Prepared>;

  /// `warning`: of the list of plans; empty: none.
  rooftile_context(const rooftile::compiler::CompilerOptions &options, const std::string &warning);
  ~rooftile_context();

  /// Prepares kernels for `call`, compiled at the first call of its operation.
  rooftile::capi::Failure prepare(const rooftile::capi::Call &call, Shared &prepared);
  /// Whether the operation of a call with kernels for all sizes has its own all the same: the list
  /// of plans names it.
  bool hasOwnKernels(const rooftile::capi::Checked &checked);
  /// Kernels for all sizes, of dynamicOperation().
  rooftile::capi::Failure prepareDynamic(const rooftile::operation::Operation &operation,
                                         Shared &prepared);
  /// The plans of `call`, as JSON.
  rooftile::capi::Failure plan(const rooftile::capi::Call &call,
                               std::shared_ptr<const std::string> &report);
  /// Calls from now on have plans of this list.
  void usePlans(rooftile::compiler::Plans plans);
  /// Why nothing can be run: no device. Empty where something can.
  const std::string &whyNoDevice() const { return noDevice; }
  /// The last one that the compiler had.
  const char *warning();
  /// Adds a warning.
  void warn(std::string warning) { compiler.warn(std::move(warning)); }

  const uint64_t number; ///< Number of this handle; never that of another one.
  const rooftile::Device device;
  const std::string chip; ///< As the options state it.
  std::atomic<void *> stream{nullptr};

private:
  rooftile::capi::Failure compile(const rooftile::operation::Operation &key,
                                  const std::shared_ptr<rooftile::capi::Prepared> &made,
                                  Shared &prepared);
  Shared find(const rooftile::operation::Operation &key);
  /// Keeps what was compiled with list `list` of the handle, if it has that still.
  void keep(const rooftile::operation::Operation &key, const Shared &prepared, uint64_t list);
  void retire();
  uint64_t currentList();
  void wait() const;

  const std::string noDevice;
  rooftile::compiler::Compiler compiler;
  std::shared_mutex mutex; ///< Guards what is kept.
  std::unordered_map<rooftile::operation::Operation, Shared, rooftile::operation::OperationHash>
      kept, retired;
  uint64_t list = 0;           ///< Number of lists that the handle had.
  std::mutex warningMutex;     ///< Guards `told`.
  std::list<std::string> told; ///< Callers have the texts.
};

namespace rooftile::capi {

/// The status of what `body` returns, a Failure; its message is kept. Nothing is thrown.
template <typename Body> rooftile_status guarded(uint64_t handle, const Body &body) noexcept {
  try {
    Failure failure = body();
    if (failure)
      keepMessage(handle, std::move(failure.message));
    return failure.status;
  } catch (const std::bad_alloc &) {
    keepMessage(handle, "out of memory"); // So short a text is in the string itself.
    return ROOFTILE_OUT_OF_MEMORY;
  } catch (...) {
    keepMessage(handle, "an exception");
    return ROOFTILE_INTERNAL;
  }
}

} // namespace rooftile::capi

#endif // ROOFTILE_LIB_CAPI_CONTEXT_H
