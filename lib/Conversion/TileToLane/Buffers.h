//===- Buffers.h - A thread's elements in a shared buffer -------*- C++ -*-===//
#ifndef ROOFTILE_LIB_CONVERSION_TILETOLANE_BUFFERS_H
#define ROOFTILE_LIB_CONVERSION_TILETOLANE_BUFFERS_H

#include "ThreadMap.h"

namespace rooftile {

/// Where a map may reach beyond what a view has, along each dimension.
struct BufferLimits {
  std::array<tile::Edge, 2> edges{tile::Edge::Inside, tile::Edge::Inside};
  std::array<mlir::Value, 2> places; ///< Coordinates of the view before the edge.
  std::array<int64_t, 2> sizes{};    ///< Multiples at which accesses that begin at them end, too.
  std::array<int64_t, 2> least{};    ///< A lower bound of these.

  bool isInside(int dim) const { return edges[dim] == tile::Edge::Inside; }
};

/// Addresses of one thread's runs in a buffer view.
///
/// A view is a flat memref and an element offset; with a swizzle, which depends on the vector in
/// the whole tile, it is the flat memref, the offset of the stage, and a row and a column.
class BufferTile {
public:
  /// `view` as written, `parts` as converted.
  BufferTile(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value view, mlir::ValueRange parts,
             tile::MapAttr map, int64_t widest, const BufferLimits &limits = {});

  struct Place {
    mlir::Value index;       // where the run begins in the flat memref, in steps of the strides
    int64_t permutation = 0; // element j of the run lies at j XOR this
  };
  Place at(int64_t register_);
  /// Whether the run at `register_` lies before edges that do not clamp; null: it does.
  mlir::Value isInside(int64_t register_);
  /// Registers that one access moves.
  int64_t getRun() const { return run; }
  mlir::Value getFlat() const { return flat; }
  tile::BufferType getType() const { return type; }

private:
  /// The known part of ((vector of this thread + shift) / L) mod w.
  mlir::Value group(int64_t shift);
  /// The group where it is the same for all threads.
  std::optional<int64_t> knownGroup(int64_t shift) const;
  /// (inner coordinate of this thread + shift) XOR `change`.
  mlir::Value changed(int64_t shift, mlir::Value change);
  /// As `changed` where `change` is not known yet: its low bits only order a run, so that LLVM
  /// joins the accesses of one in an unrolled loop.
  mlir::Value changedInRun(int64_t shift, mlir::Value change);
  int64_t vectorDim() const { return 1 - type.getInnerDim(); }
  /// Coordinate along `dim` of the view that is `shift` from the thread's own one, and whether that
  /// may lie at the limit or beyond.
  std::pair<mlir::Value, bool> placeAlong(int dim, int64_t shift);
  /// Steps from the start of the view to there, or to the last element before the limit.
  mlir::Value clamped(int dim, int64_t shift);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexMath math;
  tile::BufferType type;
  tile::MapAttr map;
  int64_t run, whole = 1;    // whole: a run's, before a swizzle orders it anew
  mlir::Value flat, base;    // base: without what depends on the swizzle
  mlir::Value vector, inner; // of the thread, with a swizzle; without known origins
  bool allKnown = true;      // the groups of all registers
  int64_t innerOrigin = 0;   // known first element of a vector
  int64_t vectorOrigin = -1,
          remainder = 0;                  // known first vector; largest (vector of a thread) mod L
  int64_t reach = 0;                      // vectors from the first thread's to the last one's
  tile::BufferType::SwizzlePeriod period; // L and w
  BufferLimits limits;
  mlir::Value start; // of the view
  llvm::DenseMap<int64_t, mlir::Value> groups;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_CONVERSION_TILETOLANE_BUFFERS_H
