//===- Spec.h - What a library is to have in it -----------------*- C++ -*-===//
//
// A file in YAML: the name of a library, chips, and operations. docs/Export.md has all keys.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EXPORT_SPEC_H
#define ROOFTILE_EXPORT_SPEC_H

#include "rooftile/Export/Signature.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace rooftile::exporter {

/// Line and column, from 1 on.
struct Place {
  unsigned line = 1, column = 1;
};

/// A chip, with what decides where its kernels run.
struct Chip {
  std::string name;         ///< As the compiler accepts it: "h200", "sm_90a", "mine.target".
  std::string label;        ///< "h200"
  std::string architecture; ///< "sm_90a"
  bool isAmd = false;       ///< Else NVIDIA's.
};

/// An operation, or a function of a module.
struct NamedOperation {
  std::string name;
  operation::Operation operation;
  Place place;
  std::string module = {}; ///< The text, with one public function; empty: it is an operation.
  std::string types = {};  ///< Types of the function's arguments.
  Signature signature = {};
};

struct Spec {
  std::string path; ///< For messages.
  std::string library;
  int64_t integerBits = 64; ///< Width of sizes, leading dimensions and strides: 64 or 32.
  std::string plans;        ///< The file of a list of plans; empty: none.
  std::vector<Chip> chips;
  std::vector<NamedOperation> operations;
};

/// "PATH:LINE:COLUMN: MESSAGE".
llvm::Error errorAt(const Spec &spec, Place place, const llvm::Twine &message);

/// Reads `text`, which is the file at `path`; an error names the location, and what is expected.
/// `taken`: names that no operation may have.
llvm::Expected<Spec> readSpec(llvm::StringRef text, llvm::StringRef path,
                              const llvm::StringSet<> &taken);

} // namespace rooftile::exporter

#endif // ROOFTILE_EXPORT_SPEC_H
