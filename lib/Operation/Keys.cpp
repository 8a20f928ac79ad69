//===- Keys.cpp - The keys of the line of an operation --------------------===//

#include "Keys.h"
#include "rooftile/Operation/Words.h"

#include <algorithm>
#include <charconv>
#include <iterator>

using namespace rooftile;
using namespace rooftile::operation;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::string textOfSize(int64_t size) {
  return size == kAnySize ? "any" : std::to_string(size);
}

static std::string readSize(std::string_view text, int64_t &size) {
  size = kAnySize;
  if (text == "any")
    return "";
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  bool isNumber = error == std::errc() && end == text.data() + text.size() && size >= 0;
  return isNumber ? "" : "a size of 0 or more, or any";
}

template <typename Choice> static std::string readChoice(std::string_view text, Choice &value) {
  std::optional<Choice> known = choiceNamed<Choice>(text);
  value = known.value_or(value);
  return known ? "" : "one of " + wordsOf<Choice>();
}

template <typename Choice> static std::string printChoice(Choice value) {
  return value == Choice() ? "" : wordOf(value);
}

/// Texts of A, B and C where the routine has them: one where all agree.
static std::string joined(const Operation &operation,
                          std::string (*textOf)(const Operation &, int index)) {
  std::string all, first;
  bool agree = true;
  for (int index : {0, 1, 2}) {
    if (!operation.has(index))
      continue;
    std::string own = textOf(operation, index);
    if (all.empty())
      first = own;
    agree &= own == first;
    all += (all.empty() ? "" : "/") + own;
  }
  return agree ? first : all;
}

/// Reads one text for all matrices, or one for each.
template <typename Read>
static std::string readMatrices(std::string_view text, Operation &operation, Read read) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('/', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  size_t matrices = 0, next = 0;
  for (int index : {0, 1, 2})
    matrices += operation.has(index);
  std::string expected;
  if (words.size() != 1 && words.size() != matrices)
    return "one value, or " + std::to_string(matrices) + " separated by /";
  for (int index : {0, 1, 2}) {
    if (!operation.has(index))
      continue;
    expected = read(words[words.size() == 1 ? 0 : next++], index, operation.operand(index));
    if (!expected.empty())
      return expected;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Dense matrices
//===----------------------------------------------------------------------===//

int64_t operation::denseLeading(const Operation &operation, int index) {
  int64_t length = operation.vectorLength(index);
  return length == kAnySize ? length : std::max<int64_t>(1, length);
}

int64_t operation::denseStride(const Operation &operation, int index) {
  int64_t vectors = operation.vectors(index), leading = operation.operand(index).leading, stride;
  if (vectors == kAnySize || leading == kAnySize ||
      __builtin_mul_overflow(vectors, leading, &stride))
    return kAnySize;
  return stride;
}

template <typename Dense>
static bool isDense(const Operation &operation, int64_t Matrix::*field, Dense dense) {
  for (int index : {0, 1, 2})
    if (operation.has(index) && operation.operand(index).*field != dense(operation, index))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

static bool always(const Operation &) { return true; }
bool operation::hasBatch(const Operation &operation) { return operation.batch != Batch::None; }
bool operation::hasStrides(const Operation &operation) { return operation.batch == Batch::Strided; }
static bool hasM(const Operation &operation) { return operation.info().hasM(); }
static bool hasK(const Operation &operation) { return operation.info().hasK(); }

static std::string readOps(std::string_view text, Operation &operation) {
  const RoutineInfo &info = operation.info();
  std::string_view letters = info.ops;
  size_t count = info.hasOpB ? 2 : 1;
  bool isKnown = text.size() == count && text.find_first_not_of(letters) == text.npos;
  if (!isKnown)
    return (count == 2 ? "two letters of " : "one letter of ") + std::string(letters);
  operation.opA = Op(text[0]);
  operation.opB = count == 2 ? Op(text[1]) : Op::N;
  return "";
}

static std::string readN(std::string_view text, Operation &operation) {
  std::string expected = readSize(text, operation.n);
  if (!hasM(operation))
    operation.m = operation.n;
  return expected;
}

/// A key of a choice that is a member of Operation.
#define ROOFTILE_CHOICE(name, member, values, meaning, applies)                                    \
  {{name, values, meaning},                                                                        \
   applies,                                                                                        \
   [](const Operation &o) { return printChoice(o.member); },                                       \
   [](std::string_view text, Operation &o) { return readChoice(text, o.member); }}
#define ROOFTILE_IF(member) [](const Operation &o) { return o.info().member; }

static constexpr Field kFields[] = {
    {{"type", "f16, bf16, f32, f64, c64, c128", "element types of the matrices"},
     always,
     [](const Operation &o) {
       return joined(
           o, [](const Operation &o, int i) { return std::string(nameOf(o.operand(i).element)); });
     },
     [](std::string_view text, Operation &o) {
       return readMatrices(text, o, [](std::string_view word, int, Matrix &matrix) {
         std::optional<Element> element = elementNamed(word);
         matrix.element = element.value_or(matrix.element);
         return std::string(element ? "" : "f16, bf16, f32, f64, c64 or c128");
       });
     }},
    {{"op", "n, t, c, j", "letters of op(A), and of op(B) of a gemm"},
     [](const Operation &o) { return *o.info().ops != 0; },
     [](const Operation &o) {
       return std::string(1, char(o.opA)) + (o.info().hasOpB ? std::string(1, char(o.opB)) : "");
     },
     readOps},
    ROOFTILE_CHOICE("side", side, "left, right", "where A stands", ROOFTILE_IF(hasSide)),
    ROOFTILE_CHOICE("uplo", triangle, "lower, upper", "the stored triangle", ROOFTILE_IF(hasUplo)),
    ROOFTILE_CHOICE("diag", diagonal, "nonunit, unit", "unit: the diagonal counts as ones",
                    ROOFTILE_IF(hasDiag)),
    {{"m", "a size, any", "rows of C"},
     hasM,
     [](const Operation &o) { return textOfSize(o.m); },
     [](std::string_view text, Operation &o) { return readSize(text, o.m); },
     &Operation::m},
    {{"n", "a size, any", "columns of C"},
     always,
     [](const Operation &o) { return textOfSize(o.n); },
     readN,
     &Operation::n},
    {{"k", "a size, any", "columns of op(A)"},
     hasK,
     [](const Operation &o) { return textOfSize(o.k); },
     [](std::string_view text, Operation &o) { return readSize(text, o.k); },
     &Operation::k},
    {{"order", "row, column", "the contiguous dimension of each matrix"},
     always,
     [](const Operation &o) {
       std::string text = joined(
           o, [](const Operation &o, int i) { return std::string(wordOf(o.operand(i).order)); });
       return text == "row" ? "" : text;
     },
     [](std::string_view text, Operation &o) {
       return readMatrices(text, o, [](std::string_view word, int, Matrix &matrix) {
         return readChoice(word, matrix.order);
       });
     }},
    {{"ld", "elements, any", "leading dimensions; default: without gaps"},
     always,
     [](const Operation &o) {
       if (isDense(o, &Matrix::leading, denseLeading))
         return std::string();
       return joined(o, [](const Operation &o, int i) { return textOfSize(o.operand(i).leading); });
     },
     [](std::string_view text, Operation &o) {
       return readMatrices(text, o, [](std::string_view word, int, Matrix &matrix) {
         return readSize(word, matrix.leading);
       });
     }},
    ROOFTILE_CHOICE("batch", batch, "none, strided, pointers", "how matrices of a batch are stated",
                    always),
    {{"count", "a size, any", "matrices of a batch"},
     hasBatch,
     [](const Operation &o) { return textOfSize(o.count); },
     [](std::string_view text, Operation &o) { return readSize(text, o.count); },
     &Operation::count},
    {{"stride", "elements, any", "from matrix to matrix; 0: one for all; default: without gaps"},
     hasStrides,
     [](const Operation &o) {
       if (isDense(o, &Matrix::stride, denseStride))
         return std::string();
       return joined(o, [](const Operation &o, int i) { return textOfSize(o.operand(i).stride); });
     },
     [](std::string_view text, Operation &o) {
       return readMatrices(text, o, [](std::string_view word, int, Matrix &matrix) {
         return readSize(word, matrix.stride);
       });
     }},
    {{"align", "bytes, any", "known alignment of addresses, up to 16; any: tested at each call"},
     always,
     [](const Operation &o) {
       std::string text = joined(o, [](const Operation &o, int i) {
         return textOfSize(o.operand(i).align ? o.operand(i).align : kAnySize);
       });
       return text == std::to_string(kMostAlign) ? "" : text;
     },
     [](std::string_view text, Operation &o) {
       return readMatrices(text, o, [](std::string_view word, int, Matrix &matrix) {
         int64_t bytes;
         readSize(word, bytes);
         bool isPower = bytes > 0 && bytes <= kMostAlign && (bytes & (bytes - 1)) == 0;
         matrix.align = isPower ? int32_t(bytes) : 0;
         return std::string(isPower || word == "any" ? "" : "1, 2, 4, 8, 16 or any");
       });
     }},
    ROOFTILE_CHOICE("alpha", alpha, "one, zero, any, memory", "what is known of alpha",
                    [](const Operation &o) { return o.info().alpha != ScalarType::None; }),
    {{"beta", "zero, one, any, memory", "what is known of beta"},
     [](const Operation &o) { return o.info().beta != ScalarType::None; },
     [](const Operation &o) { return std::string(o.beta == Scalar::Zero ? "" : wordOf(o.beta)); },
     [](std::string_view text, Operation &o) { return readChoice(text, o.beta); }},
    ROOFTILE_CHOICE("bias", epilogue.bias, "none, row, column",
                    "a vector that is added: an element for each row, or column",
                    ROOFTILE_IF(hasEpilogue)),
    ROOFTILE_CHOICE("activation", epilogue.activation,
                    "none, relu, gelu, gelu_tanh, sigmoid, silu, tanh",
                    "a function of each element", ROOFTILE_IF(hasEpilogue)),
    ROOFTILE_CHOICE("math", math, "strict, emulated, tf32",
                    "emulated: three real products for a complex one, six of bf16 for "
                    "one of f32; tf32: factors of f32 are rounded to 11 significant bits",
                    always),
    ROOFTILE_CHOICE("summation", summation, "ordered, anyOrder",
                    "anyOrder: results may differ from run to run", always),
    ROOFTILE_CHOICE("rounding", rounding, "plain, compensated",
                    "compensated: accumulators keep what rounding lost", always),
    ROOFTILE_CHOICE("dependence", dependence, "any, exact",
                    "exact: by substitution, so that NaN stays in its row", ROOFTILE_IF(hasExact)),
    ROOFTILE_CHOICE("alias", alias, "none, ab", "operands that are one matrix",
                    ROOFTILE_IF(hasOpB)),
};
#undef ROOFTILE_CHOICE
#undef ROOFTILE_IF

const Field *operation::firstField() { return std::begin(kFields); }
const Field *operation::lastField() { return std::end(kFields); }
