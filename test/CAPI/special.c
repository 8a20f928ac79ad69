/*===- special.c - What is not a number, and numbers without a reciprocal -===*/

#include "Checks.h"
#include "Matrices.h"

#include <math.h>
#include <stdlib.h>

typedef rooftile_status routine(rooftile_handle, const rooftile_triangular_args *);

/* B has NaN in one row (on the right, one column) of which only later rows are made: the others are
   numbers where the call is exact. */
static void check_spread(rooftile_handle handle, routine *call, rooftile_side side,
                         rooftile_sizes sizes, int64_t order) {
  rooftile_triangular_args args = {0};
  const double alpha = 2;
  const int left = side == ROOFTILE_LEFT;
  const int64_t others = 3, special = order / 2;
  double *a = calloc((size_t)(order * order), sizeof *a);
  double *b = malloc((size_t)(order * others) * sizeof *b);
  int64_t i, j;
  int numbers = 0, nans = 0;
  for (i = 0; i < order; ++i)
    for (j = 0; j <= i;
         ++j) /* A row-major lower triangle on the left, on the right an upper one. */
      a[left ? i * order + j : j * order + i] = i == j ? 2 : 1.0 / (double)order;
  for (i = 0; i < order * others; ++i)
    b[i] = (double)(i % 5);
  b[left ? special * others + 1 : order + special] = NAN;
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR, args.side = side;
  args.triangle = left ? ROOFTILE_LOWER : ROOFTILE_UPPER, args.op_a = ROOFTILE_OP_N;
  args.diagonal = ROOFTILE_NON_UNIT, args.type = ROOFTILE_F64;
  args.m = left ? order : others, args.n = left ? others : order;
  args.a = a, args.b = b, args.lda = order, args.ldb = args.n;
  args.alpha = &alpha, args.sizes = sizes, args.exact = 1;
  EXPECT_SUCCESS(handle, call(handle, &args));
  for (i = 0; i < order; ++i)
    for (j = 0; j < others; ++j) {
      double x = b[left ? i * others + j : j * order + i];
      if (i >= special && j == 1)
        nans += isnan(x);
      else
        numbers += isfinite(x);
    }
  EXPECT(nans == order - special);
  EXPECT(numbers == order * others - nans);
  free(a), free(b);
}

/* The smallest number on the diagonal has no reciprocal, and yet quotients. */
static void check_denormal(rooftile_handle handle, rooftile_side side, rooftile_op op, int exact,
                           int64_t order) {
  rooftile_triangular_args args = {0};
  const double alpha = 1, least = 4.9406564584124654e-324;
  const int left = side == ROOFTILE_LEFT;
  const int64_t others = 8;
  double *a = calloc((size_t)(order * order), sizeof *a);
  double *b = malloc((size_t)(order * others) * sizeof *b);
  int64_t i;
  int wrong = 0;
  for (i = 0; i < order; ++i) /* Some rows are of another kind. */
    a[i * order + i] = i % 7 == 3 ? 0.5 : least;
  for (i = 0; i < order * others; ++i)
    b[i] = a[(left ? i / others : i % order) * (order + 1)] * 3;
  args.size = sizeof args, args.order = ROOFTILE_ROW_MAJOR, args.side = side;
  args.triangle = ROOFTILE_LOWER, args.op_a = op;
  args.diagonal = ROOFTILE_NON_UNIT, args.type = ROOFTILE_F64;
  args.m = left ? order : others, args.n = left ? others : order;
  args.a = a, args.b = b, args.lda = order, args.ldb = args.n;
  args.alpha = &alpha, args.exact = exact;
  EXPECT_SUCCESS(handle, rooftile_trsm(handle, &args));
  for (i = 0; i < order * others; ++i)
    wrong += b[i] != 3;
  EXPECT(wrong == 0);
  free(a), free(b);
}

void test_special_values(rooftile_handle handle) {
  routine *const routines[] = {rooftile_trmm, rooftile_trsm};
  int i;
  for (i = 0; i < 2; ++i) {
    check_spread(handle, routines[i], ROOFTILE_LEFT, ROOFTILE_SIZES_EXACT, 150);
    check_spread(handle, routines[i], ROOFTILE_RIGHT, ROOFTILE_SIZES_EXACT, 70);
    check_spread(handle, routines[i], ROOFTILE_LEFT, ROOFTILE_SIZES_ANY, 70);
  }
  check_denormal(handle, ROOFTILE_LEFT, ROOFTILE_OP_N, 0, 512);
  check_denormal(handle, ROOFTILE_LEFT, ROOFTILE_OP_T, 0, 300);
  check_denormal(handle, ROOFTILE_RIGHT, ROOFTILE_OP_N, 0, 300);
  check_denormal(handle, ROOFTILE_LEFT, ROOFTILE_OP_N, 1, 300);
}
