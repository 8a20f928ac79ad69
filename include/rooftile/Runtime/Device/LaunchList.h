//===- LaunchList.h - Launches that follow each other -----------*- C++ -*-===//
//
// Launches of a function of an executable, with copies of the parameters: launched one by one, or
// as a graph that the driver has prepared.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_DEVICE_LAUNCHLIST_H
#define ROOFTILE_RUNTIME_DEVICE_LAUNCHLIST_H

#include "rooftile/Runtime/Device/Driver.h"

#include <vector>

namespace rooftile {

class LaunchList {
public:
  /// A kernel that a driver has found; `name` is for messages, and outlives the list.
  struct Function {
    void *handle;
    const std::string *name;
  };

  void add(const Function &function, const KernelLaunch &launch);
  void clear();

  size_t size() const { return entries.size(); }
  const Function &function(size_t number) const { return entries[number].function; }
  /// Its parameters are those of the list, and stay until it changes.
  KernelLaunch at(size_t number) const;
  /// Whether both launch the same kernels in workgroups of the same sizes: one is the other but for
  /// parameters and the number of workgroups.
  bool hasKernelsOf(const LaunchList &other) const;
  /// Whether launch `number` is that of `other`, which has its kernels.
  bool equals(const LaunchList &other, size_t number) const;

private:
  struct Entry {
    Function function;
    KernelLaunch launch;   ///< Without the addresses of its parameters, which may change.
    size_t firstParameter; ///< Index of the first in the list.
  };

  std::vector<Entry> entries;
  std::vector<uint64_t> words; ///< All parameters; unused bytes of the last word of each are 0.
  std::vector<size_t> starts;  ///< First of each parameter in `words`.
  std::vector<uint32_t> bytes; ///< Size of each parameter.
  mutable std::vector<void *> places;
};

/// Launches that a driver has prepared as one.
class LaunchGraph {
public:
  virtual ~LaunchGraph() = default;
  /// Launches `list`, which has the kernels of the list that this was made of. False where the
  /// driver refuses: nothing is launched then, nor recorded, and this is of no more use.
  virtual bool launch(const LaunchList &list, void *stream) = 0;
};

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_DEVICE_LAUNCHLIST_H
