//===- Columns.h - Copies from column to column by several cores -*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_COLUMNS_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_COLUMNS_H

#include "rooftile/Operation/Operation.h"

namespace rooftile::interpose {

/// Columns in memory.
struct ColumnsAt {
  char *address;
  int64_t leadingBytes;
};

/// Copies `columns` columns of `bytes` bytes. One core moves less than a link to a GPU does, so
/// that long copies are made by up to four threads.
void copyColumns(ColumnsAt from, ColumnsAt to, int64_t columns, int64_t bytes);

/// Copies one triangle of a square, with its diagonal.
void copyTriangle(operation::Triangle triangle, ColumnsAt from, ColumnsAt to, int64_t order,
                  int64_t elementBytes);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_COLUMNS_H
