//===- HostFunctions.cpp - Which host code works with the GPU -------------===//

#include "HostFunctions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace rooftile;

static bool launches(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa<gpu::LaunchFuncOp, gpu::LaunchOp>(op) ? WalkResult::interrupt()
                                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<func::FuncOp> rooftile::functionsOfDevice(ModuleOp module) {
  llvm::EquivalenceClasses<Operation *> classes; // by calls
  for (auto function : module.getOps<func::FuncOp>()) {
    classes.insert(function);
    function.walk([&](func::CallOp call) {
      auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
      if (callee && !callee.isExternal()) // what has no body is shared by all
        classes.unionSets(function, callee);
    });
  }
  llvm::DenseSet<Operation *> leaders;
  for (auto function : module.getOps<func::FuncOp>())
    if (launches(function))
      leaders.insert(classes.getLeaderValue(function));
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && leaders.contains(classes.getLeaderValue(function)))
      functions.push_back(function);
  return functions;
}
