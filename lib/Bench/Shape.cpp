//===- Shape.cpp - One line of a benchmark list ---------------------------===//

#include "rooftile/Bench/Shape.h"
#include "rooftile/Verify/Operations/OperationModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile;
using namespace rooftile::bench;
using llvm::StringRef;

/// Sizes up to this keep every product of two of them within 64 bits.
static constexpr int64_t kMaxSize = int64_t(1) << 31;
/// Bytes that matrices given by pointers are aligned to, where their size allows it.
static constexpr int64_t kAlignment = 16;

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

/// `batch=3`, `share=b`, `dynamic`, `any_order`, `compensated`, `emulated`, `exact`, `class=square`
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
  else if (word == "exact")
    shape.exact = true;
  else if (name == "share" && (value == "a" || value == "b"))
    shape.share = value[0];
  else if (word == "pointers")
    shape.byPointers = true;
  else if (name == "class" && !value.empty() && value.find_first_of(",\"") == StringRef::npos)
    shape.group = value.str();
  else if (name != "batch" || value.getAsInteger(10, shape.batch) || shape.batch < 1 ||
           shape.batch > kMaxSize)
    return expected("batch=B, share=a, share=b, pointers, dynamic, any_order, compensated, "
                    "emulated, exact, class=NAME or a plan <macro = ...>",
                    word);
  return llvm::Error::success();
}

/// "nt", "trsm-llnn", "herk-lc"
static bool parseOp(StringRef word, Shape &shape) {
  auto letter = [](char c, char no, char yes, bool &value) {
    value = c == yes;
    return c == no || c == yes;
  };
  shape.routine = word.consume_front("trmm-")   ? Routine::Trmm
                  : word.consume_front("trsm-") ? Routine::Trsm
                  : word.consume_front("syrk-") ? Routine::Syrk
                  : word.consume_front("herk-") ? Routine::Herk
                                                : Routine::Gemm;
  char across = shape.routine == Routine::Herk ? 'c' : 't';
  if (shape.isRankUpdate())
    return word.size() == 2 && letter(word[0], 'l', 'u', shape.upper) &&
           letter(word[1], 'n', across, shape.transposeA);
  if (!shape.isTriangular())
    return word.size() == 2 && letter(word[0], 'n', 't', shape.transposeA) &&
           letter(word[1], 'n', 't', shape.transposeB);
  if (word.size() != 4)
    return false;
  shape.conjugateA = word[2] == 'c';
  return letter(word[0], 'l', 'r', shape.right) && letter(word[1], 'l', 'u', shape.upper) &&
         letter(shape.conjugateA ? 't' : word[2], 'n', 't', shape.transposeA) &&
         letter(word[3], 'n', 'u', shape.unit);
}

llvm::Expected<Shape> Shape::parse(StringRef line) {
  Shape shape;
  size_t planAt = std::min(line.find("#blas."), line.find('<'));
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line.substr(0, planAt), words);
  if (words.size() < 3)
    return expected("TYPE OP MxNxK [batch=B] [share=a|b] [pointers] [dynamic] [any_order] "
                    "[compensated] [emulated] [exact] [class=NAME] [PLAN]",
                    line);
  std::optional<Element> element = operation::elementNamed(words[0]);
  if (!element)
    return expected("a type of f32, f64, c64, c128, f16, bf16", words[0]);
  shape.element = *element;
  if (!parseOp(words[1], shape))
    return expected(
        "an op of nn, nt, tn, tt, or the like of trmm-llnn, trsm-runu, syrk-ln, herk-uc", words[1]);
  StringRef plan = planAt == StringRef::npos ? "" : line.substr(planAt).trim();
  plan.consume_front(shape.isTriangular() ? "#blas.blocks" : "#blas.plan");
  shape.plan = plan.str();
  if (!parseSizes(words[2], shape))
    return expected("sizes such as 512x512x64, 1 to 2147483648 each", words[2]);
  for (StringRef word : llvm::ArrayRef(words).drop_front(3))
    if (llvm::Error error = parseModifier(word, shape))
      return error;
  if (shape.isRankUpdate() && (shape.m != shape.n || shape.share || shape.byPointers))
    return expected("M = N of a syrk or herk, without share= and pointers", line);
  if (shape.isRankUpdate() && !shape.plan.empty())
    return expected("no plan of a syrk or herk, whose product planning plans", plan);
  if (shape.routine == Routine::Herk && componentsOf(shape.element) != 2)
    return expected("c64 or c128 for herk", words[0]);
  if (shape.exact && !shape.isTriangular())
    return expected("exact of trmm or trsm alone", line);
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
         (compensated ? " compensated" : "") + (emulated ? " emulated" : "") +
         (exact ? " exact" : "");
}

std::string Shape::key() const {
  return std::string(nameOf(element)) + " " + op() + " " + sizes() + modifiers();
}

std::string Shape::op() const {
  if (isRankUpdate())
    return std::string(routine == Routine::Syrk ? "syrk-" : "herk-") + (upper ? 'u' : 'l') +
           (!transposeA                ? 'n'
            : routine == Routine::Syrk ? 't'
                                       : 'c');
  if (!isTriangular())
    return {transposeA ? 't' : 'n', transposeB ? 't' : 'n'};
  return std::string(routine == Routine::Trmm ? "trmm-" : "trsm-") + (right ? 'r' : 'l') +
         (upper ? 'u' : 'l') + letterOfA() + (unit ? 'u' : 'n');
}

double Shape::bytes() const {
  if (isTriangular())
    return double(bytesOf(element)) * batch * (0.5 * k * k + 2.0 * m * n);
  double ofC = isRankUpdate() ? double(m) * (m + 1) / 2 : double(elementsC());
  return double(bytesOf(element)) * (double(allOfA()) + allOfB() + batch * ofC);
}

/// Bytes that the matrices of an operand by pointers are aligned to, one behind the other in fact.
static std::string alignmentOf(const Shape &shape, int64_t elements) {
  int64_t bytes = elements * bytesOf(shape.element), align = kAlignment;
  while (bytes % align != 0)
    align /= 2;
  return std::to_string(align);
}

verify::Case Shape::toCase(const std::string &planText) const {
  verify::Case single = verify::defaultCase();
  auto set = [&](const char *key, const std::string &value) { single.values[key] = value; };
  set("type", nameOf(element));
  set("m", std::to_string(m)), set("n", std::to_string(n)), set("k", std::to_string(k));
  set("batch", std::to_string(batch));
  set("dynamic", isDynamic ? "1" : "0");
  set("op", {letterOfA(), transposeB ? 't' : 'n'});
  set("products", emulated ? "3" : "4");
  set("summation", compensated ? "compensated" : "plain");
  set("share", share ? std::string(1, share) : "none");
  set("pointers", byPointers ? "abc" : "none");
  if (byPointers)
    set("align", alignmentOf(*this, elementsA()) + "/" + alignmentOf(*this, elementsB()) + "/" +
                     alignmentOf(*this, elementsC()));
  if (isTriangular()) {
    set("routine", routine == Routine::Trmm ? "trmm" : "trsm");
    set("side", right ? "right" : "left"), set("uplo", upper ? "upper" : "lower");
    set("diag", unit ? "unit" : "non_unit"), set("form", inPlace() ? "in" : "out");
    set("exact", exact ? "1" : "0");
  }
  if (isRankUpdate()) {
    set("routine", routine == Routine::Syrk ? "syrk" : "herk");
    set("uplo", upper ? "upper" : "lower");
    set("op", !transposeA ? "nn" : routine == Routine::Syrk ? "tn" : "cn");
  }
  single.anyOrder = anyOrder, single.plan = planText;
  return single;
}

std::string Shape::module(const std::string &planText) const {
  verify::Case single = toCase(planText);
  return verify::modelOf(single).functionOf(single, "f");
}
