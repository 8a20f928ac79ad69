//===- Next.h - The functions of the real cuBLAS ----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_NEXT_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_NEXT_H

#include "Types.h"

#include <utility>

namespace rooftile::cublas {

/// The functions that are interposed, by their names.
enum class Function : int32_t {
#define ROOFTILE_FUNCTION(name) name,
#include "Functions.inc"
  Count
};

const char *nameOf(Function function);

/// Ours of a name, for dlsym; null where it is none of the table.
void *interposed(const char *name, Function &function);

/// The function of the real library, found at the first call; null where no cuBLAS is there, which
/// is reported on stderr once.
void *nextOf(Function function);

/// Keeps `address`, which the program found by itself, as the real one. False where another one is
/// kept already: a second cuBLAS, which is left alone.
bool keepNext(Function function, void *address);

/// dlsym of the C library: the name is interposed, too (Dlsym.cpp).
using FindSymbol = void *(*)(void *, const char *) noexcept;
FindSymbol realDlsym() noexcept;

/// A function of the real library that is not interposed, such as cublasGetStream_v2; null where
/// there is none.
void *findInNext(const char *name);

/// Calls the real function; `Interposed` is the type of ours.
template <typename Interposed, typename... Arguments>
Status callNext(Function function, Interposed *, Arguments... arguments) {
  auto *next = reinterpret_cast<Interposed *>(nextOf(function));
  return next ? next(arguments...) : kNotInitialized;
}

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_NEXT_H
