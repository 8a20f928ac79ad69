/*===- errors.c - Bad arguments, and what is said of them -----------------===*/

#include "Checks.h"

#include <stdint.h>
#include <string.h>

static double a[4096], b[4096], c[4096];
static float single = 2;
static double scalars[2] = {2, 0};

/* A product of f32 that is right. */
static rooftile_gemm_args good(void) {
  rooftile_gemm_args args = {0};
  args.size = sizeof args;
  args.order = ROOFTILE_ROW_MAJOR;
  args.type_a = args.type_b = args.type_c = ROOFTILE_F32;
  args.m = 6, args.n = 5, args.k = 4;
  args.a = a, args.b = b, args.c = c;
  args.lda = 4, args.ldb = 5, args.ldc = 5;
  args.alpha = args.beta = &single;
  return args;
}

/* One member is changed: the call fails, and its message has a part. */
#define REFUSED(change, status, part)                                                              \
  do {                                                                                             \
    rooftile_gemm_args args = good();                                                              \
    change;                                                                                        \
    EXPECT_STATUS(handle, rooftile_gemm(handle, &args), status, part);                             \
  } while (0)
#define INVALID(change, part) REFUSED(change, ROOFTILE_INVALID_ARGUMENT, part)
#define UNSUPPORTED(change, part) REFUSED(change, ROOFTILE_UNSUPPORTED, part)

static void set_types(rooftile_gemm_args *args, rooftile_type type) {
  args->type_a = args->type_b = args->type_c = type;
  args->alpha = args->beta = scalars;
}

static void *behind(void *address, int bytes) { return (char *)address + bytes; }

static void test_choices(rooftile_handle handle) {
  INVALID(args.order = 0, "order is 0, not one of 1 to 2");
  INVALID(args.op_a = 9, "op_a is 9");
  INVALID(args.op_b = -1, "op_b is -1");
  INVALID(args.op_a = 256, "op_a is 256");
  INVALID(args.type_a = 0, "type_a is 0");
  INVALID(args.type_c = 7, "type_c is 7");
  INVALID(args.batch = 3, "batch is 3");
  UNSUPPORTED(args.type_a = ROOFTILE_F64, "no kernel for A of f64, B of f32 and C of f32");
  UNSUPPORTED(args.type_c = ROOFTILE_F16, "C of f16");
  INVALID(args.alpha = NULL, "alpha is NULL");
  INVALID(args.beta = NULL, "beta is NULL");
}

static void test_sizes(rooftile_handle handle) {
  INVALID(args.m = -3, "m is -3");
  INVALID(args.n = -1, "n is -1");
  INVALID(args.k = -1, "k is -1");
  INVALID((args.batch = ROOFTILE_BATCH_STRIDED, args.count = -1), "count is -1");
  INVALID(args.lda = 3, "A: the leading dimension is 3, less than 4");
  INVALID(args.ldb = 4, "B: the leading dimension is 4, less than 5");
  INVALID(args.ldc = -1, "C: the leading dimension is -1, less than 5");
  INVALID((args.order = ROOFTILE_COLUMN_MAJOR, args.lda = 6, args.ldb = 3),
          "B: the leading dimension is 3, less than 4");
  INVALID((args.m = 0, args.lda = 0), "A: the leading dimension is 0");
  INVALID((args.m = INT64_MAX / 8, args.lda = INT64_MAX / 4), "more than an address reaches");
  INVALID(args.ldc = INT64_MAX, "C: 6 vectors, 9223372036854775807 elements apart");
  INVALID(
      (args.batch = ROOFTILE_BATCH_STRIDED, args.count = 2, args.stride_b = -1, args.stride_c = 30),
      "B: the stride of the batch is -1");
  INVALID((args.batch = ROOFTILE_BATCH_STRIDED, args.count = INT64_MAX, args.stride_c = 30),
          "of a batch of 9223372036854775807");
  INVALID((args.batch = ROOFTILE_BATCH_STRIDED, args.count = 2),
          "C: matrices of the batch overlap, since their stride is 0");
  INVALID((args.batch = ROOFTILE_BATCH_STRIDED, args.count = 3, args.stride_c = 29),
          "C: matrices of the batch overlap, since their stride is 29");
}

static void test_addresses(rooftile_handle handle) {
  INVALID(args.a = NULL, "A is NULL");
  INVALID(args.b = NULL, "B is NULL");
  INVALID(args.c = NULL, "C is NULL");
  INVALID(args.a = behind(a, 2), "is no multiple of 4 bytes");
  INVALID(args.c = behind(c, 1), "C: the address 0x");
  INVALID((set_types(&args, ROOFTILE_F64), args.b = behind(b, 4)), "is no multiple of 8 bytes");
  INVALID((set_types(&args, ROOFTILE_C64), args.b = behind(b, 2)), "is no multiple of 4 bytes");
  INVALID((set_types(&args, ROOFTILE_C128), args.a = behind(a, 4)), "is no multiple of 8 bytes");
  INVALID(args.c = a, "C: its 120 bytes at 0x");
  INVALID(args.c = behind(a, 92), "overlap A, 96 bytes at 0x");
  INVALID(args.b = behind(c, 116), "overlap B, 80 bytes at 0x");
  INVALID((args.ldb = 9, args.b = behind(c, 8)), "overlap B");
  INVALID(args.a = (void *)(UINTPTR_MAX - 15), "are more than an address reaches");
  INVALID((args.batch = ROOFTILE_BATCH_POINTERS, args.count = 1, args.a = behind(a, 4)),
          "A: the array of addresses");
  INVALID((args.batch = ROOFTILE_BATCH_POINTERS, args.count = 1, args.pointer_align = 12),
          "pointer_align is 12, not a power of 2 of at least 4");
  INVALID(args.sizes = 2, "sizes is 2, not one of 0 to 1");
  INVALID(args.scalars = -1, "scalars is -1, not one of 0 to 1");
  INVALID((args.scalars = ROOFTILE_SCALARS_DEVICE, args.beta = NULL), "beta is NULL");
  INVALID((args.scalars = ROOFTILE_SCALARS_DEVICE, args.alpha = behind(a, 2)),
          "alpha: the address is no multiple of 4 bytes");
  INVALID((args.sizes = ROOFTILE_SIZES_ANY, args.lda = 1), "A: the leading dimension is 1");
  INVALID((args.sizes = ROOFTILE_SIZES_ANY, args.c = NULL), "C is NULL");
  INVALID((args.batch = ROOFTILE_BATCH_POINTERS, args.count = 1, args.pointer_align = 2),
          "pointer_align is 2");
}

/* What is not read may be NULL. */
static void test_null(rooftile_handle handle) {
  rooftile_gemm_args args = good();
  rooftile_triangular_args triangular = {0};
  int64_t *empty[] = {&args.m, &args.n, &args.count};
  int i;
  for (i = 0; i < 3; ++i) {
    args = good();
    args.batch = ROOFTILE_BATCH_STRIDED, args.count = 2, args.stride_c = 30;
    *empty[i] = 0;
    args.a = args.b = args.c = NULL, args.alpha = args.beta = NULL;
    EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
    args.scalars = ROOFTILE_SCALARS_DEVICE;
    EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
  }
  for (i = 0; i < 2; ++i) {
    args = good();
    args.sizes = i ? ROOFTILE_SIZES_ANY : ROOFTILE_SIZES_EXACT;
    args.k = 0, args.a = args.b = NULL, args.alpha = NULL;
    ((float *)c)[7] = 3;
    EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
    EXPECT(((float *)c)[7] == 6);
    args.scalars = ROOFTILE_SCALARS_DEVICE;
    EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
    EXPECT(((float *)c)[7] == 12);
  }
  INVALID((args.k = 0, args.beta = NULL), "beta is NULL");
  triangular.size = sizeof triangular, triangular.order = ROOFTILE_ROW_MAJOR;
  triangular.side = ROOFTILE_LEFT, triangular.triangle = ROOFTILE_LOWER;
  triangular.diagonal = ROOFTILE_UNIT, triangular.type = ROOFTILE_F32, triangular.op_a = 0;
  triangular.n = 3, triangular.lda = 1, triangular.ldb = 3;
  EXPECT_SUCCESS(handle, rooftile_trmm(handle, &triangular));
  triangular.m = 1;
  EXPECT_STATUS(handle, rooftile_trmm(handle, &triangular), ROOFTILE_INVALID_ARGUMENT,
                "alpha is NULL");
}

/* Blocks of one matrix lie between each other's lines. */
static void test_blocks(rooftile_handle handle) {
  rooftile_gemm_args args = good();
  args.lda = args.ldb = args.ldc = 16;
  args.a = a, args.b = behind(a, 16 * 6 * 4), args.c = behind(a, 8 * 4);
  EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
  args.c = behind(a, 3 * 4);
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "overlap A");
  args.c = behind(a, 12 * 4); /* The ends of its lines are the beginnings of A's. */
  EXPECT_STATUS(handle, rooftile_gemm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "overlap A");
  args = good(); /* A batch beside each other in the lines of C. */
  args.ldc = 16, args.batch = ROOFTILE_BATCH_STRIDED, args.count = 3, args.stride_c = 5;
  EXPECT_SUCCESS(handle, rooftile_gemm(handle, &args));
}

static void test_triangles(rooftile_handle handle) {
  rooftile_triangular_args args = {0};
  const rooftile_triangular_args none = args;
  EXPECT_STATUS(handle, rooftile_trmm(handle, NULL), ROOFTILE_INVALID_ARGUMENT, "args is NULL");
  EXPECT_STATUS(handle, rooftile_trmm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "size is 0");
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR, args.type = ROOFTILE_F32;
  args.alpha = &single, args.m = 4, args.n = 5, args.lda = 4, args.ldb = 5;
  args.diagonal = ROOFTILE_UNIT, args.triangle = ROOFTILE_LOWER;
  EXPECT_STATUS(handle, rooftile_trmm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "side is 0");
  args.side = ROOFTILE_LEFT, args.a = a;
  EXPECT_STATUS(handle, rooftile_trsm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "B is NULL");
  args.b = behind(a, 16);
  EXPECT_STATUS(handle, rooftile_trsm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "B: its 80 bytes");
  args.ldb = 4;
  EXPECT_STATUS(handle, rooftile_trsm(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "B: the leading dimension is 4, less than 5");
  args.type = ROOFTILE_BF16;
  EXPECT_STATUS(handle, rooftile_trsm(handle, &args), ROOFTILE_UNSUPPORTED,
                "no kernel for bf16: trsm accepts f32, f64, c64 and c128");
  args.type = ROOFTILE_F32, args.alpha = &single, args.ldb = 5,
  args.batch = ROOFTILE_BATCH_POINTERS, args.count = 1, args.pointer_align = 12;
  EXPECT_STATUS(handle, rooftile_trmm(handle, &args), ROOFTILE_INVALID_ARGUMENT,
                "A: pointer_align is 12, not a power of 2 of at least 4");
  args.pointer_align = 0, args.sizes = ROOFTILE_SIZES_ANY;
  EXPECT_STATUS(handle, rooftile_trmm(handle, &args), ROOFTILE_UNSUPPORTED,
                "a batch by pointers needs kernels of exact sizes");
  args.sizes = ROOFTILE_SIZES_EXACT, args.b = NULL;
  EXPECT_STATUS(handle, rooftile_trmm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "B is NULL");
  args.sizes = 2;
  EXPECT_STATUS(handle, rooftile_trmm(handle, &args), ROOFTILE_INVALID_ARGUMENT, "sizes is 2");
  EXPECT(none.size == 0);
}

static void test_structs(rooftile_handle handle) {
  struct {
    rooftile_gemm_args args;
    int64_t later;
  } longer;
  memset(&longer, 0, sizeof longer);
  longer.args = good();
  longer.args.size = sizeof longer;
  EXPECT_SUCCESS(handle, rooftile_gemm(handle, &longer.args));
  longer.later = 1;
  EXPECT_STATUS(handle, rooftile_gemm(handle, &longer.args), ROOFTILE_UNSUPPORTED,
                "of a later version");
  longer.args.size = offsetof(rooftile_gemm_args, sizes); /* of the first struct */
  longer.args.sizes = 77;
  EXPECT_SUCCESS(handle, rooftile_gemm(handle, &longer.args));
  INVALID(args.size = 8, "args: size is 8, not");
  INVALID(args.size = (size_t)-1, "args: size is 18446744073709551615");
  EXPECT_STATUS(handle, rooftile_gemm(handle, NULL), ROOFTILE_INVALID_ARGUMENT, "args is NULL");
  EXPECT_STATUS(NULL, rooftile_gemm(NULL, &longer.args), ROOFTILE_INVALID_ARGUMENT,
                "handle is NULL");
  EXPECT_STATUS(handle,
                rooftile_sgemm(handle, ROOFTILE_ROW_MAJOR, 0, 0, 2, 2, 2, 1.0f, NULL, 2, NULL, 2,
                               0.0f, NULL, 2),
                ROOFTILE_INVALID_ARGUMENT, "A is NULL");
}

void test_errors(rooftile_handle handle) {
  static const double clean[4096];
  test_choices(handle);
  test_sizes(handle);
  test_addresses(handle);
  EXPECT(memcmp(c, clean, sizeof c) == 0 && memcmp(a, clean, sizeof a) == 0);
  test_structs(handle);
  test_null(handle);
  test_blocks(handle);
  test_triangles(handle);
}
