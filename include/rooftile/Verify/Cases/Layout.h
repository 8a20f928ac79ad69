//===- Layout.h - Fragments of the MLIR text of a case ----------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_CASES_LAYOUT_H
#define ROOFTILE_VERIFY_CASES_LAYOUT_H

#include "rooftile/Verify/Cases/Case.h"
#include "rooftile/Verify/Engine/Invoke.h"

namespace rooftile::verify {

/// The operand (0 A, 1 B, 2 C) as stored, batch first.
View storedView(const Case &single, int operand);

/// memref<16x8xf32, strided<[11, 1], offset: 5>>, with question marks where sizes are dynamic.
std::string stridedType(const Case &single, int operand);

/// stridedType, or the type of a batch by pointers.
std::string memrefType(const Case &single, int operand);

/// The dimension that the layout makes contiguous whatever the sizes are; the rank for none.
size_t contiguousDim(const Case &single, int operand, const View &view);

/// Whether the operand's matrices are given by an array of pointers.
bool isByPointers(const Case &single, int operand);

/// An operand in a function: its parameter and the argument for it, `scalars` that come after all
/// others, and what `body` makes of these.
struct CaseOperand {
  std::string parameter, scalars, body;
  Argument argument;
  std::vector<Argument> scalarArguments;
};

CaseOperand operandOfCase(const Case &single, int operand);

/// An extra operand of an epilogue: a matrix, or a scalar of the accumulator type.
struct CaseExtra {
  std::string type;
  View view;
  bool isScalar = false;
};

/// The clause `epilogue(..) {..}` of a case, whose extra operands are called %e0, %e1, ...
struct CaseEpilogue {
  std::string clause;
  std::vector<CaseExtra> extras;
};

CaseEpilogue epilogueOfCase(const Case &single);

/// alpha or beta as a constant of the accumulator type.
std::string constantText(const Case &single, const std::string &scalar);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_CASES_LAYOUT_H
