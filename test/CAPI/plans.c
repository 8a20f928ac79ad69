/*===- plans.c - Lists of plans -------------------------------------------===*\
|* The folder $TEST_FOLDER has lists: plans.test.
\*===----------------------------------------------------------------------===*/

#include "Checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The path of a list; valid until the next call. */
static const char *path_of(const char *name) {
  static char path[4096];
  const char *folder = getenv("TEST_FOLDER");
  snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", name);
  return path;
}

/* A product of ones without gaps, whose result is checked. */
static void multiply(rooftile_handle handle, int64_t n) {
  static float a[64 * 64], b[64 * 64], c[64 * 64];
  int64_t i;
  for (i = 0; i < n * n; ++i)
    a[i] = 1, b[i] = 2, c[i] = 3;
  EXPECT_SUCCESS(handle, rooftile_sgemm(handle, ROOFTILE_ROW_MAJOR, ROOFTILE_OP_N, ROOFTILE_OP_N, n,
                                        n, n, 1, a, n, b, n, 0, c, n));
  for (i = 0; i < n * n; ++i)
    EXPECT(c[i] == 2 * n);
}

/* That product of order 64, without addresses. */
static rooftile_gemm_args make_args(void) {
  static const float one = 1, zero = 0;
  rooftile_gemm_args args = {0};
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F32;
  args.m = args.n = args.k = args.lda = args.ldb = args.ldc = 64;
  args.alpha = &one, args.beta = &zero;
  return args;
}

/* Its report; valid until the next call. */
static const char *plan_of(rooftile_handle handle, rooftile_gemm_args args) {
  static char text[1 << 16];
  size_t bytes = sizeof text;
  EXPECT_SUCCESS(handle, rooftile_plan_gemm(handle, &args, text, &bytes));
  return text;
}

static const char *plan(rooftile_handle handle) { return plan_of(handle, make_args()); }

/* Kernels for all sizes: an operation whose sizes a line states has its own. */
static void plan_any(rooftile_handle handle) {
  rooftile_gemm_args args = make_args();
  args.sizes = ROOFTILE_SIZES_ANY;
  EXPECT(strstr(plan_of(handle, args), "good.plans:3\"") &&
         strstr(plan_of(handle, args), "\"m\":64"));
  args.m = args.n = args.k = 60;
  EXPECT(strstr(plan_of(handle, args), "\"m\":-1") && !strstr(plan_of(handle, args), "good.plans"));
}

void test_plans(rooftile_handle handle) {
  EXPECT(strstr(plan(handle), "\"source\":\"the model\""));
  multiply(handle, 64);
  EXPECT_SUCCESS(handle, rooftile_use_plans(handle, path_of("good.plans")));
  EXPECT(strstr(plan(handle), "good.plans:3\"") && strstr(plan(handle), "macro = [16, 16, 8]"));
  EXPECT(strcmp(rooftile_warning(handle), "") == 0);
  plan_any(handle);
  multiply(handle, 64);
  multiply(handle, 20);
  /* A list that cannot be read: the one before stays. */
  EXPECT_STATUS(handle, rooftile_use_plans(handle, path_of("bad.plans")), ROOFTILE_INVALID_ARGUMENT,
                "bad.plans:2:9: no key 'mm'; did you mean 'm'?");
  EXPECT_STATUS(handle, rooftile_use_plans(handle, path_of("none.plans")),
                ROOFTILE_INVALID_ARGUMENT, "none.plans': No such file or directory");
  EXPECT(strstr(plan(handle), "good.plans:3\""));
  EXPECT_SUCCESS(handle, rooftile_use_plans(handle, path_of("h100.plans")));
  EXPECT(strstr(rooftile_warning(handle),
                "h100.plans:1: 1 line is for chip 'h100', left out for 'h200'"));
  EXPECT(!strstr(plan(handle), "macro = [16, 16, 8]"));
  EXPECT_SUCCESS(handle, rooftile_use_plans(handle, NULL));
  EXPECT(strstr(plan(handle), "\"source\":\"the model\""));
  EXPECT_STATUS(NULL, rooftile_use_plans(NULL, NULL), ROOFTILE_INVALID_ARGUMENT, "handle is NULL");
}

/* A handle has the list of the environment. */
void test_environment(rooftile_handle handle) {
  const char *begin = strstr(plan(handle), "\"source\":\""),
             *end = begin ? strchr(begin + 10, '"') : NULL;
  if (end)
    printf("%.*s\n", (int)(end - begin), begin);
  printf("warning: %s\n", rooftile_warning(handle));
  multiply(handle, 64);
}

/* A handle forgets kernels of the list before. */
void test_plans_of_gpu(void) {
  rooftile_gemm_args args = make_args();
  rooftile_handle handle = NULL;
  int round;
  EXPECT_SUCCESS(NULL, rooftile_create(&handle, NULL));
  for (round = 0; round < 2; ++round) {
    EXPECT_SUCCESS(handle, rooftile_prepare_gemm(handle, &args));
    EXPECT_SUCCESS(handle, rooftile_prepare_gemm(handle, &args));
    EXPECT_SUCCESS(handle, rooftile_use_plans(handle, path_of("good.plans")));
  }
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
}
