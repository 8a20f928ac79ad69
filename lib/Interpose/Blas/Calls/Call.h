//===- Call.h - A call of BLAS level 3, whatever interface it came by -*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_CALL_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_CALL_H

#include <cstdint>
#include <string>

namespace rooftile::interpose {

enum class Routine : uint8_t { Gemm, Trmm, Trsm };
enum class Type : uint8_t { F32, F64, C64, C128 };
/// Of integers of the interface: 32 bits, or 64 (names with 64 in them).
enum class Width : uint8_t { Lp64, Ilp64 };

class CallSite;

struct Matrix {
  char *address = nullptr;
  int64_t leading = 0; ///< Elements from a column to the next.
};

/// Column-major, with Fortran's letters in upper case. Of triangular routines C is the matrix that
/// is replaced, and there is no B.
struct Call {
  Routine routine = Routine::Gemm;
  Type type = Type::F32;
  Width width = Width::Lp64;
  char opA = 'N', opB = 'N', side = 'L', uplo = 'U', diag = 'N';
  int64_t m = 0, n = 0, k = 0;
  const void *alpha = nullptr, *beta = nullptr;
  Matrix a, b, c;
  CallSite *site = nullptr; ///< Who calls (Interface/Next.h).
};

inline bool isTriangular(const Call &call) { return call.routine != Routine::Gemm; }
inline bool isComplex(Type type) { return type == Type::C64 || type == Type::C128; }
/// Bytes of an element.
int64_t bytesOf(Type type);

bool isZero(Type type, const void *scalar);
bool isOne(Type type, const void *scalar);

/// Rows of A as stored; of triangular routines also the columns.
int64_t rowsOfA(const Call &call);
int64_t rowsOfB(const Call &call);

/// Additions and multiplications of real numbers.
double flopsOf(const Call &call);
/// What is read, and what is written, each element once.
double bytesRead(const Call &call);
double bytesWritten(const Call &call);

/// Rows and columns of C.
struct Tile {
  int64_t row = 0, column = 0, rows = 0, columns = 0;
};
/// The call that computes the tile alone. Triangular routines have all rows (left) or columns.
Call partOf(const Call &call, const Tile &tile);

/// "dgemm".
std::string nameOf(const Call &call);
/// "dgemm NT 100x200x300", "dtrsm LUNN 100x200".
std::string describe(const Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_CALL_H
