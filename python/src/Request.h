//===- Request.h - What a call specifies beside its arrays ------*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_REQUEST_H
#define ROOFTILE_PYTHON_REQUEST_H

#include "rooftile/Operation/Operation.h"

#include <complex>
#include <string>

namespace rooftile::python {

struct Request {
  operation::Operation operation; ///< The routine and its choices; arrays have the rest.
  std::complex<double> alpha{1, 0}, beta{0, 0};
  bool hasVector = false; ///< In place: C has no dimension of right-hand sides.
  std::string chip;
  bool isPrepared = false; ///< Compile and load, but do not run.
};

/// A call of a routine with its default choices; raises ValueError where no routine has that name.
Request requestOf(const std::string &routine);

/// Sets "op" or "op_a", "op_b", "side", "triangle", "diagonal", "dependence", "activation" or
/// "math"; raises ValueError for a choice that the routine does not have, and for a word that is
/// none of it.
void setChoice(Request &request, const std::string &name, const std::string &word);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_REQUEST_H
