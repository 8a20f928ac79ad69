//===- Symmetric.h - Operations with a symmetric matrix ---------*- C++ -*-===//
//
// Shared by blas.syrk and its relatives: their cases, and host copies of their matrices
// as whole ones, which products are compared with.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_OPERATIONS_SYMMETRIC_H
#define ROOFTILE_VERIFY_OPERATIONS_SYMMETRIC_H

#include "OneTriangle.h"
#include "RoutineModel.h"

namespace rooftile::verify {

/// Facts of a symmetric operation.
struct SymmetricFacts : SiteFacts {
  bool lower = true; ///< as stored
  bool right = false;
  bool unit = false;
};

/// Matrices of double (or complex<double>), one after the other.
class Whole {
public:
  Whole(int64_t batch, int64_t rows, int64_t columns, bool complex)
      : batch(batch), rows(rows), columns(columns), parts(complex ? 2 : 1),
        numbers(batch * rows * columns * parts) {}

  std::complex<double> get(int64_t b, int64_t i, int64_t j) const;
  void set(int64_t b, int64_t i, int64_t j, std::complex<double> value);
  /// It, or its transposed, as a factor.
  Factor factor(bool transposed = false, bool conjugate = false) const;

private:
  int64_t batch, rows, columns, parts;
  std::vector<double> numbers;
};

/// A view as a message names it: "6 x 4".
std::string shapeOf(const Matrices &matrices);

class SymmetricModel : public RoutineModel {
public:
  using RoutineModel::RoutineModel;

  llvm::ArrayRef<Key> keys() const final;
  std::string functionOf(const Case &single, const std::string &name) const final;
  Call callOf(const Case &single, const std::string &name) const final;

  OperationValues operandsOf(mlir::Operation *op) const final;
  const char *unplanned() const final { return "parts"; }

  /// One of all these operations.
  void draw(Draw &draw, Case &single) const final;
  void drawSizes(Draw &draw, Case &single) const final;

  double flops(const Outcome &outcome) const final;

protected:
  /// Whether the matrix of which one triangle counts is conjugated where it is mirrored.
  bool isHermitian() const {
    return info().a == operation::Structure::Hermitian ||
           info().c == operation::Structure::Hermitian;
  }
  /// Text after the name: " uplo<lower> op<t>".
  virtual std::string attributesOf(const Case &single) const = 0;
  /// Whether the case names A and B among the inputs. An operation in place has A where a case
  /// states that it is out of place.
  bool takesA(const Case &single) const { return !info().inPlace || single["form"] == "out"; }
  bool takesB() const { return info().b != operation::Structure::None; }

  /// Facts of all of them: types and uplo.
  mlir::FailureOr<Site> describeAs(mlir::Operation *op,
                                   std::shared_ptr<SymmetricFacts> facts) const;
  /// Refuses an output that overlaps an input, or itself, and an A of one triangle that does.
  void requireApart(const OperationRun &run, bool inPlace) const;
  /// States sizes and layouts in the outcome.
  void state(OperationRun &run, int64_t k) const;
  /// New data in A, and in B; NaN where alpha = 0.
  void fillInputs(OperationRun &run, bool both) const;

private:
  bool isReal(const std::string &scalar) const {
    return (scalar == "alpha" ? info().alpha : info().beta) == operation::ScalarType::Real;
  }
  std::string scalarType(const Case &single, const std::string &scalar) const;
};

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERATIONS_SYMMETRIC_H
