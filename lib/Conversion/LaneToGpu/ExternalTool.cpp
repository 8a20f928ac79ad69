//===- ExternalTool.cpp - Programs of others: ld.lld, ptxas ---------------===//

#include "ExternalTool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace rooftile;

SmallVector<std::string> rooftile::toolkitFolders(ArrayRef<const char *> variables,
                                                  StringRef standard) {
  SmallVector<std::string> folders;
  for (const char *variable : variables)
    if (const char *folder = std::getenv(variable))
      folders.push_back(folder);
  if (folders.empty())
    folders.push_back(standard.str());
  return folders;
}

namespace {
/// An empty temporary file, removed with this.
struct TemporaryFile {
  SmallString<128> path;
  FileRemover remover;

  std::error_code create(StringRef suffix) {
    std::error_code error = sys::fs::createTemporaryFile("rooftile", suffix, path);
    if (!error)
      remover.setFile(path);
    return error;
  }
};
} // namespace

FailureOr<ToolOutput> rooftile::runTool(StringRef program, ArrayRef<StringRef> options,
                                        ArrayRef<char> input,
                                        function_ref<mlir::InFlightDiagnostic()> emitError) {
  TemporaryFile in, out, said;
  std::error_code error = in.create("in");
  if (!error)
    error = out.create("out");
  if (!error)
    error = said.create("txt");
  if (error)
    return emitError() << "no temporary file for " << sys::path::filename(program) << ": "
                       << error.message();
  raw_fd_ostream file(in.path, error);
  file << StringRef(input.data(), input.size());
  file.close();
  if (file.has_error())
    return emitError() << "writing " << in.path.str() << ": " << file.error().message();
  SmallVector<StringRef> arguments = {program};
  arguments.append(options.begin(), options.end());
  arguments.append({in.path, "-o", out.path});
  std::optional<StringRef> redirects[] = {std::nullopt, said.path.str(), said.path.str()};
  std::string why;
  int status = sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, 0, 0, &why);
  auto messages = MemoryBuffer::getFile(said.path);
  if (why.empty() && messages)
    why = (*messages)->getBuffer().str();
  auto bytes = MemoryBuffer::getFile(out.path);
  if (status != 0 || !bytes)
    return emitError() << program << " failed: " << StringRef(why).trim();
  StringRef result = (*bytes)->getBuffer();
  return ToolOutput{SmallVector<char, 0>(result.begin(), result.end()), why};
}
