//===- Library.cpp - librooftile.so, opened when it is needed -------------===//

#include "Library.h"
#include "../Calls/Settings.h"

#include <dlfcn.h>

using namespace rooftile::interpose;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// The folder of this library, with a slash; empty where the loader does not say.
static std::string ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&isUntouched), &info) || !info.dli_fname)
    return "";
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

static void *openLibrary(std::string &why) {
  constexpr int kFlags = RTLD_NOW | RTLD_LOCAL;
  const char *name = "librooftile.so.0"; // The version whose structs are known here.
  std::string beside = ownFolder() + name;
  void *library = nullptr;
  if (settings().library)
    library = dlopen(settings().library, kFlags);
  else if (!(library = dlopen(beside.c_str(), kFlags)))
    library = dlopen(name, kFlags);
  if (!library)
    why = dlerror();
  return library;
}

template <typename Function>
static bool find(void *library, const char *name, Function &function, std::string &why) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (!function)
    why = std::string("librooftile.so has no function ") + name;
  return function;
}

static bool findAll(void *library, Library &found, std::string &why) {
  return find(library, "rooftile_create", found.create, why) &&
         find(library, "rooftile_set_stream", found.setStream, why) &&
         find(library, "rooftile_gemm", found.gemm, why) &&
         find(library, "rooftile_trmm", found.trmm, why) &&
         find(library, "rooftile_trsm", found.trsm, why) &&
         find(library, "rooftile_message", found.message, why) &&
         find(library, "rooftile_status_name", found.statusName, why);
}

/// Why there is no library; empty where there is one.
static std::string load(Library &loaded, rooftile_device device) {
  std::string why;
  void *library = openLibrary(why);
  if (!library || !findAll(library, loaded, why))
    return why;
  rooftile_options options = {};
  options.size = sizeof options;
  options.device = device;
  rooftile_status status = loaded.create(&loaded.handle, &options);
  return status == ROOFTILE_SUCCESS ? "" : loaded.explain(status);
}

const Library *Library::open(rooftile_device device, std::string &why) {
  static Library *const library = new Library; // Never destroyed: programs call after main.
  static const std::string *const missing = new std::string(load(*library, device));
  why = *missing;
  return missing->empty() ? library : nullptr;
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
  return args;
}

rooftile_status Library::run(const Call &call) const {
  if (call.routine == Routine::Gemm) {
    rooftile_gemm_args args = gemmOf(call);
    return gemm(handle, &args);
  }
  rooftile_triangular_args args = triangularOf(call);
  return call.routine == Routine::Trmm ? trmm(handle, &args) : trsm(handle, &args);
}

std::string Library::explain(rooftile_status status) const {
  return std::string(statusName(status)) + ": " + message(handle);
}

bool rooftile::interpose::isUntouched(rooftile_status status) {
  return status == ROOFTILE_INVALID_ARGUMENT || status == ROOFTILE_UNSUPPORTED ||
         status == ROOFTILE_NO_DEVICE || status == ROOFTILE_COMPILE_FAILURE;
}

bool rooftile::interpose::hasKernel(const Call &call) {
  return !isTriangular(call) || !isComplex(call.type);
}
