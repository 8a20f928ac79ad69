//===- Draw.h - Shapes drawn at random --------------------------*- C++ -*-===//
//
// Shapes to fit and test a model with, which nobody chose. Eleven classes, in which sizes
// are spread evenly on a logarithmic scale.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_BENCH_DRAW_H
#define ROOFTILE_BENCH_DRAW_H

#include "rooftile/Bench/Shape.h"

namespace rooftile::bench {

/// Which shapes are drawn.
struct DrawOptions {
  int perClass = 4;                                        ///< Shapes of each class and type.
  uint64_t seed = 1;                                       ///< Equal seeds draw equal shapes.
  std::string types = "f32,f64,c64,c128", classes = "all"; ///< Comma-separated.
  bool triangular = false; ///< And products with triangles and solves, classes trmm and trsm.
};

/// Shapes of the classes square, odd, skinny, small, smallk, longk, batched, tsmttsm and tsmm, and
/// if asked for trmm and trsm, where there are kernels of the type: one of each class and type,
/// then the next of each, so that a run that is cut off has some of all. Those of a class and type
/// are the same whatever else is drawn. Errors name the class or type that is unknown.
llvm::Expected<std::vector<Shape>> drawShapes(const DrawOptions &options);

/// The operations that a chip is tuned for where nobody states others: 108 of all types and
/// classes.
std::vector<Shape> defaultOperations();

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_DRAW_H
