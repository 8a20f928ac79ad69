//===- VerifyTest.cpp - The C++ API of verification -----------------------===//

#include "rooftile/InitAll.h"
#include "rooftile/Verify/Cases/Layout.h"
#include "rooftile/Verify/Cases/Runner.h"
#include "rooftile/Verify/Operations/OperationModel.h"

#include "gtest/gtest.h"

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
