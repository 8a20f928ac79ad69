/*===- handles.c - Handles, streams, threads, the functions for one type --===*/

#include "Checks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void test_simple(rooftile_handle handle) {
  const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  float c[4] = {1, 1, 1, 1}, z[4] = {0}; /* As complex numbers: 1 + 2i, 3 + 4i. */
  const double da[4] = {1, 2, 3, 4}, db[4] = {5, 6, 7, 8}, one[2] = {1, 0}, none[2] = {0, 0};
  double dc[4] = {0}, dz[4] = {0};
  const float fone[2] = {1, 0}, imaginary[2] = {0, 1};
  EXPECT_SUCCESS(handle, rooftile_sgemm(handle, ROOFTILE_ROW_MAJOR, ROOFTILE_OP_N, ROOFTILE_OP_N, 2,
                                        2, 2, 2.0f, a, 2, b, 2, 1.0f, c, 2));
  EXPECT(c[0] == 39 && c[1] == 45 && c[2] == 87 && c[3] == 101);
  EXPECT_SUCCESS(handle, rooftile_dgemm(handle, ROOFTILE_COLUMN_MAJOR, ROOFTILE_OP_N, ROOFTILE_OP_T,
                                        2, 2, 2, 1.0, da, 2, db, 2, 0.0, dc, 2));
  EXPECT(dc[0] == 26 && dc[1] == 38 && dc[2] == 30 && dc[3] == 44);
  /* C, 1 x 1, = i (1 + 2i, 3 + 4i) conj(5 + 6i, 7 + 8i)^T = i (70 + 8i) */
  memcpy(z, fone, sizeof fone);
  EXPECT_SUCCESS(handle, rooftile_cgemm(handle, ROOFTILE_ROW_MAJOR, ROOFTILE_OP_N, ROOFTILE_OP_C, 1,
                                        1, 2, imaginary, a, 2, b, 2, fone, z, 1));
  EXPECT(z[0] == -7 && z[1] == 70);
  EXPECT_SUCCESS(handle, rooftile_zgemm(handle, ROOFTILE_ROW_MAJOR, ROOFTILE_OP_N, ROOFTILE_OP_C, 1,
                                        1, 2, one, da, 2, db, 2, none, dz, 1));
  EXPECT(dz[0] == 70 && dz[1] == 8);
}

static void test_names(void) {
  EXPECT(strcmp(rooftile_status_name(ROOFTILE_SUCCESS), "success") == 0);
  EXPECT(strcmp(rooftile_status_name(ROOFTILE_INTERNAL), "internal error") == 0);
  EXPECT(strcmp(rooftile_status_name(-1), "unknown status") == 0);
  EXPECT(strcmp(rooftile_status_name(ROOFTILE_TUNING_FAILURE + 1), "unknown status") == 0);
  EXPECT(strchr(rooftile_version(), '.') != NULL);
}

static void test_options(void) {
  rooftile_options options = {0};
  rooftile_handle handle = NULL, other = NULL;
  float x[4] = {0}, y[4] = {0}, z[4] = {0};
  EXPECT_STATUS(NULL, rooftile_create(NULL, NULL), ROOFTILE_INVALID_ARGUMENT, "handle is NULL");
  EXPECT_STATUS(NULL, rooftile_create(&handle, &options), ROOFTILE_INVALID_ARGUMENT,
                "options: size is 0");
  options.size = sizeof options, options.device = 5;
  EXPECT_STATUS(NULL, rooftile_create(&handle, &options), ROOFTILE_INVALID_ARGUMENT, "device is 5");
  EXPECT(handle == NULL);
  options.device = ROOFTILE_CPU, options.chip = "nochip";
  EXPECT_SUCCESS(NULL, rooftile_create(&handle, &options));
  EXPECT_STATUS(handle,
                rooftile_sgemm(handle, ROOFTILE_ROW_MAJOR, 0, 0, 2, 2, 2, 1, x, 2, y, 2, 0, z, 2),
                ROOFTILE_COMPILE_FAILURE, "nochip");
  options.chip = NULL;
  EXPECT_SUCCESS(NULL, rooftile_create(&other, &options));
  EXPECT(strcmp(rooftile_message(other), "") == 0); /* Each handle has its own. */
  EXPECT(strcmp(rooftile_warning(other), "") == 0);
  EXPECT_SUCCESS(NULL, rooftile_destroy(other));
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
  EXPECT_SUCCESS(NULL, rooftile_destroy(NULL));
}

static void test_streams(rooftile_handle handle) {
  void *stream = &stream;
  EXPECT_SUCCESS(handle, rooftile_get_stream(handle, &stream));
  EXPECT(stream == NULL);
  EXPECT_SUCCESS(handle, rooftile_set_stream(handle, handle));
  EXPECT_SUCCESS(handle, rooftile_get_stream(handle, &stream));
  EXPECT(stream == (void *)handle);
  EXPECT_SUCCESS(handle, rooftile_set_stream(handle, NULL));
  EXPECT_STATUS(handle, rooftile_get_stream(handle, NULL), ROOFTILE_INVALID_ARGUMENT,
                "stream is NULL");
  EXPECT_STATUS(NULL, rooftile_set_stream(NULL, NULL), ROOFTILE_INVALID_ARGUMENT, "handle is NULL");
  EXPECT_STATUS(NULL, rooftile_get_stream(NULL, &stream), ROOFTILE_INVALID_ARGUMENT,
                "handle is NULL");
}

/* A product without addresses. */
static rooftile_gemm_args make_args(void) {
  static const float scalar = 1;
  rooftile_gemm_args args = {0};
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F32;
  args.m = args.n = args.k = args.lda = args.ldb = args.ldc = 12;
  args.alpha = args.beta = &scalar;
  return args;
}

static void test_prepare(rooftile_handle handle) {
  rooftile_gemm_args args = make_args();
  EXPECT_SUCCESS(handle, rooftile_prepare_gemm(handle, &args));
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "A is NULL");
  args.lda = 11;
  EXPECT_STATUS(handle, rooftile_prepare_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "A: the leading dimension is 11");
}

static void test_plan(rooftile_handle handle) {
  rooftile_gemm_args args = make_args();
  char text[4096], small[8] = "before";
  size_t bytes = 0, stated;
  EXPECT_SUCCESS(handle, rooftile_plan_gemm(handle, &args, NULL, &bytes));
  stated = bytes;
  EXPECT(bytes > 100 && bytes < sizeof text);
  bytes = sizeof small;
  EXPECT_SUCCESS(handle, rooftile_plan_gemm(handle, &args, small, &bytes));
  EXPECT(bytes == stated && strcmp(small, "before") == 0);
  bytes = sizeof text;
  EXPECT_SUCCESS(handle, rooftile_plan_gemm(handle, &args, text, &bytes));
  EXPECT(bytes == stated && strlen(text) + 1 == bytes);
  EXPECT(strstr(text, "{\"chip\":\"h200\",\"operations\":[{\"operation\":\"blas.gemm\","
                      "\"source\":\"the model\",\"m\":12,") == text);
  EXPECT(strstr(text, "\"plan\":\"#blas.plan<") && strstr(text, "\"seconds\":"));
  args.sizes = ROOFTILE_SIZES_ANY, bytes = 0;
  EXPECT_SUCCESS(handle, rooftile_plan_gemm(handle, &args, NULL, &bytes));
  EXPECT(bytes > 2 * stated); /* a set of plans */
  args.m = 0, bytes = sizeof text;
  EXPECT_SUCCESS(handle, rooftile_plan_gemm(handle, &args, text, &bytes));
  EXPECT(strcmp(text, "{\"chip\":\"\",\"operations\":[]}") == 0);
  EXPECT_STATUS(handle, rooftile_plan_gemm(handle, &args, text, NULL), ROOFTILE_INVALID_ARGUMENT,
                "bytes is NULL");
  args.m = 12, args.lda = 11;
  EXPECT_STATUS(handle, rooftile_plan_gemm(handle, &args, text, &bytes), ROOFTILE_INVALID_ARGUMENT,
                "A: the leading dimension is 11");
}

void test_handles(rooftile_handle handle) {
  test_names();
  test_simple(handle);
  test_streams(handle);
  test_prepare(handle);
  test_plan(handle);
  test_options();
}

/*===----------------------------------------------------------------------===*\
|* Threads
\*===----------------------------------------------------------------------===*/

#define THREADS 4

typedef struct {
  rooftile_handle handle;
  int number, wrong;
} worker;

/* Sizes that all threads ask for at once, and failures between them. */
static void *work(void *argument) {
  worker *w = argument;
  double a[64], b[64], c[64];
  char message[32];
  int round, n, i, l;
  for (round = 0; round < 12; ++round) {
    n = 3 + (round + (round >= 6 ? w->number : 0)) % 4;
    for (i = 0; i < n * n; ++i)
      a[i] = i % 5 + w->number, b[i] = i % 3;
    w->wrong += rooftile_dgemm(w->handle, ROOFTILE_ROW_MAJOR, 0, 0, n, n, n, 1, a, n, b, n, 0, c,
                               n) != ROOFTILE_SUCCESS;
    for (i = 0; i < n * n; ++i) {
      double sum = 0;
      for (l = 0; l < n; ++l)
        sum += a[i / n * n + l] * b[l * n + i % n];
      w->wrong += c[i] != sum;
    }
    w->wrong += rooftile_dgemm(w->handle, ROOFTILE_ROW_MAJOR, 0, 0, -100 - w->number, n, n, 1, a, n,
                               b, n, 0, c, n) != ROOFTILE_INVALID_ARGUMENT;
    sprintf(message, "m is %d:", -100 - w->number);
    w->wrong += strstr(rooftile_message(w->handle), message) == NULL;
  }
  return NULL;
}

void test_threads(rooftile_handle handle) {
  pthread_t threads[THREADS];
  worker workers[THREADS];
  int i;
  for (i = 0; i < THREADS; ++i) {
    workers[i].handle = handle, workers[i].number = i, workers[i].wrong = 0;
    EXPECT(pthread_create(&threads[i], NULL, work, &workers[i]) == 0);
  }
  for (i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    EXPECT(workers[i].wrong == 0);
  }
  EXPECT(strcmp(rooftile_message(handle), "") == 0); /* The others' are not this thread's. */
}

/*===----------------------------------------------------------------------===*\
|* CUDA: with a driver whose launches do nothing, or without one
\*===----------------------------------------------------------------------===*/

static rooftile_status multiply(rooftile_handle handle, float alpha) {
  static float a[64], b[64], c[64];
  return rooftile_sgemm(handle, ROOFTILE_ROW_MAJOR, ROOFTILE_OP_N, ROOFTILE_OP_N, 8, 8, 8, alpha, a,
                        8, b, 8, 3.0f, c, 8);
}

/* The time of a call that has run before; printed for people. */
static void time_calls(rooftile_handle handle) {
  enum { CALLS = 100000 };
  clock_t begin = clock();
  int i;
  for (i = 0; i < CALLS; ++i)
    multiply(handle, 2);
  printf("%.0f ns a call\n", (double)(clock() - begin) / CLOCKS_PER_SEC * 1e9 / CALLS);
}

/* A solve without addresses. */
static rooftile_triangular_args make_triangle(void) {
  static const float scalar = 2;
  rooftile_triangular_args args = {0};
  args.size = sizeof args, args.order = ROOFTILE_COLUMN_MAJOR, args.type = ROOFTILE_F32;
  args.side = ROOFTILE_LEFT, args.triangle = ROOFTILE_LOWER, args.diagonal = ROOFTILE_NON_UNIT;
  args.m = args.n = args.lda = args.ldb = 12, args.alpha = &scalar;
  return args;
}

/* A handle of the second GPU: planned for its chip, run in its context. */
void test_devices(void) {
  rooftile_gemm_args args = make_args();
  rooftile_options options = {0};
  rooftile_handle handle = NULL;
  char text[4096];
  size_t bytes = sizeof text;
  options.size = sizeof options, options.ordinal = 1;
  EXPECT_SUCCESS(NULL, rooftile_create(&handle, &options));
  EXPECT_SUCCESS(handle, rooftile_plan_gemm(handle, &args, text, &bytes));
  EXPECT(strstr(text, "{\"chip\":\"a100\"") == text);
  EXPECT_SUCCESS(handle, rooftile_set_stream(handle, (void *)4711));
  EXPECT(multiply(handle, 2) == ROOFTILE_SUCCESS);
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
  options.ordinal = 2;
  EXPECT_SUCCESS(NULL, rooftile_create(&handle, &options));
  EXPECT_STATUS(handle, multiply(handle, 2), ROOFTILE_NO_DEVICE,
                "there is no CUDA device 2: the driver shows 2");
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
  options.ordinal = -1;
  EXPECT_STATUS(NULL, rooftile_create(&handle, &options), ROOFTILE_INVALID_ARGUMENT,
                "ordinal is -1, not one of 0 to 63");
}

/* Kilobytes of the process that are in memory. */
static long resident(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long found = 0;
  while (status && !found && fgets(line, sizeof line, status))
    if (strncmp(line, "VmRSS:", 6) == 0)
      found = strtol(line + 6, NULL, 10);
  if (status)
    fclose(status);
  return found;
}

/* Prints how much memory kernels of 24 sizes have taken: less where few bytes are kept. */
void test_kept(void) {
  rooftile_handle handle = make_handle();
  rooftile_gemm_args args = make_args();
  long before = 0;
  for (args.m = 1; args.m <= 36; ++args.m) {
    args.lda = args.ldb = args.ldc = 64;
    EXPECT_SUCCESS(handle, rooftile_prepare_gemm(handle, &args));
    if (args.m == 12)
      before = resident();
  }
  printf("%ld\n", resident() - before);
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
}

/* "off" is the name of no folder. */
void test_uncached(void) {
  rooftile_gemm_args args = make_args();
  rooftile_options options = {0};
  rooftile_handle handle = NULL;
  options.size = sizeof options, options.cache_folder = "off";
  EXPECT_SUCCESS(NULL, rooftile_create(&handle, &options));
  EXPECT_SUCCESS(handle, rooftile_prepare_gemm(handle, &args));
  EXPECT(strcmp(rooftile_warning(handle), "") == 0);
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
}

/* The same calls on a GPU of either vendor. */
void test_gpu(rooftile_device device) {
  rooftile_gemm_args args = make_args();
  rooftile_triangular_args triangle = make_triangle();
  rooftile_options options = {0};
  rooftile_handle handle = NULL;
  rooftile_status status;
  options.size = sizeof options, options.device = device;
  EXPECT_SUCCESS(NULL, rooftile_create(&handle, &options));
  EXPECT_SUCCESS(handle, rooftile_prepare_gemm(handle, &args)); /* Also without a device. */
  EXPECT_SUCCESS(handle, rooftile_prepare_trsm(handle, &triangle));
  EXPECT_SUCCESS(handle, rooftile_set_stream(handle, (void *)4711));
  status = multiply(handle, 2);
  printf("%s: %s\n", rooftile_status_name(status),
         status == ROOFTILE_SUCCESS ? "" : rooftile_message(handle));
  EXPECT_SUCCESS(handle, rooftile_set_stream(handle, (void *)4712));
  EXPECT(multiply(handle, 2) == status);
  EXPECT(multiply(handle, 0) == status); /* C = beta C, a kernel of its own */
  if (getenv("TIME_CALLS"))
    time_calls(handle);
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
}
