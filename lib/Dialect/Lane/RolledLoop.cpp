//===- RolledLoop.cpp - Loops that no compiler unrolls --------------------===//

#include "rooftile/Dialect/Lane/RolledLoop.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

/// Under this name lowerings hand it on to the branch at the end of the loop, whose it is.
static constexpr StringLiteral kLoopAnnotationName = "loop_annotation";

void rooftile::keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto never = LLVM::LoopUnrollAttr::get(context, /*disable=*/BoolAttr::get(context, true), {}, {},
                                         {}, {}, {}, {});
  loop->setAttr(kLoopAnnotationName,
                LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, never, {}, {}, {}, {}, {}, {},
                                              {}, {}, {}, {}, {}));
}
