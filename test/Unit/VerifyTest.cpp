//===- VerifyTest.cpp - The C++ API of verification -----------------------===//

#include "rooftile/Dialect/Blas/PlanData.h"
#include "rooftile/InitAll.h"
#include "rooftile/Verify/Cases/Layout.h"
#include "rooftile/Verify/Model/OperationModel.h"
#include "rooftile/Verify/Runs/Fuzz.h"
#include "rooftile/Verify/Runs/Runner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

#include <set>

using namespace rooftile::verify;

namespace {

Case caseOf(const char *line) { return llvm::cantFail(expandCases(line, "all")).at(0); }

/// The first failure of a case on the CPU, with a defect in its kernel; empty where it is right.
std::string failureOf(const char *line, Mutation mutation = Mutation::None) {
  mlir::DialectRegistry registry;
  rooftile::registerAllDialects(registry);
  registerEngine(registry);
  mlir::MLIRContext context(registry);
  CaseOptions options;
  options.compile.chip = "h200";
  options.compile.mutation = mutation;
  std::string failure = "does not compile";
  auto look = [&](const Case &, const Program &, const Call &, const Session &session) {
    failure = session.getFailures().empty() ? "" : session.getFailures()[0];
    for (const Outcome &outcome : session.getOutcomes())
      failure = outcome.failure.empty() ? failure : outcome.failure;
  };
  runKernels(context, Kernel{"f", {caseOf(line)}}, options, look);
  return failure;
}

TEST(Verify, ACaseIsRead) {
  Case single = caseOf("type=f64 op=tn m=5 n=7 k=9 layout=gap");
  EXPECT_EQ(single.element(2), Element::F64);
  EXPECT_EQ(storedView(single, 0).sizes, (std::vector<int64_t>{9, 5}));
  EXPECT_EQ(storedView(single, 0).strides, (std::vector<int64_t>{8, 1}));
  EXPECT_EQ(single.text(), "type=f64 op=tn m=5 n=7 k=9 layout=gap");
  EXPECT_STREQ(modelOf(single).name(), "gemm");
  EXPECT_STREQ(modelOf(caseOf("routine=trsm")).name(), "trsm");
  EXPECT_EQ(llvm::toString(expandCases("m=x", "all").takeError()), "'x' is not a value of key 'm'");
}

TEST(Verify, RightResultsPass) {
  EXPECT_EQ(failureOf("m=17 n=5 k=9 macro=16x16x8 beta=2"), "");
  EXPECT_EQ(failureOf("routine=trsm type=f64 m=9 n=5 blocks=4"), "");
}

TEST(Verify, ADefectIsNoticed) {
  std::string failure = failureOf("m=16 n=16 k=24 macro=16x16x8", Mutation::Slice);
  EXPECT_NE(failure.find("elements are wrong with small-integer data"), std::string::npos)
      << failure;
}

//===----------------------------------------------------------------------===//
// Values that random cases draw together
//===----------------------------------------------------------------------===//

/// At least three tiles along M and N, and three steps, with ragged ends.
bool hasManyTiles(const Case &single) {
  if (single["macro"] == "auto" || single["routine"] != "gemm")
    return false;
  std::vector<int64_t> macro = single.sizes("macro");
  int64_t sizes[] = {single.number("m"), single.number("n"), single.number("k")};
  bool ragged = false, many = true;
  if (llvm::is_contained(macro, 0)) // a plan that is drawn need not be legal
    return false;
  for (int dim : {0, 1, 2})
    ragged |= sizes[dim] % macro[dim] != 0, many &= sizes[dim] > 2 * macro[dim];
  return many && ragged;
}

/// Properties of an operation with which every value of a plan must be drawn.
bool hasStructure(const Case &single, llvm::StringRef structure) {
  bool masked = single["maskA"] != "general" || single["maskB"] != "general";
  return llvm::StringSwitch<bool>(structure)
      .Case("mask", masked && single["rest"] == "any")
      .Case("zeros", masked && single["rest"] == "zeros")
      .Case("triangle", single["triangle"] != "all")
      .Case("batch", single["batch"] != "1")
      .Case("pointers", single["pointers"] != "none")
      .Case("epilogue", single["epilogue"] != "none")
      .Case("16 bits", single["type"] == "f16" || single["type"] == "bf16")
      .Case("complex", single["type"] == "c64" || single["type"] == "c128")
      .Case("dynamic", single.flag("dynamic"))
      .Case("many", hasManyTiles(single));
}

/// Values of the keys of a plan, "key=value"; of numbers only "key" where it is not the default.
std::vector<std::string> planValues() {
  std::vector<std::string> values{"copy=async", "copy=bulk", "copy=tensor", "major",  "planar",
                                  "flat",       "via",       "swizzle",     "across", "pack",
                                  "out=shared", "out=flat",  "pad",         "load",   "vector"};
  for (const rooftile::blas::KeyInfo &key : rooftile::blas::planKeys()) {
    bool isPlain =
        llvm::any_of(plainPlanKeys(), [&](const Key &each) { return key.name == each.name; });
    if (!isPlain)
      continue;
    if (key.kind == rooftile::blas::KeyInfo::Kind::Integer || key.name == "mma")
      values.push_back(key.name.str());
    else
      for (llvm::StringRef word : key.words)
        values.push_back((key.name + "=" + word).str());
  }
  return values;
}

bool hasValue(const Case &single, llvm::StringRef value) {
  auto [key, word] = value.split('=');
  const std::string &drawn = single[key.str()];
  return word.empty() ? drawn != defaultCase()[key.str()] : drawn == word;
}

/// Pairs that rules of plans exclude.
bool isExcluded(llvm::StringRef structure, llvm::StringRef value) {
  static const std::set<std::pair<std::string, std::string>> pairs{
      {"mask", "tail=split"},       {"zeros", "tail=split"},         {"triangle", "tail=split"},
      {"triangle", "out=flat"},     {"triangle", "raster"},          {"mask", "complex=induced"},
      {"zeros", "complex=induced"}, {"triangle", "complex=induced"}, {"dynamic", "complex=induced"},
      {"batch", "complex=induced"}, {"pointers", "complex=induced"}, {"16 bits", "complex=induced"},
      {"16 bits", "products"},      {"triangle", "matrices"},        {"dynamic", "matrices"},
      {"many", "matrices"}};
  return pairs.count({structure.str(), value.str()}) != 0;
}

TEST(Verify, RandomCasesDrawEveryPlanValueWithEveryStructure) {
  std::set<std::pair<std::string, std::string>> drawn;
  const llvm::StringRef structures[] = {"mask",     "zeros",   "triangle", "batch",   "pointers",
                                        "epilogue", "16 bits", "complex",  "dynamic", "many"};
  std::vector<std::string> values = planValues();
  for (const Case &single : randomCases(40000, /*seed=*/1))
    for (llvm::StringRef structure : structures)
      if (single["routine"] == "gemm" && hasStructure(single, structure))
        for (const std::string &value : values)
          if (hasValue(single, value))
            drawn.insert({structure.str(), value});
  for (llvm::StringRef structure : structures)
    for (const std::string &value : values)
      EXPECT_TRUE(drawn.count({structure.str(), value}) || isExcluded(structure, value))
          << structure.str() << " is never drawn with " << value;
}

TEST(Verify, AnElementBeyondTheBoundIsFound) {
  std::vector<float> a{1, 2, 3, 4}, b{1, 0, 0, 1}, before(4), after = a;
  Matrices walk{2, 2, 2, 1, {0}};
  Product product;
  product.left = {Element::F32, a.data(), walk}, product.right = {Element::F32, b.data(), walk};
  product.result = walk;
  product.before = before.data(), product.after = after.data();
  EXPECT_EQ(compare(product, /*exact=*/false).wrong, 0);
  after[3] += 1e-5f;
  Finding finding = compare(product, /*exact=*/false);
  EXPECT_EQ(finding.compared, 4);
  EXPECT_EQ(finding.wrong, 1);
  EXPECT_GT(finding.ratio, 1);
}

} // namespace
