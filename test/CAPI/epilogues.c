/*===- epilogues.c - Bias and activation beside libm's functions ----------===*/

#include "Checks.h"
#include "Matrices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double activate(rooftile_activation activation, double x) {
  switch (activation) {
  case ROOFTILE_RELU:
    return x > 0 ? x : 0;
  case ROOFTILE_GELU:
    return x * (1 + erf(x / sqrt(2.0))) / 2;
  case ROOFTILE_GELU_TANH:
    return x * (1 + tanh(sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x))) / 2;
  case ROOFTILE_SIGMOID:
    return 1 / (1 + exp(-x));
  case ROOFTILE_SILU:
    return x / (1 + exp(-x));
  case ROOFTILE_TANH:
    return tanh(x);
  default:
    return x;
  }
}

typedef struct {
  rooftile_type type, type_c;
  rooftile_order order;
  rooftile_bias bias;
  rooftile_activation activation;
  rooftile_sizes sizes;
  int64_t k, count;
} function;

/* C of 13 x 7, alpha 1/4 and beta 1/2. */
static void check(rooftile_handle handle, const function *f) {
  const int64_t m = 13, n = 7;
  const number quarter = {0.25, 0}, half = {0.5, 0};
  matrix a = make_matrix(f->type, f->order, m, f->k, f->count, 1);
  matrix b = make_matrix(f->type, f->order, f->k, n, f->count, 2);
  matrix c = make_matrix(f->type_c, f->order, m, n, f->count, 3);
  matrix before = make_matrix(f->type_c, f->order, m, n, f->count, 3);
  matrix bias = make_matrix(f->type_c, ROOFTILE_COLUMN_MAJOR, m, 1, 1, 4);
  const double bound = f->type_c == ROOFTILE_F16 || f->type_c == ROOFTILE_BF16 ? 1e-2 : 1e-5;
  rooftile_gemm_args args = {0};
  unsigned char alpha[16], beta[16];
  int64_t batch, i, j, l;
  int wrong = 0;
  args.size = sizeof args, args.order = f->order, args.sizes = f->sizes;
  args.type_a = args.type_b = f->type, args.type_c = f->type_c;
  args.m = m, args.n = n, args.k = f->k;
  args.a = a.bytes, args.b = b.bytes, args.c = c.bytes, args.bias = bias.bytes;
  args.lda = a.leading, args.ldb = b.leading, args.ldc = c.leading;
  args.stride_a = a.stride, args.stride_b = b.stride, args.stride_c = c.stride;
  args.batch = f->count > 1 ? ROOFTILE_BATCH_STRIDED : ROOFTILE_BATCH_NONE, args.count = f->count;
  args.alpha = scalar(f->type_c, quarter, alpha), args.beta = scalar(f->type_c, half, beta);
  args.bias_kind = f->bias, args.activation = f->activation;
  EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
  for (batch = 0; batch < f->count; ++batch)
    for (i = 0; i < m; ++i)
      for (j = 0; j < n; ++j) {
        number sum = {0, 0}, found = get(&c, batch, i, j);
        double wanted;
        for (l = 0; l < f->k; ++l)
          sum = add(sum, multiply(get(&a, batch, i, l), get(&b, batch, l, j)));
        sum = add(multiply(quarter, sum), multiply(half, get(&before, batch, i, j)));
        if (f->bias != ROOFTILE_BIAS_NONE)
          sum = add(sum, get(&bias, 0, f->bias == ROOFTILE_BIAS_PER_ROW ? i : j, 0));
        wanted = activate(f->activation, sum.re);
        wrong += !(fabs(found.re - wanted) <= bound * (1 + fabs(wanted)));
        wrong += is_complex(f->type_c) && fabs(found.im - sum.im) > bound;
      }
  if (wrong)
    printf("%d wrong: types %d %d, order %d, bias %d, activation %d, sizes %d, k %d, batch %d\n",
           wrong, f->type, f->type_c, f->order, f->bias, f->activation, f->sizes, (int)f->k,
           (int)f->count);
  EXPECT(wrong == 0);
  free_matrix(&a), free_matrix(&b), free_matrix(&c), free_matrix(&before), free_matrix(&bias);
}

static void check_nan(rooftile_handle handle) {
  float a[16] = {0}, b[16] = {0}, c[16], one = 1, zero = 0;
  rooftile_gemm_args args = {0};
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F32;
  args.m = args.n = args.k = args.lda = args.ldb = args.ldc = 4;
  args.a = a, args.b = b, args.c = c, args.alpha = &one, args.beta = &zero;
  args.activation = ROOFTILE_RELU;
  a[1] = NAN;
  EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
  EXPECT(isnan(c[0]) && c[4] == 0);
}

static void test_refused(rooftile_handle handle) {
  static double numbers[64];
  static const double one[2] = {1, 0};
  rooftile_gemm_args args = {0};
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F64;
  args.m = args.n = args.k = args.lda = args.ldb = args.ldc = 4;
  args.a = numbers, args.b = numbers + 16, args.c = numbers + 32, args.alpha = args.beta = one;
  args.bias_kind = 3;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "bias_kind is 3, not one of 0 to 2");
  args.bias_kind = 0, args.activation = 7;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "activation is 7, not one of 0 to 6");
  args.activation = ROOFTILE_TANH;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_UNSUPPORTED, "C is f64");
  args.activation = 0, args.math = 3;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "math is 3, not one of 0 to 2");
  args.math = 0, args.bias_kind = ROOFTILE_BIAS_PER_ROW;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "bias is NULL");
  args.bias = (char *)(numbers + 48) + 4;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "bias: the address 0x");
  args.bias = numbers + 30;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "overlap bias");
  args.bias = numbers + 47;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "overlap bias");
  args.bias = numbers + 48, args.batch = ROOFTILE_BATCH_POINTERS, args.count = 1;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_UNSUPPORTED, "accepts no bias");
}

void test_epilogues(rooftile_handle handle) {
  function f = {ROOFTILE_F32, ROOFTILE_F32, ROOFTILE_ROW_MAJOR, 0, 0, 0, 9, 1};
  function g;
  for (f.activation = 0; f.activation <= ROOFTILE_TANH; ++f.activation) {
    f.bias = f.activation % 3;
    f.order = f.activation % 2 ? ROOFTILE_ROW_MAJOR : ROOFTILE_COLUMN_MAJOR;
    check(handle, &f);
  }
  f.activation = ROOFTILE_RELU;
  for (f.bias = 0; f.bias <= ROOFTILE_BIAS_PER_COLUMN; ++f.bias)
    for (f.order = ROOFTILE_ROW_MAJOR; f.order <= ROOFTILE_COLUMN_MAJOR; ++f.order)
      check(handle, &f);
  f.order = ROOFTILE_COLUMN_MAJOR, f.bias = ROOFTILE_BIAS_PER_ROW;
  g = f, g.type = g.type_c = ROOFTILE_F16, g.activation = ROOFTILE_GELU, check(handle, &g);
  g = f, g.type = ROOFTILE_BF16, g.activation = ROOFTILE_SILU, check(handle, &g);
  g = f, g.type = g.type_c = ROOFTILE_F64, check(handle, &g);
  g = f, g.type = g.type_c = ROOFTILE_C64, g.activation = 0, check(handle, &g);
  g = f, g.count = 3, check(handle, &g);
  g = f, g.k = 0, check(handle, &g);
  g.sizes = ROOFTILE_SIZES_ANY, check(handle, &g);
  g = f, g.sizes = ROOFTILE_SIZES_ANY, check(handle, &g);
  check_nan(handle);
  test_refused(handle);
}
