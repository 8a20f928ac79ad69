//===- Exports.cpp - Libraries that are compiled ahead of time ------------===//

#include "Exports.h"
#include "rooftile/Export/Export.h"

#include <mutex>

using namespace rooftile;
using namespace rooftile::python;

static llvm::Error write(const exporter::Spec &spec, const exporter::ExportOptions &options,
                         std::string &report) {
  static std::mutex mutex; // lld works on one library at a time
  std::lock_guard<std::mutex> lock(mutex);
  llvm::raw_string_ostream stream(report);
  return exporter::exportLibrary(spec, options, stream);
}

std::pair<std::string, std::string> rooftile::python::exportSpec(const std::string &spec,
                                                                 const std::string &path,
                                                                 const std::string &folder,
                                                                 unsigned threads) {
  std::string library, report, mistake, failure;
  compiler::Plans plans = currentPlans();
  withoutLock([&] {
    auto read = exporter::readSpecText(spec, path);
    if (!read) {
      mistake = llvm::toString(read.takeError());
      return;
    }
    library = read->library;
    if (llvm::Error error = write(*read, {folder, threads, nullptr, plans}, report))
      failure = llvm::toString(std::move(error));
  });
  if (!mistake.empty())
    raiseValue(mistake);
  if (!failure.empty())
    throw std::runtime_error(failure);
  return {library, report};
}
