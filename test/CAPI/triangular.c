/*===- triangular.c - trmm, and trsm beside it ----------------------------===*/

#include "Checks.h"
#include "Matrices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Element (i, j) of op(A), a triangle. */
static number element(const matrix *a, const rooftile_triangular_args *args, int64_t batch,
                      int64_t i, int64_t j) {
  const number zero = {0, 0}, one = {1, 0};
  int transposed = args->op_a == ROOFTILE_OP_T || args->op_a == ROOFTILE_OP_C;
  int64_t row = transposed ? j : i, column = transposed ? i : j;
  if (row == column && args->diagonal == ROOFTILE_UNIT)
    return one;
  if (args->triangle == ROOFTILE_LOWER ? row < column : row > column)
    return zero;
  return get_op(a, args->op_a, batch, i, j);
}

/* Element (i, j) of alpha op(A) B, or alpha B op(A). */
static number product(const matrix *a, const matrix *b, const rooftile_triangular_args *args,
                      number alpha, int64_t batch, int64_t i, int64_t j) {
  int left = args->side == ROOFTILE_LEFT;
  int64_t l, order = left ? args->m : args->n;
  number sum = {0, 0};
  for (l = 0; l < order; ++l)
    sum = add(sum, left ? multiply(element(a, args, batch, i, l), get(b, batch, l, j))
                        : multiply(get(b, batch, i, l), element(a, args, batch, l, j)));
  return multiply(alpha, sum);
}

static double distance(number x, number y) { return fabs(x.re - y.re) + fabs(x.im - y.im); }

/* trmm gives the loop's product; trsm with the reciprocal of alpha then gives B again. */
static void check(rooftile_handle handle, rooftile_triangular_args args) {
  int64_t order = args.side == ROOFTILE_LEFT ? args.m : args.n, batch, i, j;
  int64_t count = args.batch == ROOFTILE_BATCH_NONE ? 1 : args.count;
  matrix a = make_matrix(args.type, args.order, order, order, count, 1);
  matrix b = make_matrix(args.type, args.order, args.m, args.n, count, 2);
  matrix before = make_matrix(args.type, args.order, args.m, args.n, count, 2);
  const int pairs = is_complex(args.type);
  const number alpha = {pairs ? 0 : 2, pairs ? 2 : 0};
  const number reciprocal = {pairs ? 0 : 0.5, pairs ? -0.5 : 0};
  const number nan = {NAN, NAN}, diagonal = {pairs ? 0 : -1, pairs ? -1 : 0};
  void **as = addresses_of(&a, count), **bs = addresses_of(&b, count);
  unsigned char bytes[16];
  int wrong = 0;
  for (batch = 0; batch < count; ++batch)
    for (i = 0; i < order; ++i)
      for (j = 0; j < order; ++j)
        if (i == j) /* not read, where it is ones */
          set(&a, batch, i, j, args.diagonal == ROOFTILE_UNIT ? nan : diagonal);
        else if (args.triangle == ROOFTILE_LOWER ? i < j : i > j)
          set(&a, batch, i, j, nan); /* not read */
  args.a = a.bytes, args.b = b.bytes, args.lda = a.leading, args.ldb = b.leading;
  args.stride_a = a.stride, args.stride_b = b.stride;
  if (args.batch == ROOFTILE_BATCH_POINTERS)
    args.a = as, args.b = bs;
  args.alpha = scalar(args.type, alpha, bytes);
  EXPECT_SUCCESS(handle, rooftile_trmm(handle, &args));
  for (batch = 0; batch < count; ++batch)
    for (i = 0; i < args.m; ++i)
      for (j = 0; j < args.n; ++j)
        wrong +=
            distance(get(&b, batch, i, j), product(&a, &before, &args, alpha, batch, i, j)) != 0;
  EXPECT(wrong == 0);
  args.alpha = scalar(args.type, reciprocal, bytes);
  if (bytes_of(args.type) > 2) { /* of others there is no trsm */
    EXPECT_SUCCESS(handle, rooftile_trsm(handle, &args));
    for (batch = 0; batch < count; ++batch)
      for (i = 0; i < args.m; ++i)
        for (j = 0; j < args.n; ++j)
          wrong += !(distance(get(&b, batch, i, j), get(&before, batch, i, j)) <= 1e-3);
    EXPECT(wrong == 0);
  }
  free(as), free(bs);
  free_matrix(&a), free_matrix(&b), free_matrix(&before);
}

/* alpha 0: B = 0, and A is not read. */
static void check_cleared(rooftile_handle handle, rooftile_triangular_args args) {
  matrix b = make_matrix(args.type, args.order, args.m, args.n, 1, 2);
  const number zero = {0, 0}, nan = {NAN, 0};
  unsigned char bytes[16];
  int64_t i, j;
  int wrong = 0;
  set(&b, 0, 1, 1, nan);
  args.b = b.bytes, args.lda = 64, args.ldb = b.leading;
  args.alpha = scalar(args.type, zero, bytes);
  EXPECT_SUCCESS(handle, rooftile_trsm(handle, &args));
  for (i = 0; i < args.m; ++i)
    for (j = 0; j < args.n; ++j)
      wrong += get(&b, 0, i, j).re != 0;
  EXPECT(wrong == 0);
  args.m = 0, args.b = NULL;
  EXPECT_SUCCESS(handle, rooftile_trmm(handle, &args));
  free_matrix(&b);
}

typedef rooftile_status prepare(rooftile_handle, const rooftile_triangular_args *);
typedef rooftile_status plan(rooftile_handle, const rooftile_triangular_args *, char *, size_t *);

/* Nothing is needed of addresses and written; what is wrong is said as by a call. */
static void check_ahead(rooftile_handle handle, rooftile_triangular_args args, prepare *prepare,
                        plan *plan, const char *operation) {
  const number two = {2, 0};
  unsigned char bytes[16];
  char text[16384], expected[100];
  size_t room = sizeof text, stated = 0;
  args.lda = args.ldb = 64;
  args.alpha = scalar(args.type, two, bytes);
  EXPECT_SUCCESS(handle, prepare(handle, &args));
  EXPECT_SUCCESS(handle, plan(handle, &args, NULL, &stated));
  EXPECT_SUCCESS(handle, plan(handle, &args, text, &room));
  EXPECT(room == stated && strlen(text) + 1 == stated);
  sprintf(expected, "{\"operation\":\"%s\"", operation);
  EXPECT(strstr(text, "{\"chip\":\"h200\",\"operations\":[{") == text && strstr(text, expected));
  EXPECT_STATUS(handle, plan(handle, &args, text, NULL), ROOFTILE_INVALID_ARGUMENT,
                "bytes is NULL");
  args.lda = 1;
  EXPECT_STATUS(handle, prepare(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "A: the leading dimension is 1");
  EXPECT_STATUS(handle, plan(handle, &args, text, &room), ROOFTILE_INVALID_ARGUMENT,
                "A: the leading dimension is 1");
  EXPECT_STATUS(NULL, prepare(NULL, &args), ROOFTILE_INVALID_ARGUMENT, "handle is NULL");
  EXPECT_STATUS(handle, plan(handle, NULL, text, &room), ROOFTILE_INVALID_ARGUMENT, "args is NULL");
}

/* Every element is infinite or not a number where the diagonal is zero, and alpha of one multiplies
   by nothing: infinite elements stay so, and their zero parts zero. */
static void check_special(rooftile_handle handle, rooftile_triangular_args args) {
  const number zero = {0, 0}, one = {1, 0}, infinite = {INFINITY, 0};
  matrix a = make_matrix(args.type, args.order, 2, 2, 1, 1);
  matrix b = make_matrix(args.type, args.order, 2, 1, 1, 2);
  unsigned char bytes[16];
  number got;
  args.m = 2, args.n = 1, args.side = ROOFTILE_LEFT, args.triangle = ROOFTILE_LOWER;
  args.op_a = ROOFTILE_OP_N, args.diagonal = ROOFTILE_NON_UNIT;
  args.a = a.bytes, args.b = b.bytes, args.lda = a.leading, args.ldb = b.leading;
  args.alpha = scalar(args.type, one, bytes);
  set(&a, 0, 0, 0, zero), set(&a, 0, 1, 0, zero), set(&a, 0, 1, 1, one);
  set(&b, 0, 0, 0, one), set(&b, 0, 1, 0, one);
  EXPECT_SUCCESS(handle, rooftile_trsm(handle, &args));
  got = get(&b, 0, 0, 0);
  EXPECT(!isfinite(got.re) || !isfinite(got.im));
  args.diagonal = ROOFTILE_UNIT;
  set(&b, 0, 0, 0, one), set(&b, 0, 1, 0, infinite);
  EXPECT_SUCCESS(handle, rooftile_trsm(handle, &args));
  got = get(&b, 0, 1, 0);
  EXPECT(got.re == INFINITY && got.im == 0);
  free_matrix(&a), free_matrix(&b);
}

void check_unaligned_triangles(rooftile_handle handle) {
  rooftile_triangular_args args = {0};
  args.size = sizeof args;
  args.m = 11, args.n = 6, args.type = ROOFTILE_C64;
  args.order = ROOFTILE_COLUMN_MAJOR, args.side = ROOFTILE_LEFT, args.triangle = ROOFTILE_UPPER;
  args.op_a = ROOFTILE_OP_C, args.diagonal = ROOFTILE_NON_UNIT;
  check(handle, args);
  args.type = ROOFTILE_C128, args.sizes = ROOFTILE_SIZES_ANY, args.side = ROOFTILE_RIGHT;
  args.batch = ROOFTILE_BATCH_STRIDED, args.count = 2;
  check(handle, args);
}

void test_triangular(rooftile_handle handle) {
  rooftile_triangular_args args = {0};
  int i;
  args.size = sizeof args;
  args.m = 11, args.n = 6;
  for (i = 0; i < 16; ++i) {
    static const rooftile_type types[] = {ROOFTILE_F64,  ROOFTILE_F32, ROOFTILE_C64,
                                          ROOFTILE_C128, ROOFTILE_F16, ROOFTILE_BF16};
    args.type = types[i % 6];
    args.order = i & 1 ? ROOFTILE_ROW_MAJOR : ROOFTILE_COLUMN_MAJOR;
    args.side = i & 2 ? ROOFTILE_LEFT : ROOFTILE_RIGHT;
    args.triangle = i & 4 ? ROOFTILE_LOWER : ROOFTILE_UPPER;
    args.op_a = i / 6 ? ((i ^ i >> 1) & 1 ? ROOFTILE_OP_C : ROOFTILE_OP_J)
                      : ((i ^ i >> 1) & 1 ? ROOFTILE_OP_T : ROOFTILE_OP_N);
    args.diagonal = (i ^ i >> 2) & 1 ? ROOFTILE_UNIT : ROOFTILE_NON_UNIT;
    check(handle, args);
  }
  args.type = ROOFTILE_C64;
  check_cleared(handle, args);
  args.sizes = ROOFTILE_SIZES_ANY;
  check_special(handle, args);
  args.sizes = ROOFTILE_SIZES_EXACT, args.type = ROOFTILE_F32;
  check_special(handle, args);
  check_cleared(handle, args);
  check_ahead(handle, args, rooftile_prepare_trmm, rooftile_plan_trmm, "blas.trmm");
  check_ahead(handle, args, rooftile_prepare_trsm, rooftile_plan_trsm, "blas.trsm");
  args.batch = ROOFTILE_BATCH_STRIDED, args.count = 2;
  check(handle, args);
  args.batch = ROOFTILE_BATCH_POINTERS;
  check(handle, args);
  args.type = ROOFTILE_C128;
  check(handle, args);
  args.batch = ROOFTILE_BATCH_NONE; /* blocks, and products of several sizes */
  args.m = 150, args.n = 3, args.side = ROOFTILE_LEFT, args.type = ROOFTILE_F64;
  args.diagonal = ROOFTILE_NON_UNIT;
  check(handle, args);
  args.m = 70, args.type = ROOFTILE_C128, args.op_a = ROOFTILE_OP_C;
  check(handle, args);
  args.batch = ROOFTILE_BATCH_STRIDED, args.side = ROOFTILE_RIGHT, args.type = ROOFTILE_F32;
  args.sizes = ROOFTILE_SIZES_ANY;
  for (i = 0; i < 3; ++i) {
    args.m = 1 + 17 * i, args.n = 5 + i, args.count = 1 + i;
    args.type = i < 2 ? ROOFTILE_F32 : ROOFTILE_C64;
    check(handle, args);
  }
  args.batch = ROOFTILE_BATCH_NONE;
  check_cleared(handle, args);
}
