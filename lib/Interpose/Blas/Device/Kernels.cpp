//===- Kernels.cpp - The kernels of librooftile.so ------------------------===//

#include "Kernels.h"

using namespace rooftile::interpose;

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

static rooftile_op opOf(char letter) {
  return letter == 'N' ? ROOFTILE_OP_N : letter == 'T' ? ROOFTILE_OP_T : ROOFTILE_OP_C;
}

static rooftile_type typeOf(Type type) {
  constexpr rooftile_type kTypes[] = {ROOFTILE_F32, ROOFTILE_F64, ROOFTILE_C64, ROOFTILE_C128};
  return kTypes[int(type)];
}

/// Programs such as LU have other sizes in every call.
static constexpr rooftile_sizes kSizes = ROOFTILE_SIZES_ANY;

static rooftile_gemm_args gemmOf(const Call &call) {
  rooftile_gemm_args args = {};
  args.size = sizeof args;
  args.order = ROOFTILE_COLUMN_MAJOR;
  args.op_a = opOf(call.opA), args.op_b = opOf(call.opB);
  args.type_a = args.type_b = args.type_c = typeOf(call.type);
  args.m = call.m, args.n = call.n, args.k = call.k;
  args.a = call.a.address, args.b = call.b.address, args.c = call.c.address;
  args.lda = call.a.leading, args.ldb = call.b.leading, args.ldc = call.c.leading;
  args.alpha = call.alpha, args.beta = call.beta;
  args.sizes = kSizes;
  return args;
}

static rooftile_triangular_args triangularOf(const Call &call) {
  rooftile_triangular_args args = {};
  args.size = sizeof args;
  args.order = ROOFTILE_COLUMN_MAJOR;
  args.side = call.side == 'L' ? ROOFTILE_LEFT : ROOFTILE_RIGHT;
  args.triangle = call.uplo == 'L' ? ROOFTILE_LOWER : ROOFTILE_UPPER;
  args.op_a = opOf(call.opA);
  args.diagonal = call.diag == 'U' ? ROOFTILE_UNIT : ROOFTILE_NON_UNIT;
  args.type = typeOf(call.type);
  args.m = call.m, args.n = call.n;
  args.a = call.a.address, args.b = call.c.address;
  args.lda = call.a.leading, args.ldb = call.c.leading;
  args.alpha = call.alpha;
  args.sizes = kSizes;
  args.exact = 1; // As BLAS has it: what is not a number stays in the rows that depend on it.
  return args;
}

rooftile_status Kernels::run(const Call &call) const {
  if (call.routine == Routine::Gemm) {
    rooftile_gemm_args args = gemmOf(call);
    return library->gemm(handle, &args);
  }
  rooftile_triangular_args args = triangularOf(call);
  return call.routine == Routine::Trmm ? library->trmm(handle, &args)
                                       : library->trsm(handle, &args);
}

std::string Kernels::explain(rooftile_status status) const {
  return std::string(library->status_name(status)) + ": " + library->message(handle);
}

bool rooftile::interpose::isUntouched(rooftile_status status) {
  return status == ROOFTILE_INVALID_ARGUMENT || status == ROOFTILE_UNSUPPORTED ||
         status == ROOFTILE_NO_DEVICE || status == ROOFTILE_COMPILE_FAILURE;
}
