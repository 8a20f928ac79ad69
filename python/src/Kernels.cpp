//===- Kernels.cpp - Kernels that calls run -------------------------------===//

#include "Kernels.h"
#include "Lock.h"
#include "rooftile/Compiler/Bytes.h"

#include <map>
#include <mutex>
#include <unordered_map>

using namespace rooftile::python;
using namespace rooftile::compiler;
using namespace rooftile::operation;
using rooftile::Executable;

//===----------------------------------------------------------------------===//
// Executables by what a call asks for
//===----------------------------------------------------------------------===//

namespace {
struct Kept {
  std::shared_ptr<const Executable> executable;
  int function = -1;
};
/// Target of compilation.
struct Target {
  Target(rooftile::Device device, const std::string &chip)
      : kind(device.kind), ordinal(chip.empty() ? device.ordinal : 0), chip(chip),
        plans(numberOfPlans()) {}

  rooftile::DeviceKind kind;
  int ordinal; ///< Whose chip it is, where none is named.
  std::string chip;
  uint64_t plans; ///< Number of the list of plans.
  bool operator<(const Target &other) const {
    return std::tie(kind, ordinal, chip, plans) <
           std::tie(other.kind, other.ordinal, other.chip, other.plans);
  }
};
} // namespace

/// A program that needs more asks the compiler again, which has some of them.
static constexpr size_t kMostKept = 4096;

namespace {
/// Kernels of this process, by target. Threads of XLA look here without the GIL; nothing is
/// waited for while the mutex is held.
class Shelf {
public:
  /// Without an executable where there is none.
  Kept find(const Operation &operation, const Target &target) {
    std::lock_guard<std::mutex> lock(mutex);
    ByOperation &ofTarget = all[target];
    auto found = ofTarget.find(operation);
    return found == ofTarget.end() ? Kept{} : found->second;
  }
  void add(const Operation &operation, const Target &target, const Kept &kept) {
    std::lock_guard<std::mutex> lock(mutex);
    size_t count = 1, bytes = bytesOf(kept);
    for (auto &[other, ofTarget] : all)
      for (auto &[known, there] : ofTarget)
        ++count, bytes += bytesOf(there); // which grow as kernels are launched
    if (count > kMostKept || bytes > mostBytes)
      all.clear();
    all[target].insert_or_assign(operation, kept);
  }

private:
  using ByOperation = std::unordered_map<Operation, Kept, OperationHash>;

  static size_t bytesOf(const Kept &kept) { return kept.executable ? kept.executable->bytes() : 0; }

  std::mutex mutex;
  const size_t mostBytes = mostKeptBytes();
  std::map<Target, ByOperation> all;
};
} // namespace

static Shelf &shelf() {
  static auto &instance = *new Shelf;
  return instance;
}

/// With the GIL held.
static Kept compileKept(const Operation &operation, rooftile::Device device,
                        const std::string &chip) {
  if (Wrong wrong = whatIsWrong(operation))
    raiseValue(wrong.message);
  Target target(device, chip); // before, with the list of then or a later one
  Compiled made = compileFor(device, chip, operation);
  Kept kept{made.executable, made.function};
  shelf().add(operation, target, kept);
  return kept;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// The registers of each launch of a call, in order.
static void forEachLaunch(const Call &call, Launch launch) {
  std::vector<uint64_t> registers;
  forEachPlace(call.launches, [&](const std::array<int64_t, 3> &offsets) {
    CallArguments arguments = call.arguments;
    arguments.a.address += offsets[0], arguments.b.address += offsets[1];
    arguments.c.address += offsets[2];
    argumentsOf(call.operation, arguments, registers);
    return launch(registers);
  });
}

void rooftile::python::perform(const Call &call, const Request &request, const Place &place) {
  if (call.isEmpty)
    return;
  Kept kept = shelf().find(call.operation, {place.device, request.chip});
  if (!kept.executable)
    kept = compileKept(call.operation, place.device, request.chip);
  if (request.isPrepared)
    loadAt(place, *kept.executable);
  else
    runAt(place, *kept.executable, kept.function,
          [&](Launch launch) { forEachLaunch(call, launch); });
}

std::string rooftile::python::reportOf(const Call &call, const Request &request,
                                       rooftile::Device device) {
  if (call.isEmpty)
    return "{\"chip\":\"\",\"operations\":[]}";
  return planFor(device, request.chip, call.operation);
}

std::string rooftile::python::performWithoutLock(const Call &call, const Request &request,
                                                 const Place &place) {
  if (call.isEmpty)
    return "";
  Kept kept = shelf().find(call.operation, {place.device, request.chip});
  if (!kept.executable) {
    Locked locked;
    try {
      kept = compileKept(call.operation, place.device, request.chip);
    } catch (std::exception &error) {
      return error.what();
    }
  }
  return runWithoutLock(place, *kept.executable, kept.function,
                        [&](Launch launch) { forEachLaunch(call, launch); });
}
