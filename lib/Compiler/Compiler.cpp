//===- Compiler.cpp - From an operation to an executable ------------------===//

#include "rooftile/Compiler/Compiler.h"
#include "CompileThread.h"
#include "rooftile/Compiler/Build.h"
#include "rooftile/Compiler/Bytes.h"
#include "rooftile/Compiler/DiskCache.h"
#include "rooftile/Compiler/OnceMap.h"
#include "rooftile/Compiler/OperationModule.h"
#include "rooftile/Compiler/Plans.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Target/Chips.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <dlfcn.h>
#include <mutex>

using namespace rooftile;
using namespace rooftile::compiler;

/// Identity of a build of this compiler: its version, LLVM's, and size and time of the file
/// that it is in.
static std::string identity() {
  std::string text = "Rooftile " ROOFTILE_VERSION ", LLVM " LLVM_VERSION_STRING;
  Dl_info info;
  llvm::sys::fs::file_status status;
  if (dladdr(reinterpret_cast<void *>(&identity), &info) && info.dli_fname &&
      !llvm::sys::fs::status(info.dli_fname, status))
    text += ", " + std::to_string(status.getSize()) + ", " +
            std::to_string(status.getLastModificationTime().time_since_epoch().count());
  return text;
}

/// With the chip of the device, where none is named.
static CompilerOptions withChip(CompilerOptions options) {
  bool isAmd = options.device == DeviceKind::Hip;
  if (options.chip.empty())
    options.chip =
        target::detectChip({isAmd ? DeviceKind::Hip : DeviceKind::Cuda, options.ordinal});
  if (options.chip.empty() && isAmd)
    options.chip = target::kDefaultAmdChip.str();
  return options;
}

/// All that plans depend on beside the module: the name of the chip, or the text of its file.
static std::string describeChip(const std::string &chip) {
  auto file = llvm::MemoryBuffer::getFile(chip);
  return file ? (*file)->getBuffer().str() : chip;
}

struct Compiler::State {
  CompilerOptions options;
  std::string chip, compiler;
  DiskCache disk;
  OnceMap<Executable> kept{mostKeptBytes(),
                           [](const Executable &executable) { return executable.bytes(); }};
  OnceMap<std::string> reports{mostKeptBytes(),
                               [](const std::string &report) { return report.size(); }};
  std::mutex mutex; ///< Guards what follows.
  Plans plans;
  std::string chipOfPlans; ///< Name of the chip, where there is a list.
  std::vector<std::string> warnings;

  explicit State(const CompilerOptions &given)
      : options(withChip(given)), chip(describeChip(options.chip)), compiler(identity()),
        disk(DiskCache::open(options.cacheFolder)) {
    usePlans(options.plans);
  }

  void usePlans(Plans given);
  Plans currentPlans() {
    std::lock_guard<std::mutex> lock(mutex);
    return plans;
  }
  /// Options of a compilation with these lines.
  CompilerOptions with(const PlanLines &lines) const {
    CompilerOptions changed = options;
    changed.plans = lines.plans;
    return changed;
  }
  /// The executable of what `key` describes, which `build` compiles.
  Compiled get(const std::string &key, llvm::function_ref<Built()> build);
  std::shared_ptr<const Executable> make(const std::string &key, llvm::function_ref<Built()> build,
                                         std::string &why);
  std::shared_ptr<const Executable> fromDisk(const DiskCache::Key &key, FileLock &lock);
};

void Compiler::State::usePlans(Plans given) {
  std::string planned = chipOfLines(given, options);
  std::string leftOut = whatIsLeftOut(given, planned);
  std::lock_guard<std::mutex> lock(mutex);
  plans = std::move(given), chipOfPlans = std::move(planned);
  warnings.clear(); // those of the list before
  if (!leftOut.empty())
    warnings.push_back(std::move(leftOut));
}

/// Null where the disk does not have it: then `lock` keeps other processes from making it, too.
/// What the disk has is data, and is checked before it is used.
std::shared_ptr<const Executable> Compiler::State::fromDisk(const DiskCache::Key &key,
                                                            FileLock &lock) {
  std::optional<std::string> bytes = disk.getOrLock(key, lock);
  std::string why;
  std::unique_ptr<ExecutableData> data = bytes ? readExecutable(*bytes, why) : nullptr;
  return data ? Executable::load(std::move(*data), why) : nullptr;
}

std::shared_ptr<const Executable> Compiler::State::make(const std::string &described,
                                                        llvm::function_ref<Built()> build,
                                                        std::string &why) {
  bool isCpu = options.device == DeviceKind::Cpu;
  DiskCache::Key key({described, compiler, chip});
  FileLock lock; // until the disk has what is made here
  if (!isCpu)
    if (auto executable = fromDisk(key, lock))
      return executable;
  Built built;
  built.error = kIsEnding;
  runOnCompileThread([&] { built = build(); });
  why = built.error;
  if (!why.empty())
    return nullptr;
  if (isCpu) // functions of this process, which no file holds
    return Executable::onHost(std::move(built.data), std::move(built.host), why);
  disk.put(key, writeExecutable(built.data));
  return Executable::load(std::move(built.data), why);
}

Compiler::Compiler(const CompilerOptions &options) : state(std::make_unique<State>(options)) {}
Compiler::~Compiler() = default;

Compiled Compiler::State::get(const std::string &key, llvm::function_ref<Built()> build) {
  Compiled compiled;
  auto makeOne = [&](std::string &why) { return make(key, build, why); };
  compiled.executable = kept.get(key, makeOne, compiled.error);
  return compiled;
}

Compiled Compiler::compile(const std::string &module) {
  PlanLines lines = allLines(state->currentPlans());
  return state->get(module + lines.key, [&] { return build(module, state->with(lines)); });
}

Compiled Compiler::get(const operation::Operation &operation) {
  Compiled compiled;
  compiled.error = whatIsWrong(operation).message;
  if (!compiled.error.empty())
    return compiled;
  PlanLines lines = linesFor(operation, state->currentPlans());
  compiled = state->get(text(canonical(operation)) + lines.key,
                        [&] { return build(operation, state->with(lines)); });
  if (compiled)
    compiled.function = compiled.executable->find(kOperationName);
  return compiled;
}

Planned Compiler::plan(const operation::Operation &operation) {
  Planned planned;
  planned.error = whatIsWrong(operation).message;
  if (!planned.error.empty())
    return planned;
  PlanLines lines = linesFor(operation, state->currentPlans());
  auto make = [&](std::string &why) {
    std::shared_ptr<const std::string> report;
    why = kIsEnding;
    runOnCompileThread([&] { report = compiler::plan(operation, state->with(lines), why); });
    return report;
  };
  std::string key = text(canonical(operation)) + lines.key + placesOf(lines.plans);
  planned.report = state->reports.get(key, make, planned.error);
  return planned;
}

bool Compiler::names(const operation::Operation &operation) {
  Plans plans;
  std::string chip;
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    plans = state->plans, chip = state->chipOfPlans;
  }
  return namesExactly(operation, plans, chip);
}

void Compiler::usePlans(Plans plans) { state->usePlans(std::move(plans)); }

void Compiler::warn(std::string warning) {
  std::lock_guard<std::mutex> lock(state->mutex);
  state->warnings.push_back(std::move(warning));
}

std::string Compiler::warning() {
  if (std::string reason = state->disk.reason(); !reason.empty())
    return reason;
  std::lock_guard<std::mutex> lock(state->mutex);
  if (state->warnings.empty())
    return "";
  std::string first = std::move(state->warnings.front());
  state->warnings.erase(state->warnings.begin());
  return first;
}
