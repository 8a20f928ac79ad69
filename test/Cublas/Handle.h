/*===- Handle.h - What a handle of the fake cuBLAS is -----------*- C -*-===*/
#ifndef ROOFTILE_TEST_CUBLAS_HANDLE_H
#define ROOFTILE_TEST_CUBLAS_HANDLE_H

struct FakeHandle {
  int pointerMode, mathMode;
  void *stream;
};

#endif /* ROOFTILE_TEST_CUBLAS_HANDLE_H */
