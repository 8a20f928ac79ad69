/* Two exported libraries in one program: a message of one is none of the other. */
#include "narrow.h"
#include "small.h"
#include <stdio.h>

static float a[64 * 64], b[64 * 64], c[64 * 64];

int main(void) {
  float alpha = 2, beta = 1;
  int first = small_nt(&alpha, a, 63, b, 64, &beta, c, 64, NULL);
  int second = narrow_nt(8, 8, 8, &alpha, a, 8, 64, b, 8, 64, &beta, c, 8, 64, 1, NULL);
  printf("%d %d '%s' '%s'\n", first, second, small_message(), narrow_message());
  return 0;
}
