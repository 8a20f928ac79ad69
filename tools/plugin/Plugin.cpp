//===- Plugin.cpp - Rooftile in the mlir-opt of others --------------------===//
//
// A shared object that MLIR's own tools load:
//
//   mlir-opt --load-dialect-plugin=RooftilePlugin.so --load-pass-plugin=RooftilePlugin.so
//            --pass-pipeline='builtin.module(tile-select{chip=h200})' in.mlir
//
// It uses MLIR of the shared library that the tool uses, and brings none of
// its own: two copies of a dialect in one process would be unrelated.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "rooftile/InitAll.h"

static constexpr char kName[] = "Rooftile";

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, ROOFTILE_VERSION,
          [](mlir::DialectRegistry *registry) { rooftile::registerAllDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, ROOFTILE_VERSION, rooftile::registerPipelinePasses};
}
