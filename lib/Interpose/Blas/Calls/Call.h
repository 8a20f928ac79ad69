//===- Call.h - A call of BLAS level 3, whatever interface it came by -*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_CALL_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_CALL_H

#include "rooftile/Operation/Operation.h"

namespace rooftile::interpose {

/// Width of integers of the interface: 32 bits, or 64 (names with 64 in them).
enum class Width : uint8_t { Lp64, Ilp64 };

class CallSite;

/// alpha or beta.
struct Number {
  alignas(16) unsigned char bytes[16] = {};

  /// 0 where there is no address: what is not read may be nowhere.
  static Number read(operation::Element element, const void *address);
  static Number of(operation::Element element, double real, double imaginary = 0);
  double real(operation::Element element) const { return scalarAt(element, bytes)[0]; }
  /// 0 of real types.
  double imaginary(operation::Element element) const { return scalarAt(element, bytes)[1]; }
};

/// The operation is column-major. Of triangular routines C is the matrix that is replaced, and
/// there is no B.
struct Call {
  operation::Operation operation;
  Width width = Width::Lp64;
  Number alpha, beta;
  char *addresses[3] = {};  ///< Addresses of A, B and C.
  CallSite *site = nullptr; ///< Who calls (Next/Next.h).

  operation::Element element() const { return operation.c.element; }
  /// Type of alpha, and of beta: real of herk, for one.
  operation::Element alphaElement() const { return typeOf(operation.info().alpha); }
  operation::Element betaElement() const { return typeOf(operation.info().beta); }
  /// Sets scalars, and what the operation has of their values.
  void setScalars(const Number &newAlpha, const Number &newBeta);
  /// Puts the first element of an operand there.
  void setOperand(int index, char *address, int64_t leading) {
    addresses[index] = address, operation.operand(index).leading = leading;
  }

private:
  operation::Element typeOf(operation::ScalarType type) const {
    return operation::scalarElement(type, element());
  }
};

/// A call of a routine without operands, sizes and scalars: those of Fortran's default.
Call callOf(operation::Routine routine, operation::Element element);

/// "dgemm".
std::string nameOf(const Call &call);
/// "dgemm NT 100x200x300", "dtrsm LUNN 100x200", "dsyrk LN 100x50".
std::string describe(const Call &call);

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_CALL_H
