//===- Kernels.cpp - The kernels of librooftile.so ------------------------===//

#include "Kernels.h"

#include <memory>

using namespace rooftile;
using namespace rooftile::interpose;
using namespace rooftile::operation;

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
  if (status == ROOFTILE_SUCCESS)
    return kernels.release();
  why = kernels->explain(status);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Programs such as LU have other sizes in every call.
static constexpr rooftile_sizes kSizes = ROOFTILE_SIZES_ANY;

static rooftile_op opOf(Op op) {
  return op == Op::N ? ROOFTILE_OP_N : op == Op::T ? ROOFTILE_OP_T : ROOFTILE_OP_C;
}

rooftile_status Kernels::run(const Call &call) const {
  const Operation &of = call.operation;
  rooftile_operation args = {};
  args.size = sizeof args;
  args.routine = ROOFTILE_GEMM + rooftile_routine(of.routine);
  args.order = ROOFTILE_COLUMN_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F16 + rooftile_type(call.element());
  args.op_a = opOf(of.opA), args.op_b = opOf(of.opB);
  args.side = ROOFTILE_LEFT + rooftile_side(of.side);
  args.triangle = ROOFTILE_LOWER + rooftile_triangle(of.triangle);
  args.diagonal = ROOFTILE_NON_UNIT + rooftile_diagonal(of.diagonal);
  args.exact = of.dependence == Dependence::Exact;
  args.m = of.m, args.n = of.n, args.k = of.k;
  args.a = call.addresses[0], args.b = call.addresses[1], args.c = call.addresses[2];
  args.lda = of.a.leading, args.ldb = of.b.leading, args.ldc = of.c.leading;
  args.alpha = call.alpha.bytes, args.beta = call.beta.bytes;
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
