/*===- Matrices.h - Matrices of all types, and a loop beside them -*- C -*-===*/
#ifndef MATRICES_H
#define MATRICES_H

#include "rooftile/rooftile.h"

typedef struct {
  double re, im;
} number;

/* A matrix of `count` of a batch, with gaps of NaN between lines and behind each one. */
typedef struct {
  rooftile_type type;
  rooftile_order order;
  int64_t rows, columns, leading, stride, count;
  unsigned char *memory, *bytes; /* What is allocated, and the first element. */
} matrix;

size_t bytes_of(rooftile_type type);
int is_complex(rooftile_type type);

/* Filled with small integers, so that sums are exact; `seed` says which. */
matrix make_matrix(rooftile_type type, rooftile_order order, int64_t rows, int64_t columns,
                   int64_t count, int seed);
/* From now on complex elements are aligned to their real parts only; or again to all of them. */
void align_to_numbers(int only);
/* With elements of its own, which are the same. */
matrix copy_of(const matrix *m);
/* Of its matrices, or as often of the only one; to be freed. */
void **addresses_of(const matrix *m, int64_t count);
void free_matrix(matrix *m);

number get(const matrix *m, int64_t batch, int64_t i, int64_t j);
void set(matrix *m, int64_t batch, int64_t i, int64_t j, number value);
/* Element (i, j) of op(m). */
number get_op(const matrix *m, rooftile_op op, int64_t batch, int64_t i, int64_t j);

number add(number x, number y);
number multiply(number x, number y);

/* A scalar as the interface takes it, in `bytes`. */
const void *scalar(rooftile_type type, number value, unsigned char bytes[16]);

#endif
