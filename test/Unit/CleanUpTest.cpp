//===- CleanUpTest.cpp - Clean-ups whose time is linear -------------------===//

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "rooftile/InitAll.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "gtest/gtest.h"

using namespace mlir;

/// A condition in a kernel has two results that are the same.
static constexpr const char *kTwice = R"(
  gpu.module @kernels {
    gpu.func @twice(%to: memref<2xf32>, %a: f32, %any: i1) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %x:2 = scf.if %any -> (f32, f32) {
        %sum = arith.addf %a, %a : f32
        scf.yield %sum, %sum : f32, f32
      } else {
        scf.yield %a, %a : f32, f32
      }
      memref.store %x#0, %to[%c0] : memref<2xf32>
      memref.store %x#1, %to[%c1] : memref<2xf32>
      gpu.return
    }
  })";

/// Results that the condition has after passes; -1 where they fail.
static int64_t resultsAfter(llvm::function_ref<void(OpPassManager &)> addPasses) {
  DialectRegistry registry;
  rooftile::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kTwice, &context);
  PassManager passes(&context, ModuleOp::getOperationName());
  addPasses(passes);
  int64_t results = -1;
  if (module && succeeded(passes.run(*module)))
    module->walk([&](scf::IfOp branch) { results = branch.getNumResults(); });
  return results;
}

// Results that are twice the same are searched for by comparing all pairs of them, which took most
// of the time before the code of a thread was lowered; LLVM finds them faster.
TEST(CleanUp, ResultsAreNotComparedWithEachOther) {
  EXPECT_EQ(resultsAfter([](OpPassManager &pm) { pm.addPass(createCanonicalizerPass()); }), 1);
  EXPECT_EQ(resultsAfter([](OpPassManager &pm) { rooftile::buildTilePipeline(pm); }), 2);
}
