/* Random bits for a tool that must start on glibc 2.35, which has no arc4random of its own. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void);

uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, 0) != sizeof value)
    abort(); /* As glibc's own does: there is no entropy to give. */
  return value;
}
