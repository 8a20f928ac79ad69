/*===- autotune.c - Plans that are measured on request --------------------===*\
|* On a driver that runs nothing, with a worker that stands in: autotune.test.
\*===----------------------------------------------------------------------===*/

#include "Checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports of the search. */
struct reports {
  int count;
  double gain;
};

static void count_report(const rooftile_tuned *tuned, void *user_data) {
  struct reports *reports = user_data;
  EXPECT(tuned->size >= sizeof *tuned && tuned->count == 2);
  EXPECT(tuned->done == ++reports->count && tuned->seconds_left >= 0);
  EXPECT(strstr(tuned->operation, "f32 nn ") && strcmp(tuned->error, "") == 0);
  EXPECT(tuned->milliseconds > 0.1 && tuned->gain >= 1);
  reports->gain = tuned->gain;
}

/* Source of the plan of a product of 300 x 200 x 100; valid until the next call. */
static const char *source(rooftile_handle handle) {
  static char text[8192];
  static const float one = 1, zero = 0;
  size_t bytes = sizeof text;
  rooftile_gemm_args args = {0};
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F32;
  args.m = 300, args.n = 200, args.k = 100, args.lda = 100, args.ldb = args.ldc = 200;
  args.alpha = &one, args.beta = &zero;
  EXPECT_SUCCESS(handle, rooftile_plan_gemm(handle, &args, text, &bytes));
  return text;
}

static rooftile_handle make_cuda_handle(int ordinal) {
  rooftile_options options = {0};
  rooftile_handle handle = NULL;
  options.size = sizeof options, options.ordinal = ordinal, options.cache_folder = "off";
  options.chip = getenv("TEST_CHIP");
  EXPECT_SUCCESS(NULL, rooftile_create(&handle, &options));
  return handle;
}

/* The folder $TEST_FOLDER has a list of two operations, list.txt. */
static rooftile_autotune_args make_args(void) {
  static char folder[4096], list[4096];
  const char *of_test = getenv("TEST_FOLDER");
  rooftile_autotune_args args = {0};
  snprintf(folder, sizeof folder, "%s/tuned", of_test ? of_test : ".");
  snprintf(list, sizeof list, "%s/list.txt", of_test ? of_test : ".");
  args.size = sizeof args, args.folder = folder, args.list = list, args.seconds = 300;
  return args;
}

void test_autotune(void) {
  struct reports reports = {0, 0};
  rooftile_handle handle = make_cuda_handle(0);
  rooftile_autotune_args args = make_args();
  args.progress = count_report, args.user_data = &reports;
  EXPECT(strstr(source(handle), "\"source\":\"the model\""));
  EXPECT_SUCCESS(handle, rooftile_autotune(handle, &args));
  EXPECT(reports.count == 2);
  EXPECT(strstr(source(handle), "tuned/plans.txt:"));
  /* The list stays in use where another search fails. */
  args.list = "none.txt";
  EXPECT_STATUS(handle, rooftile_autotune(handle, &args), ROOFTILE_TUNING_FAILURE, "none.txt");
  EXPECT(strstr(source(handle), "tuned/plans.txt:"));
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
}

void test_autotune_arguments(rooftile_handle handle) {
  rooftile_autotune_args args = make_args();
  rooftile_handle cuda = make_cuda_handle(0);
  EXPECT_STATUS(handle, rooftile_autotune(handle, &args), ROOFTILE_UNSUPPORTED,
                "the CPU: plans are measured on CUDA devices only");
  EXPECT_STATUS(NULL, rooftile_autotune(NULL, &args), ROOFTILE_INVALID_ARGUMENT, "handle is NULL");
  EXPECT_STATUS(cuda, rooftile_autotune(cuda, NULL), ROOFTILE_INVALID_ARGUMENT, "args is NULL");
  args.like = "calls.log";
  EXPECT_STATUS(cuda, rooftile_autotune(cuda, &args), ROOFTILE_INVALID_ARGUMENT,
                "list and like exclude each other");
  args.like = NULL, args.seconds = -1;
  EXPECT_STATUS(cuda, rooftile_autotune(cuda, &args), ROOFTILE_INVALID_ARGUMENT, "seconds is -1");
  args.seconds = 0, args.folder = "";
  EXPECT_STATUS(cuda, rooftile_autotune(cuda, &args), ROOFTILE_INVALID_ARGUMENT,
                "folder is NULL or empty");
  EXPECT_SUCCESS(NULL, rooftile_destroy(cuda));
}

/* Prints how a call on the second device ends. */
void test_autotune_status(void) {
  rooftile_handle handle = make_cuda_handle(1);
  rooftile_autotune_args args = make_args();
  rooftile_status status = rooftile_autotune(handle, &args);
  printf("%s: %s\nwarning: %s\n", rooftile_status_name(status), rooftile_message(handle),
         rooftile_warning(handle));
  EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
}
