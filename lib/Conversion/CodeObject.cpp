//===- CodeObject.cpp - AMD code objects without ROCm ---------------------===//

#include "rooftile/Conversion/CodeObject.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace rooftile;

/// Folders that may hold a whole ROCm.
static SmallVector<std::string> toolkits() {
  SmallVector<std::string> folders;
  for (const char *variable : {"ROCM_PATH", "ROCM_ROOT", "ROCM_HOME"})
    if (const char *folder = std::getenv(variable))
      folders.push_back(folder);
  folders.push_back("/opt/rocm");
  return folders;
}

std::string rooftile::findDeviceLibraries() {
  SmallVector<std::string> folders = toolkits();
  folders.append({"/usr/lib/" LLVM_HOST_TRIPLE, "/usr/lib/x86_64-linux-gnu",
                  "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"});
  for (const std::string &folder : folders)
    if (sys::fs::exists(folder + "/amdgcn/bitcode/ocml.bc"))
      return folder;
  return "";
}

std::string rooftile::findLinker() {
  SmallVector<std::string> folders;
  for (const std::string &toolkit : toolkits())
    folders.push_back(toolkit + "/llvm/bin");
  std::string version = std::to_string(LLVM_VERSION_MAJOR);
  std::string ofLLVM = "/usr/lib/llvm-" + version + "/bin";
  const std::pair<std::string, SmallVector<std::string>> places[] = {
      {"ld.lld", folders}, {"ld.lld-" + version, {}}, {"ld.lld", {ofLLVM}}, {"ld.lld", {}}};
  for (const auto &[name, paths] : places) {
    SmallVector<StringRef> where(paths.begin(), paths.end());
    if (ErrorOr<std::string> found = sys::findProgramByName(name, where))
      return *found;
  }
  return "";
}

/// An empty temporary file that is removed when the remover goes out of scope.
static std::error_code createFile(StringRef suffix, SmallString<128> &path, FileRemover &remover) {
  std::error_code error = sys::fs::createTemporaryFile("rooftile", suffix, path);
  if (!error)
    remover.setFile(path);
  return error;
}

FailureOr<SmallVector<char, 0>>
rooftile::linkCodeObject(ArrayRef<char> object,
                         function_ref<mlir::InFlightDiagnostic()> emitError) {
  std::string linker = findLinker();
  if (linker.empty())
    return emitError() << "a code object needs ld.lld, which is not found: install the package lld-"
                       << LLVM_VERSION_MAJOR << ", set ROCM_PATH, or ask for format=isa";
  SmallString<128> objectPath, outputPath, messagePath;
  FileRemover removeObject, removeOutput, removeMessage;
  std::error_code error = createFile("o", objectPath, removeObject);
  if (!error)
    error = createFile("hsaco", outputPath, removeOutput);
  if (!error)
    error = createFile("txt", messagePath, removeMessage);
  if (error)
    return emitError() << "no temporary file for ld.lld: " << error.message();
  raw_fd_ostream file(objectPath, error);
  file << StringRef(object.data(), object.size());
  file.close();
  if (file.has_error())
    return emitError() << "writing " << objectPath.str() << ": " << file.error().message();
  StringRef arguments[] = {linker, "-shared", objectPath, "-o", outputPath};
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(messagePath),
                                          StringRef(messagePath)};
  std::string why;
  int status = sys::ExecuteAndWait(linker, arguments, std::nullopt, redirects, 0, 0, &why);
  auto output = MemoryBuffer::getFile(status == 0 ? outputPath : messagePath);
  StringRef text = output ? (*output)->getBuffer() : StringRef(why);
  if (status != 0 || !output)
    return emitError() << linker << " failed: " << (why.empty() ? text.str() : why);
  return SmallVector<char, 0>(text.begin(), text.end());
}
