//===- Classes.h - The shapes that are timed by default ---------*- C++ -*-===//
#ifndef ROOFTILE_BENCH_CLASSES_H
#define ROOFTILE_BENCH_CLASSES_H

#include "rooftile/Bench/Shape.h"

namespace rooftile::bench {

/// A class of shapes: ordinary ones, and those that libraries neglect.
struct ShapeClass {
  const char *name, *meaning;
  std::vector<std::string> (*lines)(Element); ///< lines of a list, without the type
};

/// square, odd, trans, smallk, skinny, longk, batched, tsmttsm, tsmm, trmm, trsm, syrk, herk,
/// trsmbatched.
llvm::ArrayRef<ShapeClass> shapeClasses();

/// The shapes of the classes `names` in the types `types` (comma-separated; "all": every one).
/// Errors name what is unknown.
llvm::Expected<std::vector<Shape>> shapesOf(llvm::StringRef names, llvm::StringRef types);

/// f32, f64, c64, c128, f16, bf16.
std::vector<llvm::StringRef> elementNames();

/// The names of a comma-separated list ("all": every one of `known`). An error names the `what`
/// that is unknown and what its `plural` are.
llvm::Expected<std::vector<llvm::StringRef>> chosenNames(llvm::StringRef list, const char *what,
                                                         const char *plural,
                                                         std::vector<llvm::StringRef> known);

/// The shapes of a list file; errors begin with `file:line:`.
llvm::Expected<std::vector<Shape>> readList(llvm::StringRef file);

/// The operations of a program, by the log of BLAS or cuBLAS in place (ROOFTILE_LOG=calls).
struct CallLog {
  struct Call {
    Shape shape;
    int64_t count = 0;
  };
  std::vector<Call> calls; ///< Each operation once, those with the most work in all calls first.
  /// Operations that cannot be timed, and why.
  std::vector<std::pair<std::string, std::string>> left;
};

/// Reads lines that end with the line of an operation in brackets; others are ignored.
llvm::Expected<CallLog> readCallLog(llvm::StringRef file);

} // namespace rooftile::bench

#endif // ROOFTILE_BENCH_CLASSES_H
