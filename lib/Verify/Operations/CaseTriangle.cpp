//===- CaseTriangle.cpp - The MLIR text of a triangular case --------------===//

#include "rooftile/Verify/Cases/Layout.h"

using namespace rooftile::verify;

/// side<left> uplo<lower> op_a<t> diag<unit>
static std::string attributesOf(const Case &single) {
  return " side<" + single["side"] + "> uplo<" + single["uplo"] + ">" +
         (single.isTransposed(0) ? " op_a<t>" : "") +
         (single["diag"] == "unit" ? " diag<unit>" : "");
}

std::string rooftile::verify::triangularFunctionOf(const Case &single, const std::string &name) {
  bool inPlace = single["form"] == "in";
  std::string a = memrefType(single, 0), b = memrefType(single, 1), c = memrefType(single, 2);
  std::string header =
      "func.func @" + name + "(%a: " + a + ", %b: " + b + (inPlace ? "" : ", %c: " + c);
  std::string body, operands = inPlace ? " ins(%a : " + a + ") outs(%b : " + b + ")"
                                       : " ins(%a, %b : " + a + ", " + b + ") outs(%c : " + c + ")";
  if (single["alpha"] != "none") {
    std::string type = typeText(single.element(3));
    operands += " alpha(%alpha : " + type + ")";
    if (single["scalars"] == "arg")
      header += ", %alpha: " + type;
    else
      body = "  %alpha = " + constantText(single, "alpha") + "\n";
  }
  if (single["blocks"] != "auto")
    operands +=
        " plan(<diagonal = " + single["blocks"] + ", workgroup = " + single["workgroup"] + ">)";
  return header + ") {\n" + body + "  blas." + single["routine"] + attributesOf(single) + operands +
         " loc(\"" + single.text() + "\":1:1)\n  return\n}\n";
}

Call rooftile::verify::triangularCallOf(const Case &single, const std::string &name) {
  Call call{name, single.text(), {}};
  for (int operand = 0; operand < (single["form"] == "in" ? 2 : 3); ++operand)
    call.arguments.push_back({storedView(single, operand), 0, single.shift(operand)});
  if (single["alpha"] != "none" && single["scalars"] == "arg")
    call.arguments.push_back({View{}, single.scalar("alpha"), 0});
  return call;
}
