//===- Update.h - Extra operands of an update, by element -------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_TILETOLANE_UPDATE_H
#define ROOFTILE_LIB_CONVERSION_TILETOLANE_UPDATE_H

#include "Globals.h"
#include "rooftile/Transforms/Thread/ElementMath.h"

namespace rooftile {

/// A scalar, or a matrix through its view.
struct ExtraOperand {
  mlir::Value scalar;
  mlir::memref::ReinterpretCastOp view; ///< null for a scalar
  int64_t width = 1;                    ///< of accesses along runs

  /// True where all rows (`dim` 0) or columns hold the same elements.
  bool lacks(int dim) const;
};

/// The extra operands of `op`; a memref that is no view of a pointer is an error.
llvm::FailureOr<llvm::SmallVector<ExtraOperand>> viewExtras(tile::UpdateOp op);

/// Reads the elements of extra operands where one thread writes C: those that all rows share
/// once, before the rows; those that all columns share once a row; others with their run.
class ExtraElements {
public:
  /// `run`: elements of C that are written at a time.
  ExtraElements(mlir::OpBuilder &builder, tile::UpdateOp op, llvm::ArrayRef<ExtraOperand> extras,
                int64_t run);

  /// Before all rows, where no condition holds.
  void beginTile();
  /// Before the condition of a row: addresses of the runs that begin with these registers.
  void placeRow(llvm::ArrayRef<int64_t> runs);
  /// Within the condition of the row that register `first` is in.
  void beginRow(int64_t first);
  /// Within the condition of a run: for each register from `first` on one element of each operand.
  llvm::SmallVector<llvm::SmallVector<Components>> elementsOf(int64_t first);

private:
  struct Extra {
    ExtraOperand operand;
    std::unique_ptr<GlobalTile> tile; ///< null for a scalar
    /// Elements that are read already, by the column of the first; those of a row at column 0.
    llvm::DenseMap<int64_t, llvm::SmallVector<Components>> known;
  };

  llvm::SmallVector<Components> load(Extra &extra, int64_t register_);
  Components element(Extra &extra, int64_t register_);
  int64_t pieceOf(const Extra &extra, int64_t register_) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  tile::MapAttr map;
  int64_t run;
  std::vector<Extra> extras;
};

//===----------------------------------------------------------------------===//
// The function of an epilogue, written out
//===----------------------------------------------------------------------===//

/// Results of the function in `block` for `arguments`. Complex elements are their components;
/// arithmetic in f16 and bf16 is done in f32 and rounded after each operation, which gives the same
/// elements.
Components applyFunction(mlir::OpBuilder &builder, mlir::Location loc, mlir::Block &block,
                         llvm::ArrayRef<Components> arguments);

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_TILETOLANE_UPDATE_H
