//===- Context.cpp - Handles of the C interface ---------------------------===//

#include "Context.h"
#include "Structs.h"
#include "rooftile/Compiler/Bytes.h"
#include "rooftile/Compiler/Plans.h"

#include <cstddef>

using namespace rooftile;
using namespace rooftile::capi;
using namespace rooftile::compiler;
using operation::Operation;

/// Operations that a handle keeps; a program that asks for more begins anew.
static constexpr size_t kMostPrepared = 4096;

static uint64_t nextNumber() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

rooftile_context::rooftile_context(const CompilerOptions &options, const std::string &warning)
    : number(nextNumber()), device{options.device, options.ordinal}, chip(options.chip),
      noDevice(Driver::of(device.kind).whyMissing(device.ordinal)), compiler(options) {
  if (!warning.empty())
    compiler.warn(warning);
}

rooftile_context::~rooftile_context() { wait(); }

/// Kernels are unloaded with the executables: none may run then.
void rooftile_context::wait() const {
  if (!noDevice.empty() || kept.empty())
    return;
  DeviceScope scope(device);
  Driver::of(device.kind).waitForDevice();
  rooftileClearError();
}

rooftile_context::Shared rooftile_context::find(const Operation &key) {
  std::shared_lock<std::shared_mutex> lock(mutex);
  auto found = kept.find(key);
  return found == kept.end() ? nullptr : found->second;
}

/// With `mutex` held.
void rooftile_context::retire() {
  wait();
  retired = std::move(kept);
  kept.clear();
}

uint64_t rooftile_context::currentList() {
  std::shared_lock<std::shared_mutex> lock(mutex);
  return list;
}

void rooftile_context::usePlans(Plans plans) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  compiler.usePlans(std::move(plans));
  ++list;
  retire();
}

static size_t bytesOf(const Prepared &prepared) {
  return prepared.compiled ? prepared.compiled.executable->bytes() : 0;
}

/// Retired kernels may be in use by threads that have found them before: they go when as many again
/// are there, and all kernels have ended.
void rooftile_context::keep(const Operation &key, const Shared &prepared, uint64_t ofList) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  if (ofList != list)
    return;
  static const size_t mostBytes = mostKeptBytes() / 2; // as many again are retired
  size_t bytes = bytesOf(*prepared);                   // that of others may have grown
  for (auto &[other, known] : kept)
    bytes += bytesOf(*known);
  if (kept.size() >= kMostPrepared || bytes > mostBytes)
    retire();
  kept.try_emplace(key, prepared);
}

Failure rooftile_context::compile(const Operation &key, const std::shared_ptr<Prepared> &made,
                                  Shared &prepared) {
  uint64_t ofList = currentList();
  if (!made->checked.doesNothing) {
    made->compiled = compiler.get(made->checked.operation);
    if (!made->compiled)
      return {ROOFTILE_COMPILE_FAILURE, made->compiled.error};
  }
  prepared = made;
  keep(key, prepared, ofList);
  return {};
}

Failure rooftile_context::prepare(const Call &call, Shared &prepared) {
  prepared = find(call.operation);
  if (prepared)
    return {};
  auto made = std::make_shared<Prepared>();
  if (Failure failure = check(call, made->checked))
    return failure;
  return compile(call.operation, made, prepared);
}

bool rooftile_context::hasOwnKernels(const Checked &checked) {
  return !checked.doesNothing && compiler.names(checked.operation);
}

Failure rooftile_context::prepareDynamic(const Operation &operation, Shared &prepared) {
  prepared = find(operation);
  if (prepared)
    return {};
  auto made = std::make_shared<Prepared>();
  made->checked.operation = operation;
  return compile(operation, made, prepared);
}

Failure rooftile_context::plan(const Call &call, std::shared_ptr<const std::string> &report) {
  Checked checked;
  if (Failure failure = check(call, checked))
    return failure;
  bool isDynamic = call.isDynamic && !hasOwnKernels(checked);
  if (checked.doesNothing)
    report = std::make_shared<const std::string>("{\"chip\":\"\",\"operations\":[]}");
  else if (Planned planned =
               compiler.plan(isDynamic ? dynamicOperation(call, checked) : checked.operation))
    report = planned.report;
  else
    return {ROOFTILE_COMPILE_FAILURE, planned.error};
  return {};
}

const char *rooftile_context::warning() {
  std::lock_guard<std::mutex> lock(warningMutex);
  std::string warning = compiler.warning();
  if (!warning.empty())
    told.push_back(std::move(warning));
  return told.empty() ? "" : told.back().c_str();
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

static Failure readOptions(const rooftile_options *given, CompilerOptions &options) {
  constexpr DeviceKind kKinds[] = {DeviceKind::Cuda, DeviceKind::Cpu, DeviceKind::Hip};
  if (!given)
    return {};
  rooftile_options read;
  if (Failure failure = readStruct("options", given, read))
    return failure;
  if (read.device < ROOFTILE_CUDA || read.device > ROOFTILE_HIP)
    return invalid("device is " + std::to_string(read.device) + ", not one of 0 to 2");
  if (read.ordinal < 0 || read.ordinal >= kMostDevices)
    return invalid("ordinal is " + std::to_string(read.ordinal) + ", not one of 0 to " +
                   std::to_string(kMostDevices - 1));
  options.device = kKinds[read.device];
  options.ordinal = options.device == DeviceKind::Cpu ? 0 : read.ordinal;
  options.chip = read.chip ? read.chip : "";
  options.cacheFolder = read.cache_folder ? read.cache_folder : "";
  return {};
}

extern "C" {

const char *rooftile_status_name(rooftile_status status) {
  constexpr const char *kNames[] = {"success",       "invalid argument", "unsupported",
                                    "no device",     "compile failure",  "launch failure",
                                    "out of memory", "internal error",   "tuning failure"};
  bool isKnown = status >= ROOFTILE_SUCCESS && status <= ROOFTILE_TUNING_FAILURE;
  return isKnown ? kNames[status] : "unknown status";
}

const char *rooftile_version(void) { return ROOFTILE_VERSION; }

rooftile_status rooftile_create(rooftile_handle *handle, const rooftile_options *given) {
  return guarded(0, [&]() -> Failure {
    if (!handle)
      return invalid("handle is NULL");
    *handle = nullptr;
    CompilerOptions options;
    if (Failure failure = readOptions(given, options))
      return failure;
    const PlansOfEnvironment &environment = plansOfEnvironment();
    options.plans = environment.plans;
    *handle = new rooftile_context(options, environment.why);
    return {};
  });
}

rooftile_status rooftile_destroy(rooftile_handle handle) {
  return guarded(0, [&]() -> Failure {
    delete handle;
    return {};
  });
}

rooftile_status rooftile_set_stream(rooftile_handle handle, void *stream) {
  return guarded(0, [&]() -> Failure {
    if (!handle)
      return invalid("handle is NULL");
    handle->stream = stream;
    return {};
  });
}

rooftile_status rooftile_get_stream(rooftile_handle handle, void **stream) {
  return guarded(handle ? handle->number : 0, [&]() -> Failure {
    if (!handle || !stream)
      return invalid(handle ? "stream is NULL" : "handle is NULL");
    *stream = handle->stream;
    return {};
  });
}

rooftile_status rooftile_use_plans(rooftile_handle handle, const char *path) {
  return guarded(handle ? handle->number : 0, [&]() -> Failure {
    if (!handle)
      return invalid("handle is NULL");
    std::string why;
    Plans plans = path ? readPlans(path, why) : nullptr;
    if (!why.empty())
      return invalid(why);
    handle->usePlans(std::move(plans));
    return {};
  });
}

const char *rooftile_message(rooftile_handle handle) {
  return messageOf(handle ? handle->number : 0);
}

const char *rooftile_warning(rooftile_handle handle) {
  const char *warning = "";
  guarded(0, [&]() -> Failure {
    warning = handle ? handle->warning() : "";
    return {};
  });
  return warning;
}

} // extern "C"
