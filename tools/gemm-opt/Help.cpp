//===- Help.cpp - The help of gemm-opt ------------------------------------===//
//
// LLVM's own --help lists some 500 options of its code generators before the first pass. It is
// still there, as --help-upstream.
//
//===----------------------------------------------------------------------===//

#include "Help.h"
#include "mlir/Pass/PassRegistry.h"
#include "rooftile/InitAll.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;

static const char *overview =
    "Rooftile: BLAS level-3 operations to GPU kernels\n\n"
    "Passes and pipelines run in the order in which they are named:\n\n"
    "  gemm-opt --tile-select examples/mlp.mlir                 a plan for each product, and why\n"
    "  gemm-opt --tile-select=chip=mi300x examples/mlp.mlir     the same for another chip\n"
    "  gemm-opt --blas-to-nvvm=format=isa examples/gemm.mlir    the whole line, kernels as PTX\n"
    "  gemm-opt --blas-to-nvvm=\"chip=h200 format=bin\" ...       several options of one pass\n";

static const char *options =
    "\nOptions of MLIR that are used most (--help-upstream lists them all):\n"
    "  -o FILE                            where the result goes (default: standard output)\n"
    "  --split-input-file                 the parts between lines // ----- are modules of their "
    "own\n"
    "  --canonicalize --cse --one-shot-bufferize\n"
    "                                     the passes of MLIR that are registered here\n"
    "  --pass-pipeline=TEXT               passes as text: "
    "'builtin.module(tile-select{chip=h200})'\n"
    "  --mlir-print-ir-after-all          the IR after every pass\n"
    "  --mlir-print-ir-after-failure      the IR where a pass fails\n"
    "  --mlir-print-op-on-diagnostic      the operation with every diagnostic, whole modules too\n"
    "  --mlir-timing                      the time of every pass, in seconds\n"
    "  --remarks-filter=REGEX             remarks in MLIR's structured form\n"
    "  --allow-unregistered-dialect       operations of dialects that are not loaded\n"
    "  --show-dialects                    the dialects that are loaded\n"
    "  --version\n";

void rooftile::printHelp(const char *program) {
  registerPipelinePasses();
  for (auto &entry : cl::getRegisteredOptions())
    entry.second->setHiddenFlag(cl::ReallyHidden);
  mlir::PassPipelineCLParser passes("", "Passes and pipelines of Rooftile");
  cl::ParseCommandLineOptions(1, &program, overview);
  cl::PrintHelpMessage();
  llvm::outs() << options;
}
