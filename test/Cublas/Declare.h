/*===- Declare.h - Functions of cuBLAS, linked or found by dlsym -*- C -*-===*\
|*
|* With ROOFTILE_BY_DLSYM a function is a pointer, which find_functions sets.
|*
\*===----------------------------------------------------------------------===*/
#ifndef ROOFTILE_TEST_CUBLAS_DECLARE_H
#define ROOFTILE_TEST_CUBLAS_DECLARE_H

#include "Handle.h"

#include <stdint.h>

#ifdef ROOFTILE_BY_DLSYM
#define DECLARE(name, parameters) static int(*name) parameters;
#else
#define DECLARE(name, parameters) int name parameters;
#endif

#define PRODUCT(Int) struct FakeHandle *, int, int, Int, Int, Int, const void *
#define IN(Int) const void *, Int
#define OUT(Int) const void *, void *, Int
#define INS(Int) const void *, Int, long long
#define OUTS(Int) const void *, void *, Int, long long, Int
#define IN_EX(Int) const void *, int, Int
#define OUT_EX(Int) const void *, void *, int, Int
#define ARRAY(Int) const void *const *, Int
#define OUT_ARRAY(Int) const void *, void *const *, Int, Int
#define ARRAY_EX(Int) const void *const *, int, Int
#define OUT_ARRAY_EX(Int) const void *, void *const *, int, Int, Int, int, int
#define TRIANGLE(Int) struct FakeHandle *, int, int, int, int, Int, Int, const void *

#define ROOFTILE_GEMM(name, type, Int) DECLARE(name, (PRODUCT(Int), IN(Int), IN(Int), OUT(Int)))
#define ROOFTILE_GEMM_STRIDED(name, type, Int)                                                     \
  DECLARE(name, (PRODUCT(Int), INS(Int), INS(Int), OUTS(Int)))
#define ROOFTILE_GEMM_BATCHED(name, type, Int)                                                     \
  DECLARE(name, (PRODUCT(Int), ARRAY(Int), ARRAY(Int), OUT_ARRAY(Int)))
#define ROOFTILE_GEMM_EX(name, Int)                                                                \
  DECLARE(name, (PRODUCT(Int), IN_EX(Int), IN_EX(Int), OUT_EX(Int), int, int))
#define ROOFTILE_GEMM_STRIDED_EX(name, Int)                                                        \
  DECLARE(name, (PRODUCT(Int), IN_EX(Int), long long, IN_EX(Int), long long, OUT_EX(Int),          \
                 long long, Int, int, int))
#define ROOFTILE_GEMM_BATCHED_EX(name, Int)                                                        \
  DECLARE(name, (PRODUCT(Int), ARRAY_EX(Int), ARRAY_EX(Int), OUT_ARRAY_EX(Int)))
#define ROOFTILE_TRSM(name, type, Int) DECLARE(name, (TRIANGLE(Int), IN(Int), void *, Int))
#define ROOFTILE_TRSM_BATCHED(name, type, Int)                                                     \
  DECLARE(name, (TRIANGLE(Int), ARRAY(Int), void *const *, Int, Int))
#define ROOFTILE_TRMM(name, type, Int) DECLARE(name, (TRIANGLE(Int), IN(Int), IN(Int), void *, Int))
#define ROOFTILE_SYMM(name, routine, type, Int)                                                    \
  DECLARE(name, (struct FakeHandle *, int, int, Int, Int, const void *, IN(Int), IN(Int), OUT(Int)))
#define ROOFTILE_SYRK(name, routine, type, Int)                                                    \
  DECLARE(name, (struct FakeHandle *, int, int, Int, Int, const void *, IN(Int), OUT(Int)))
#define ROOFTILE_SYR2K(name, routine, type, Int)                                                   \
  DECLARE(name, (struct FakeHandle *, int, int, Int, Int, const void *, IN(Int), IN(Int), OUT(Int)))
#include "Functions.inc"

#endif /* ROOFTILE_TEST_CUBLAS_DECLARE_H */
