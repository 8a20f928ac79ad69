/* A caller with integers of 32 bits: narrow.test. */
#include "narrow.h"
#include <stdio.h>

typedef int function(int32_t, int32_t, int32_t, const float *, const float *, int32_t, int32_t,
                     const float *, int32_t, int32_t, const float *, float *, int32_t, int32_t,
                     int32_t, void *);

static float a[64], b[64], c[64];

int main(void) {
  function *call = narrow_nt; /* the types are these */
  float alpha = 2, beta = 1;
  int code = call(4, 4, 4, &alpha, a, 4, 16, b, 4, 16, &beta, c, 4, 16, 2, NULL);
  printf("%d '%s'\n", code, narrow_message());
  code = call(4, -3, 4, &alpha, a, 4, 16, b, 4, 16, &beta, c, 4, 16, 2, NULL);
  printf("%d '%s'\n", code, narrow_message());
  code = call(4, 4, 4, &alpha, a, 4, -16, b, 4, 16, &beta, c, 4, 16, 2, NULL);
  printf("%d '%s'\n", code, narrow_message());
  return 0;
}
