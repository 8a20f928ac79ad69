//===- Epilogue.cpp - What is applied to a product ------------------------===//

#include "rooftile/Compiler/Epilogue.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile::compiler;
using llvm::formatv;

namespace {
/// Operations on values of one real type, one line each.
class Lines {
public:
  explicit Lines(const std::string &type) : type(type) {}

  std::string number(double value) {
    return add(formatv("arith.constant {0:e17} : {1}", value, type));
  }
  std::string binary(const char *name, const std::string &left, const std::string &right) {
    return add(formatv("arith.{0} {1}, {2} : {3}", name, left, right, type));
  }
  std::string unary(const char *name, const std::string &operand) {
    return add(formatv("{0} {1} : {2}", name, operand, type));
  }
  std::string text;

private:
  std::string add(const std::string &operation) {
    std::string name = "%v" + std::to_string(count++);
    text += "    " + name + " = " + operation + "\n";
    return name;
  }

  const std::string &type;
  int count = 0;
};
} // namespace

/// x / (1 + exp(-x)) without the numerator.
static std::string sigmoid(Lines &lines, const std::string &x) {
  std::string decay = lines.unary("math.exp", lines.unary("arith.negf", x));
  std::string one = lines.number(1);
  return lines.binary("divf", one, lines.binary("addf", one, decay));
}

/// x (1 + f) / 2
static std::string halfOf(Lines &lines, const std::string &x, const std::string &f) {
  std::string factor = lines.binary("addf", lines.number(1), f);
  return lines.binary("mulf", lines.binary("mulf", lines.number(0.5), x), factor);
}

static std::string geluTanh(Lines &lines, const std::string &x) {
  constexpr double kRootOf2OverPi = 0.79788456080286535588, kCubic = 0.044715;
  std::string square = lines.binary("mulf", x, x);
  std::string cube = lines.binary("mulf", lines.binary("mulf", lines.number(kCubic), square), x);
  std::string inner =
      lines.binary("mulf", lines.number(kRootOf2OverPi), lines.binary("addf", x, cube));
  return halfOf(lines, x, lines.unary("math.tanh", inner));
}

static std::string activate(Lines &lines, Activation activation, const std::string &x) {
  constexpr double kRootOfHalf = 0.70710678118654752440;
  switch (activation) {
  case Activation::None:
    return x;
  case Activation::Relu:
    return lines.binary("maximumf", x, lines.number(0));
  case Activation::Gelu:
    return halfOf(lines, x,
                  lines.unary("math.erf", lines.binary("mulf", x, lines.number(kRootOfHalf))));
  case Activation::GeluTanh:
    return geluTanh(lines, x);
  case Activation::Sigmoid:
    return sigmoid(lines, x);
  case Activation::Silu:
    return lines.binary("mulf", x, sigmoid(lines, x));
  case Activation::Tanh:
    return lines.unary("math.tanh", x);
  }
  return x;
}

std::string rooftile::compiler::epilogueBody(const Epilogue &epilogue, const std::string &sums,
                                             const std::string &element) {
  std::string text, value = "%sum";
  if (epilogue.bias != Bias::None) {
    std::string bias = "%x";
    if (element != sums) {
      text += formatv("    %wide = arith.extf %x : {0} to {1}\n", element, sums);
      bias = "%wide";
    }
    const char *add = sums.find("complex") == 0 ? "complex.add" : "arith.addf";
    text += formatv("    %biased = {0} %sum, {1} : {2}\n", add, bias, sums);
    value = "%biased";
  }
  Lines lines(sums);
  value = activate(lines, epilogue.activation, value);
  return text + lines.text + formatv("    blas.yield {0} : {1}\n", value, sums).str();
}
