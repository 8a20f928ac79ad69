//===- CaseModule.cpp - The MLIR text of a case ---------------------------===//

#include "Plan.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Verify/Cases/Layout.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace rooftile::verify;

static std::string number(int64_t value) { return std::to_string(value); }

static bool isSet(const Case &single) { return single["plans"] == "set"; }

/// What a plan with complex = induced sees of a case: twice as many real numbers along M and N.
static Case seenByPlan(Case single) {
  if (single["complex"] != "induced")
    return single;
  std::string &type = single.values["type"];
  type = type == "c64" ? "f32" : type == "c128" ? "f64" : type; // of others it is refused
  for (std::string key : {"m", "n"})
    single.values[key] = number(2 * single.number(key));
  return single;
}

static std::string planText(const Case &stated, bool aligned) {
  Case single = seenByPlan(stated);
  auto list = [](const std::vector<int64_t> &sizes) {
    return "[" + llvm::join(llvm::map_range(sizes, number), ", ") + "]";
  };
  std::vector<int64_t> macro = single.sizes("macro"), micro = single.sizes("micro"), lanes;
  if (single["lanes"] != "auto") {
    lanes = single.sizes("lanes");
  } else if (const auto *instruction = rooftile::tile::findInstruction(single["mma"])) {
    std::array<int64_t, 2> own = instruction->lanesOfC();
    lanes = {own[0], own[1]};
  } else {
    int64_t threadsM = macro[0] / micro[0], threadsN = macro[1] / micro[1];
    int64_t alongN = powerOf2Factor(threadsN, 32 / powerOf2Factor(threadsM, 4));
    lanes = {powerOf2Factor(threadsM, 32 / alongN), alongN};
  }
  std::string text = "<macro = " + list(macro) + ", micro = " + list(micro) +
                     ", lanes = " + list(lanes) + ", vector = " + number(fragmentVector(single)) +
                     ", a = " + pathText(single, 0, aligned) +
                     ", b = " + pathText(single, 1, aligned) + ", c = " + outputText(single);
  for (std::string key : {"slicedK", "depth", "mma", "products", "complex", "summation", "stages",
                          "prefetch", "unroll", "reduction", "splits", "tail", "raster"})
    text += ", " + key + " = " + single[key];
  return text + ">";
}

/// plan(<...>), plans([#blas.case<...>, ...]), or nothing when the planner decides.
static std::string planClause(const Case &single) {
  if (single["macro"] == "auto")
    return "";
  std::string any = planText(single, false);
  if (!isSet(single))
    return " plan(" + any + ")";
  std::vector<int64_t> macro = single.sizes("macro");
  auto multipleOf = [](int64_t size) { return "<multiple = " + number(size) + ">"; };
  std::string when = "<m = " + multipleOf(macro[0]) + ", n = " + multipleOf(macro[1]) +
                     ", k = " + multipleOf(macro[2]);
  for (int operand : {0, 1})
    if (!isPacked(single, operand))
      when += std::string(", ") + "ab"[operand] + " = " + number(loadWidth(single, operand, true));
  if (contiguousDim(single, 2, storedView(single, 2)) < storedView(single, 2).sizes.size())
    when += ", c = " + number(accessWithin(single, 2, fragmentVector(single)));
  return " plans([#blas.case<when = " + when + ">, plan = " + planText(single, true) +
         ">, #blas.case<plan = " + any + ">])";
}

std::string rooftile::verify::typeText(Element element) {
  std::string real = nameOf(realOf(element));
  return componentsOf(element) == 2 ? "complex<" + real + ">" : real;
}

/// A number as MLIR has it, with a decimal point and its type.
static std::string floatText(double value, Element type) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17e", value) << " : " << nameOf(type);
  return text;
}

std::string rooftile::verify::constantText(const Case &single, const std::string &scalar) {
  Scalar value = single.scalar(scalar);
  Element type = single.element(3);
  std::string re = floatText(value.real(), realOf(type));
  if (componentsOf(type) == 1)
    return "arith.constant " + re;
  return "complex.constant [" + re + ", " + floatText(value.imag(), realOf(type)) +
         "] : " + typeText(type);
}

/// The clauses that make an operation what the case says.
static std::string attributesOf(const Case &single) {
  std::string text;
  for (int operand : {0, 1})
    if (char op = single["op"][operand]; op != 'n')
      text += std::string(" op_") + "ab"[operand] + "<" + op + ">";
  text += single["products"] == "3" ? " math<emulated>" : "";
  text += single["reduction"] == "atomic" ? " any_order" : "";
  text += single["summation"] == "compensated" ? " compensated" : "";
  if (llvm::StringRef(single["type"]).count('/') == 3)
    text += " acc(" + typeText(single.element(3)) + ")";
  return text;
}

std::string rooftile::verify::functionOf(const Case &single, const std::string &name) {
  if (single["routine"] != "gemm")
    return triangularFunctionOf(single, name);
  std::string types[] = {memrefType(single, 0), memrefType(single, 1), memrefType(single, 2)};
  std::string type = typeText(single.element(3));
  std::string header = "func.func @" + name + "(", numbers, body, clauses;
  for (int operand : {0, 1, 2}) {
    CaseOperand own = operandOfCase(single, operand);
    header += (operand ? ", " : "") + own.parameter;
    numbers += own.numbers;
    body += own.body;
  }
  for (std::string scalar : {"alpha", "beta"}) {
    if (single[scalar] == "none")
      continue;
    clauses += " " + scalar + "(%" + scalar + " : " + type + ")";
    if (single["scalars"] == "arg")
      header += ", %" + scalar + ": " + type;
    else
      body += "  %" + scalar + " = " + constantText(single, scalar) + "\n";
  }
  CaseEpilogue epilogue = epilogueOfCase(single);
  for (size_t index = 0; index < epilogue.extras.size(); ++index)
    header += ", %e" + number(index) + ": " + epilogue.extras[index].type;
  header += numbers;
  body += std::string("  blas.gemm") + attributesOf(single) + " ins(%a, %b : " + types[0] + ", " +
          types[1] + ") outs(%c : " + types[2] + ")" + clauses + planClause(single) +
          epilogue.clause;
  return header + ") {\n" + body + " loc(\"" + single.text() + "\":1:1)\n  return\n}\n";
}

Call rooftile::verify::callOfCase(const Case &single, const std::string &name) {
  if (single["routine"] != "gemm")
    return triangularCallOf(single, name);
  Call call{name, single.text(), {}};
  std::vector<Argument> numbers;
  for (int operand : {0, 1, 2}) {
    CaseOperand own = operandOfCase(single, operand);
    call.arguments.push_back(own.argument);
    numbers.insert(numbers.end(), own.numberArguments.begin(), own.numberArguments.end());
  }
  for (std::string scalar : {"alpha", "beta"})
    if (single[scalar] != "none" && single["scalars"] == "arg")
      call.arguments.push_back({View{}, single.scalar(scalar), 0});
  for (const CaseExtra &extra : epilogueOfCase(single).extras)
    call.arguments.push_back({extra.view, extra.isScalar ? 0.75 : 0, 0});
  call.arguments.insert(call.arguments.end(), numbers.begin(), numbers.end());
  return call;
}
