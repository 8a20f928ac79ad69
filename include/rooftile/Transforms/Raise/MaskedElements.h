//===- MaskedElements.h - What is known beside a diagonal -------*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_MASKEDELEMENTS_H
#define ROOFTILE_TRANSFORMS_RAISE_MASKEDELEMENTS_H

#include "rooftile/Transforms/Raise/Contraction.h"

namespace rooftile {

/// Where an element lies: its row is less than its column, the same, or greater.
enum class DiagonalSide { Above, On, Below };

/// Knowledge about an element.
struct ElementFact {
  enum Kind {
    Unknown,
    Zero,
    One,
    Read,      ///< The element of `access`, unchanged.
    TimesZero, ///< Something times 0: a NaN where that is a NaN or an infinity.
    Integer    ///< row * (its row) + column * (its column) + constant; 0 or 1 of type i1.
  };

  Kind kind = Unknown;
  LinearAccess access = {};
  int64_t row = 0, column = 0, constant = 0;
};

/// Finds out what elements of a matrix are on one side of its diagonal. `row` and `column` are
/// the loops that count its rows and columns.
class MaskedElements {
public:
  MaskedElements(unsigned row, unsigned column, DiagonalSide side)
      : row(row), column(column), side(side) {}

  /// The element that `writer` writes to where `output` reads it.
  ElementFact written(mlir::linalg::LinalgOp writer, const LinearAccess &output);

private:
  /// A body that is read: which loops count the iterations of its operation.
  struct Frame {
    mlir::linalg::LinalgOp op;
    LinearAccess loops; ///< Without a source: dimension d is loop d of `op`.
  };

  ElementFact element(mlir::Value matrix, const LinearAccess &access);
  ElementFact scalar(mlir::Value value, Frame *frame);
  ElementFact argument(mlir::BlockArgument argument, Frame &frame);
  ElementFact operation(mlir::Operation *op, Frame *frame);
  ElementFact index(int64_t dim, Frame &frame) const;
  ElementFact compare(mlir::Operation *op, Frame *frame);
  ElementFact product(mlir::Operation *op, Frame *frame);
  ElementFact sum(mlir::Operation *op, Frame *frame);

  unsigned row, column;
  DiagonalSide side;
  int64_t visits = 0;
};

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_MASKEDELEMENTS_H
