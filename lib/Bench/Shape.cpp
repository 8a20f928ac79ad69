//===- Shape.cpp - One line of a benchmark list ---------------------------===//

#include "rooftile/Bench/Shape.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile::bench;
using llvm::StringRef;

/// Sizes up to this keep every product of two of them within 64 bits.
static constexpr int64_t kMaxSize = int64_t(1) << 31;
/// Bytes that matrices given by pointers are aligned to, where their size allows it.
static constexpr int64_t kAlignment = 16;

llvm::ArrayRef<Element> rooftile::bench::elements() {
  static const Element all[] = {
      {"f32", "f32", 4, 4, 2},          {"f64", "f64", 8, 8, 2},
      {"c64", "complex<f32>", 8, 4, 8}, {"c128", "complex<f64>", 16, 8, 8},
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

/// `batch=3`, `share=b`, `dynamic`, `any_order`, `compensated`, `emulated`, `class=square`
static llvm::Error parseModifier(StringRef word, Shape &shape) {
  auto [name, value] = word.split('=');
  if (word == "dynamic")
    shape.isDynamic = true;
  else if (word == "any_order")
    shape.anyOrder = true;
  else if (word == "compensated")
    shape.compensated = true;
  else if (word == "emulated")
    shape.emulated = true;
  else if (name == "share" && (value == "a" || value == "b"))
    shape.share = value[0];
  else if (word == "pointers")
    shape.byPointers = true;
  else if (name == "class" && !value.empty() && value.find_first_of(",\"") == StringRef::npos)
    shape.group = value.str();
  else if (name != "batch" || value.getAsInteger(10, shape.batch) || shape.batch < 1 ||
           shape.batch > kMaxSize)
    return expected("batch=B, share=a, share=b, pointers, dynamic, any_order, compensated, "
                    "emulated, class=NAME or a plan <macro = ...>",
                    word);
  return llvm::Error::success();
}

/// "nt", "trsm-llnn"
static bool parseOp(StringRef word, Shape &shape) {
  auto letter = [](char c, char no, char yes, bool &value) {
    value = c == yes;
    return c == no || c == yes;
  };
  shape.routine = word.consume_front("trmm-")   ? Routine::Trmm
                  : word.consume_front("trsm-") ? Routine::Trsm
                                                : Routine::Gemm;
  if (!shape.isTriangular())
    return word.size() == 2 && letter(word[0], 'n', 't', shape.transposeA) &&
           letter(word[1], 'n', 't', shape.transposeB);
  return word.size() == 4 && letter(word[0], 'l', 'r', shape.right) &&
         letter(word[1], 'l', 'u', shape.upper) && letter(word[2], 'n', 't', shape.transposeA) &&
         letter(word[3], 'n', 'u', shape.unit);
}

llvm::Expected<Shape> Shape::parse(StringRef line) {
  Shape shape;
  size_t planAt = std::min(line.find("#blas."), line.find('<'));
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line.substr(0, planAt), words);
  if (words.size() < 3)
    return expected("TYPE OP MxNxK [batch=B] [share=a|b] [pointers] [dynamic] [any_order] "
                    "[compensated] [emulated] [class=NAME] [PLAN]",
                    line);
  shape.element = elementNamed(words[0]);
  if (!shape.element)
    return expected("a type of f32, f64, c64, c128, f16, bf16", words[0]);
  if (!parseOp(words[1], shape))
    return expected("an op of nn, nt, tn, tt, or the like of trmm-llnn, trsm-runu", words[1]);
  StringRef plan = planAt == StringRef::npos ? "" : line.substr(planAt).trim();
  plan.consume_front(shape.isTriangular() ? "#blas.blocks" : "#blas.plan");
  shape.plan = plan.str();
  if (!parseSizes(words[2], shape))
    return expected("sizes such as 512x512x64, 1 to 2147483648 each", words[2]);
  for (StringRef word : llvm::ArrayRef(words).drop_front(3))
    if (llvm::Error error = parseModifier(word, shape))
      return std::move(error);
  if (shape.share && (shape.batch == 1 || shape.isTriangular()))
    return expected("share= with a batch=B of products", line);
  if (shape.byPointers &&
      (shape.batch == 1 || shape.isTriangular() || shape.share || shape.isDynamic))
    return expected("pointers with a batch=B of products of known sizes, all of their own", line);
  if (shape.isTriangular() && shape.k != (shape.right ? shape.n : shape.m))
    return expected("K equal to A's order: M on the left, N on the right", words[2]);
  return shape;
}

std::string Shape::sizes() const { return llvm::formatv("{0}x{1}x{2}", m, n, k); }

std::string Shape::modifiers() const {
  std::string text;
  if (batch > 1)
    text += " batch=" + std::to_string(batch);
  if (share)
    text += std::string(" share=") + share;
  if (byPointers)
    text += " pointers";
  return text + (isDynamic ? " dynamic" : "") + (anyOrder ? " any_order" : "") +
         (compensated ? " compensated" : "") + (emulated ? " emulated" : "");
}

std::string Shape::key() const {
  return std::string(element->name) + " " + op() + " " + sizes() + modifiers();
}

std::string Shape::op() const {
  if (!isTriangular())
    return {transposeA ? 't' : 'n', transposeB ? 't' : 'n'};
  return std::string(routine == Routine::Trmm ? "trmm-" : "trsm-") + (right ? 'r' : 'l') +
         (upper ? 'u' : 'l') + (transposeA ? 't' : 'n') + (unit ? 'u' : 'n');
}

double Shape::bytes() const {
  if (isTriangular())
    return double(element->bytes) * batch * (0.5 * k * k + 2.0 * m * n);
  return double(element->bytes) * (double(allOfA()) + allOfB() + double(batch) * elementsC());
}

std::string Shape::memref(int64_t rows, int64_t columns, bool shared) const {
  auto size = [&](int64_t value) { return isDynamic ? "?" : std::to_string(value); };
  std::string leading = batch > 1 && !shared ? size(batch) + "x" : "";
  return "memref<" + leading + size(rows) + "x" + size(columns) + "x" + element->mlir + ">";
}

std::string Shape::pointersType(int64_t rows, int64_t columns) const {
  int64_t bytes = rows * columns * element->bytes, align = kAlignment;
  while (bytes % align != 0)
    align /= 2;
  return llvm::formatv("memref<{0}x{1}x{2}x{3}, #blas.pointers<strides = [{2}, 1], align = {4}>>",
                       batch, rows, columns, element->mlir, align);
}

std::string Shape::triangularModule(const std::string &planText) const {
  std::string a = memref(k, k), b = memref(m, n);
  return llvm::formatv("func.func @f(%a: {0}, %b: {1}, %c: {1}) {{\n"
                       "  blas.{2} side<{3}> uplo<{4}> op_a<{5}>{6} {7} {8}\n  return\n}\n",
                       a, b, inPlace() ? "trsm" : "trmm", right ? "right" : "left",
                       upper ? "upper" : "lower", transposeA ? "t" : "n", unit ? " diag<unit>" : "",
                       inPlace() ? "ins(%a : " + a + ") outs(%c : " + b + ")"
                                 : "ins(%a, %b : " + a + ", " + b + ") outs(%c : " + b + ")",
                       planText.empty() ? "" : "plan(" + planText + ")")
      .str();
}

std::string Shape::module(const std::string &planText) const {
  if (isTriangular())
    return triangularModule(planText);
  std::pair<int64_t, int64_t> sizes[] = {{m, k}, {k, n}, {m, n}};
  if (transposeA)
    std::swap(sizes[0].first, sizes[0].second);
  if (transposeB)
    std::swap(sizes[1].first, sizes[1].second);
  std::string types[3], parameters, body;
  for (int i : {0, 1, 2}) {
    auto [rows, columns] = sizes[i];
    std::string name(1, "abc"[i]);
    types[i] = byPointers ? pointersType(rows, columns) : memref(rows, columns, share == name[0]);
    std::string table = "memref<" + std::to_string(batch) + "xi64>";
    parameters += llvm::formatv("{0}%{1}{2}: {3}", i ? ", " : "", name, byPointers ? "p" : "",
                                byPointers ? table : types[i]);
    if (byPointers)
      body += llvm::formatv("  %{0} = blas.batch %{0}p : {1} to {2}\n", name, table, types[i]);
  }
  return llvm::formatv("func.func @f({0}) {{\n{1}  blas.gemm op_a<{2}> op_b<{3}>{4} "
                       "ins(%a, %b : {5}, {6}) outs(%c : {7}) {8}\n  return\n}\n",
                       parameters, body, op()[0], op()[1], clauses(), types[0], types[1], types[2],
                       planText.empty() ? "" : "plan(" + planText + ")")
      .str();
}
