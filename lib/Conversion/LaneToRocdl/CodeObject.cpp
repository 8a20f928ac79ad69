//===- CodeObject.cpp - AMD code objects without ROCm ---------------------===//

#include "rooftile/Conversion/LaneToRocdl/CodeObject.h"
#include "../LaneToGpu/ExternalTool.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace rooftile;

static constexpr StringLiteral kStandard = "/opt/rocm";

/// Folders that may hold a whole ROCm; `elsewhere` is true where no variable names one.
static SmallVector<std::string> toolkits(bool &elsewhere) {
  SmallVector<std::string> folders =
      toolkitFolders({"ROCM_PATH", "ROCM_ROOT", "ROCM_HOME"}, kStandard);
  elsewhere = folders[0] == kStandard;
  return folders;
}

std::string rooftile::findDeviceLibraries() {
  bool elsewhere;
  SmallVector<std::string> folders = toolkits(elsewhere);
  if (elsewhere)
    folders.append({"/usr/lib/" LLVM_HOST_TRIPLE, "/usr/lib/x86_64-linux-gnu",
                    "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"});
  for (const std::string &folder : folders)
    if (sys::fs::exists(folder + "/amdgcn/bitcode/ocml.bc"))
      return folder;
  return "";
}

std::string rooftile::findLinker() {
  bool elsewhere;
  SmallVector<std::string> folders;
  for (const std::string &toolkit : toolkits(elsewhere))
    folders.push_back(toolkit + "/llvm/bin");
  std::string version = std::to_string(LLVM_VERSION_MAJOR);
  SmallVector<std::string> ofLLVM;
  if (elsewhere)
    ofLLVM.push_back("/usr/lib/llvm-" + version + "/bin");
  const std::pair<std::string, SmallVector<std::string>> places[] = {
      {"ld.lld", folders}, {"ld.lld-" + version, {}}, {"ld.lld", ofLLVM}, {"ld.lld", {}}};
  for (const auto &[name, paths] : places) {
    SmallVector<StringRef> where(paths.begin(), paths.end());
    if (ErrorOr<std::string> found = sys::findProgramByName(name, where))
      return *found;
  }
  return "";
}

namespace {
struct Linker {
  std::string program, argument;
};
} // namespace

/// Replacement of ld.lld; empty where there is none.
static Linker &standIn() {
  static Linker &linker = *new Linker; // Never destroyed: programs may compile after main.
  return linker;
}

void rooftile::setLinker(std::string program, std::string argument) {
  standIn() = {std::move(program), std::move(argument)};
}

FailureOr<SmallVector<char, 0>>
rooftile::linkCodeObject(ArrayRef<char> object,
                         function_ref<mlir::InFlightDiagnostic()> emitError) {
  Linker linker = standIn();
  if (linker.program.empty())
    linker.program = findLinker();
  if (linker.program.empty())
    return emitError() << "a code object needs ld.lld, which is not found: install the package lld-"
                       << LLVM_VERSION_MAJOR << ", set ROCM_PATH, or ask for format=isa";
  SmallVector<StringRef> options = {"-shared"};
  if (!linker.argument.empty())
    options.insert(options.begin(), linker.argument);
  FailureOr<ToolOutput> output = runTool(linker.program, options, object, emitError);
  if (failed(output))
    return failure();
  return std::move(output->bytes);
}
