//===- Triangular.h - Operations with a triangular matrix -------*- C++ -*-===//
//
// Shared by blas.trmm and blas.trsm: the triangle that is read, the data in it, their cases, and
// the products that both are compared with.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_OPERATIONS_TRIANGULAR_H
#define ROOFTILE_VERIFY_OPERATIONS_TRIANGULAR_H

#include "RoutineModel.h"
#include "rooftile/Verify/Reference/Product.h"

namespace rooftile::verify {

/// Facts of a triangular operation.
struct Triangle : SiteFacts {
  bool right = false; ///< A on the right
  bool lower = true;  ///< as stored
  bool unit = false;
  int64_t diagonal = 0; ///< Order of the blocks of its plan; 0: one block.
  bool inverts = false; ///< These blocks are inverted.
};

/// One triangular operation: how to walk the host copies of its operands.
struct TriangularRun {
  const Triangle *triangle = nullptr;
  Element element = Element::F32, sum = Element::F32; ///< of B and C, of the accumulators
  Element elementA = Element::F32;
  bool conjugated = false; ///< op(A)
  Matrices stored;         ///< A as stored
  Matrices entering;       ///< op(A)
  Matrices input, output;  ///< B and C
  Scalar alpha = 1;
  bool exact = false; ///< small integers
  int64_t order() const { return stored.rows; }
  int64_t batches() const { return int64_t(output.batch.size()); }
  /// Components of an element of B and C.
  int64_t parts() const { return componentsOf(element); }
  /// Blocks of the plan, and the order of a whole one.
  int64_t blocks() const;
  int64_t blockOrder() const;
};

/// Host copies of the operands: A with zeros in the other triangle and ones on a unit diagonal, B
/// as the operation finds it, and as it was drawn.
struct TriangularData {
  const void *a, *b, *drawn;
};

Scalar elementAt(const void *data, Element element, int64_t at);
void setElement(void *data, Element element, int64_t at, Scalar value);
/// 0 .. size - 1
std::vector<int64_t> upTo(int64_t size);
/// op(A) * Y, or Y * op(A).
Factors factorsOf(const void *a, const void *y, const Matrices &walk, int64_t batch,
                  const TriangularRun &run);

/// Comparison of one element: the ratio is that of the worse component.
struct ComparedElement {
  int64_t batch, i, j;
  Scalar got, wanted;
  double ratio;
  int64_t parts = 1;
};
void note(Finding &finding, bool right, const char *what, const ComparedElement &element);

/// Every element of the output equals `expected(batch, i, j)`.
Finding compareExactly(const void *output, const TriangularRun &run,
                       llvm::function_ref<Scalar(int64_t, int64_t, int64_t)> expected);

class TriangularModel : public RoutineModel {
public:
  using RoutineModel::RoutineModel;

  bool takesPointers() const final { return true; }
  llvm::ArrayRef<Key> keys() const final;
  std::string functionOf(const Case &single, const std::string &name) const final;
  Call callOf(const Case &single, const std::string &name) const final;

  OperationValues operandsOf(mlir::Operation *op) const final;
  mlir::FailureOr<Site> describe(mlir::Operation *op) const final;

  void prepare(OperationRun &run) const final;
  Finding compare(OperationRun &run) const final;

  std::string form(const Site &site) const final;
  double flops(const Outcome &outcome) const final;
  Traffic traffic(const Outcome &outcome) const final;

  void draw(Draw &draw, Case &single) const final;
  void drawSizes(Draw &draw, Case &single) const final;

private:
  /// The test integers with which all is exact.
  virtual void chooseRange(OperationRun &run, const TriangularRun &triangular) const;
  /// The element (i, j) of A's triangle, where `drawn` was drawn.
  virtual Scalar valueOf(const TriangularRun &run, int64_t i, int64_t j, Scalar drawn) const = 0;
  /// Makes the input of what was drawn for B; A is complete.
  virtual void makeInput(void *b, const void *a, const TriangularRun &run) const {}
  /// For alpha other than 0.
  virtual Finding compareWith(const TriangularData &data, const void *output,
                              const TriangularRun &run) const = 0;

  void fillTriangle(void *a, const TriangularRun &run, int64_t range, uint64_t seed) const;
  void fillInput(void *data, OperationRun &run, const TriangularRun &triangular) const;
};

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_OPERATIONS_TRIANGULAR_H
