/* Calls an exported library, and prints what comes of it: calls.test says on which driver. */
#include "small.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CALL(call)                                                                                 \
  do {                                                                                             \
    int code = call;                                                                               \
    printf("%d '%s'\n", code, small_message());                                                    \
  } while (0)

static float a[64 * 64], b[64 * 64], c[64 * 64];
static double x[64 * 64], y[64 * 64];

/* Returns null where all calls went well, each with a message of its own thread. */
static void *call_often(void *unused) {
  float alpha = 2, beta = 1;
  for (int i = 0; i < 100; ++i)
    if (small_nt(&alpha, a, 64, b, 64, &beta, c, 64, NULL) || small_message()[0] ||
        small_nt(&alpha, a, 63, b, 64, &beta, c, 64, NULL) != 1 || !small_message()[0])
      return a;
  return unused;
}

static int call_by_threads(void) {
  pthread_t threads[8];
  int failed = 0;
  for (int i = 0; i < 8; ++i)
    pthread_create(&threads[i], NULL, call_often, NULL);
  for (int i = 0; i < 8; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    failed += result != NULL;
  }
  printf("%d threads failed\n", failed);
  return failed;
}

int main(int count, char **names) {
  if (count > 1 && strcmp(names[1], "threads") == 0)
    return call_by_threads();
  float alpha = 2, beta = 1;
  double two = 2;
  void *stream = (void *)4711;
  CALL(small_nt(&alpha, a, 64, b, 64, &beta, c, 64, stream));
  CALL(small_nt(&alpha, a, 64, b, 64, &beta, c, 64, stream));
  if (count > 1 && strcmp(names[1], "once") == 0)
    return 0;
  CALL(small_nt(&alpha, a, 63, b, 64, &beta, c, 64, stream));
  CALL(small_nt(NULL, a, 64, b, 64, &beta, c, 64, stream));
  CALL(small_nt(&alpha, a, 64, b, 64, &beta, NULL, 64, stream));
  CALL(small_open(-1, &two, x, 16, y, 16, stream));
  CALL(small_open(20, &two, x, 19, y, 16, stream));
  CALL(small_open(20, &two, x, 20, y, 16, stream));
  CALL(small_open(0, &two, NULL, 1, NULL, 16, stream));
  /* Parts of matrices are aligned to their elements. */
  CALL(small_nt(&alpha, a + 1, 64, b + 2, 64, &beta, c + 3, 64, stream));
  CALL(small_open(20, &two, x + 1, 20, y + 1, 16, stream));
  CALL(small_open(20, &two, (double *)((char *)x + 4), 20, y, 16, stream));
  return 0;
}
