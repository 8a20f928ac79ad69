//===- Calls.cpp - Products of the C interface ----------------------------===//

#include "Arguments.h"
#include "Context.h"
#include "Structs.h"
#include "rooftile/Runtime/OfThread.h"
#include "rooftile/Runtime/Runtime.h"

#include <vector>

using namespace rooftile;
using namespace rooftile::capi;
using namespace rooftile::compiler;

//===----------------------------------------------------------------------===//
// A call
//===----------------------------------------------------------------------===//

static Failure statusOfRun(const std::string &error) {
  bool isMemory = error.find("OUT_OF_MEMORY") != std::string::npos ||
                  error.find("out of memory") != std::string::npos;
  return {isMemory ? ROOFTILE_OUT_OF_MEMORY : ROOFTILE_LAUNCH_FAILURE, error};
}

/// What kernels for all sizes are told. Factors that are not read are C's memory, as matrices
/// without a column or row (Description.cpp, scalingOf).
static void addArguments(const Description &d, const Checked &checked, const Addresses &at,
                         CallArguments &values) {
  values.m = d.m, values.n = d.n, values.k = d.k, values.count = d.count;
  values.a = {at.a, d.a.leading, d.a.stride};
  values.b = {at.b, d.b.leading, d.b.stride};
  values.c = {at.c, d.c.leading, d.c.stride};
  values.biasAddress = at.bias;
  if (checked.readsFactors)
    return;
  bool isRowMajor = d.order == ROOFTILE_ROW_MAJOR;
  values.a = {at.c, isRowMajor ? 1 : d.m, d.c.stride};
  values.b = {at.c, isRowMajor ? d.n : 1, d.c.stride};
}

/// Scalars in memory of the device have an address, a multiple of their numbers' size; alpha of a
/// product without terms is not read.
static Failure checkScalars(const Call &call, const Checked &checked) {
  const Description &d = call.description;
  if (d.alpha != Amount::InMemory)
    return {};
  bool isDouble = d.c.type == ROOFTILE_F64 || d.c.type == ROOFTILE_C128;
  uint64_t bytes = isDouble ? 8 : 4;
  for (auto [name, address] :
       {std::pair("alpha", call.values.alphaAddress), std::pair("beta", call.values.betaAddress)})
    if ((checked.readsFactors || name == std::string_view("beta")) && (!address || address % bytes))
      return invalid(std::string(name) + (address ? ": the address is no multiple of " +
                                                        std::to_string(bytes) + " bytes"
                                                  : " is NULL"));
  return {};
}

static Failure launch(const rooftile_context &context, Call &call, const Checked &checked,
                      const Prepared &prepared) {
  if (Failure failure = checkAddresses(call.description, checked, call.addresses))
    return failure;
  if (Failure failure = checkScalars(call, checked))
    return failure;
  std::optional<CudaDeviceScope> scope;
  context.enter(scope);
  auto &registers = ofThread<std::vector<uint64_t>, struct Registers>(); // Keeps its memory.
  addArguments(call.description, checked, call.addresses, call.values);
  argumentsOf(prepared.checked.operation, call.values, registers);
  rooftileSetStream(context.stream);
  std::string error =
      prepared.compiled.executable->run(prepared.compiled.function, registers.data());
  return error.empty() ? Failure() : statusOfRun(error);
}

/// Loads the kernels, where there is a device for them.
static Failure load(const rooftile_context &context, const Prepared &prepared) {
  if (!context.whyNoDevice().empty() || !prepared.compiled)
    return {};
  std::optional<CudaDeviceScope> scope;
  context.enter(scope);
  std::string error = prepared.compiled.executable->prepare();
  return error.empty() ? Failure() : statusOfRun(error);
}

/// A call whose kernels are for all sizes: it is checked each time.
static Failure runOpen(rooftile_context &context, Call &call, bool onlyPrepare) {
  Checked checked;
  if (Failure failure = checkWithAlignments(call.description, call.addresses, checked))
    return failure;
  if (checked.doesNothing)
    return {};
  rooftile_context::Shared prepared;
  if (Failure failure = context.prepareOpen(openKey(call.description, checked), prepared))
    return failure;
  return onlyPrepare ? load(context, *prepared) : launch(context, call, checked, *prepared);
}

static Failure run(rooftile_context &context, Call &call, bool onlyPrepare) {
  if (!onlyPrepare && !context.whyNoDevice().empty())
    return {ROOFTILE_NO_DEVICE, context.whyNoDevice()};
  if (call.description.isOpen)
    return runOpen(context, call, onlyPrepare);
  rooftile_context::Shared prepared;
  if (Failure failure = context.prepare(call.description, call.addresses, prepared))
    return failure;
  if (onlyPrepare)
    return load(context, *prepared);
  if (prepared->checked.doesNothing)
    return {};
  return launch(context, call, prepared->checked, *prepared);
}

/// Reads the arguments of a function of the interface, by `read`, and does with them what `act`
/// does.
template <typename Args, typename Read, typename Act>
static rooftile_status withArguments(rooftile_handle handle, const Args *given, Read read,
                                     Act act) {
  return guarded(handle ? handle->number : 0, [&]() -> Failure {
    if (!handle)
      return invalid("handle is NULL");
    Args args;
    Call call;
    if (Failure failure = readStruct("args", given, args))
      return failure;
    if (Failure failure = read(args, call))
      return failure;
    return act(*handle, call);
  });
}

//===----------------------------------------------------------------------===//
// What is done with a call
//===----------------------------------------------------------------------===//

static Failure runNow(rooftile_context &context, Call &call) {
  return run(context, call, /*onlyPrepare=*/false);
}

static Failure prepareOnly(rooftile_context &context, Call &call) {
  return run(context, call, /*onlyPrepare=*/true);
}

/// Writes `report` to `text` where there is room for it, and its bytes to `bytes`.
static Failure give(const std::string &report, char *text, size_t *bytes) {
  if (!bytes)
    return invalid("bytes is NULL");
  size_t room = *bytes;
  *bytes = report.size() + 1;
  if (text && room >= *bytes)
    std::memcpy(text, report.c_str(), *bytes);
  return {};
}

/// Gives the plans of a call.
static auto planTo(char *text, size_t *bytes) {
  return [=](rooftile_context &context, Call &call) -> Failure {
    std::shared_ptr<const std::string> report;
    if (Failure failure = context.plan(call.description, call.addresses, report))
      return failure;
    return give(*report, text, bytes);
  };
}

//===----------------------------------------------------------------------===//
// gemm
//===----------------------------------------------------------------------===//

template <typename Act>
static rooftile_status withProduct(rooftile_handle handle, const rooftile_gemm_args *given,
                                   Act act) {
  auto read = [](const rooftile_gemm_args &args, Call &call) { return readArguments(args, call); };
  return withArguments(handle, given, read, act);
}

namespace {
/// The arguments of the functions for one type.
struct Simple {
  rooftile_handle handle;
  rooftile_order order;
  rooftile_op opA, opB;
  int64_t m, n, k;
};
struct SimpleMatrix {
  const void *address;
  int64_t leading;
};
} // namespace

static rooftile_status simpleGemm(rooftile_type type, const Simple &call, const void *alpha,
                                  SimpleMatrix a, SimpleMatrix b, const void *beta,
                                  SimpleMatrix c) {
  rooftile_gemm_args args = {};
  args.size = sizeof args;
  args.order = call.order, args.op_a = call.opA, args.op_b = call.opB;
  args.type_a = args.type_b = args.type_c = type;
  args.m = call.m, args.n = call.n, args.k = call.k;
  args.a = a.address, args.b = b.address, args.c = const_cast<void *>(c.address);
  args.lda = a.leading, args.ldb = b.leading, args.ldc = c.leading;
  args.alpha = alpha, args.beta = beta;
  return withProduct(call.handle, &args, runNow);
}

//===----------------------------------------------------------------------===//
// trmm and trsm
//===----------------------------------------------------------------------===//

template <typename Act>
static rooftile_status withTriangle(rooftile_handle handle, Routine routine,
                                    const rooftile_triangular_args *given, Act act) {
  auto read = [=](const rooftile_triangular_args &args, Call &call) {
    return readArguments(routine, args, call);
  };
  return withArguments(handle, given, read, act);
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

extern "C" {

rooftile_status rooftile_gemm(rooftile_handle handle, const rooftile_gemm_args *args) {
  return withProduct(handle, args, runNow);
}

rooftile_status rooftile_prepare_gemm(rooftile_handle handle, const rooftile_gemm_args *args) {
  return withProduct(handle, args, prepareOnly);
}

rooftile_status rooftile_plan_gemm(rooftile_handle handle, const rooftile_gemm_args *args,
                                   char *text, size_t *bytes) {
  return withProduct(handle, args, planTo(text, bytes));
}

#define ROOFTILE_SIMPLE_GEMM(name, type, Matrix, Scalar, address)                                  \
  rooftile_status name(rooftile_handle handle, rooftile_order order, rooftile_op op_a,             \
                       rooftile_op op_b, int64_t m, int64_t n, int64_t k, Scalar alpha,            \
                       const Matrix *a, int64_t lda, const Matrix *b, int64_t ldb, Scalar beta,    \
                       Matrix *c, int64_t ldc) {                                                   \
    return simpleGemm(type, {handle, order, op_a, op_b, m, n, k}, address alpha, {a, lda},         \
                      {b, ldb}, address beta, {c, ldc});                                           \
  }
ROOFTILE_SIMPLE_GEMM(rooftile_sgemm, ROOFTILE_F32, float, float, &)
ROOFTILE_SIMPLE_GEMM(rooftile_dgemm, ROOFTILE_F64, double, double, &)
ROOFTILE_SIMPLE_GEMM(rooftile_cgemm, ROOFTILE_C64, void, const void *, )
ROOFTILE_SIMPLE_GEMM(rooftile_zgemm, ROOFTILE_C128, void, const void *, )
#undef ROOFTILE_SIMPLE_GEMM

#define ROOFTILE_TRIANGULAR(name, routine)                                                         \
  rooftile_status rooftile_##name(rooftile_handle handle, const rooftile_triangular_args *args) {  \
    return withTriangle(handle, routine, args, runNow);                                            \
  }                                                                                                \
  rooftile_status rooftile_prepare_##name(rooftile_handle handle,                                  \
                                          const rooftile_triangular_args *args) {                  \
    return withTriangle(handle, routine, args, prepareOnly);                                       \
  }                                                                                                \
  rooftile_status rooftile_plan_##name(                                                            \
      rooftile_handle handle, const rooftile_triangular_args *args, char *text, size_t *bytes) {   \
    return withTriangle(handle, routine, args, planTo(text, bytes));                               \
  }
ROOFTILE_TRIANGULAR(trmm, Routine::Trmm)
ROOFTILE_TRIANGULAR(trsm, Routine::Trsm)
#undef ROOFTILE_TRIANGULAR

} // extern "C"
