/* Calls functions of two modules that were compiled apart, and have kernels and private functions
   of the same names: separate.test. */
#include <stdint.h>
#include <stdio.h>

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

const char *rooftileLastError(void);
void _mlir_ciface_first(matrix *a, matrix *b, matrix *c);
void _mlir_ciface_second(matrix *a, matrix *b, matrix *c);

static _Alignas(64) float a[16 * 16], b[16 * 16], c[16 * 32];

int main(void) {
  for (int i = 0; i < 16 * 16; ++i) {
    a[i] = i % 17 == 0; /* the identity */
    b[i] = i;
  }
  matrix x = {a, a, 0, {16, 16}, {16, 1}}, y = {b, b, 0, {16, 16}, {16, 1}},
         z = {c, c, 0, {16, 16}, {32, 1}};
  _mlir_ciface_first(&x, &y, &z);
  printf("%g %g\n", c[0], c[15 * 32 + 15]);
  _mlir_ciface_second(&x, &y, &z);
  printf("%g %g\n", c[0], c[15 * 32 + 15]);
  printf("'%s'\n", rooftileLastError());
  return 0;
}
