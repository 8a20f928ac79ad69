//===- Kernels.cpp - The kernels of librooftile.so ------------------------===//

#include "Kernels.h"
#include "../../Arguments.h"
#include "../Calls/Settings.h"
#include "rooftile/Operation/Extent.h"
#include "rooftile/Operation/Text.h"

#include <memory>

using namespace rooftile;
using namespace rooftile::interpose;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static rooftile_device deviceOf(DeviceKind kind) {
  switch (kind) {
  case DeviceKind::Cuda:
    return ROOFTILE_CUDA;
  case DeviceKind::Hip:
    return ROOFTILE_HIP;
  case DeviceKind::Cpu:
    return ROOFTILE_CPU;
  }
  return ROOFTILE_CPU;
}

const Kernels *Kernels::open(Device device, void *stream, std::string &why) {
  const Loaded &loaded = loadRooftile();
  why = loaded.why;
  if (!loaded.library)
    return nullptr;
  rooftile_options options = {};
  options.size = sizeof options;
  options.device = deviceOf(device.kind);
  options.ordinal = device.ordinal;
  auto kernels = std::make_unique<Kernels>();
  kernels->library = loaded.library;
  rooftile_status status = loaded.library->create(&kernels->handle, &options);
  if (status == ROOFTILE_SUCCESS && stream)
    status = loaded.library->set_stream(kernels->handle, stream);
  if (status == ROOFTILE_SUCCESS) {
    if (std::string warning = firstWarning(*loaded.library, kernels->handle); !warning.empty())
      say("%s", warning.c_str());
    return kernels.release();
  }
  why = kernels->explain(status);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Programs such as LU have other sizes in every call.
static constexpr rooftile_sizes kSizes = ROOFTILE_SIZES_ANY;

/// The line of the operation on the device, for gemm-tune, gemm-export and lists of plans.
static void log(const Call &call) {
  operation::Operation operation = call.operation;
  for (int index : {0, 1, 2})
    if (operation.has(index))
      operation.operand(index).align =
          int32_t(operation::alignmentOf(reinterpret_cast<uint64_t>(call.addresses[index])));
  say("a kernel computes [%s]", operation::text(operation).c_str());
}

rooftile_status Kernels::run(const Call &call) const {
  if (settings().logsCalls)
    log(call);
  const void *addresses[] = {call.addresses[0], call.addresses[1], call.addresses[2]};
  rooftile_operation args =
      argumentsOf(call.operation, addresses, call.alpha.bytes, call.beta.bytes);
  args.sizes = kSizes;
  return library->run(handle, &args);
}

std::string Kernels::explain(rooftile_status status) const {
  return std::string(library->status_name(status)) + ": " + library->message(handle);
}

bool rooftile::interpose::isUntouched(rooftile_status status) {
  return status == ROOFTILE_INVALID_ARGUMENT || status == ROOFTILE_UNSUPPORTED ||
         status == ROOFTILE_NO_DEVICE || status == ROOFTILE_COMPILE_FAILURE;
}
