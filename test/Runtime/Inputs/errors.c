/* Errors of compiled functions are those of the thread that calls: errors.test. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

const char *rooftileLastError(void);
void rooftileClearError(void);
void _mlir_ciface_product(matrix *a, matrix *b, matrix *c);

static _Alignas(64) float data[3 * 16 * 16 + 1];

/* A product, the first operand `shift` elements from where an access of 16 bytes may be. */
static void call(int shift) {
  matrix a = {data, data + shift, 0, {16, 16}, {16, 1}};
  matrix b = {data, data + 256, 0, {16, 16}, {16, 1}}, c = {data, data + 512, 0, {16, 16}, {16, 1}};
  _mlir_ciface_product(&a, &b, &c);
}

static void *fail(void *unused) {
  call(1);
  call(0); /* a later success does not forget it */
  printf("thread: %.27s\n", rooftileLastError());
  rooftileClearError();
  call(0);
  printf("cleared: '%s'\n", rooftileLastError());
  call(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  call(0);
  pthread_create(&thread, NULL, fail, NULL);
  pthread_join(thread, NULL);
  printf("main: '%s'\n", rooftileLastError());
  return 0;
}
