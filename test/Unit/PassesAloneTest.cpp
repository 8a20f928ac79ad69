//===- PassesAloneTest.cpp - Each pass by itself --------------------------===//
//
// A pass that creates operations of a dialect that it does not declare works after a pass that
// does, and crashes by itself. So each pass runs in a process and a context of its own, which has
// loaded what the text of a module needs: on every module of test/FrontEnds and examples, and where
// a pipeline has it, on what it gets there. It may refuse a module, with an error; it must not
// crash, fail without a word, or leave a module that is not valid.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "rooftile/InitAll.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;

//===----------------------------------------------------------------------===//
// Passes and modules
//===----------------------------------------------------------------------===//

static std::string read(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The files below `folder` of the project whose names end so, without the folder of the project.
static std::vector<std::string> filesBelow(StringRef folder, StringRef ending) {
  std::vector<std::string> paths;
  std::error_code error;
  std::string root = (Twine(ROOFTILE_SOURCE) + "/" + folder).str();
  for (llvm::sys::fs::recursive_directory_iterator at(root, error), end; at != end && !error;
       at.increment(error))
    if (StringRef(at->path()).ends_with(ending))
      paths.push_back(at->path().substr(StringRef(ROOFTILE_SOURCE).size() + 1));
  llvm::sort(paths);
  return paths;
}

/// The names of all passes of the project, as Passes.td files have them.
static std::vector<std::string> passNames() {
  std::vector<std::string> names;
  for (const std::string &path : filesBelow("include/rooftile", "Passes.td")) {
    std::string text = read((Twine(ROOFTILE_SOURCE) + "/" + path).str());
    llvm::Regex pass("Pass<\"([^\"]+)\"");
    SmallVector<StringRef> found;
    for (StringRef rest = text; pass.match(rest, &found);
         rest = rest.drop_front(found[1].end() - rest.begin()))
      names.push_back(found[1].str());
  }
  return names;
}

/// The modules of a file, which lines "// -----" part.
static SmallVector<StringRef> modulesOf(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, "// -----");
  return parts;
}

static const DialectRegistry &dialects() {
  static const DialectRegistry *registry = [] {
    auto *all = new DialectRegistry();
    rooftile::registerAllDialects(*all);
    rooftile::registerAllPasses();
    return all;
  }();
  return *registry;
}

//===----------------------------------------------------------------------===//
// A process for each
//===----------------------------------------------------------------------===//

/// Output of `work` in a process of its own, or the signal that ends it. It counts what it has done
/// in its argument.
static std::string inProcess(llvm::function_ref<std::string(int &)> work) {
  int ends[2];
  if (pipe(ends) != 0)
    return "no pipe";
  auto *done = static_cast<int *>(
      mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  *done = 0;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    std::string said = work(*done);
    _exit(write(ends[1], said.data(), said.size()) == ssize_t(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  char bytes[4096];
  for (ssize_t count; (count = ::read(ends[0], bytes, sizeof(bytes))) > 0;)
    said.append(bytes, count);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    said = strsignal(WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    said = "exit status " + std::to_string(WEXITSTATUS(status));
  if (!said.empty())
    said = "module " + std::to_string(*done) + ": " + said;
  munmap(done, sizeof(int));
  return said;
}

/// Runs `pass` on a module; empty, or what is wrong. `mayRefuse`: an error with words is right.
static std::string runAlone(StringRef pass, StringRef text, bool mayRefuse) {
  MLIRContext context(dialects(), MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  std::string errors;
  ScopedDiagnosticHandler listen(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += diagnostic.str() + "; ";
    return success();
  });
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "is not read: " + errors;
  LogicalResult ran = failure();
  bool found = false;
  for (const char *form : {"{0}", "func.func({0})", "gpu.module({0})"}) {
    PassManager passes(&context);
    passes.enableVerifier(false);
    if (failed(parsePassPipeline(llvm::formatv(form, pass).str(), passes, llvm::nulls())))
      continue;
    errors.clear();
    found = true;
    ran = passes.run(*module);
    // Passes of any operation report only when they run that they are for kernels alone.
    if (!StringRef(errors).contains("trying to schedule pass"))
      break;
  }
  if (!found)
    return "no such pass";
  if (failed(ran))
    return mayRefuse && !errors.empty() ? "" : "fails: " + errors;
  return failed(verify(*module)) ? "leaves what is not valid: " + errors : "";
}

//===----------------------------------------------------------------------===//
// On modules of front ends
//===----------------------------------------------------------------------===//

namespace {
struct PassesAlone : testing::TestWithParam<std::string> {};
} // namespace

TEST_P(PassesAlone, OnEveryModule) {
  dialects();
  std::string text = read((Twine(ROOFTILE_SOURCE) + "/" + GetParam()).str());
  for (const std::string &pass : passNames()) {
    std::string wrong = inProcess([&](int &done) -> std::string {
      for (StringRef module : modulesOf(text)) {
        ++done;
        if (std::string said = runAlone(pass, module, /*mayRefuse=*/true); !said.empty())
          return said;
      }
      return "";
    });
    EXPECT_EQ(wrong, "") << pass << " on " << GetParam();
  }
}

static std::vector<std::string> frontEnds() {
  std::vector<std::string> files = filesBelow("test/FrontEnds", ".mlir");
  llvm::append_range(files, filesBelow("examples", ".mlir"));
  // Inputs of upstream's tools: a transform script, and a dialect that they lower.
  llvm::erase_if(files,
                 [](StringRef path) { return path.contains("img2col") || path.contains("tosa"); });
  return files;
}

static std::string nameOf(const testing::TestParamInfo<std::string> &file) {
  std::string name = file.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return !isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Modules, PassesAlone, testing::ValuesIn(frontEnds()), nameOf);

//===----------------------------------------------------------------------===//
// Where pipelines have them
//===----------------------------------------------------------------------===//

namespace {
/// Before a pass of the project runs for the first time, it runs alone on the text of its module.
struct Replay : PassInstrumentation {
  Replay(std::vector<std::string> &wrong) : wrong(wrong) {
    for (const std::string &name : passNames())
      ours.insert(name);
    ours.erase("fit-plans"); // runs the others
    ours.erase("set-aside");
  }

  void runBeforePass(Pass *pass, Operation *op) override {
    std::string line;
    llvm::raw_string_ostream out(line);
    pass->printAsTextualPipeline(out);
    if (!ours.contains(pass->getArgument()) || !seen.insert(line).second)
      return;
    while (Operation *parent = op->getParentOp())
      op = parent;
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    std::string said = inProcess([&](int &) { return runAlone(line, text, /*mayRefuse=*/false); });
    if (!said.empty())
      wrong.push_back(line + ": " + said);
  }

  std::vector<std::string> &wrong;
  llvm::StringSet<> ours, seen;
};

struct PassesOfPipelines : testing::TestWithParam<std::string> {};
} // namespace

TEST_P(PassesOfPipelines, Alone) {
  for (std::string file : {"examples/dynamic.mlir", "examples/cholesky.mlir", "examples/mlp.mlir",
                           "test/FrontEnds/tpp/memrefs.mlir"}) {
    std::string text = read((Twine(ROOFTILE_SOURCE) + "/" + file).str());
    MLIRContext context(dialects(), MLIRContext::Threading::DISABLED);
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    auto module = parseSourceString<ModuleOp>(modulesOf(text).front(), &context);
    ASSERT_TRUE(module) << file;
    PassManager passes(&context);
    std::vector<std::string> wrong;
    passes.addInstrumentation(std::make_unique<Replay>(wrong));
    ASSERT_TRUE(succeeded(parsePassPipeline(GetParam(), passes)));
    EXPECT_TRUE(succeeded(passes.run(*module))) << file;
    EXPECT_EQ(wrong, std::vector<std::string>()) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pipelines, PassesOfPipelines,
    testing::Values("blas-to-nvvm{chip=h200 format=isa}", "blas-to-rocdl{chip=mi300x format=isa}",
                    "blas-to-cpu{chip=h200}", "blas-to-kernels{chip=h200 format=func}"),
    [](const testing::TestParamInfo<std::string> &line) {
      StringRef name = line.param;
      std::string word = name.take_until([](char c) { return c == '{'; }).str();
      llvm::replace(word, '-', '_');
      return word;
    });
