//===- Ptxas.cpp - CUDA's assembler, where it is installed ----------------===//

#include "Ptxas.h"
#include "../LaneToGpu/ExternalTool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace rooftile;

static SmallVector<std::string> cudaFolders() {
  return toolkitFolders({"CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"}, "/usr/local/cuda");
}

std::string rooftile::findPtxas() {
  for (const std::string &folder : cudaFolders())
    if (ErrorOr<std::string> found = sys::findProgramByName("ptxas", {folder + "/bin"}))
      return *found;
  ErrorOr<std::string> found = sys::findProgramByName("ptxas");
  return found ? *found : "";
}

std::string rooftile::findLibdevice() {
  for (const std::string &folder : cudaFolders())
    if (std::string path = folder + "/nvvm/libdevice/libdevice.10.bc"; sys::fs::exists(path))
      return path;
  return "";
}

/// The number before `what`, as in "40 bytes spill stores".
static int64_t numberBefore(StringRef line, StringRef what) {
  StringRef before = line.take_front(line.find(what)).rtrim();
  int64_t number = 0;
  if (before.size() < line.size())
    before.substr(before.find_last_of(' ') + 1).getAsInteger(10, number);
  return number;
}

SmallVector<FunctionUse> rooftile::readFunctionUse(StringRef messages) {
  SmallVector<FunctionUse> functions;
  for (StringRef line : split(messages, '\n')) {
    auto [before, name] = line.split("Function properties for ");
    if (!name.empty())
      functions.push_back({name.trim().str()});
    if (functions.empty())
      continue;
    FunctionUse &use = functions.back();
    use.stackBytes += numberBefore(line, " bytes stack frame");
    use.spillBytes += numberBefore(line, " bytes spill stores");
    use.registers += numberBefore(line, " registers");
  }
  return functions;
}

FailureOr<Cubin> rooftile::assemblePtx(StringRef ptx, StringRef chip,
                                       function_ref<mlir::InFlightDiagnostic()> emitError) {
  std::string program = findPtxas();
  if (program.empty())
    return emitError() << "a cubin (format=bin) needs ptxas, which is not in CUDA_ROOT, CUDA_HOME, "
                          "CUDA_PATH, /usr/local/cuda or PATH: install CUDA's cuda-nvcc, or use "
                          "format=isa, which the driver compiles";
  FailureOr<ToolOutput> output = runTool(program, {"-v", "-arch", chip, "-O3"}, ptx, emitError);
  if (failed(output))
    return failure();
  return Cubin{std::move(output->bytes), readFunctionUse(output->messages)};
}
