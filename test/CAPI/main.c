/*===- main.c - Tests of the C interface, on the CPU ----------------------===*\
|* rooftile-c-tests NAME: one group of tests. It prints what does not hold, and
|* then how many checks there were; it exits 1 where one does not hold.
\*===----------------------------------------------------------------------===*/

#include "Checks.h"

#include <stdio.h>
#include <string.h>

static int checks, failures;

void expect(int holds, const char *text, const char *file, int line) {
  ++checks;
  if (holds)
    return;
  ++failures;
  printf("%s:%d: does not hold: %s\n", file, line, text);
}

void expect_status(rooftile_handle handle, rooftile_status found, rooftile_status status,
                   const char *part, const char *file, int line) {
  const char *message = found == ROOFTILE_SUCCESS ? "" : rooftile_message(handle);
  ++checks;
  if (found == status && (!part || strstr(message, part)))
    return;
  ++failures;
  printf("%s:%d: %s: '%s', not %s: '%s'\n", file, line, rooftile_status_name(found), message,
         rooftile_status_name(status), part ? part : "");
}

rooftile_handle make_handle(void) {
  rooftile_options options = {0};
  rooftile_handle handle = NULL;
  options.size = sizeof options;
  options.device = ROOFTILE_CPU;
  options.chip = "h200";
  options.cache_folder = "off";
  EXPECT_SUCCESS(NULL, rooftile_create(&handle, &options));
  return handle;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*test)(rooftile_handle handle);
  } tests[] = {{"products", test_products},
               {"batches", test_batches},
               {"triangular", test_triangular},
               {"routines", test_routines},
               {"zeros", test_zeros},
               {"errors", test_errors},
               {"threads", test_threads},
               {"handles", test_handles},
               {"plans", test_plans},
               {"environment", test_environment},
               {"autotune-arguments", test_autotune_arguments},
               {"epilogues", test_epilogues},
               {"unaligned", test_unaligned},
               {"special-values", test_special_values},
               {"any-sizes", test_any_sizes},
               {"device-scalars", test_device_scalars}};
  const char *name = argc > 1 ? argv[1] : "";
  rooftile_handle handle;
  size_t i;
  if (strcmp(name, "cuda") == 0)
    test_gpu(ROOFTILE_CUDA);
  if (strcmp(name, "hip") == 0)
    test_gpu(ROOFTILE_HIP);
  if (strcmp(name, "devices") == 0)
    test_devices();
  if (strcmp(name, "plans-of-gpu") == 0)
    test_plans_of_gpu();
  if (strcmp(name, "autotune") == 0)
    test_autotune();
  if (strcmp(name, "autotune-status") == 0)
    test_autotune_status();
  if (strcmp(name, "kept") == 0)
    test_kept();
  if (strcmp(name, "uncached") == 0)
    test_uncached();
  for (i = 0; i < sizeof tests / sizeof *tests; ++i)
    if (strcmp(name, tests[i].name) == 0) {
      handle = make_handle();
      tests[i].test(handle);
      EXPECT_SUCCESS(NULL, rooftile_destroy(handle));
    }
  printf("%s: %d checks, %d failures\n", name, checks, failures);
  return checks == 0 || failures != 0;
}
