//===- Calls.cpp - Products of the C interface ----------------------------===//

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
  if (error.find(compiler::kCannotBeCompiled) != std::string::npos)
    return {ROOFTILE_COMPILE_FAILURE, error};
  bool isMemory = error.find("OUT_OF_MEMORY") != std::string::npos ||
                  error.find("out of memory") != std::string::npos;
  return {isMemory ? ROOFTILE_OUT_OF_MEMORY : ROOFTILE_LAUNCH_FAILURE, error};
}

static Failure launch(const rooftile_context &context, Call &call, const Checked &checked,
                      const Prepared &prepared) {
  if (Failure failure = checkAddresses(call, checked))
    return failure;
  DeviceScope scope(context.device);
  auto &registers = ofThread<std::vector<uint64_t>, struct Registers>(); // Keeps its memory.
  compiler::argumentsOf(prepared.checked.operation, capi::argumentsOf(call, checked), registers);
  rooftileSetStream(context.stream);
  std::string error =
      prepared.compiled.executable->run(prepared.compiled.function, registers.data());
  return error.empty() ? Failure() : statusOfRun(error);
}

/// Loads the kernels, where there is a device for them.
static Failure load(const rooftile_context &context, const Prepared &prepared) {
  if (!context.whyNoDevice().empty() || !prepared.compiled)
    return {};
  DeviceScope scope(context.device);
  std::string error = prepared.compiled.executable->prepare();
  return error.empty() ? Failure() : statusOfRun(error);
}

/// A call whose kernels are for all sizes: it is checked each time.
static Failure runDynamic(rooftile_context &context, Call &call, const Checked &checked,
                          bool onlyPrepare) {
  if (checked.doesNothing)
    return {};
  rooftile_context::Shared prepared;
  if (Failure failure = context.prepareDynamic(dynamicOperation(call, checked), prepared))
    return failure;
  return onlyPrepare ? load(context, *prepared) : launch(context, call, checked, *prepared);
}

static Failure run(rooftile_context &context, Call &call, bool onlyPrepare) {
  if (!onlyPrepare && !context.whyNoDevice().empty())
    return {ROOFTILE_NO_DEVICE, context.whyNoDevice()};
  if (call.isDynamic) {
    Checked checked;
    if (Failure failure = check(call, checked))
      return failure;
    if (!context.hasOwnKernels(checked))
      return runDynamic(context, call, checked, onlyPrepare);
  }
  rooftile_context::Shared prepared;
  if (Failure failure = context.prepare(call, prepared))
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
// Handling of a call
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
    if (Failure failure = context.plan(call, report))
      return failure;
    return give(*report, text, bytes);
  };
}

//===----------------------------------------------------------------------===//
// Functions for one type
//===----------------------------------------------------------------------===//

namespace {
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

/// Reads the arguments of each kind of struct.
static constexpr auto kReadAny = [](const auto &args, Call &call) {
  return readArguments(args, call);
};

template <rooftile_routine routine>
static Failure readTriangular(const rooftile_triangular_args &args, Call &call) {
  return readArguments(routine, args, call);
}

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
  return withArguments(call.handle, &args, kReadAny, runNow);
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

extern "C" {

#define ROOFTILE_FUNCTIONS(suffix, Args, read)                                                     \
  rooftile_status rooftile_prepare##suffix(rooftile_handle handle, const Args *args) {             \
    return withArguments(handle, args, read, prepareOnly);                                         \
  }                                                                                                \
  rooftile_status rooftile_plan##suffix(rooftile_handle handle, const Args *args, char *text,      \
                                        size_t *bytes) {                                           \
    return withArguments(handle, args, read, planTo(text, bytes));                                 \
  }
ROOFTILE_FUNCTIONS(, rooftile_operation, kReadAny)
ROOFTILE_FUNCTIONS(_gemm, rooftile_gemm_args, kReadAny)

rooftile_status rooftile_run(rooftile_handle handle, const rooftile_operation *args) {
  return withArguments(handle, args, kReadAny, runNow);
}

rooftile_status rooftile_gemm(rooftile_handle handle, const rooftile_gemm_args *args) {
  return withArguments(handle, args, kReadAny, runNow);
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
    return withArguments(handle, args, readTriangular<routine>, runNow);                           \
  }                                                                                                \
  ROOFTILE_FUNCTIONS(_##name, rooftile_triangular_args, readTriangular<routine>)
ROOFTILE_TRIANGULAR(trmm, ROOFTILE_TRMM)
ROOFTILE_TRIANGULAR(trsm, ROOFTILE_TRSM)
#undef ROOFTILE_TRIANGULAR
#undef ROOFTILE_FUNCTIONS

} // extern "C"
