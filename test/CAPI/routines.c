/*===- routines.c - rooftile_run for every routine, beside loops ----------===*\
|* Elements that a routine does not access are NaN. Small integers, so that sums
|* are exact, but for trtri, whose product with its input is the identity.
\*===----------------------------------------------------------------------===*/

#include "Checks.h"
#include "Matrices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum structure { GENERAL, TRIANGLE, SYMMETRIC, HERMITIAN };

/* What of a routine decides the loop beside it. */
typedef struct {
  rooftile_routine routine;
  enum structure a, c;
  int has_b, has_side, has_k, conjugates, real_alpha, real_beta;
  rooftile_type types[2];
} row;

static const row rows[] = {
    {ROOFTILE_SYMM, SYMMETRIC, GENERAL, 1, 1, 0, 0, 0, 0, {ROOFTILE_F32, ROOFTILE_C64}},
    {ROOFTILE_HEMM, HERMITIAN, GENERAL, 1, 1, 0, 0, 0, 0, {ROOFTILE_C64, ROOFTILE_C128}},
    {ROOFTILE_SYRK, GENERAL, TRIANGLE, 0, 0, 1, 0, 0, 0, {ROOFTILE_F64, ROOFTILE_C64}},
    {ROOFTILE_HERK, GENERAL, HERMITIAN, 0, 0, 1, 1, 1, 1, {ROOFTILE_C128, ROOFTILE_C64}},
    {ROOFTILE_SYR2K, GENERAL, TRIANGLE, 1, 0, 1, 0, 0, 0, {ROOFTILE_F32, ROOFTILE_C128}},
    {ROOFTILE_HER2K, GENERAL, HERMITIAN, 1, 0, 1, 1, 0, 1, {ROOFTILE_C64, ROOFTILE_C128}}};

static number conjugate(number x) {
  x.im = -x.im;
  return x;
}

static int is_stored(const rooftile_operation *args, int64_t i, int64_t j) {
  return args->triangle == ROOFTILE_LOWER ? i >= j : i <= j;
}

/* Makes NaN of what is not accessed. */
static void hide(matrix *m, enum structure structure, const rooftile_operation *args) {
  const number nan = {NAN, NAN};
  int64_t batch, i, j;
  if (structure == GENERAL)
    return;
  for (batch = 0; batch < m->count; ++batch)
    for (i = 0; i < m->rows; ++i)
      for (j = 0; j < m->columns; ++j) {
        number value = get(m, batch, i, j);
        if (i == j && structure == HERMITIAN)
          value.im = NAN;
        set(m, batch, i, j, is_stored(args, i, j) ? value : nan);
      }
}

/* Element (i, j) of a matrix of which one triangle is stored. */
static number element(const matrix *m, enum structure structure, const rooftile_operation *args,
                      int64_t batch, int64_t i, int64_t j) {
  number value;
  if (structure == GENERAL)
    return get(m, batch, i, j);
  value = is_stored(args, i, j) ? get(m, batch, i, j) : get(m, batch, j, i);
  if (structure == HERMITIAN && i == j)
    value.im = 0;
  return structure == HERMITIAN && !is_stored(args, i, j) ? conjugate(value) : value;
}

/* Element (i, j) of the product without alpha and beta; `first` says whether conj(alpha) is its
   factor in the second sum. */
static number product(const row *of, const rooftile_operation *args, const matrix *a,
                      const matrix *b, number alpha, int64_t batch, int64_t i, int64_t j) {
  number sum = {0, 0};
  int64_t l, order = args->side == ROOFTILE_LEFT ? args->m : args->n;
  for (l = 0; of->has_side && l < order; ++l)
    sum = add(sum, args->side == ROOFTILE_LEFT
                       ? multiply(element(a, of->a, args, batch, i, l), get(b, batch, l, j))
                       : multiply(get(b, batch, i, l), element(a, of->a, args, batch, l, j)));
  if (of->has_side)
    return multiply(alpha, sum);
  for (l = 0; l < args->k; ++l) {
    number x = get_op(a, args->op_a, batch, i, l), y = get_op(a, args->op_a, batch, j, l);
    number u = of->has_b ? get_op(b, args->op_a, batch, i, l) : x;
    number v = of->has_b ? get_op(b, args->op_a, batch, j, l) : y;
    number other = of->conjugates ? conjugate(alpha) : alpha;
    sum = add(sum, multiply(alpha, multiply(x, of->conjugates ? conjugate(v) : v)));
    if (of->has_b)
      sum = add(sum, multiply(other, multiply(u, of->conjugates ? conjugate(y) : y)));
  }
  return sum;
}

static rooftile_type real_of(rooftile_type type) {
  return type == ROOFTILE_C64 ? ROOFTILE_F32 : type == ROOFTILE_C128 ? ROOFTILE_F64 : type;
}

static const void *scalar_of(rooftile_type type, int is_real, number value,
                             unsigned char bytes[16]) {
  return scalar(is_real ? real_of(type) : type, value, bytes);
}

static void check(rooftile_handle handle, const row *of, rooftile_operation args, number alpha,
                  number beta) {
  int64_t count = args.batch == ROOFTILE_BATCH_NONE ? 1 : args.count, batch, i, j;
  int64_t m = of->has_side ? args.m : args.n, order = args.side == ROOFTILE_LEFT ? m : args.n;
  int transposed = args.op_a != ROOFTILE_OP_N, wrong = 0;
  int64_t rows_of_a = of->has_side ? order : transposed ? args.k : args.n;
  int64_t columns_of_a = of->has_side ? order : transposed ? args.n : args.k;
  matrix a = make_matrix(args.type_a, args.order, rows_of_a, columns_of_a, count, 1);
  matrix b = make_matrix(args.type_a, args.order, of->has_side ? m : rows_of_a,
                         of->has_side ? args.n : columns_of_a, count, 3);
  matrix c = make_matrix(args.type_a, args.order, m, args.n, count, 2), before;
  unsigned char alpha_bytes[16], beta_bytes[16];
  if (of->real_alpha || !is_complex(args.type_a))
    alpha.im = 0;
  if (of->real_beta || !is_complex(args.type_a))
    beta.im = 0;
  hide(&a, of->a, &args), hide(&c, of->c, &args);
  before = copy_of(&c);
  args.a = a.bytes, args.b = of->has_b ? b.bytes : NULL, args.c = c.bytes;
  args.lda = a.leading, args.ldb = b.leading, args.ldc = c.leading;
  args.stride_a = a.stride, args.stride_b = b.stride, args.stride_c = c.stride;
  args.alpha = scalar_of(args.type_a, of->real_alpha, alpha, alpha_bytes);
  args.beta = scalar_of(args.type_a, of->real_beta, beta, beta_bytes);
  if (alpha.re == 0 && alpha.im == 0)
    args.a = args.b = NULL; /* not read */
  EXPECT_SUCCESS(handle, rooftile_run(handle, &args));
  for (batch = 0; batch < count; ++batch)
    for (i = 0; i < m; ++i)
      for (j = 0; j < args.n; ++j) {
        number got = get(&c, batch, i, j), old = get(&before, batch, i, j), sum = {0, 0};
        if (of->c != GENERAL && !is_stored(&args, i, j)) {
          wrong += !isnan(got.re); /* not written */
          continue;
        }
        if (of->c == HERMITIAN && i == j)
          old.im = 0;
        if (alpha.re != 0 || alpha.im != 0)
          sum = product(of, &args, &a, &b, alpha, batch, i, j);
        if (beta.re != 0 || beta.im != 0)
          sum = add(sum, multiply(beta, old));
        wrong += got.re != sum.re || got.im != sum.im;
      }
  if (wrong)
    printf("routine %d type %d order %d op %d side %d triangle %d: %d elements\n", args.routine,
           args.type_a, args.order, args.op_a, args.side, args.triangle, wrong);
  EXPECT(wrong == 0);
  free_matrix(&a), free_matrix(&b), free_matrix(&c), free_matrix(&before);
}

static void check_scalars(rooftile_handle handle, const row *of, rooftile_operation args) {
  const number zero = {0, 0}, one = {1, 0}, two = {2, -1}, three = {-3, 2};
  check(handle, of, args, one, zero);
  check(handle, of, args, two, three);
  check(handle, of, args, zero, three); /* C = beta C */
  check(handle, of, args, zero, zero);
}

static void check_routine(rooftile_handle handle, const row *of) {
  int i;
  for (i = 0; i < 8; ++i) {
    rooftile_operation args = {0};
    args.size = sizeof args;
    args.routine = of->routine;
    args.type_a = of->types[i & 1];
    args.order = i & 2 ? ROOFTILE_ROW_MAJOR : ROOFTILE_COLUMN_MAJOR;
    args.triangle = i & 4 ? ROOFTILE_LOWER : ROOFTILE_UPPER;
    args.side = (i ^ i >> 1) & 1 ? ROOFTILE_LEFT : ROOFTILE_RIGHT;
    args.op_a = of->has_side || !((i ^ i >> 2) & 1) ? ROOFTILE_OP_N
                : of->conjugates                    ? ROOFTILE_OP_C
                                                    : ROOFTILE_OP_T;
    args.m = 9, args.n = 6, args.k = 7;
    if (i % 3 == 1)
      args.batch = ROOFTILE_BATCH_STRIDED, args.count = 3;
    if (i % 3 == 2)
      args.sizes = ROOFTILE_SIZES_ANY;
    if (i < 4)
      check_scalars(handle, of, args);
    else {
      const number two = {2, -1}, three = {-3, 2};
      check(handle, of, args, two, three);
    }
  }
}

/* The product of a triangle and its inverse is the identity. */
static void check_inverse(rooftile_handle handle, rooftile_operation args) {
  int64_t i, j, l;
  int wrong = 0;
  const number diagonal = {2, 0}, nan = {NAN, 0};
  matrix c = make_matrix(args.type_a, args.order, args.n, args.n, 1, 2), before;
  for (i = 0; i < args.n; ++i)
    set(&c, 0, i, i, args.diagonal == ROOFTILE_UNIT ? nan : diagonal);
  hide(&c, TRIANGLE, &args);
  before = copy_of(&c);
  args.c = c.bytes, args.ldc = c.leading;
  EXPECT_SUCCESS(handle, rooftile_run(handle, &args));
  for (i = 0; i < args.n; ++i)
    for (j = 0; j < args.n; ++j) {
      double sum = 0;
      if (!is_stored(&args, i, j)) {
        wrong += !isnan(get(&c, 0, i, j).re);
        continue;
      }
      for (l = 0; l < args.n; ++l)
        if (is_stored(&args, i, l) && is_stored(&args, l, j)) {
          double x = get(&before, 0, i, l).re, y = get(&c, 0, l, j).re;
          if (args.diagonal == ROOFTILE_UNIT)
            x = i == l ? 1 : x, y = l == j ? 1 : y;
          sum += x * y;
        }
      wrong += !(fabs(sum - (i == j)) <= 1e-3);
    }
  EXPECT(wrong == 0);
  free_matrix(&c), free_matrix(&before);
}

static void test_trtri(rooftile_handle handle) {
  int i;
  for (i = 0; i < 4; ++i) {
    rooftile_operation args = {0};
    args.size = sizeof args, args.routine = ROOFTILE_TRTRI;
    args.type_a = i & 1 ? ROOFTILE_F32 : ROOFTILE_F64;
    args.order = i & 2 ? ROOFTILE_ROW_MAJOR : ROOFTILE_COLUMN_MAJOR;
    args.triangle = (i ^ i >> 1) & 1 ? ROOFTILE_LOWER : ROOFTILE_UPPER;
    args.diagonal = i & 1 ? ROOFTILE_UNIT : ROOFTILE_NON_UNIT;
    args.n = 5;
    args.sizes = i == 3 ? ROOFTILE_SIZES_ANY : ROOFTILE_SIZES_EXACT;
    check_inverse(handle, args);
  }
}

/* gemm, trmm and trsm are rows as others. */
static void test_others(rooftile_handle handle) {
  const number one = {1, 0}, zero = {0, 0};
  unsigned char bytes[16], zeros[16];
  rooftile_operation args = {0};
  matrix a = make_matrix(ROOFTILE_F32, ROOFTILE_ROW_MAJOR, 4, 4, 1, 1);
  matrix b = make_matrix(ROOFTILE_F32, ROOFTILE_ROW_MAJOR, 4, 4, 1, 2);
  matrix c = make_matrix(ROOFTILE_F32, ROOFTILE_ROW_MAJOR, 4, 4, 1, 3);
  int64_t i, j, l;
  args.size = sizeof args, args.routine = ROOFTILE_GEMM, args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F32;
  args.m = args.n = args.k = 4;
  args.a = a.bytes, args.b = b.bytes, args.c = c.bytes;
  args.lda = a.leading, args.ldb = b.leading, args.ldc = c.leading;
  args.alpha = scalar(ROOFTILE_F32, one, bytes), args.beta = scalar(ROOFTILE_F32, zero, zeros);
  EXPECT_SUCCESS(handle, rooftile_run(handle, &args));
  for (i = 0; i < 4; ++i)
    for (j = 0; j < 4; ++j) {
      double sum = 0;
      for (l = 0; l < 4; ++l)
        sum += get(&a, 0, i, l).re * get(&b, 0, l, j).re;
      EXPECT(get(&c, 0, i, j).re == sum);
    }
  free_matrix(&a), free_matrix(&b), free_matrix(&c);
}

static void test_wrong(rooftile_handle handle) {
  rooftile_operation args = {0};
  char text[16384];
  size_t room = sizeof text;
  float one = 1;
  args.size = sizeof args;
  EXPECT_STATUS(handle, rooftile_run(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "routine is 0, not one of 1 to 10");
  args.routine = ROOFTILE_HERK, args.order = ROOFTILE_ROW_MAJOR;
  EXPECT_STATUS(handle, rooftile_run(handle, &args), ROOFTILE_INVALID_ARGUMENT, "type is 0");
  args.type_a = ROOFTILE_F32;
  EXPECT_STATUS(handle, rooftile_run(handle, &args), ROOFTILE_INVALID_ARGUMENT, "triangle is 0");
  args.triangle = ROOFTILE_LOWER;
  EXPECT_STATUS(handle, rooftile_run(handle, &args), ROOFTILE_UNSUPPORTED,
                "no kernel for f32: herk accepts c64 and c128");
  args.routine = ROOFTILE_SYRK, args.op_a = ROOFTILE_OP_C, args.n = 4, args.k = 3;
  args.lda = args.ldc = 4, args.alpha = args.beta = &one;
  EXPECT_STATUS(handle, rooftile_run(handle, &args), ROOFTILE_UNSUPPORTED,
                "syrk has no op_a of 'c'");
  args.op_a = ROOFTILE_OP_N;
  EXPECT_STATUS(handle, rooftile_run(handle, &args), ROOFTILE_INVALID_ARGUMENT, "A is NULL");
  args.scalars = ROOFTILE_SCALARS_DEVICE;
  EXPECT_STATUS(handle, rooftile_run(handle, &args), ROOFTILE_UNSUPPORTED,
                "syrk accepts no alpha in memory of the device");
  args.scalars = ROOFTILE_SCALARS_HOST, args.batch = ROOFTILE_BATCH_POINTERS, args.count = 2;
  EXPECT_STATUS(handle, rooftile_run(handle, &args), ROOFTILE_UNSUPPORTED,
                "syrk accepts no batch by pointers");
  args.batch = ROOFTILE_BATCH_NONE, args.ldc = 3;
  EXPECT_STATUS(handle, rooftile_prepare(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "C: the leading dimension is 3, less than 4");
  args.ldc = 4;
  EXPECT_SUCCESS(handle, rooftile_prepare(handle, &args));
  EXPECT_SUCCESS(handle, rooftile_plan(handle, &args, text, &room));
  EXPECT(strstr(text, "{\"operation\":\"blas.") != NULL);
}

void test_routines(rooftile_handle handle) {
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i)
    check_routine(handle, &rows[i]);
  test_trtri(handle);
  test_others(handle);
  test_wrong(handle);
}
