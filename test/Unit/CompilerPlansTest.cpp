//===- CompilerPlansTest.cpp - Executables with plans of a list -----------===//

#include "CacheFolder.h"
#include "RandomOperation.h"
#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Compiler/Compiler.h"
#include "rooftile/Compiler/Plans.h"
#include "rooftile/Operation/Text.h"
#include "llvm/Support/JSON.h"

using namespace rooftile;
using namespace rooftile::compiler;
using namespace rooftile::operation;

namespace {

constexpr const char *kSquare = "v1 gemm type=f32 op=nn m=64 n=64 k=64";
constexpr const char *kOther = "v1 gemm type=f32 op=nn m=128 n=64 k=64";
constexpr const char *kSmall = "#blas.plan<macro = [16, 16, 8], micro = [2, 2], lanes = [4, 8], "
                               "a = <via = shared>, b = <via = shared>>";
constexpr const char *kLarge = "#blas.plan<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], "
                               "a = <via = shared>, b = <via = shared>>";

std::string lineOf(const std::string &pattern, const std::string &plan) {
  return pattern + " -> " + plan + "\n";
}

Operation operationOf(const std::string &line) {
  Parsed parsed = parse(line);
  EXPECT_EQ(parsed.error, "") << line;
  return parsed.operation;
}

struct CompilerPlansTest : CacheFolder {
  /// The list of this text, in the file `name`.
  Plans list(const std::string &text, const std::string &name = "my.plans") {
    write(root + "/" + name, text);
    std::string why;
    Plans plans = readPlans(root + "/" + name, why);
    EXPECT_EQ(why, "");
    return plans;
  }
  std::string whyNot(const std::string &text) {
    write(root + "/bad.plans", text);
    std::string why;
    EXPECT_FALSE(readPlans(root + "/bad.plans", why));
    return why.substr(0, root.size()) == root ? why.substr(root.size() + 1) : why;
  }
  CompilerOptions options(Plans plans) {
    CompilerOptions options;
    options.chip = "h200", options.cacheFolder = folder;
    options.plans = std::move(plans);
    return options;
  }
  size_t executables() {
    return llvm::count_if(names(),
                          [](llvm::StringRef name) { return name.ends_with(".rooftile"); });
  }
};

/// Name of the kernel, which ends with its macro tile.
std::string kernelOf(Compiler &compiler, const std::string &line) {
  Compiled compiled = compiler.get(operationOf(line));
  EXPECT_EQ(compiled.error, "") << line;
  return compiled ? compiled.executable->data().kernels.front().name : "";
}

/// A member of the first operation of a report; of its last plan.
std::string reported(const Planned &planned, llvm::StringRef key) {
  EXPECT_EQ(planned.error, "");
  if (!planned)
    return "";
  llvm::json::Value json = cantFail(llvm::json::parse(*planned.report));
  const llvm::json::Value &first = json.getAsObject()->getArray("operations")->front();
  const llvm::json::Object *object = first.getAsObject();
  if (key == "plan")
    object = object->getArray("plans")->back().getAsObject();
  return object->getString(key).value_or("").str();
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

TEST_F(CompilerPlansTest, APlanOfTheListIsUsed) {
  Compiler model(options(nullptr)), small(options(list(lineOf(kSquare, kSmall)))),
      large(options(list(lineOf(kSquare, kLarge))));
  std::string byModel = kernelOf(model, kSquare);
  EXPECT_EQ(kernelOf(small, kSquare), "gemm_f32_nn_16x16x8");
  EXPECT_EQ(kernelOf(large, kSquare), "gemm_f32_nn_32x32x8");
  EXPECT_NE(byModel, "gemm_f32_nn_16x16x8");
  EXPECT_EQ(reported(small.plan(operationOf(kSquare)), "source"), root + "/my.plans:1");
  EXPECT_EQ(reported(model.plan(operationOf(kSquare)), "source"), "the model");
  // Each is found on disk by its own list, and by none.
  size_t stored = executables();
  EXPECT_EQ(stored, 3u);
  Compiler again(options(nullptr));
  EXPECT_EQ(kernelOf(again, kSquare), byModel);
  EXPECT_EQ(executables(), stored);
}

/// A line decides about its own operation: others stay where they are on disk.
TEST_F(CompilerPlansTest, OtherLinesAndCommentsDoNotCount) {
  Compiler first(options(list(lineOf(kSquare, kSmall) + lineOf(kOther, kSmall))));
  kernelOf(first, kSquare), kernelOf(first, kOther);
  EXPECT_EQ(executables(), 2u);
  Compiler edited(
      options(list("# more\n\n" + lineOf(kOther, kLarge) + lineOf(kSquare, kSmall) + "# and more\n",
                   "other.plans")));
  EXPECT_EQ(kernelOf(edited, kSquare), "gemm_f32_nn_16x16x8");
  EXPECT_EQ(executables(), 2u);
  EXPECT_EQ(kernelOf(edited, kOther), "gemm_f32_nn_32x32x8");
  EXPECT_EQ(executables(), 3u);
}

TEST_F(CompilerPlansTest, OneProcessWithOneListAfterAnother) {
  Compiler compiler(options(nullptr));
  std::string byModel = kernelOf(compiler, kSquare);
  compiler.usePlans(list(lineOf(kSquare, kSmall)));
  EXPECT_EQ(kernelOf(compiler, kSquare), "gemm_f32_nn_16x16x8");
  EXPECT_EQ(reported(compiler.plan(operationOf(kSquare)), "source"), root + "/my.plans:1");
  compiler.usePlans(list("\n\n" + lineOf(kSquare, kSmall)));
  EXPECT_EQ(reported(compiler.plan(operationOf(kSquare)), "source"), root + "/my.plans:3");
  compiler.usePlans(nullptr);
  EXPECT_EQ(kernelOf(compiler, kSquare), byModel);
}

/// Products that a routine becomes are matched by patterns, and modules by all lines.
TEST_F(CompilerPlansTest, SeveralOperations) {
  std::string update = "v1 syrk type=f32 op=n n=64 k=64";
  Compiler model(options(nullptr)), listed(options(list(lineOf("v1 gemm type=f32 *", kSmall))));
  EXPECT_NE(kernelOf(model, update), kernelOf(listed, update));
  std::string memref = "memref<64x64xf32>";
  std::string module = "func.func @f(%a: " + memref + ", %b: " + memref + ", %c: " + memref +
                       ") {\n blas.gemm ins(%a, %b : " + memref + ", " + memref +
                       ") outs(%c : " + memref + ")\n return }";
  EXPECT_NE(model.compile(module).executable->data().kernels.front().name, "gemm_f32_nn_16x16x8");
  EXPECT_EQ(listed.compile(module).executable->data().kernels.front().name, "gemm_f32_nn_16x16x8");
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// The line of every operation finds it, whatever passes before planning make of it.
TEST_F(CompilerPlansTest, LinesFindTheirOperations) {
  Random random;
  int seen = 0;
  Compiler compiler(options(nullptr));
  for (int i = 0; i < 1500 && seen < 120; ++i) {
    Operation operation = canonical(random.operation());
    bool isOne = operation.routine == Routine::Gemm || operation.isTriangular();
    for (int index : {0, 1, 2})
      isOne &= !operation.has(index) || !isSplit(operation.operand(index));
    bool isEmpty = operation.m == 0 || operation.n == 0 || operation.k == 0 ||
                   operation.count == 0 || operation.alpha == Scalar::Zero;
    if (!isOne || isEmpty || whatIsWrong(operation))
      continue;
    compiler.usePlans(nullptr);
    Planned byModel = compiler.plan(operation);
    std::string line = lineOf(text(operation), reported(byModel, "plan"));
    compiler.usePlans(list(line));
    Planned planned = compiler.plan(operation);
    ASSERT_EQ(reported(planned, "source"), root + "/my.plans:1") << line;
    ++seen;
  }
  EXPECT_EQ(seen, 120);
}

TEST_F(CompilerPlansTest, LinesForAnotherChip) {
  std::string line = lineOf(kSquare, kSmall);
  Compiler compiler(options(list("chip h100\n" + line)));
  EXPECT_EQ(reported(compiler.plan(operationOf(kSquare)), "source").find("the model"), 0u);
  EXPECT_EQ(compiler.warning(),
            root + "/my.plans:1: 1 line is for chip 'h100', left out for 'h200'");
  EXPECT_EQ(compiler.warning(), "");
  compiler.usePlans(list("chip h200\n" + line));
  EXPECT_EQ(reported(compiler.plan(operationOf(kSquare)), "source"), root + "/my.plans:2");
  EXPECT_EQ(compiler.warning(), "");
  compiler.usePlans(list("chip h100\n" + line));
  compiler.usePlans(nullptr);
  EXPECT_EQ(compiler.warning(), "");
}

/// No operation has a module with the user's kernel.
TEST_F(CompilerPlansTest, KernelsAreLeftOut) {
  Compiler compiler(options(list(lineOf("v1 gemm type=f32 *", "@mine::@kernel"))));
  EXPECT_EQ(reported(compiler.plan(operationOf(kSquare)), "source"), "the model");
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(CompilerPlansTest, ListsThatCannotBeRead) {
  EXPECT_EQ(whyNot(""), "bad.plans:1:1: the list of plans is empty");
  EXPECT_EQ(whyNot("\nv1 gemm mm=3 -> " + std::string(kSmall)),
            "bad.plans:2:9: no key 'mm'; did you mean 'm'?");
  EXPECT_EQ(whyNot("v1 gemm * -> #blas.plan<" + std::string(300, '<')),
            "bad.plans:1: nested more than 256 deep");
  std::string why;
  EXPECT_FALSE(readPlans(root + "/none.plans", why));
  EXPECT_EQ(why,
            "cannot read the list of plans '" + root + "/none.plans': No such file or directory");
}

TEST_F(CompilerPlansTest, APlanThatDoesNotFit) {
  std::string plan = "#blas.plan<macro = [64, 64, 8], micro = [8, 8], lanes = [8, 8], "
                     "a = <via = shared>, b = <via = shared>>";
  Compiler compiler(options(list("\n" + lineOf(kSquare, plan))));
  Compiled compiled = compiler.get(operationOf(kSquare));
  EXPECT_NE(compiled.error.find("no plan of the list fits chip 'h200': " + root +
                                "/my.plans:2: lanes: 64 lanes do not make up a subgroup"),
            std::string::npos)
      << compiled.error;
}

TEST_F(CompilerPlansTest, ListOfTheEnvironment) {
  write(root + "/my.plans", lineOf(kSquare, kSmall));
  write(root + "/bad.plans", "v2");
  auto isRead = [&](const char *file, bool isGood) {
    set("ROOFTILE_PLANS", (root + file).c_str());
    const PlansOfEnvironment &read = plansOfEnvironment();
    std::string why = "ROOFTILE_PLANS: " + root + "/bad.plans:1:1: expected version 'v1', not 'v2'";
    return bool(read.plans) == isGood && read.why.find(isGood ? "" : why) == 0;
  };
  EXPECT_EQ(inProcess([&] { return isRead("/my.plans", true); }), 1);
  EXPECT_EQ(inProcess([&] { return isRead("/bad.plans", false); }), 1);
}

} // namespace
