/* Complex numbers by value, as C passes them, to and from functions of a module: complex.test. */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

void _mlir_ciface_single(matrix *a, matrix *c, float _Complex alpha, float _Complex beta);
void _mlir_ciface_twice(matrix *a, matrix *c, double _Complex alpha, double _Complex beta);
float _Complex _mlir_ciface_negated(float _Complex x);
float _Complex _mlir_ciface_of_c(float _Complex x);

/* Called by `negated`. */
float _Complex _mlir_ciface_of_c(float _Complex x) { return -x; }

static _Alignas(64) float _Complex a[8 * 8], c[8 * 8];
static _Alignas(64) double _Complex x[8 * 8], y[8 * 8];

int main(void) {
  for (int i = 0; i < 8 * 8; ++i)
    a[i] = x[i] = i % 9 == 0, c[i] = y[i] = 1;
  matrix single_a = {a, a, 0, {8, 8}, {8, 1}}, single_c = {c, c, 0, {8, 8}, {8, 1}};
  matrix double_a = {x, x, 0, {8, 8}, {8, 1}}, double_c = {y, y, 0, {8, 8}, {8, 1}};
  _mlir_ciface_single(&single_a, &single_c, 2 + 3 * I, 5 - 7 * I);
  printf("%g %g, %g %g\n", crealf(c[0]), cimagf(c[0]), crealf(c[1]), cimagf(c[1]));
  _mlir_ciface_twice(&double_a, &double_c, 2 + 3 * I, 5 - 7 * I);
  printf("%g %g, %g %g\n", creal(y[0]), cimag(y[0]), creal(y[1]), cimag(y[1]));
  float _Complex negated = _mlir_ciface_negated(1 + 2 * I);
  printf("%g %g\n", crealf(negated), cimagf(negated));
  return 0;
}
