//===- Loader.h - librooftile.so, opened when it is first needed -*- C++ -*-===//
//
// Libraries that stand in for others are loaded into every program that runs
// under them, and most of these never ask for a product. So they link neither
// librooftile.so nor LLVM.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_LOADER_H
#define ROOFTILE_LIB_INTERPOSE_LOADER_H

#include "rooftile/rooftile.h"

#include <string>

namespace rooftile::interpose {

/// X(function of rooftile.h without its prefix)
#define ROOFTILE_LOADED_FUNCTIONS(X)                                                               \
  X(create)                                                                                        \
  X(set_stream)                                                                                    \
  X(message)                                                                                       \
  X(warning)                                                                                       \
  X(status_name)                                                                                   \
  X(run)                                                                                           \
  X(plan)

/// The functions of an opened library, all there.
struct Library {
#define ROOFTILE_MEMBER(name) decltype(&rooftile_##name) name = nullptr;
  ROOFTILE_LOADED_FUNCTIONS(ROOFTILE_MEMBER)
#undef ROOFTILE_MEMBER
};

/// Outcome of opening: a library, or why there is none.
struct Loaded {
  const Library *library = nullptr;
  std::string why;
};

/// Opens librooftile.so at the first call of the process: the file that $ROOFTILE_LIBRARY names;
/// without it the one beside this library, else the one that the system's loader finds. It stays.
const Loaded &loadRooftile();

/// The warning of a new handle, as of a list of plans that cannot be read; empty where it has none,
/// and after the first one of the process.
std::string firstWarning(const Library &library, rooftile_handle handle);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_LOADER_H
