//===- Shape.cpp - One line of a benchmark list ---------------------------===//

#include "Shape.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile::bench;
using llvm::StringRef;

/// Sizes up to this keep every product of two of them within 64 bits.
static constexpr int64_t kMaxSize = int64_t(1) << 31;

llvm::ArrayRef<Element> rooftile::bench::elements() {
  static const Element all[] = {{"f32", "f32", 4, 4, 2},          {"f64", "f64", 8, 8, 2},
                                {"c32", "complex<f32>", 8, 4, 8}, {"c64", "complex<f64>", 16, 8, 8},
                                {"f16", "f16", 2, 2, 2},          {"bf16", "bf16", 2, 2, 2}};
  return all;
}

const Element *rooftile::bench::elementNamed(StringRef name) {
  for (const Element &element : elements())
    if (name == element.name)
      return &element;
  return nullptr;
}

static llvm::Error expected(const char *what, StringRef got) {
  return llvm::createStringError("expected " + llvm::Twine(what) + ", got '" + got + "'");
}

/// "4096x4096x16"
static bool parseSizes(StringRef text, Shape &shape) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, 'x');
  int64_t *sizes[] = {&shape.m, &shape.n, &shape.k};
  if (parts.size() != 3)
    return false;
  for (int i : {0, 1, 2})
    if (parts[i].getAsInteger(10, *sizes[i]) || *sizes[i] < 1 || *sizes[i] > kMaxSize)
      return false;
  return true;
}

/// `batch=3`, `dynamic`, `any_order`, `class=square`
static llvm::Error parseModifier(StringRef word, Shape &shape) {
  auto [name, value] = word.split('=');
  if (word == "dynamic")
    shape.isDynamic = true;
  else if (word == "any_order")
    shape.anyOrder = true;
  else if (name == "class" && !value.empty() && value.find_first_of(",\"") == StringRef::npos)
    shape.group = value.str();
  else if (name != "batch" || value.getAsInteger(10, shape.batch) || shape.batch < 1 ||
           shape.batch > kMaxSize)
    return expected("batch=B, dynamic, any_order, class=NAME or a plan <macro = ...>", word);
  return llvm::Error::success();
}

llvm::Expected<Shape> Shape::parse(StringRef line) {
  Shape shape;
  size_t planAt = std::min(line.find("#blas.plan"), line.find('<'));
  StringRef plan = planAt == StringRef::npos ? "" : line.substr(planAt).trim();
  plan.consume_front("#blas.plan");
  shape.plan = plan.str();
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line.substr(0, planAt), words);
  if (words.size() < 3)
    return expected("TYPE OP MxNxK [batch=B] [dynamic] [any_order] [class=NAME] [PLAN]", line);
  shape.element = elementNamed(words[0]);
  if (!shape.element)
    return expected("a type of f32, f64, c32, c64, f16, bf16", words[0]);
  if (words[1].size() != 2 || words[1].find_first_not_of("nt") != StringRef::npos)
    return expected("an op of nn, nt, tn, tt", words[1]);
  shape.transposeA = words[1][0] == 't';
  shape.transposeB = words[1][1] == 't';
  if (!parseSizes(words[2], shape))
    return expected("sizes such as 512x512x64, 1 to 2147483648 each", words[2]);
  for (StringRef word : llvm::ArrayRef(words).drop_front(3))
    if (llvm::Error error = parseModifier(word, shape))
      return std::move(error);
  return shape;
}

std::string Shape::sizes() const { return llvm::formatv("{0}x{1}x{2}", m, n, k); }

std::string Shape::modifiers() const {
  std::string text;
  if (batch > 1)
    text += " batch=" + std::to_string(batch);
  return text + (isDynamic ? " dynamic" : "") + (anyOrder ? " any_order" : "");
}

std::string Shape::key() const {
  return std::string(element->name) + " " + op() + " " + sizes() + modifiers();
}

double Shape::bytes() const {
  return double(element->bytes) * batch * (double(m) * k + double(k) * n + double(m) * n);
}

std::string Shape::module(const std::string &planText) const {
  auto memref = [&](int64_t rows, int64_t columns) {
    auto size = [&](int64_t value) { return isDynamic ? "?" : std::to_string(value); };
    std::string leading = batch > 1 ? size(batch) + "x" : "";
    return "memref<" + leading + size(rows) + "x" + size(columns) + "x" + element->mlir + ">";
  };
  std::string a = transposeA ? memref(k, m) : memref(m, k);
  std::string b = transposeB ? memref(n, k) : memref(k, n), c = memref(m, n);
  return llvm::formatv("func.func @f(%a: {0}, %b: {1}, %c: {2}) {{\n"
                       "  blas.gemm op_a<{3}> op_b<{4}>{5} ins(%a, %b : {0}, {1}) outs(%c : {2})"
                       " {6}\n  return\n}\n",
                       a, b, c, op()[0], op()[1], anyOrder ? " any_order" : "",
                       planText.empty() ? "" : "plan(" + planText + ")")
      .str();
}
