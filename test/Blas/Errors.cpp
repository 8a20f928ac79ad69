//===- Errors.cpp - Bad arguments -----------------------------------------===//

#include "Cases.h"
#include "Groups.h"

#include <cstdio>
#include <cstring>
#include <string>

/// Calls with one bad argument each; C must stay as it is.
static double one = 1, a[4] = {1, 2, 3, 4}, c[4] = {5, 6, 7, 8};

static void gemmOf(const char *op, int m, int n, int k, int lda, int ldb, int ldc) {
  dgemm_(op, op + 1, &m, &n, &k, &one, a, &lda, a, &ldb, &one, c, &ldc);
}

static void solveOf(const char *letters, int m, int n, int lda, int ldb) {
  dtrsm_(letters, letters + 1, letters + 2, letters + 3, &m, &n, &one, a, &lda, c, &ldb);
}

static bool isUntouched() { return c[0] == 5 && c[1] == 6 && c[2] == 7 && c[3] == 8; }

void testErrors() {
  gemmOf("XN", 2, 2, 2, 2, 2, 2);
  gemmOf("NN", 2, 2, 2, 1, 2, 2);
  solveOf("LUNX", 2, 2, 2, 2);
  cblas_dgemm(101, 111, 111, 2, 2, 2, 1, a, 1, a, 2, 1, c, 2); // lda, in row-major order
  cblas_dgemm(102, 7, 111, 2, 2, 2, 1, a, 2, a, 2, 1, c, 2);
  EXPECT(isUntouched());
}

//===----------------------------------------------------------------------===//
// Handlers of the program
//===----------------------------------------------------------------------===//

#ifdef TEST_HANDLERS

static std::string told;

/// Messages since the last call.
static std::string takeTold() {
  std::string text;
  text.swap(told);
  return text;
}

extern "C" {
void xerbla_(const char *routine, const int *number, size_t size) {
  told += std::string(routine, size) + std::to_string(*number);
}
void xerbla_64_(const char *routine, const int64_t *number, size_t size) {
  told += "64 " + std::string(routine, size) + std::to_string(*number);
}
void cblas_xerbla(int number, const char *routine, const char *, ...) {
  told += std::string(routine) + " " + std::to_string(number);
}
}

static void testFortranNumbers() {
  gemmOf("XN", -1, 2, 2, 2, 2, 2); // the first one counts
  EXPECT(takeTold() == "DGEMM 1");
  gemmOf("nX", 2, 2, 2, 2, 2, 2);
  EXPECT(takeTold() == "DGEMM 2");
  gemmOf("tt", -1, 2, 2, 2, 2, 2);
  EXPECT(takeTold() == "DGEMM 3");
  gemmOf("NN", 0, -1, 2, 2, 2, 2);
  EXPECT(takeTold() == "DGEMM 4");
  gemmOf("NN", 2, 2, -1, 2, 2, 2);
  EXPECT(takeTold() == "DGEMM 5");
  gemmOf("NN", 2, 2, 0, 1, 2, 2);
  EXPECT(takeTold() == "DGEMM 8");
  gemmOf("TC", 1, 2, 1, 1, 1, 1); // B is 2 x 1
  EXPECT(takeTold() == "DGEMM 10");
  gemmOf("NN", 0, 0, 0, 1, 1, 0);
  EXPECT(takeTold() == "DGEMM 13");
  const char *bad[] = {"XUNN", "LXNN", "LUXN", "LUNX"};
  for (int i = 0; i < 4; ++i) {
    solveOf(bad[i], 2, 2, 2, 2);
    EXPECT(takeTold() == "DTRSM " + std::to_string(i + 1));
  }
  solveOf("LUNN", -1, 2, 2, 2);
  EXPECT(takeTold() == "DTRSM 5");
  solveOf("LUNN", 2, -1, 2, 2);
  EXPECT(takeTold() == "DTRSM 6");
  solveOf("RUNN", 1, 2, 1, 2);
  EXPECT(takeTold() == "DTRSM 9");
  solveOf("LUNN", 2, 2, 2, 1);
  EXPECT(takeTold() == "DTRSM 11");
  int64_t two = 2, minus = -1;
  float single = 0;
  sgemm_64_("N", "N", &minus, &two, &two, &single, &single, &two, &single, &two, &single, &single,
            &two);
  EXPECT(takeTold() == "64 SGEMM 3");
}

static void testCNumbers() {
  struct {
    int order, opA, opB, m, n, k, lda, ldb, ldc, number;
  } cases[] = {{7, 111, 111, 2, 2, 2, 2, 2, 2, 1},    {101, 7, 111, 2, 2, 2, 2, 2, 2, 2},
               {102, 111, 7, 2, 2, 2, 2, 2, 2, 3},    {101, 111, 111, -1, 2, 2, 2, 2, 2, 4},
               {101, 111, 111, 2, -1, 2, 2, 2, 2, 5}, {101, 111, 111, 2, 2, -1, 2, 2, 2, 6},
               {101, 111, 111, 2, 1, 2, 1, 1, 1, 9},  {101, 111, 111, 1, 2, 2, 2, 1, 2, 11},
               {101, 111, 111, 1, 2, 1, 1, 2, 1, 14}, {102, 111, 111, 2, 2, 2, 1, 2, 2, 9},
               {102, 111, 111, 2, 2, 2, 2, 1, 2, 11}, {102, 114, 111, 2, 2, 2, 1, 2, 2, 2}};
  for (auto &t : cases) {
    cblas_dgemm(t.order, t.opA, t.opB, t.m, t.n, t.k, 1, a, t.lda, a, t.ldb, 1, c, t.ldc);
    EXPECT(takeTold() == "cblas_dgemm " + std::to_string(t.number));
  }
  struct {
    int order, side, uplo, op, diag, m, n, lda, ldb, number;
  } triangles[] = {
      {7, 141, 121, 111, 131, 2, 2, 2, 2, 1},    {101, 7, 121, 111, 131, 2, 2, 2, 2, 2},
      {101, 141, 7, 111, 131, 2, 2, 2, 2, 3},    {102, 141, 121, 7, 131, 2, 2, 2, 2, 4},
      {102, 141, 121, 111, 7, 2, 2, 2, 2, 5},    {101, 141, 121, 111, 131, -1, 2, 2, 2, 6},
      {101, 141, 121, 111, 131, 2, -1, 2, 2, 7}, {102, 141, 121, 111, 131, -1, 2, 2, 2, 6},
      {101, 141, 121, 111, 131, 2, 1, 1, 1, 10}, {101, 141, 121, 111, 131, 1, 2, 1, 1, 12}};
  for (auto &t : triangles) {
    cblas_dtrmm(t.order, t.side, t.uplo, t.op, t.diag, t.m, t.n, 1, a, t.lda, c, t.ldb);
    EXPECT(takeTold() == "cblas_dtrmm " + std::to_string(t.number));
  }
}

void testHandlers() {
  testFortranNumbers();
  testCNumbers();
  EXPECT(isUntouched());
}

#else
void testHandlers() {}
#endif
