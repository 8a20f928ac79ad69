//===- Export.cpp - Libraries that are compiled ahead of time -------------===//

#include "rooftile/Export/Export.h"
#include "Contents.h"
#include "Folder.h"
#include "HostObject.h"
#include "Interface.h"
#include "Link.h"
#include "rooftile/Compiler/Plans.h"
#include "rooftile/Export/ModuleFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

#include <mutex>

using namespace llvm;
using namespace rooftile;
using namespace rooftile::exporter;

Expected<Spec> exporter::readSpecFile(StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return createStringError("cannot read '" + path + "': " + file.getError().message());
  return readSpecText((*file)->getBuffer(), path);
}

Expected<Spec> exporter::readModuleFile(StringRef path, StringRef library,
                                        ArrayRef<std::string> chips) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return createStringError("cannot read '" + path + "': " + file.getError().message());
  auto taken = namesOfLibraries();
  if (!taken)
    return taken.takeError();
  return readModule((*file)->getBuffer(), path, library, chips, *taken);
}

Expected<Spec> exporter::readSpecText(StringRef text, StringRef path) {
  auto taken = namesOfLibraries();
  if (!taken)
    return taken.takeError();
  return readSpec(text, path, *taken);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static ImageFacts factsOf(const ExecutableData &data, bool isAmd) {
  ImageFacts facts;
  facts.format = isAmd ? "hsaco" : "cubin";
  for (const KernelEntry &kernel : data.kernels)
    facts.kernels.push_back(kernel.name);
  for (const KernelImage &image : data.images) {
    facts.kernelBytes += int64_t(image.bytes.size());
    if (!StringRef(image.bytes).starts_with("\177ELF"))
      facts.format = "ptx";
  }
  return facts;
}

/// Which GPUs code of an architecture runs on: "sm_90a" only on its own, "sm_80" also on later
/// ones, AMD's on its own. Sources: CUDA C++ Programming Guide 13, binary and PTX compatibility;
/// LLVM, User Guide for AMDGPU Backend, processors.
static Error setFit(const Chip &chip, CompiledImage &image) {
  image.architecture = chip.architecture;
  if (chip.isAmd)
    return image.fit = exported::Fit::SameArchitecture, Error::success();
  StringRef digits = chip.architecture;
  unsigned capability = 0;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, capability))
    return createStringError("no compute capability in the architecture '" + chip.architecture +
                             "'");
  image.major = capability / 10;
  image.minor = capability % 10;
  image.fit = !digits.empty()               ? exported::Fit::Exact
              : image.facts.format == "ptx" ? exported::Fit::Later
                                            : exported::Fit::SameMajor;
  return Error::success();
}

static Expected<CompiledImage> compileFor(compiler::Compiler &compiler, const Chip &chip,
                                          const NamedOperation &named) {
  bool isOperation = named.module.empty();
  compiler::Compiled compiled =
      isOperation ? compiler.get(named.operation) : compiler.compile(named.module);
  if (!compiled)
    return createStringError(compiled.error);
  const ExecutableData &data = compiled.executable->data();
  if (isOperation && compiled.function != 0)
    return createStringError("the operation is not the first function of its executable");
  CompiledImage image;
  image.chip = chip.label;
  image.bytes = writeExecutable(data);
  image.facts = factsOf(data, chip.isAmd);
  if (Error error = setFit(chip, image))
    return error;
  return image;
}

/// State of the threads that compile.
namespace {
struct Work {
  const Spec &spec;
  const ExportOptions &options;
  Contents &contents;
  std::vector<std::unique_ptr<compiler::Compiler>> compilers; ///< by chip
  std::mutex mutex;                                           ///< Guards what follows.
  size_t done = 0;
  std::vector<std::string> errors; ///< by operation and chip

  size_t all() const { return spec.operations.size() * spec.chips.size(); }
  void compile(size_t index);
};
} // namespace

void Work::compile(size_t index) {
  const NamedOperation &named = spec.operations[index / spec.chips.size()];
  const Chip &chip = spec.chips[index % spec.chips.size()];
  auto image = compileFor(*compilers[index % spec.chips.size()], chip, named);
  std::lock_guard<std::mutex> lock(mutex);
  if (image)
    contents.operations[index / spec.chips.size()].images[index % spec.chips.size()] =
        std::move(*image);
  else
    errors[index] = toString(image.takeError());
  if (options.progress)
    options.progress(++done, all(), named.name + " for " + chip.label);
}

Expected<compiler::Plans> exporter::readPlanFile(const std::string &path) {
  std::string why;
  if (compiler::Plans plans = compiler::readPlans(path, why))
    return plans;
  return createStringError(why);
}

/// A compiler for each chip, and what each leaves out of the list of plans.
static void makeCompilers(Work &work, const compiler::Plans &plans) {
  for (const Chip &chip : work.spec.chips) {
    compiler::CompilerOptions options;
    options.device = chip.isAmd ? DeviceKind::Hip : DeviceKind::Cuda;
    options.chip = chip.name;
    options.parallel = false;
    options.plans = plans;
    work.compilers.push_back(std::make_unique<compiler::Compiler>(options));
    std::string planned = compiler::chipOfLines(plans, options);
    if (std::string leftOut = compiler::whatIsLeftOut(plans, planned); !leftOut.empty())
      work.contents.notes.push_back(std::move(leftOut));
  }
}

static Expected<Contents> compileAll(const Spec &spec, const ExportOptions &options,
                                     const compiler::Plans &plans) {
  Contents contents;
  contents.library = spec.library;
  for (const NamedOperation &named : spec.operations) {
    Signature signature =
        named.module.empty() ? signatureOf(named.operation, spec.integerBits) : named.signature;
    contents.operations.push_back(
        {named.name, named.operation, named.types, std::move(signature), {}});
    contents.operations.back().images.resize(spec.chips.size());
  }
  Work work{spec, options, contents, {}, {}, 0, {}};
  work.errors.resize(work.all());
  makeCompilers(work, plans);
  {
    DefaultThreadPool pool(hardware_concurrency(options.threads));
    for (size_t index = 0; index < work.all(); ++index)
      pool.async([&work, index] { work.compile(index); });
    pool.wait();
  }
  for (size_t index = 0; index < work.all(); ++index)
    if (!work.errors[index].empty()) {
      const NamedOperation &named = spec.operations[index / spec.chips.size()];
      return errorAt(spec, named.place,
                     "operation '" + named.name + "' does not compile for " +
                         spec.chips[index % spec.chips.size()].label + ": " + work.errors[index]);
    }
  return contents;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static StringSet<> filesOf(const std::string &library) {
  StringSet<> files;
  for (const char *pattern : {"lib{0}.a", "lib{0}.so", "{0}.h", "{0}Config.cmake", "{0}.json"})
    files.insert(formatv(/*Validate=*/false, pattern, library).str());
  return files;
}

static Error writeLibraries(const Contents &contents, Folder &folder) {
  auto object = makeHostObject(contents);
  if (!object)
    return object.takeError();
  std::vector<std::string> names = {contents.library + "_message"};
  for (const CompiledOperation &operation : contents.operations)
    names.push_back(operation.name);
  std::string name = contents.library + ".o"; // for the linker only
  if (Error error = folder.write(name, *object))
    return error;
  if (Error error = writeStaticLibrary(folder.path(), contents.library, names))
    return error;
  if (Error error = writeSharedLibrary(folder.path(), contents.library))
    return error;
  SmallString<128> path(folder.path());
  sys::path::append(path, name);
  if (std::error_code error = sys::fs::remove(path))
    return createStringError("'" + path + "': " + error.message());
  return Error::success();
}

static std::string bytesText(uint64_t bytes) {
  constexpr uint64_t kKibi = 1024;
  if (bytes < kKibi * kKibi)
    return formatv("{0:f1} KiB", double(bytes) / kKibi);
  return formatv("{0:f1} MiB", double(bytes) / (kKibi * kKibi));
}

static void writeReport(const Contents &contents, StringRef folder, raw_ostream &report) {
  report << formatv("{0,-24} {1,-10} {2,-6} {3,8} {4,12}\n", "operation", "chip", "format",
                    "kernels", "bytes");
  for (const CompiledOperation &operation : contents.operations)
    for (const CompiledImage &image : operation.images)
      report << formatv("{0,-24} {1,-10} {2,-6} {3,8} {4,12}\n", operation.name, image.chip,
                        image.facts.format, image.facts.kernels.size(), image.bytes.size());
  for (const std::string &note : contents.notes)
    report << "note: " << note << "\n";
  for (const char *suffix : {".a", ".so"}) {
    SmallString<128> path(folder);
    sys::path::append(path, "lib" + contents.library + suffix);
    uint64_t bytes = 0;
    sys::fs::file_size(path, bytes);
    report << path << ": " << bytesText(bytes) << "\n";
  }
}

Error exporter::exportLibrary(const Spec &spec, const ExportOptions &options, raw_ostream &report) {
  StringSet<> files = filesOf(spec.library);
  if (Error error = checkReplaceable(options.folder, files)) // before minutes of compiling
    return error;
  Expected<compiler::Plans> plans = options.plans || spec.plans.empty()
                                        ? Expected<compiler::Plans>(options.plans)
                                        : readPlanFile(spec.plans);
  if (!plans)
    return plans.takeError();
  auto contents = compileAll(spec, options, *plans);
  if (!contents)
    return contents.takeError();
  auto folder = Folder::create(options.folder, files);
  if (!folder)
    return folder.takeError();
  std::pair<std::string, std::string> texts[] = {
      {spec.library + ".h", headerOf(*contents)},
      {spec.library + "Config.cmake", cmakeOf(*contents)},
      {spec.library + ".json", manifestOf(*contents)}};
  for (auto &[name, text] : texts)
    if (Error error = folder->write(name, text))
      return error;
  if (Error error = writeLibraries(*contents, *folder))
    return error;
  if (Error error = folder->finish())
    return error;
  writeReport(*contents, options.folder, report);
  return Error::success();
}
