//===- OutsideTest.cpp - A search by another program ----------------------===//

#include "rooftile/Tuning/Search/Outside.h"
#include "rooftile/Tuning/Search/Search.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace rooftile::tuning;

namespace {

/// Plans whose names are what becomes of them: of the others, the number is the time.
struct Named : Trials {
  explicit Named(const Space &space) : space(space) {}
  bool run(llvm::ArrayRef<Trial> trials, Report report) override {
    for (const Trial &trial : trials) {
      llvm::StringRef plan = space[trial.candidate].plan;
      double time = 0;
      TrialResult result("wrong: row 3");
      std::vector<double> samples(size_t(trial.samples), 0);
      if (plan.consume_front("<as = ")) {
        result = {};
        result.sameAs = "<time = " + plan.str();
      } else if (plan.consume_front("<time = ") && !plan.drop_back().getAsDouble(time)) {
        samples.assign(samples.size(), time);
        result = {samples, /*baselineMs=*/50};
      }
      report(trial, result);
    }
    return space.size() < 6;
  }
  const Space &space;
};

/// The answers to `requests`, after the candidates.
std::string answersTo(const std::string &requests) {
  auto beside = [](const std::string &plan) {
    return std::vector<Candidate>{{"<time = 3>", 9}, {plan, 9}, {"<time = 1>", 9}};
  };
  Space space({{"<time = 2>", 2}, {"<as = 2>", 3}, {"<as = 7>", 4}, {"<bad = 1>", 5}}, beside);
  std::istringstream in(requests);
  std::string text;
  llvm::raw_string_ostream out(text);
  Outside outside(space, "the operation", in, out);
  std::string begin = R"({"candidate":0,"keys":{"time":"2"},"plan":"<time = 2>","predicted":2})";
  EXPECT_EQ(text.substr(0, begin.size()), begin);
  EXPECT_TRUE(
      llvm::StringRef(text).ends_with("{\"candidates\":4,\"operation\":\"the operation\"}\n"));
  text.clear();
  Named trials(space);
  search(outside, trials, {});
  return text;
}

TEST(Outside, EachCandidateOfARequestIsAnswered) {
  EXPECT_EQ(answersTo("{\"measure\":[0,1,2,3],\"samples\":3}\n{\"measure\":[0]}\n"),
            R"({"candidate":0,"gain":1,"milliseconds":50,"samples":3}
{"candidate":1,"sameAs":0}
{"candidate":2,"error":"has the kernel of <time = 7>"}
{"candidate":3,"error":"wrong: row 3"}
{"candidate":0,"gain":1,"milliseconds":50,"samples":13}
)");
}

TEST(Outside, NeighboursAreAdded) {
  EXPECT_EQ(
      answersTo("{\"neighbours\":0}\n{\"neighbours\":0}\n{\"measure\":[5]}\n{\"measure\":[0]}"),
      R"({"candidate":4,"keys":{"time":"3"},"plan":"<time = 3>","predicted":9}
{"candidate":5,"keys":{"time":"1"},"plan":"<time = 1>","predicted":9}
{"candidates":6,"operation":"the operation"}
{"candidates":6,"operation":"the operation"}
{"candidate":5,"gain":2,"milliseconds":25,"samples":10}
)") << "nothing is read after trials that end the search";
}

TEST(Outside, RequestsThatCannotBeReadAreAnswered) {
  EXPECT_EQ(answersTo("{\"measure\":[4]}\n{\"measure\":[-1]}\n{\"neighbours\":4}\n"
                      "{\"measure\":[0],\"samples\":0}\n{\"measure\":0}\n{}\n[\n"),
            R"({"error":"candidate is 4, not 0 to 3"}
{"error":"candidate is -1, not 0 to 3"}
{"error":"neighbours is 4, not 0 to 3"}
{"error":"samples is 0, not 1 to 1000"}
{"error":"expected array at request.measure"}
{"error":"a request needs `measure`, a list of candidates, or `neighbours`, a candidate"}
{"error":"[1:1, byte=1]: Unexpected EOF"}
)");
}

} // namespace
