//===- Contraction.h - Products as loops over linear accesses ---*- C++ -*-===//
#ifndef ROOFTILE_TRANSFORMS_RAISE_CONTRACTION_H
#define ROOFTILE_TRANSFORMS_RAISE_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <array>
#include <optional>

namespace rooftile {

/// A loop of a contraction. Sizes that are not static are `length`, an expression in
/// Contraction::symbols.
struct ContractionLoop {
  int64_t size;
  mlir::AffineExpr length;
};

/// One term of an index: a loop times a constant.
struct IndexTerm {
  unsigned loop;
  int64_t factor;
};

/// Where an operand is read or written: dimension `d` of `source` at the sum of the terms
/// `index[d]`. `group[d]`: the neighbouring dimensions of `source` that count as one. Dimensions of
/// size 1 belong to a neighbour.
struct LinearAccess {
  mlir::Value source;
  /// The type of `source`, with its dynamic sizes where loops have them. All that is
  /// made of the source is made of a source of this type, so that every size is known in all of it
  /// or in none.
  mlir::ShapedType type;
  llvm::SmallVector<llvm::SmallVector<IndexTerm, 2>> index;
  llvm::SmallVector<mlir::ReassociationIndices> group;
  /// Dimensions of which the index is one loop, which walks through all of them.
  llvm::SmallVector<bool> whole;

  /// An access to `source` without dimensions so far.
  static LinearAccess to(mlir::Value source);

  bool has(unsigned loop) const;
  /// Notes in `type` the sizes of whole dimensions that the loops walking through them have.
  void noteSizes(llvm::ArrayRef<ContractionLoop> loops);
  /// Size of dimension `d`, static or dynamic.
  int64_t sizeOf(unsigned d) const;
  /// The dimension of the source in whose stride the index of dimension `d` counts.
  int64_t innermostOf(unsigned d) const;
  /// The loops of dimension `d`, the one of the largest steps first.
  llvm::SmallVector<unsigned, 2> loopsOf(unsigned d) const;
  /// The stride of `loop` in memory, in elements; dynamic where it is not known.
  int64_t strideOf(unsigned loop) const;
  /// Makes dimensions of size 1 part of a neighbour; where there are no others nothing is left.
  void joinUnitDims();
};

/// C += A * B over loops, each operand with a linear access.
struct Contraction {
  llvm::SmallVector<ContractionLoop> loops;
  /// Dimensions of values that symbols of lengths stand for.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> symbols;
  std::array<LinearAccess, 3> operands; ///< A, B, C
  /// Where C is an operand of the consumers' after `op`, the last of them.
  mlir::Operation *last = nullptr;

  /// Notes sizes of loops by the types of what they walk through, and the other way around.
  void noteSizes();
  bool has(int operand, unsigned loop) const { return operands[operand].has(loop); }
  bool isLive(unsigned loop) const { return has(0, loop) || has(1, loop) || has(2, loop); }

  /// The loops of `op` (two inputs, one output) as its indexing maps have them; nothing where one
  /// of these is not linear, and `why` names it.
  static std::optional<Contraction> of(mlir::linalg::LinalgOp op, std::string &why);

  /// Reads operand `input` (0: A, 1: B) from where its producer reads it: a transposition, a
  /// broadcast, a reshape, a linalg.pack without padding. False, with nothing changed, where the
  /// producer is no such operation.
  bool readThroughProducer(int input);

  /// Writes C where its only consumer, a transposition, reshape or linalg.unpack, writes it.
  /// False, with nothing changed, where that is no such operation.
  bool writeThroughConsumer(mlir::linalg::LinalgOp op);

  /// Drops loops of one iteration, and makes one loop of two that all operands walk through
  /// together.
  void simplify();
};

/// Where a size comes from: dimension `dim` of `value`, or `value` is the size (dim -1).
struct SizeOrigin {
  mlir::Value value;
  int64_t dim;

  /// Follows a size through destinations, casts, allocations and tensor.dim.
  static SizeOrigin of(mlir::Value value, int64_t dim);
  /// The size, where it is a number; else dynamic.
  int64_t size() const;
  bool operator==(const SizeOrigin &other) const {
    return value == other.value && dim == other.dim;
  }
};

/// The operation has one input and one output, whose elements are those of the input in another
/// order or repeated, as its indexing maps specify.
bool isCopy(mlir::linalg::LinalgOp op);

} // namespace rooftile

#endif // ROOFTILE_TRANSFORMS_RAISE_CONTRACTION_H
