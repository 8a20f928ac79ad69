//===- Autotune.cpp - Plans that are measured on request ------------------===//
//
// The library has no tuner in it: it runs gemm-tune, whose kernels are in processes of their own.
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "Structs.h"
#include "rooftile/Compiler/Plans.h"
#include "rooftile/Runtime/Process.h"
#include "rooftile/Target/Chips.h"
#include "llvm/Support/JSON.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace rooftile;
using namespace rooftile::capi;

/// Seconds where the caller states none.
static constexpr double kSeconds = 1200;

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static bool isStated(const char *text) { return text && *text; }

/// $ROOFTILE_TUNER, else the program that is installed with this library, else that of PATH.
static std::string tuner() {
  const char *named = std::getenv("ROOFTILE_TUNER");
  if (isStated(named))
    return named;
  Dl_info library;
  if (dladdr(reinterpret_cast<const void *>(&rooftile_autotune), &library) && library.dli_fname) {
    std::string path = library.dli_fname;
    path = path.substr(0, path.rfind('/') + 1) + "../bin/gemm-tune";
    if (access(path.c_str(), X_OK) == 0)
      return path;
  }
  return "gemm-tune";
}

static Failure checkArguments(const rooftile_context &context, const rooftile_autotune_args &args) {
  if (!isStated(args.folder))
    return invalid("folder is NULL or empty");
  if (isStated(args.list) && isStated(args.like))
    return invalid("list and like exclude each other");
  if (!(args.seconds >= 0 && args.seconds <= 1e9))
    return invalid("seconds is " + std::to_string(args.seconds) + ", not 0 to 1e9");
  if (context.device.kind != DeviceKind::Cuda)
    return unsupported(describe(context.device) + ": plans are measured on CUDA devices only");
  if (!context.whyNoDevice().empty())
    return {ROOFTILE_NO_DEVICE, context.whyNoDevice()};
  if (context.chip.empty() && target::detectChip(context.device).empty())
    return unsupported(describe(context.device) +
                       " is a chip that is not known; gemm-tune autotune describes it in "
                       "gpu.target of its folder, for `chip` of the options");
  return {};
}

static std::vector<std::string> commandOf(const rooftile_context &context,
                                          const rooftile_autotune_args &args) {
  double seconds = args.seconds > 0 ? args.seconds : kSeconds;
  std::vector<std::string> command = {tuner(),
                                      "autotune",
                                      args.folder,
                                      "--json",
                                      "--device=" + std::to_string(context.device.ordinal),
                                      "--time=" + std::to_string(seconds) + "s"};
  if (!context.chip.empty())
    command.push_back("--chip=" + context.chip);
  if (isStated(args.list))
    command.push_back(std::string("--list=") + args.list);
  if (isStated(args.like))
    command.push_back(std::string("--like=") + args.like);
  return command;
}

//===----------------------------------------------------------------------===//
// Its output
//===----------------------------------------------------------------------===//

namespace {
/// Reads the output of gemm-tune.
class Reader {
public:
  Reader(rooftile_context &context, const rooftile_autotune_args &args)
      : context(context), args(args) {}

  void read(llvm::StringRef line);

  std::string list;  ///< File of the plans, at the end.
  std::string error; ///< The last one.

private:
  void report(const llvm::json::Object &object) const;

  rooftile_context &context;
  const rooftile_autotune_args &args;
};
} // namespace

void Reader::report(const llvm::json::Object &object) const {
  std::string operation = object.getString("operation").value_or("").str();
  std::string why = object.getString("error").value_or("").str();
  rooftile_tuned tuned = {};
  tuned.size = sizeof tuned;
  tuned.operation = operation.c_str(), tuned.error = why.c_str();
  tuned.done = object.getInteger("done").value_or(0);
  tuned.count = object.getInteger("of").value_or(0);
  tuned.seconds_left = object.getNumber("secondsLeft").value_or(0);
  tuned.milliseconds = object.getNumber("milliseconds").value_or(0);
  tuned.gain = object.getNumber("gain").value_or(0);
  args.progress(&tuned, args.user_data);
}

/// Lines of JSON are results, others are messages.
void Reader::read(llvm::StringRef line) {
  if (line.consume_front("gemm-tune: error: ")) {
    error = line.str();
    return;
  }
  if (line.consume_front("gemm-tune: warning: ")) {
    context.warn(line.str());
    return;
  }
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  if (!value)
    return llvm::consumeError(value.takeError());
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return;
  if (std::optional<llvm::StringRef> file = object->getString("list"))
    list = file->str();
  if (object->getString("operation") && args.progress)
    report(*object);
}

static Failure tune(rooftile_context &context, const rooftile_autotune_args &args) {
  if (Failure failure = checkArguments(context, args))
    return failure;
  std::vector<std::string> command = commandOf(context, args);
  Process process;
  if (std::string why = process.start(command, Process::Lines::OfOutputAndErrors); !why.empty())
    return {ROOFTILE_TUNING_FAILURE, why + "; ROOFTILE_TUNER names the file of gemm-tune"};
  process.closeInput();
  Reader reader(context, args);
  for (std::string line; process.readLine(/*seconds=*/-1, line) == Process::Read::Line;)
    reader.read(line);
  std::string end = process.wait();
  if (reader.list.empty())
    return {ROOFTILE_TUNING_FAILURE,
            reader.error.empty() ? command.front() + " " + end : reader.error};
  std::string why;
  compiler::Plans plans = compiler::readPlans(reader.list, why);
  if (!why.empty())
    return {ROOFTILE_TUNING_FAILURE, why};
  context.usePlans(std::move(plans));
  return {};
}

extern "C" rooftile_status rooftile_autotune(rooftile_handle handle,
                                             const rooftile_autotune_args *given) {
  return guarded(handle ? handle->number : 0, [&]() -> Failure {
    if (!handle)
      return invalid("handle is NULL");
    rooftile_autotune_args args;
    if (Failure failure = readStruct("args", given, args))
      return failure;
    return tune(*handle, args);
  });
}
