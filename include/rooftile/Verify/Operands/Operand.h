//===- Operand.h - Strided operands and their data --------------*- C++ -*-===//
//
// The values of a memref descriptor, and its reading as a batch of matrices.
// All sizes, strides and offsets are in elements.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_OPERANDS_OPERAND_H
#define ROOFTILE_VERIFY_OPERANDS_OPERAND_H

#include "rooftile/Verify/Operands/Element.h"

#include <vector>

namespace rooftile::verify {

/// A strided array: batch dimensions first, then rows and columns.
struct View {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
  /// Offsets of the matrices of a batch by pointers, in place of multiples of the first stride.
  std::vector<int64_t> places = {};

  int64_t elements() const;
  /// Smallest and largest element that the view touches (0 and -1 when it is empty).
  int64_t first() const;
  int64_t last() const;
};

/// The matrices of a batch: element (b, i, j) is at batch[b] + i * rowStride + j * columnStride.
struct Matrices {
  int64_t rows = 0, columns = 0, rowStride = 0, columnStride = 0;
  std::vector<int64_t> batch;

  int64_t at(int64_t b, int64_t i, int64_t j) const {
    return batch[b] + i * rowStride + j * columnStride;
  }
};

/// Reads a view of rank >= 2 as matrices, transposed on demand, counted from `view.first()`. A
/// view of rank 2 stands for every one of `batches` matrices.
Matrices matricesOf(const View &view, bool transposed, size_t batches);

/// Targets of an array of pointers: matrices aligned to `align` bytes (0: to an element).
struct Pointee {
  Element element = Element::F32;
  int64_t align = 0;
};

/// An operand as a callback receives it.
struct Operand {
  char *data = nullptr; ///< the aligned pointer of the descriptor: element 0
  Element element = Element::F32;
  View view;

  char *begin() const { return data + view.first() * bytesOf(element); }
  int64_t spanBytes() const { return (view.last() - view.first() + 1) * bytesOf(element); }
};

/// True when two views have an element in common (exact, byte by byte where spans meet).
bool overlap(const Operand &left, const Operand &right);

/// True when two index tuples of the view name the same element.
bool overlapsItself(const Operand &operand);

/// "row-major", "column-major", or the strides when neither is 1.
std::string layoutName(const View &view);

/// "output C overlaps itself: sizes [4, 4] with strides [3, 1] name an element twice"
std::string overlapText(const char *output, const View &view);

/// `view` without the batch dimensions along which it stands still (stride 0).
View withoutRepeats(const View &view);

/// Values that fill elements. The same seed and index always give the same value.
struct Values {
  enum Kind {
    Integers, ///< -range .. range without 0, so that a missing product always shows
    Uniform,  ///< [-1, 1)
    Positive, ///< [1/2, 1), which add up to more with every term
    Constant, ///< `constant` throughout
    Poison    ///< NaN
  } kind = Uniform;
  int64_t range = 1;
  uint64_t seed = 0;
  double constant = 0;
};

/// Fills the elements of `view` (and nothing else) in a copy of memory that starts at
/// `view.first()`.
void fill(void *data, Element element, const View &view, const Values &values);

/// Calls `visit` for each element with its batch entry, row, column, and where it is, in bytes from
/// the first.
template <typename Visit> void forEachElement(const Operand &operand, Visit visit) {
  if (operand.view.elements() == 0)
    return;
  Matrices matrices = matricesOf(operand.view, /*transposed=*/false, /*batches=*/1);
  for (int64_t batch = 0; batch < int64_t(matrices.batch.size()); ++batch)
    for (int64_t i = 0; i < matrices.rows; ++i)
      for (int64_t j = 0; j < matrices.columns; ++j)
        visit(batch, i, j, matrices.at(batch, i, j) * bytesOf(operand.element));
}

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERANDS_OPERAND_H
