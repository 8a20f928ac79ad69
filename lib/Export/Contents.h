//===- Contents.h - What becomes a library ----------------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_CONTENTS_H
#define ROOFTILE_LIB_EXPORT_CONTENTS_H

#include "rooftile/Export/Signature.h"
#include "rooftile/Export/Spec.h"

namespace rooftile::exporter {

/// Facts of an executable, for people.
struct ImageFacts {
  std::vector<std::string> kernels;
  int64_t kernelBytes = 0;
  std::string format; ///< "ptx", "cubin" or "hsaco", a code object of AMD's.
};

/// An operation for a chip.
struct CompiledImage {
  std::string chip, architecture; ///< "h200", "sm_90a"
  int64_t major = 0, minor = 0;
  exported::Fit fit = exported::Fit::Exact;
  std::string bytes; ///< The executable.
  ImageFacts facts;
};

struct CompiledOperation {
  std::string name;
  operation::Operation operation;
  std::string types; ///< Arguments of a function of a module; else empty.
  Signature signature;
  std::vector<CompiledImage> images; ///< In the order of the chips.
};

struct Contents {
  std::string library;
  std::vector<CompiledOperation> operations;
  std::vector<std::string> notes = {}; ///< For the report: lines of the list that are left out.
};

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_CONTENTS_H
