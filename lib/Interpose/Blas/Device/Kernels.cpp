//===- Kernels.cpp - The kernels of librooftile.so ------------------------===//

#include "Kernels.h"

using namespace rooftile::interpose;
using namespace rooftile::operation;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Why there are none; empty where there are.
static std::string load(Kernels &kernels, rooftile_device device) {
  const Loaded &loaded = loadRooftile();
  if (!loaded.library)
    return loaded.why;
  kernels.library = loaded.library;
  rooftile_options options = {};
  options.size = sizeof options;
  options.device = device;
  rooftile_status status = kernels.library->create(&kernels.handle, &options);
  return status == ROOFTILE_SUCCESS ? "" : kernels.explain(status);
}

const Kernels *Kernels::open(rooftile_device device, std::string &why) {
  static Kernels *const kernels = new Kernels; // Never destroyed: programs call after main.
  static const std::string *const missing = new std::string(load(*kernels, device));
  why = *missing;
  return missing->empty() ? kernels : nullptr;
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
