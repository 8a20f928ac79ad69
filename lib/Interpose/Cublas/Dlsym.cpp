//===- Dlsym.cpp - dlsym, for programs that find cuBLAS by it -------------===//
//
// Symbols of a preloaded library win where the loader binds a reference. JAX
// and CuPy bind none: they open cuBLAS and ask dlsym for each function. So
// dlsym is interposed, too. It answers with a function of ours only where the
// real answer is the same function of a libcublas; everything else is the
// answer of the C library.
//
//===----------------------------------------------------------------------===//

#include "Next.h"

#include <cstring>
#include <dlfcn.h>

using namespace rooftile::cublas;

#if defined(__clang__)
#define ROOFTILE_TAIL_CALL __attribute__((musttail)) return
#else
#define ROOFTILE_TAIL_CALL return // A jump from -O2 on, since the parameters are the same.
#endif

static bool isInCublas(void *address) {
  Dl_info info;
  if (!dladdr(address, &info) || !info.dli_fname)
    return false;
  const char *slash = std::strrchr(info.dli_fname, '/');
  constexpr char kName[] = "libcublas.so";
  return std::strncmp(slash ? slash + 1 : info.dli_fname, kName, sizeof kName - 1) == 0;
}

/// Where the C library looks at who calls: what follows the caller, or what the caller sees.
static bool dependsOnCaller(void *handle) { return handle == RTLD_NEXT || handle == RTLD_DEFAULT; }

/// The answer on a function of the table. The handle specifies where to look, whoever calls.
static void *answer(void *handle, const char *name) {
  Function function;
  void *ours = interposed(name, function);
  void *found = realDlsym()(handle, name);
  return found && isInCublas(found) && keepNext(function, found) ? ours : found;
}

static bool isInterposed(const char *name) {
  Function function;
  return interposed(name, function) != nullptr;
}

extern "C" __attribute__((visibility("default"))) void *dlsym(void *handle, const char *name) {
  if (!dependsOnCaller(handle) && isInterposed(name))
    return answer(handle, name);
  ROOFTILE_TAIL_CALL realDlsym()(handle,
                                 name); // Keeps the return address, which identifies the caller.
}
