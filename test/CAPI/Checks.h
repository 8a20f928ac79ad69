/*===- Checks.h - What a test expects ---------------------------*- C -*-===*/
#ifndef CHECKS_H
#define CHECKS_H

#include "rooftile/rooftile.h"

/* Counts, and prints what does not hold. */
void expect(int holds, const char *text, const char *file, int line);
#define EXPECT(condition) expect((condition) != 0, #condition, __FILE__, __LINE__)

/* A call returns `status`; the message of the handle has `part` in it. */
void expect_status(rooftile_handle handle, rooftile_status found, rooftile_status status,
                   const char *part, const char *file, int line);
#define EXPECT_STATUS(handle, call, status, part)                                                  \
  expect_status(handle, call, status, part, __FILE__, __LINE__)
#define EXPECT_SUCCESS(handle, call) EXPECT_STATUS(handle, call, ROOFTILE_SUCCESS, 0)

rooftile_handle make_handle(void);

void test_products(rooftile_handle handle);
void test_batches(rooftile_handle handle);
void test_triangular(rooftile_handle handle);
void test_routines(rooftile_handle handle);
void test_special_values(rooftile_handle handle);
void test_zeros(rooftile_handle handle);
void test_errors(rooftile_handle handle);
void test_threads(rooftile_handle handle);
void test_handles(rooftile_handle handle);
void test_plans(rooftile_handle handle);
void test_environment(rooftile_handle handle);
void test_any_sizes(rooftile_handle handle);
void test_unaligned(rooftile_handle handle);
/* The triangular part of that. */
void check_unaligned_triangles(rooftile_handle handle);
void test_epilogues(rooftile_handle handle);
void test_device_scalars(rooftile_handle handle);
void test_gpu(rooftile_device device);
void test_devices(void);
void test_plans_of_gpu(void);
void test_autotune(void);
void test_autotune_arguments(rooftile_handle handle);
void test_autotune_status(void);
void test_uncached(void);
void test_kept(void);

#endif
