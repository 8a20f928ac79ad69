//===- Session.cpp - Compilers of this process, and calls of code ---------===//

#include "Session.h"
#include "Lock.h"
#include "rooftile/Compiler/Plans.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Runtime.h"
#include "rooftile/Target/Chips.h"

#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <pthread.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace nb = nanobind;
using namespace rooftile;
using namespace rooftile::python;
using compiler::Compiled;
using compiler::Compiler;

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

/// Threads that compile or run.
static std::atomic<int> busyThreads{0};
static std::atomic<bool> hasUsedGpu{false};
/// Why nothing works in this process; null where it does.
static std::atomic<const char *> lost{nullptr};

static void afterForkInChild() {
  if (busyThreads > 0)
    lost = "this process was forked while another thread of its parent compiled or ran a kernel; "
           "start processes with multiprocessing's 'spawn' or 'forkserver'";
  else if (hasUsedGpu)
    lost = "this process was forked after its parent had used a GPU, which drivers do not support; "
           "start processes with multiprocessing's 'spawn' or 'forkserver'";
}

void rooftile::python::watchForks() { pthread_atfork(nullptr, nullptr, afterForkInChild); }

namespace {
struct Busy {
  Busy() { ++busyThreads; }
  ~Busy() { --busyThreads; }
};
} // namespace

static void checkNotLost() {
  if (const char *why = lost)
    throw std::runtime_error(why);
}

void rooftile::python::withoutLock(const std::function<void()> &work) {
  checkNotLost();
  Busy busy;
  Unlocked unlocked;
  work();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

void rooftile::python::checkChip(const std::string &chip) {
  if (std::string why = chip.empty() ? "" : target::whyUnknown(chip); !why.empty())
    raiseValue("chip: " + why);
}

namespace {
/// Compilers, and their list of plans; with the GIL held.
struct Compilers {
  using Key = std::tuple<DeviceKind, int, std::string>;
  std::map<Key, std::unique_ptr<Compiler>> all;
  compiler::Plans plans = compiler::plansOfEnvironment().plans;
  std::string warning = compiler::plansOfEnvironment().why; ///< For the next one that is made.
};
} // namespace

static Compilers &compilers() {
  static auto &instance = *new Compilers;
  return instance;
}

static std::atomic<uint64_t> planNumber{0};
uint64_t rooftile::python::numberOfPlans() { return planNumber; }
compiler::Plans rooftile::python::currentPlans() { return compilers().plans; }

void rooftile::python::usePlans(const std::string &path) {
  compiler::Plans plans;
  std::string why;
  withoutLock([&] { plans = path.empty() ? nullptr : compiler::readPlans(path, why); });
  if (!why.empty())
    raiseValue(why);
  compilers().plans = plans;
  compilers().warning.clear();
  for (auto &[key, each] : compilers().all)
    each->usePlans(plans);
  ++planNumber; // what is compiled from here on has the list
}

/// One for each kind of device and chip, and where none is named, for each device, until the
/// process ends: kernels cannot be unloaded while a stream may still run them.
static Compiler &compilerOf(Device device, const std::string &chip) {
  checkNotLost();
  Compilers &known = compilers();
  Compilers::Key key{device.kind, chip.empty() ? device.ordinal : 0, chip};
  if (auto found = known.all.find(key); found != known.all.end())
    return *found->second;
  checkChip(chip);
  compiler::CompilerOptions options;
  options.device = device.kind;
  options.ordinal = device.ordinal;
  options.chip = chip;
  options.plans = known.plans;
  std::unique_ptr<Compiler> &made = known.all[key];
  made = std::make_unique<Compiler>(options);
  if (!known.warning.empty())
    made->warn(std::exchange(known.warning, ""));
  return *made;
}

/// Warns of all that `compiler` has to.
static void warnOf(Compiler &compiler) {
  for (std::string warning = compiler.warning(); !warning.empty(); warning = compiler.warning())
    if (PyErr_WarnEx(PyExc_RuntimeWarning, warning.c_str(), 2))
      throw nb::python_error();
}

static Compiled compileWith(Compiler &compiler, const std::function<Compiled()> &compile) {
  Compiled compiled;
  withoutLock([&] { compiled = compile(); });
  if (!compiled)
    throw std::runtime_error(compiled.error);
  warnOf(compiler);
  return compiled;
}

Compiled rooftile::python::compileFor(Device device, const std::string &chip,
                                      const operation::Operation &operation) {
  Compiler &compiler = compilerOf(device, chip);
  return compileWith(compiler, [&] { return compiler.get(operation); });
}

Compiled rooftile::python::compileText(Device device, const std::string &chip,
                                       const std::string &module) {
  Compiler &compiler = compilerOf(device, chip);
  return compileWith(compiler, [&] { return compiler.compile(module); });
}

std::string rooftile::python::planFor(Device device, const std::string &chip,
                                      const operation::Operation &operation) {
  Compiler &compiler = compilerOf(device, chip);
  compiler::Planned planned;
  withoutLock([&] { planned = compiler.plan(operation); });
  if (!planned)
    throw std::runtime_error(planned.error);
  warnOf(compiler);
  return *planned.report;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Does `work` on a GPU, for a stream of it, and leaves this thread's device and context as they
/// were: they belong to the caller's framework.
static std::string onGpu(const Place &place, const std::function<std::string()> &work) {
  std::string why = Driver::of(place.device.kind).whyMissing(place.device.ordinal);
  if (!why.empty())
    return why;
  hasUsedGpu = true;
  DeviceScope scope(place.device);
  void *stream = rooftileGetStream();
  rooftileSetStream(reinterpret_cast<void *>(place.stream));
  why = work();
  rooftileSetStream(stream);
  return why;
}

static std::string runAll(const Executable &executable, int function, Launches launches) {
  std::string why;
  launches([&](const std::vector<uint64_t> &registers) {
    why = executable.run(function, registers.data());
    return why.empty();
  });
  return why;
}

static std::string runOnGpu(const Place &place, const Executable &executable, int function,
                            Launches launches) {
  return onGpu(place, [&] {
    std::string why = runAll(executable, function, launches);
    if (why.empty() && place.isWaitedFor &&
        !Driver::of(place.device.kind).waitForStream(rooftileGetStream()))
      why = takeError();
    return why;
  });
}

static std::string run(const Place &place, const Executable &executable, int function,
                       Launches launches) {
  return place.device == kHost ? runAll(executable, function, launches)
                               : runOnGpu(place, executable, function, launches);
}

std::string rooftile::python::runWithoutLock(const Place &place, const Executable &executable,
                                             int function, Launches launches) {
  if (const char *why = lost)
    return why;
  Busy busy;
  return run(place, executable, function, launches);
}

/// Exception of a signal handler of Python while a kernel ran: after Ctrl-C, KeyboardInterrupt.
static thread_local std::exception_ptr raised;

static bool hasRaised() {
  Locked locked;
  if (!PyErr_CheckSignals())
    return false;
  raised = std::make_exception_ptr(nb::python_error());
  return true;
}

namespace {
/// Lets signal handlers of Python run while kernels do. They run on the main thread only; another
/// one need not acquire the GIL, which may be gone when it asks.
class WithSignals {
public:
  explicit WithSignals(const Place &place) {
    if (place.device == kHost && ::gettid() == ::getpid())
      rooftileCpuAsk(hasRaised);
  }
  ~WithSignals() { rooftileCpuAsk(nullptr); }
};
} // namespace

void rooftile::python::runAt(const Place &place, const Executable &executable, int function,
                             Launches launches) {
  std::string why;
  withoutLock([&] {
    WithSignals signals(place);
    why = run(place, executable, function, launches);
  });
  if (raised)
    std::rethrow_exception(std::exchange(raised, nullptr));
  if (!why.empty())
    throw std::runtime_error(why);
}

void rooftile::python::runAt(const Place &place, const Executable &executable, int function,
                             const std::vector<uint64_t> &registers) {
  runAt(place, executable, function, [&](Launch launch) { launch(registers); });
}

void rooftile::python::loadAt(const Place &place, const Executable &executable) {
  if (place.device == kHost)
    return;
  std::string why;
  withoutLock([&] { why = onGpu(place, [&] { return executable.prepare(); }); });
  if (!why.empty())
    throw std::runtime_error(why);
}
