//===- RuleInputs.h - What rules of plans for an operation ask --*- C++ -*-===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_RULEINPUTS_H
#define ROOFTILE_LIB_DIALECT_BLAS_RULEINPUTS_H

#include "RuleTable.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Tile/Instructions.h"

namespace rooftile::blas {

/// Input of rules about the whole plan. `target` is null, or no rule asks for it.
struct ProductInput {
  const PlanData &plan;
  const ProductFacts &product;
  TargetAttr target;
  KernelResources resources{0, 0};

  /// Lanes that multiply together: those of a subgroup, or of the four of a warpgroup.
  int64_t lanesTogether() const {
    const tile::Instruction *own = plan.instruction;
    return target->subgroup * (own ? own->subgroups : 1);
  }
  /// Highest level of rules that can be checked.
  RuleLevel known() const { return target ? RuleLevel::Resources : RuleLevel::Operation; }
};

/// Input of rules about A (`dim` 0) or B (1).
struct OperandInput : ProductInput {
  int dim;
  const PathData &path = plan.path(dim);
  const OperandFacts &matrix = product.operand(dim);
  int64_t extent = plan.macro()[dim]; ///< Macro M or N.

  OperandInput(const ProductInput &input, int dim) : ProductInput(input), dim(dim) {}
  bool isDirect() const { return path.isDirect(); }
  /// Vectors of a tile that are copied one by one.
  bool isTiled() const { return !isDirect() && !path.flat; }
  bool isBulk() const { return arrivesInBulk(path.copy); }
  /// Elements of the macro tile along the contiguous dimension, and across it.
  int64_t along() const { return matrix.alongK() ? plan.macroK : extent; }
  int64_t across() const { return matrix.alongK() ? extent : plan.macroK; }
  /// Number and length of the vectors of the shared tile.
  std::array<int64_t, 2> vectors() const { return vectorsOf(extent, plan.macroK, path.major); }
  /// Widest access to the operand.
  int64_t legalVector() const;
  /// Elements of the operand's vectors without gaps, in the direction of the shared tile's; else 0.
  int64_t flatLength() const { return isTransposed(matrix, path) ? 0 : matrix.flat.length; }
  // Tiles along M or N.
  bool divide() const { return product.multiple(dim) % extent == 0; }
  /// Back inside the matrix, from where they would cross its edge.
  bool areMoved() const {
    return !divide() && product.least(dim) >= extent && tail() == Tail::Overlap;
  }
  bool moveEvenly() const { return product.multiple(dim) % path.vector == 0; }
  bool lieInside() const {
    bool filled = matrix.readable > 0 && matrix.readable % extent == 0;
    return divide() || filled || (areMoved() && moveEvenly()) ||
           (product.least(dim) >= extent && tail() == Tail::Split);
  }
  Tail tail() const { return matrix.padded ? Tail::Guard : plan.tail; }
  Numbers edge() const {
    bool known = dim == 0 ? product.knownM : product.knownN;
    return {known ? product.multiple(dim) : 0, extent};
  }
};

/// The first rule about how an operand fills its ring that is broken.
std::optional<Violation> checkCopies(const OperandInput &operand);

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_RULEINPUTS_H
