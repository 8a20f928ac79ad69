/* Calls functions of a module that was exported: module.test. */
#include "layers.h"
#include <complex.h>
#include <stdio.h>

#define CALL(call)                                                                                 \
  do {                                                                                             \
    int code = call;                                                                               \
    printf("%d '%s'\n", code, layers_message());                                                   \
  } while (0)

static _Alignas(64) float x[8 * 32], w[32 * 16], bias[16], y[8 * 16];
static _Alignas(64) double _Complex a[64], c[64];

int main(void) {
  float alpha = 2;
  double _Complex factor = 1 + 2 * I;
  void *stream = (void *)4711;
  rooftile_memref2 mx = {x, x, 0, {8, 32}, {32, 1}}, mw = {w, w, 0, {32, 16}, {16, 1}};
  rooftile_memref2 my = {y, y, 0, {8, 16}, {16, 1}};
  rooftile_memref1 mb = {bias, bias, 0, {16}, {1}};
  rooftile_memref2 ma = {a, a, 0, {8, 8}, {8, 1}}, mc = {c, c, 0, {8, 8}, {1, 8}};
  CALL(layers(&mx, &mw, &mb, &my, &alpha, stream));
  CALL(scaled(&ma, &mc, &factor, stream));
  my.sizes[1] = 15;
  CALL(layers(&mx, &mw, &mb, &my, &alpha, stream));
  my.sizes[1] = 16, my.sizes[0] = -1;
  CALL(layers(&mx, &mw, &mb, &my, &alpha, stream));
  my.sizes[0] = 8, my.strides[0] = 17;
  CALL(layers(&mx, &mw, &mb, &my, &alpha, stream));
  my.strides[0] = 16, my.offset = 1;
  CALL(layers(&mx, &mw, &mb, &my, &alpha, stream));
  my.offset = 0, my.aligned = NULL;
  CALL(layers(&mx, &mw, &mb, &my, &alpha, stream));
  CALL(layers(&mx, NULL, &mb, &my, &alpha, stream));
  CALL(scaled(&ma, &mc, NULL, stream));
  mx.sizes[0] = my.sizes[0] = 0; /* nothing happens, whatever the address */
  CALL(layers(&mx, &mw, &mb, &my, &alpha, stream));
  return 0;
}
