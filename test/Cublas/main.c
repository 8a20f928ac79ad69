/*===- main.c - A program that calls cuBLAS --------------------------------===*\
|*
|* Its arguments are done in their order: NAME=NUMBER sets what later calls are
|* made with, other words are calls (the table in `words`).
|*
\*===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "Declare.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*===----------------------------------------------------------------------===*\
|* What calls are made with
\*===----------------------------------------------------------------------===*/

static struct FakeHandle fake;
static const double one[2] = {1, 0}, zero[2] = {0, 0}, half[2] = {0.5, 0};
static const float one32[2] = {1, 0}, zero32[2] = {0, 0}, half32[2] = {0.5f, 0};

static struct {
  const char *name;
  long long value;
} settings[] = {{"opA", 0},      {"opB", 1},      {"m", 64},       {"n", 32},       {"k", 16},
                {"lda", 64},     {"ldb", 32},     {"ldc", 64},     {"a", 4096},     {"b", 8192},
                {"c", 12288},    {"count", 3},    {"sa", 5000},    {"sb", 6000},    {"sc", 7000},
                {"handle", 1},   {"pointers", 0}, {"math", 0},     {"stream", 77},  {"type", 0},
                {"compute", 68}, {"beta", 0},     {"alpha", 1},    {"captured", 0}, {"device", 0},
                {"side", 0},     {"fill", 0},     {"diagonal", 0}, {"current", 1},  {"typeB", -1}};
enum { kSettings = sizeof settings / sizeof *settings };

static long long get(const char *name) {
  int i;
  for (i = 0; i < kSettings; ++i)
    if (strcmp(settings[i].name, name) == 0)
      return settings[i].value;
  fprintf(stderr, "no setting %s\n", name);
  exit(2);
}

static void *at(const char *name) { return (void *)(uintptr_t)get(name); }

/* 0 and 1 are numbers, 2 is one half, 3 an address on the device, 4 NULL. */
static const void *scalar(const char *name, int isDouble) {
  switch (get(name)) {
  case 0:
    return isDouble ? (const void *)zero : zero32;
  case 1:
    return isDouble ? (const void *)one : one32;
  case 2:
    return isDouble ? (const void *)half : half32;
  case 3:
    return (const void *)16; /* Nobody may read it. */
  default:
    return NULL;
  }
}

static struct FakeHandle *handle(void) {
  fake.pointerMode = (int)get("pointers");
  fake.mathMode = (int)get("math");
  fake.stream = at("stream");
  return get("handle") ? &fake : NULL;
}

/*===----------------------------------------------------------------------===*\
|* The driver
\*===----------------------------------------------------------------------===*/

/* Makes the primary context current in this thread, another one, or none. */
static void setContext(void) {
  void *cuda = dlopen("libcuda.so.1", RTLD_LAZY), *context = NULL;
  int (*retain)(void **, int), (*setCurrent)(void *);
  if (!cuda)
    return;
  *(void **)&retain = dlsym(cuda, "cuDevicePrimaryCtxRetain");
  *(void **)&setCurrent = dlsym(cuda, "cuCtxSetCurrent");
  if (!retain || !setCurrent)
    return;
  retain(&context, (int)get("device"));
  setCurrent(get("current") == 2 ? (void *)&fake : get("current") ? context : NULL);
}

/* Tells the fake driver what is captured. */
static void setDevice(void) {
  char number[32];
  snprintf(number, sizeof number, "%lld", get("captured"));
  setenv("ROOFTILE_FAKE_CAPTURED", number, 1);
  setContext();
}

/*===----------------------------------------------------------------------===*\
|* Calls
\*===----------------------------------------------------------------------===*/

static void told(int status) {
  if (status)
    printf("status %d\n", status);
  fflush(stdout);
}

#define SIZES handle(), (int)get("opA"), (int)get("opB"), get("m"), get("n"), get("k")
#define A at("a")
#define B at("b")
#define C at("c")
#define LDA get("lda")
#define LDB get("ldb")
#define LDC get("ldc")
#define DOUBLE(type) ((type) == ROOFTILE_F64 || (type) == ROOFTILE_C128)
enum { ROOFTILE_F32 = 3, ROOFTILE_F64 = 4, ROOFTILE_C64 = 5, ROOFTILE_C128 = 6 };
#define TYPE (int)get("type")
#define TYPE_B (int)(get("typeB") < 0 ? get("type") : get("typeB"))
#define EX_DOUBLE (get("type") == 1 || get("type") == 5)

#define ROOFTILE_GEMM(name, type, Int)                                                             \
  static void call_##name(void) {                                                                  \
    told(name(SIZES, scalar("alpha", DOUBLE(type)), A, LDA, B, LDB, scalar("beta", DOUBLE(type)),  \
              C, LDC));                                                                            \
  }
#define ROOFTILE_GEMM_STRIDED(name, type, Int)                                                     \
  static void call_##name(void) {                                                                  \
    told(name(SIZES, scalar("alpha", DOUBLE(type)), A, LDA, get("sa"), B, LDB, get("sb"),          \
              scalar("beta", DOUBLE(type)), C, LDC, get("sc"), get("count")));                     \
  }
#define ROOFTILE_GEMM_BATCHED(name, type, Int)                                                     \
  static void call_##name(void) {                                                                  \
    told(name(SIZES, scalar("alpha", DOUBLE(type)), A, LDA, B, LDB, scalar("beta", DOUBLE(type)),  \
              C, LDC, get("count")));                                                              \
  }
#define ROOFTILE_GEMM_EX(name, Int)                                                                \
  static void call_##name(void) {                                                                  \
    told(name(SIZES, scalar("alpha", EX_DOUBLE), A, TYPE, LDA, B, TYPE_B, LDB,                     \
              scalar("beta", EX_DOUBLE), C, TYPE, LDC, (int)get("compute"), -1));                  \
  }
#define ROOFTILE_GEMM_STRIDED_EX(name, Int)                                                        \
  static void call_##name(void) {                                                                  \
    told(name(SIZES, scalar("alpha", EX_DOUBLE), A, TYPE, LDA, get("sa"), B, TYPE_B, LDB,          \
              get("sb"), scalar("beta", EX_DOUBLE), C, TYPE, LDC, get("sc"), get("count"),         \
              (int)get("compute"), -1));                                                           \
  }
#define ROOFTILE_GEMM_BATCHED_EX(name, Int)                                                        \
  static void call_##name(void) {                                                                  \
    told(name(SIZES, scalar("alpha", EX_DOUBLE), A, TYPE, LDA, B, TYPE_B, LDB,                     \
              scalar("beta", EX_DOUBLE), C, TYPE, LDC, get("count"), (int)get("compute"), -1));    \
  }
#define TRIANGLE_OF(type)                                                                          \
  handle(), (int)get("side"), (int)get("fill"), (int)get("opA"), (int)get("diagonal"), get("m"),   \
      get("n"), scalar("alpha", DOUBLE(type)), A, LDA
#define ROOFTILE_TRSM(name, type, Int)                                                             \
  static void call_##name(void) { told(name(TRIANGLE_OF(type), B, LDB)); }
#define ROOFTILE_TRSM_BATCHED(name, type, Int)                                                     \
  static void call_##name(void) { told(name(TRIANGLE_OF(type), B, LDB, get("count"))); }
#define ROOFTILE_TRMM(name, type, Int)                                                             \
  static void call_##name(void) { told(name(TRIANGLE_OF(type), B, LDB, C, LDC)); }
#define RANK_OF(type)                                                                              \
  handle(), (int)get("fill"), (int)get("opA"), get("n"), get("k"), scalar("alpha", DOUBLE(type)),  \
      A, LDA
#define ROOFTILE_SYMM(name, routine, type, Int)                                                    \
  static void call_##name(void) {                                                                  \
    told(name(handle(), (int)get("side"), (int)get("fill"), get("m"), get("n"),                    \
              scalar("alpha", DOUBLE(type)), A, LDA, B, LDB, scalar("beta", DOUBLE(type)), C,      \
              LDC));                                                                               \
  }
#define ROOFTILE_SYRK(name, routine, type, Int)                                                    \
  static void call_##name(void) { told(name(RANK_OF(type), scalar("beta", DOUBLE(type)), C, LDC)); }
#define ROOFTILE_SYR2K(name, routine, type, Int)                                                   \
  static void call_##name(void) {                                                                  \
    told(name(RANK_OF(type), B, LDB, scalar("beta", DOUBLE(type)), C, LDC));                       \
  }
#include "Functions.inc"

static const struct {
  const char *name;
  void (*call)(void);
} calls[] = {
#define ROOFTILE_FUNCTION(name) {#name, call_##name},
#include "Functions.inc"
};
enum { kCalls = sizeof calls / sizeof *calls };

static void callAll(void) {
  int i;
  for (i = 0; i < kCalls; ++i)
    calls[i].call();
}

static void *callOften(void *unused) {
  int i;
  setContext();
  for (i = 0; i < 1000; ++i)
    call_cublasSgemm_v2();
  return unused;
}

static void callFromTwoThreads(void) {
  pthread_t threads[2];
  int i;
  for (i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, callOften, NULL);
  for (i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
}

/*===----------------------------------------------------------------------===*\
|* dlsym
\*===----------------------------------------------------------------------===*/

static const char *fileOf(void *address) {
  Dl_info info;
  const char *name = address && dladdr(address, &info) ? info.dli_fname : "nothing";
  const char *slash = strrchr(name, '/');
  return slash ? slash + 1 : name;
}

/* Whose functions dlsym finds, by handle. */
static void find(void) {
  void *cublas = dlopen("libcublas.so.12", RTLD_LAZY | RTLD_LOCAL);
  void *self = dlopen(NULL, RTLD_LAZY);
  printf("handle: %s\n", fileOf(dlsym(cublas, "cublasSgemm_v2")));
  printf("handle, not in the table: %s\n", fileOf(dlsym(cublas, "cublasGetMathMode")));
  printf("handle, nowhere: %s\n", fileOf(dlsym(cublas, "cublasNowhere")));
  printf("program: %s\n", fileOf(dlsym(self, "cublasSgemm_v2")));
  printf("default: %s\n", fileOf(dlsym(RTLD_DEFAULT, "cublasSgemm_v2")));
  printf("next: %s\n", fileOf(dlsym(RTLD_NEXT, "cublasSgemm_v2")));
  printf("next, of C: %s\n", fileOf(dlsym(RTLD_NEXT, "puts")));
  printf("no name: %s\n", fileOf(dlsym(cublas, "")));
}

static void findFunctions(void) {
#ifdef ROOFTILE_BY_DLSYM
  void *cublas = dlopen("libcublas.so.12", RTLD_LAZY | RTLD_LOCAL);
#define ROOFTILE_FUNCTION(name) *(void **)&name = dlsym(cublas, #name);
#include "Functions.inc"
#endif
}

/*===----------------------------------------------------------------------===*/

static int set(const char *word) {
  const char *equals = strchr(word, '=');
  int i;
  for (i = 0; equals && i < kSettings; ++i)
    if (strlen(settings[i].name) == (size_t)(equals - word) &&
        strncmp(settings[i].name, word, (size_t)(equals - word)) == 0) {
      settings[i].value = atoll(equals + 1);
      return 1;
    }
  return 0;
}

static void perform(const char *word) {
  static const struct {
    const char *name;
    void (*call)(void);
  } words[] = {{"all", callAll}, {"threads", callFromTwoThreads}, {"find", find}};
  size_t i;
  for (i = 0; i < sizeof words / sizeof *words; ++i)
    if (strcmp(words[i].name, word) == 0) {
      words[i].call();
      return;
    }
  for (i = 0; i < kCalls; ++i)
    if (strcmp(calls[i].name, word) == 0) {
      calls[i].call();
      return;
    }
  fprintf(stderr, "no call %s\n", word);
  exit(2);
}

int main(int argc, char **argv) {
  int i;
  setvbuf(stdout, NULL, _IOLBF, 0);
  findFunctions();
  setDevice();
  for (i = 1; i < argc; ++i)
    if (set(argv[i]))
      setDevice();
    else
      perform(argv[i]);
  return 0;
}
