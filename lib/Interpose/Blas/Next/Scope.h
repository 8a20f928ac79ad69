//===- Scope.h - The libraries that a caller brings along -------*- C++ -*-===//
//
// dlsym(RTLD_NEXT) sees the libraries of the program and those that were opened RTLD_GLOBAL. A
// library that was opened RTLD_LOCAL, as an extension of Python, has a BLAS of its own beside them:
// in itself, or in a library that it needs.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_SCOPE_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_SCOPE_H

namespace rooftile::interpose {

/// Whether the address lies in this library.
bool isOwn(const void *address);

/// The definition of `name` in the library of the code at `caller` or in those that it needs, in
/// the order of the loader. Null where they have none, and where the caller came with the program:
/// then RTLD_NEXT has the order. What is found stays loaded.
void *findInScope(const void *caller, const char *name);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_SCOPE_H
