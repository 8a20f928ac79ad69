//===- TriangularCases.cpp - Cases of triangular operations ---------------===//

#include "Cases/RandomPlans.h"
#include "Triangular.h"
#include "rooftile/Verify/Cases/Layout.h"

using namespace rooftile;
using namespace rooftile::verify;

llvm::ArrayRef<Key> TriangularModel::keys() const {
  static const std::vector<Key> keys = [] {
    std::vector<Key> keys = choiceKeys();
    keys.insert(keys.end(),
                {{"exact", "0", ValueKind::Number},
                 {"blocks", "auto", ValueKind::Order},
                 {"workgroup", "64", ValueKind::Number},
                 {"method", "substitute", ValueKind::Word, "substitute|invert|product|mask"},
                 {"base", "0", ValueKind::Number},
                 {"matrices", "1", ValueKind::Number},
                 {"stage", "none", ValueKind::Word, "none|a|b|both"},
                 {"workgroupVectors", "0", ValueKind::Number},
                 {"rows", "0", ValueKind::Number},
                 {"threadVectors", "1", ValueKind::Number}});
    return keys;
  }();
  return keys;
}

/// side<left> uplo<lower> opA<t> diag<unit>
static std::string attributesOf(const Case &single) {
  return " side<" + single["side"] + "> uplo<" + single["uplo"] + ">" +
         (single["op"][0] == 'n' ? "" : std::string(" opA<") + single["op"][0] + ">") +
         (single["diag"] == "unit" ? " diag<unit>" : "");
}

/// A and B, and out of place C.
static int operandsOfCase(const Case &single) { return single["form"] == "in" ? 2 : 3; }

/// Operands that pass through shared memory.
static std::string stagesOf(const Case &single) {
  std::string stage = single["stage"];
  bool a = stage == "a" || stage == "both", b = stage == "b" || stage == "both";
  return std::string(a ? ", a = shared" : "") + (b ? ", b = shared" : "");
}

std::string TriangularModel::functionOf(const Case &single, const std::string &name) const {
  bool inPlace = single["form"] == "in";
  std::string a = memrefType(single, 0), b = memrefType(single, 1), c = memrefType(single, 2);
  std::string header = "func.func @" + name + "(", scalars, body;
  for (int operand = 0; operand < operandsOfCase(single); ++operand) {
    CaseOperand own = operandOfCase(single, operand);
    header += (operand ? ", " : "") + own.parameter;
    scalars += own.scalars;
    body += own.body;
  }
  std::string operands = inPlace ? " ins(%a : " + a + ") outs(%b : " + b + ")"
                                 : " ins(%a, %b : " + a + ", " + b + ") outs(%c : " + c + ")";
  if (single["alpha"] != "none") {
    std::string type = infoOf(single.element(3)).type;
    operands += " alpha(%alpha : " + type + ")";
    if (single["scalars"] == "arg")
      header += ", %alpha: " + type;
    else
      body += "  %alpha = " + constantText(single, "alpha") + "\n";
  }
  header += scalars;
  if (!single.plan.empty())
    operands += " plan(" + single.plan + ")";
  else if (single["blocks"] != "auto")
    operands += " plan(<diagonal = " + single["blocks"] + ", workgroup = " + single["workgroup"] +
                ", method = " + single["method"] + ", base = " + single["base"] +
                ", matrices = " + single["matrices"] + stagesOf(single) +
                ", workgroupVectors = " + single["workgroupVectors"] +
                ", rows = " + single["rows"] + ", threadVectors = " + single["threadVectors"] +
                ">)";
  if (single.flag("exact"))
    operands += " {exact}";
  return header + ") {\n" + body + "  blas." + single["routine"] + attributesOf(single) + operands +
         " loc(\"" + single.text() + "\":1:1)\n  return\n}\n";
}

Call TriangularModel::callOf(const Case &single, const std::string &name) const {
  Call call{name, single.text(), {}};
  std::vector<Argument> scalars;
  for (int operand = 0; operand < operandsOfCase(single); ++operand) {
    CaseOperand own = operandOfCase(single, operand);
    call.arguments.push_back(own.argument);
    scalars.insert(scalars.end(), own.scalarArguments.begin(), own.scalarArguments.end());
  }
  if (single["alpha"] != "none" && single["scalars"] == "arg")
    call.arguments.push_back({View{}, single.scalar("alpha"), 0});
  call.arguments.insert(call.arguments.end(), scalars.begin(), scalars.end());
  return call;
}

/// Products in place of substitution, where the operation has them.
static void drawMethod(Draw &draw, Case &single) {
  if (single["blocks"] == "auto" || draw.below(3) != 0)
    return;
  if (single["routine"] == "trmm") {
    single.values["method"] = draw.of(std::vector<std::string>{"product", "mask"});
    single.values["blocks"] = "0";
  } else if (single["dynamic"] != "1") {
    int64_t base = draw.of(std::vector<int64_t>{1, 2, 3, 4, 8, 16}), power = draw.below(4);
    single.values["method"] = "invert", single.values["base"] = std::to_string(base);
    single.values["blocks"] = std::to_string(base << power);
  }
}

static bool isTriangular(const operation::RoutineInfo &info) {
  return info.a == operation::Structure::Triangle;
}

/// One of the two operations; blocks are legal whatever they are.
void TriangularModel::draw(Draw &draw, Case &single) const {
  drawRoutine(draw, single, isTriangular);
  if (draw.below(4) == 0) // a real A
    single.values["type"] = draw.of(std::vector<std::string>{"f32/c64/c64", "f64/c128/c128"});
  single.values["beta"] = "none";
  if (single["share"] == "b")
    single.values["share"] = "a";
  single.values["blocks"] = draw.of(
      std::vector<std::string>{"auto", "0", "1", "2", "4", "7", "8", "8", "16", "16", "32", "64"});
  if (single["blocks"] != "auto")
    single.values["workgroup"] =
        draw.of(std::vector<std::string>{"64", "64", "1", "32", "33", "128", "256"});
  drawMethod(draw, single);
  if (single["batch"] != "1" && draw.below(3) == 0) {
    single.values["pointers"] = draw.of(std::vector<std::string>{"a", "b", "ab", "abc", "bc"});
    single.values["blocks"] = draw.of(std::vector<std::string>{"auto", "0"});
    single.values["method"] = "substitute", single.values["base"] = "0";
  }
  if (single["method"] == "substitute" && draw.below(8) == 0)
    single.values["exact"] = "1";
  if (single["blocks"] != "auto" && single["method"] == "substitute")
    single.values["stage"] = draw.of(std::vector<std::string>{"none", "none", "a", "b", "both"});
}

/// Vectors that all threads of a workgroup solve together, where the order is known.
static void drawVectors(Draw &draw, Case &single) {
  if (single["routine"] != "trsm" || single["blocks"] == "auto" || single["dynamic"] == "1" ||
      single["method"] != "substitute" || single["stage"] != "none" || draw.below(3) != 0)
    return;
  single.values["workgroupVectors"] = std::to_string(1 << draw.below(4));
  single.values["workgroup"] = draw.of(std::vector<std::string>{"16", "32", "64", "128"});
  single.values["matrices"] = "1";
}

/// Parts of vectors, and several vectors for a thread.
static void drawRows(Draw &draw, Case &single) {
  if (single["blocks"] == "auto" || single["method"] != "substitute" ||
      single["workgroupVectors"] != "0")
    return;
  bool narrow = single["type"] == "f16" || single["type"] == "bf16"; // 8 of them are 16 bytes
  std::vector<std::string> rows{narrow ? "8" : "4", "8", narrow ? "24" : "12", "16"};
  if (draw.below(3) == 0)
    single.values["rows"] = draw.of(rows);
  if (single["matrices"] == "1" && draw.below(3) == 0)
    single.values["threadVectors"] = draw.of(std::vector<std::string>{"2", "2", "3", "4"});
}

/// Matrices of a batch for one workgroup.
static void drawMatrices(Draw &draw, Case &single) {
  int64_t vectors = single.number(single["side"] == "left" ? "n" : "m");
  if (single["blocks"] == "auto" || single["method"] != "substitute" || single["dynamic"] == "1" ||
      single.number("batch") < 2 || vectors == 0)
    return;
  if (int64_t most = single.number("workgroup") / vectors; most > 1)
    single.values["matrices"] = std::to_string(1 + draw.below(most));
}

void TriangularModel::drawSizes(Draw &draw, Case &single) const {
  int64_t order = single["blocks"] == "auto" ? 16 : std::max<int64_t>(single.number("blocks"), 4);
  single.values["m"] = drawSize(draw, order);
  single.values["n"] = drawSize(draw, order);
  drawMatrices(draw, single);
  drawVectors(draw, single);
  drawRows(draw, single);
}
