/*===- products.c - Products beside a loop --------------------------------===*/

#include "Checks.h"
#include "Matrices.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  rooftile_type type, type_c;
  rooftile_order order;
  rooftile_op op_a, op_b;
  int64_t m, n, k, count;
  number alpha, beta;
  rooftile_sizes sizes;
  rooftile_scalars scalars;
} product;

static const number one = {1, 0}, zero = {0, 0};

static int transposes(rooftile_op op) { return op == ROOFTILE_OP_T || op == ROOFTILE_OP_C; }

static matrix make_a(const product *p, int64_t count) {
  int swap = transposes(p->op_a);
  return make_matrix(p->type, p->order, swap ? p->k : p->m, swap ? p->m : p->k, count, 1);
}

static matrix make_b(const product *p, int64_t count) {
  int swap = transposes(p->op_b);
  return make_matrix(p->type, p->order, swap ? p->n : p->k, swap ? p->k : p->n, count, 2);
}

static number expected(const product *p, const matrix *a, const matrix *b, const matrix *c,
                       int64_t batch, int64_t i, int64_t j) {
  number sum = {0, 0};
  int64_t l;
  for (l = 0; l < p->k; ++l)
    sum = add(sum, multiply(get_op(a, p->op_a, a->count > 1 ? batch : 0, i, l),
                            get_op(b, p->op_b, b->count > 1 ? batch : 0, l, j)));
  sum = multiply(p->alpha, sum);
  if (p->beta.re != 0 || p->beta.im != 0)
    sum = add(sum, multiply(p->beta, get(c, batch, i, j)));
  return sum;
}

/* Elements of `c` that are not what the loop gives with the C of before; what lies between the
   lines must be as it was. */
static int count_wrong(const product *p, const matrix *a, const matrix *b, const matrix *before,
                       const matrix *c) {
  matrix wanted = *before;
  size_t bytes = (size_t)(c->count * c->stride) * bytes_of(c->type);
  int64_t batch, i, j;
  int wrong;
  wanted.bytes = malloc(bytes);
  memcpy(wanted.bytes, before->bytes, bytes);
  for (batch = 0; batch < p->count; ++batch)
    for (i = 0; i < p->m; ++i)
      for (j = 0; j < p->n; ++j)
        set(&wanted, batch, i, j, add(expected(p, a, b, before, batch, i, j), zero));
  wrong = 0;
  for (batch = 0; batch < p->count; ++batch)
    for (i = 0; i < p->m; ++i)
      for (j = 0; j < p->n; ++j) {
        number x = get(&wanted, batch, i, j), y = get(c, batch, i, j);
        wrong += !(x.re == y.re && x.im == y.im);
        set(&wanted, batch, i, j, y);
      }
  wrong += memcmp(wanted.bytes, c->bytes, bytes) != 0;
  free(wanted.bytes);
  return wrong;
}

static rooftile_gemm_args args_of(const product *p, const matrix *a, const matrix *b, matrix *c) {
  rooftile_gemm_args args = {0};
  args.size = sizeof args;
  args.op_a = p->op_a, args.op_b = p->op_b, args.order = p->order;
  args.type_a = args.type_b = p->type, args.type_c = p->type_c;
  args.m = p->m, args.n = p->n, args.k = p->k, args.sizes = p->sizes;
  args.scalars = p->scalars;
  args.a = a->bytes, args.b = b->bytes, args.c = c->bytes;
  args.lda = a->leading, args.ldb = b->leading, args.ldc = c->leading;
  return args;
}

typedef enum { SINGLE, STRIDED, SHARED_A, SHARED_B, POINTERS } kind;

static void check(rooftile_handle handle, const product *p, kind kind) {
  matrix a = make_a(p, kind == SHARED_A ? 1 : p->count),
         b = make_b(p, kind == SHARED_B ? 1 : p->count);
  matrix c = make_matrix(p->type_c, p->order, p->m, p->n, p->count, 3), before = copy_of(&c);
  rooftile_gemm_args args = args_of(p, &a, &b, &c);
  void **as = addresses_of(&a, p->count), **bs = addresses_of(&b, p->count);
  void **cs = addresses_of(&c, p->count);
  const number nan = {NAN, NAN};
  unsigned char alpha[16], beta[16];
  args.alpha = scalar(p->type_c, p->alpha, alpha), args.beta = scalar(p->type_c, p->beta, beta);
  args.count = p->count;
  args.batch = kind == SINGLE ? ROOFTILE_BATCH_NONE : ROOFTILE_BATCH_STRIDED;
  args.stride_a = kind == SHARED_A ? 0 : a.stride, args.stride_b = kind == SHARED_B ? 0 : b.stride;
  args.stride_c = c.stride;
  if (p->beta.re == 0 && p->beta.im == 0 && p->m > 1 && p->n > 2)
    set(&c, 0, 1, 2, nan); /* is not read */
  if (kind == POINTERS) {
    args.batch = ROOFTILE_BATCH_POINTERS;
    args.a = as, args.b = bs, args.c = cs;
  }
  EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
  if (count_wrong(p, &a, &b, &before, &c)) {
    printf("wrong: types %d %d, order %d, ops %d %d, %d x %d x %d, batch %d\n", p->type, p->type_c,
           p->order, p->op_a, p->op_b, (int)p->m, (int)p->n, (int)p->k, (int)kind);
    EXPECT(!"the result of the loop");
  }
  free(as), free(bs), free(cs);
  free_matrix(&a), free_matrix(&b), free_matrix(&c), free_matrix(&before);
}

static product make_product(rooftile_type type, rooftile_type type_c, rooftile_order order) {
  product p = {0};
  p.type = type, p.type_c = type_c, p.order = order;
  p.m = 17, p.n = 10, p.k = 9, p.count = 1;
  p.alpha = one;
  return p;
}

void test_products(rooftile_handle handle) {
  static const rooftile_type types[][2] = {
      {ROOFTILE_F16, ROOFTILE_F16},  {ROOFTILE_F16, ROOFTILE_F32},  {ROOFTILE_BF16, ROOFTILE_BF16},
      {ROOFTILE_BF16, ROOFTILE_F32}, {ROOFTILE_F32, ROOFTILE_F32},  {ROOFTILE_F64, ROOFTILE_F64},
      {ROOFTILE_C64, ROOFTILE_C64},  {ROOFTILE_C128, ROOFTILE_C128}};
  const number two = {2, 0}, minus = {-1, 0}, both = {2, -1};
  rooftile_order order;
  size_t i;
  for (order = ROOFTILE_ROW_MAJOR; order <= ROOFTILE_COLUMN_MAJOR; ++order)
    for (i = 0; i < sizeof types / sizeof *types; ++i) {
      product p = make_product(types[i][0], types[i][1], order);
      check(handle, &p, SINGLE);
      p.op_a = ROOFTILE_OP_T, p.op_b = order == ROOFTILE_ROW_MAJOR ? ROOFTILE_OP_C : ROOFTILE_OP_J;
      p.alpha = is_complex(p.type) ? both : two, p.beta = minus;
      check(handle, &p, SINGLE);
    }
  for (i = 0; i < 16; ++i) {
    product p = make_product(ROOFTILE_C64, ROOFTILE_C64, ROOFTILE_COLUMN_MAJOR);
    p.op_a = (rooftile_op)(i / 4), p.op_b = (rooftile_op)(i % 4);
    check(handle, &p, SINGLE);
  }
}

void test_batches(rooftile_handle handle) {
  static const kind kinds[] = {STRIDED, SHARED_A, SHARED_B, POINTERS};
  rooftile_order order;
  size_t i;
  for (order = ROOFTILE_ROW_MAJOR; order <= ROOFTILE_COLUMN_MAJOR; ++order)
    for (i = 0; i < 4; ++i) {
      product p = make_product(ROOFTILE_F32, ROOFTILE_F32, order);
      p.count = 3;
      p.beta.re = 2;
      check(handle, &p, kinds[i]);
    }
}

/* C = beta C by each way to say it, with NULL for what is not read. */
static void check_scaled(rooftile_handle handle, rooftile_type type, kind kind, number beta,
                         rooftile_sizes sizes, rooftile_scalars scalars) {
  product p = make_product(type, type, ROOFTILE_COLUMN_MAJOR);
  const number nan = {NAN, NAN};
  matrix c = make_matrix(type, p.order, p.m, p.n, 2, 3), before = copy_of(&c), none = {0};
  unsigned char alpha_bytes[16], beta_bytes[16];
  void **cs = addresses_of(&c, 2);
  rooftile_gemm_args args;
  int i;
  p.sizes = sizes, p.scalars = scalars;
  /* Whether an alpha in memory is 0 is not known: A and B are stated then. */
  for (i = 0; i < (scalars == ROOFTILE_SCALARS_DEVICE ? 1 : 2); ++i) {
    memcpy(c.bytes, before.bytes, (size_t)(c.count * c.stride) * bytes_of(type));
    if (beta.re == 0) /* What is not read may be anything. */
      set(&c, 0, 1, 2, nan);
    p.k = i == 0 ? 0 : 9, p.alpha.re = i == 0 ? 1 : 0, p.beta = beta;
    p.count = kind == SINGLE ? 1 : 2;
    args = args_of(&p, &none, &none, &c);
    args.lda = p.m, args.ldb = p.n;
    args.alpha = scalar(type, p.alpha, alpha_bytes), args.beta = scalar(type, beta, beta_bytes);
    args.batch = kind == SINGLE     ? ROOFTILE_BATCH_NONE
                 : kind == POINTERS ? ROOFTILE_BATCH_POINTERS
                                    : ROOFTILE_BATCH_STRIDED;
    args.count = p.count, args.stride_c = c.stride;
    if (kind == POINTERS)
      args.c = cs;
    EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
    p.k = 0;
    EXPECT(count_wrong(&p, &none, &none, &before, &c) == 0);
  }
  free(cs);
  free_matrix(&c), free_matrix(&before);
}

/* Sizes and alignments that change from call to call, K of 0 among them. */
/* Complex scalars of 1 multiply by nothing, in kernels that take any: an infinite element of C or
   of the product has finite parts left. */
static void check_ones(rooftile_handle handle, rooftile_sizes sizes, rooftile_scalars scalars) {
  float one_of[2] = {1, 0}, a[2] = {1, 0}, b[2] = {2, 3}, c[2] = {INFINITY, 5};
  rooftile_gemm_args args = {0};
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_C64;
  args.m = args.n = args.k = args.lda = args.ldb = args.ldc = 1;
  args.a = a, args.b = b, args.c = c, args.alpha = args.beta = one_of;
  args.sizes = sizes, args.scalars = scalars;
  EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
  EXPECT(c[0] == INFINITY && c[1] == 8);
}

void test_any_sizes(rooftile_handle handle) {
  static const int64_t sizes[][3] = {{17, 10, 9}, {64, 32, 16}, {1, 130, 3}, {0, 4, 4}, {5, 6, 0}};
  static const rooftile_type types[] = {ROOFTILE_F32, ROOFTILE_C64};
  static const kind kinds[] = {SINGLE, STRIDED, SHARED_A};
  const number two = {2, 0}, minus = {-1, 0};
  size_t type, kind, i;
  for (type = 0; type < 2; ++type)
    for (kind = 0; kind < 3; ++kind)
      for (i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        product p = make_product(types[type], types[type], ROOFTILE_COLUMN_MAJOR);
        p.sizes = ROOFTILE_SIZES_ANY, p.op_a = kind == 1 ? ROOFTILE_OP_C : ROOFTILE_OP_N;
        p.m = sizes[i][0], p.n = sizes[i][1], p.k = sizes[i][2];
        p.count = kinds[kind] == SINGLE ? 1 : 2 + (int64_t)i;
        p.alpha = i % 2 ? two : one, p.beta = i == 1 ? zero : minus;
        check(handle, &p, kinds[kind]);
      }
  check_ones(handle, ROOFTILE_SIZES_ANY, ROOFTILE_SCALARS_HOST);
  check_ones(handle, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_DEVICE);
  check_scaled(handle, ROOFTILE_F32, SINGLE, zero, ROOFTILE_SIZES_ANY, ROOFTILE_SCALARS_HOST);
  check_scaled(handle, ROOFTILE_C128, STRIDED, two, ROOFTILE_SIZES_ANY, ROOFTILE_SCALARS_HOST);
}

/* Complex elements at multiples of their real parts only, as BLAS allows. */
void test_unaligned(rooftile_handle handle) {
  static const rooftile_type types[] = {ROOFTILE_C64, ROOFTILE_C128};
  static const kind kinds[] = {SINGLE, STRIDED, SHARED_A};
  const number both = {2, -1};
  size_t type, kind;
  align_to_numbers(1);
  for (type = 0; type < 2; ++type)
    for (kind = 0; kind < 3; ++kind) {
      product p = make_product(types[type], types[type], (rooftile_order)(1 + kind % 2));
      p.op_a = kind == 1 ? ROOFTILE_OP_C : ROOFTILE_OP_N, p.count = 1 + 2 * (kind > 0);
      check(handle, &p, kinds[kind]);
      p.alpha = p.beta = both, p.sizes = ROOFTILE_SIZES_ANY;
      check(handle, &p, kinds[kind]);
    }
  check_scaled(handle, ROOFTILE_C64, STRIDED, both, ROOFTILE_SIZES_ANY, ROOFTILE_SCALARS_HOST);
  check_scaled(handle, ROOFTILE_C128, SINGLE, zero, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_HOST);
  check_unaligned_triangles(handle);
  align_to_numbers(0);
}

/* Scalars that kernels read: 0 and 1 among them, and C may hold NaN where beta is 0. */
void test_device_scalars(rooftile_handle handle) {
  static const rooftile_type types[] = {ROOFTILE_F32, ROOFTILE_F64, ROOFTILE_C64, ROOFTILE_F16};
  const number minus = {-1, 0};
  static const number values[][2] = {{{2, 0}, {-1, 0}}, {{0, 0}, {2, 0}}, {{1, 0}, {0, 0}}};
  size_t type, i;
  for (type = 0; type < 4; ++type)
    for (i = 0; i < 3; ++i) {
      product p = make_product(types[type], types[type], ROOFTILE_ROW_MAJOR);
      p.scalars = ROOFTILE_SCALARS_DEVICE;
      p.sizes = i == 2 && type == 0 ? ROOFTILE_SIZES_ANY : ROOFTILE_SIZES_EXACT;
      p.alpha = values[i][0], p.beta = values[i][1];
      check(handle, &p, type == 1 ? STRIDED : type == 2 ? POINTERS : SINGLE);
    }
  for (type = 0; type < 4; ++type) { /* partial sums, and what is tested at run time */
    product p = make_product(types[type], types[type], ROOFTILE_ROW_MAJOR);
    p.scalars = ROOFTILE_SCALARS_DEVICE;
    p.alpha = one, p.beta = minus;
    p.k = 3000;
    check(handle, &p, SINGLE);
    p.m = 129, p.n = 65, p.k = 33, p.sizes = ROOFTILE_SIZES_ANY;
    check(handle, &p, SINGLE);
  }
  check_scaled(handle, ROOFTILE_F32, SINGLE, zero, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_DEVICE);
  check_scaled(handle, ROOFTILE_C64, STRIDED, zero, ROOFTILE_SIZES_ANY, ROOFTILE_SCALARS_DEVICE);
}

static void check_nothing(rooftile_handle handle) {
  rooftile_gemm_args args = {0};
  float number = 2;
  int i;
  args.size = sizeof args;
  args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F32;
  args.alpha = args.beta = &number;
  args.lda = args.ldb = args.ldc = 8;
  for (i = 0; i < 3; ++i) {
    args.m = i == 0 ? 0 : 8, args.n = i == 1 ? 0 : 8, args.k = 8;
    args.batch = i == 2 ? ROOFTILE_BATCH_STRIDED : ROOFTILE_BATCH_NONE;
    args.stride_a = args.stride_b = args.stride_c = 64;
    EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
  }
}

void test_zeros(rooftile_handle handle) {
  const number two = {2, 0}, both = {2, 1};
  product p = make_product(ROOFTILE_F64, ROOFTILE_F64, ROOFTILE_ROW_MAJOR);
  check_nothing(handle);
  check_scaled(handle, ROOFTILE_F32, SINGLE, zero, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_HOST);
  check_scaled(handle, ROOFTILE_F32, SINGLE, one, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_HOST);
  check_scaled(handle, ROOFTILE_F16, SINGLE, two, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_HOST);
  check_scaled(handle, ROOFTILE_C128, SINGLE, both, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_HOST);
  check_scaled(handle, ROOFTILE_F64, STRIDED, two, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_HOST);
  check_scaled(handle, ROOFTILE_F32, POINTERS, two, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_HOST);
  check_scaled(handle, ROOFTILE_C64, STRIDED, zero, ROOFTILE_SIZES_EXACT, ROOFTILE_SCALARS_HOST);
  /* NaN in C with beta 0, where A and B are multiplied. */
  {
    matrix a = make_a(&p, 1), b = make_b(&p, 1), c = make_matrix(p.type, p.order, p.m, p.n, 1, 3);
    matrix before = copy_of(&c);
    const number nan = {NAN, 0};
    double alpha = 1, beta = 0;
    rooftile_gemm_args args = args_of(&p, &a, &b, &c);
    args.alpha = &alpha, args.beta = &beta;
    set(&c, 0, 3, 4, nan), set(&c, 0, 0, 0, nan);
    EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
    EXPECT(count_wrong(&p, &a, &b, &before, &c) == 0);
    free_matrix(&a), free_matrix(&b), free_matrix(&c), free_matrix(&before);
  }
}
