//===- Effects.cpp - What operations do to matrices -----------------------===//

#include "Effects.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

void rooftile::blas::addMatrixEffects(Operation *op, Value output, bool readsOutput,
                                      SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  auto *resource = SideEffects::DefaultResource::get();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isOutput = operand.get() == output;
    if (!isOutput || readsOutput)
      effects.emplace_back(MemoryEffects::Read::get(), &operand, resource);
    if (isOutput)
      effects.emplace_back(MemoryEffects::Write::get(), &operand, resource);
  }
}
