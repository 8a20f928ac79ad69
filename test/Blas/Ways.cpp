//===- Ways.cpp - Who computes a call -------------------------------------===//

#include "Cases.h"
#include "Groups.h"

#include <sys/wait.h>
#include <unistd.h>

using DoubleComplex = std::complex<double>;

void testForwarded() {
  EXPECT(nextCalls() == 0);
  for (Interface way : kInterfaces) {
    EXPECT(isProductRight<double>(way, 'N', 'N', 7, 5, 3, 2, 3));
    EXPECT(nextCalls() == 1);
    EXPECT(isProductRight<DoubleComplex>(way, 'T', 'C', 7, 5, 3, 2, 3));
    EXPECT(nextCalls() == 1);
    EXPECT(isTriangularRight<float>(way, false, "RUTN", 7, 5, 3));
    EXPECT(nextCalls() == 1);
    EXPECT(isTriangularRight<DoubleComplex>(way, true, "LLCU", 7, 5, 3));
    EXPECT(nextCalls() == 1);
  }
  // An op that only some libraries have, for dgemm_ and for cblas_dgemm.
  double one = 1, c = 0;
  int size = 1;
  dgemm_("R", "N", &size, &size, &size, &one, &one, &size, &one, &size, &one, &c, &size);
  EXPECT(nextCalls() == 1 && c == 1);
  cblas_dgemm(102, 114, 111, 1, 1, 1, 1, &one, 1, &one, 1, 1, &c, 1);
  EXPECT(nextCalls() == 1 && c == 2);
}

void testRefused() {
  // C is A: our library refuses, and has written nothing.
  double a[4] = {2, 0, 0, 2}, b[4] = {1, 2, 3, 4};
  EXPECT(nextCalls() == 0);
  for (int time = 0; time < 3; ++time)
    names::gemm<double>(Interface::Fortran, 'N', 'N', 2, 2, 2, 1, a, 2, b, 2, 0, a, 2);
  EXPECT(nextCalls() == 3);
  EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', 7, 5, 3, 2, 3));
  EXPECT(nextCalls() == 0);
}

void testFork() {
  EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', 20, 20, 20, 1, 0));
  EXPECT(nextCalls() == 0);
  pid_t child = fork();
  if (child == 0) {
    bool isRight = isProductRight<double>(Interface::Fortran, 'N', 'N', 20, 20, 20, 1, 0);
    _exit(isRight && nextCalls() == 1 ? 0 : 1);
  }
  int status = -1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  EXPECT(isProductRight<double>(Interface::Fortran, 'T', 'N', 20, 20, 20, 1, 0));
  EXPECT(nextCalls() == 0);
}

void testRoute() {
  EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', 8, 8, 8, 1, 0)); // measures the next
  nextCalls();
  EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', 8, 8, 8, 1, 0));
  EXPECT(nextCalls() == 1);
  // The first large ones are forwarded, until they would have paid the start.
  constexpr int kMost = 300;
  int forwarded = 0;
  for (int calls = 1; forwarded < kMost && calls == 1; forwarded += calls) {
    EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', 300, 300, 300, 1, 0));
    calls = nextCalls();
  }
  EXPECT(forwarded > 0 && forwarded < kMost);
  EXPECT(isProductRight<double>(Interface::Fortran, 'N', 'N', 8, 8, 8, 1, 0));
  EXPECT(nextCalls() == 1);
}
