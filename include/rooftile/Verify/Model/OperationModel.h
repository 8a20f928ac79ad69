//===- OperationModel.h - An operation as verification sees it --*- C++ -*-===//
//
// Everything that depends on which operation is verified: how a case states it, how
// it is found in a module, which of its operands' elements are read or written, its
// reference with the bound of the error, its figures, and how it is drawn at random.
// A new operation is a file in lib/Verify/Operations and a row of the table there.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_MODEL_OPERATIONMODEL_H
#define ROOFTILE_VERIFY_MODEL_OPERATIONMODEL_H

#include "rooftile/Verify/Model/Site.h"
#include "rooftile/Verify/Reference/Compare.h"

#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

namespace rooftile::blas {
class TargetAttr;
} // namespace rooftile::blas

namespace rooftile::verify {

struct Call;
struct Case;
class Draw;
struct Key;
class OperationRun;
struct Outcome;

/// The operands of an operation; the scalars are null where it has none.
struct OperationValues {
  mlir::Value a, b, c;
  mlir::Value alpha = {}, beta = {};
};

/// Elements of A and of B that an execution must read, and whether it must read C.
struct Traffic {
  double elementsA = 0, elementsB = 0;
  bool readsC = false;
};

/// One operation of the dialect blas.
class OperationModel {
public:
  virtual ~OperationModel() = default;

  /// Its name in the dialect, in reports, and as a value of the key `routine`.
  virtual const char *name() const = 0;

  //===--------------------------------------------------------------------===//
  // Cases
  //===--------------------------------------------------------------------===//

  /// Whether a line of a list can state it. What follows is asked of such operations only.
  virtual bool hasCases() const { return false; }
  /// Keys of its own; operations that share them name them all.
  virtual llvm::ArrayRef<Key> keys() const { return {}; }
  /// Whether arrays of pointers may give its matrices.
  virtual bool takesPointers() const { return false; }
  /// Rows and columns of operand 0 (A), 1 (B) or 2 (C) as stored.
  virtual std::pair<int64_t, int64_t> storedShape(const Case &single, int operand) const;
  /// A function `name` in MLIR that holds the case's operation; its location is the case.
  virtual std::string functionOf(const Case &single, const std::string &name) const;
  /// The call of that function for the case's sizes and scalars.
  virtual Call callOf(const Case &single, const std::string &name) const;

  //===--------------------------------------------------------------------===//
  // Operations in a module
  //===--------------------------------------------------------------------===//

  virtual bool matches(mlir::Operation *op) const = 0;
  /// In place B is C. An operation of one input has it for B, too.
  virtual OperationValues operandsOf(mlir::Operation *op) const = 0;
  /// Facts of the operation before it runs; an error at it where it cannot be verified.
  virtual mlir::FailureOr<Site> describe(mlir::Operation *op) const = 0;
  /// Adds what a plan that was chosen for the operation `site` means for its results.
  virtual void addPlan(mlir::Operation *op, Site &site) const {}
  /// Whether the plans that it names obey the rules of the chip.
  virtual bool plansFit(mlir::Operation *op, blas::TargetAttr target) const;

  //===--------------------------------------------------------------------===//
  // Executions
  //===--------------------------------------------------------------------===//

  /// Narrows the operands A, B, C to the elements that are read and written.
  virtual void narrow(const Site &site, Operand *operands) const {}
  /// Refuses operands that do not fit together, states sizes and layouts in the outcome, and puts
  /// test data into all of them.
  virtual void prepare(OperationRun &run) const = 0;
  /// Whether its kernels compute tiles of C that do not depend on each other, so that some of them
  /// can run alone.
  virtual bool hasIndependentTiles() const { return false; }
  /// Compares what the operation left with the reference.
  virtual Finding compare(OperationRun &run) const = 0;

  //===--------------------------------------------------------------------===//
  // Reports
  //===--------------------------------------------------------------------===//

  /// "nt", "left lower t unit"
  virtual std::string form(const Site &site) const = 0;
  /// Name of the code that ran where no plan did.
  virtual const char *unplanned() const { return "folded"; }
  virtual double flops(const Outcome &outcome) const = 0;
  virtual Traffic traffic(const Outcome &outcome) const = 0;

  //===--------------------------------------------------------------------===//
  // Random cases
  //===--------------------------------------------------------------------===//

  /// Per cent of random cases that are it; of the first operation of the table what others leave,
  /// and 0 for one that another draws.
  virtual int share() const { return 0; }
  /// Draws keys of its own, and a plan that need not be legal, into a case.
  virtual void draw(Draw &draw, Case &single) const {}
  virtual void drawSizes(Draw &draw, Case &single) const {}
  /// Draws what is the same in all cases of a kernel and must not change what was drawn before.
  virtual void drawLast(Draw &draw, std::vector<Case> &cases) const {}
  /// Keys of the sizes, which a failure is made simpler by.
  virtual std::vector<std::string> sizeKeys() const { return {}; }
};

/// All operations; the first is what a case states that names none.
llvm::ArrayRef<const OperationModel *> operationModels();

/// The operation that a case states.
const OperationModel &modelOf(const Case &single);

/// The model of an operation; null for what is not verified.
const OperationModel *modelOf(mlir::Operation *op);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_MODEL_OPERATIONMODEL_H
