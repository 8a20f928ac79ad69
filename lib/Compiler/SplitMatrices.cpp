//===- SplitMatrices.cpp - Complex matrices by their numbers --------------===//

#include "SplitMatrices.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace rooftile::compiler;
using llvm::formatv;

std::string rooftile::compiler::textOfSize(int64_t size) {
  return size < 0 ? "?" : std::to_string(size);
}

std::string SplitMatrix::number() const { return element == Element::C64 ? "f32" : "f64"; }

static std::string shapeText(const std::vector<int64_t> &sizes) {
  std::string text;
  for (int64_t size : sizes)
    text += textOfSize(size) + "x";
  return text;
}

std::string SplitMatrix::typeOfNumbers() const {
  std::string steps;
  for (int64_t stride : strides)
    steps += textOfSize(stride < 0 ? stride : 2 * stride) + ", ";
  return formatv("memref<{0}2x{1}, strided<[{2}1]>>", shapeText(sizes), number(), steps);
}

std::string SplitMatrix::type() const {
  return formatv("memref<{0}complex<{1}>>", shapeText(sizes), number());
}

/// The head of an operation on all elements: of the copy, and twice the numbers, for both parts.
std::string SplitMatrix::generic(const std::string &operands, bool writesNumbers) const {
  std::vector<std::string> dims, iterators;
  for (size_t i = 0; i < sizes.size(); ++i) {
    dims.push_back(formatv("d{0}", i));
    iterators.push_back("\"parallel\"");
  }
  std::string all = llvm::join(dims, ", ");
  auto part = [&](int which) {
    return formatv("affine_map<({0}) -> ({0}, {1})>", all, which).str();
  };
  std::string copy = formatv("affine_map<({0}) -> ({0})>", all), both = part(0) + ", " + part(1);
  return formatv("linalg.generic {{indexing_maps = [{0}], iterator_types = [{1}]} {2}",
                 writesNumbers ? copy + ", " + both : both + ", " + copy,
                 llvm::join(iterators, ", "), operands);
}

void SplitMatrix::copyIn(std::vector<std::string> &body, bool isRead) const {
  std::vector<std::string> dynamic;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= 0)
      continue;
    body.push_back(formatv("%{0}_at{1} = arith.constant {1} : index", name, i));
    body.push_back(formatv("%{0}_size{1} = memref.dim %{0}_numbers, %{0}_at{1} : {2}", name, i,
                           typeOfNumbers()));
    dynamic.push_back(formatv("%{0}_size{1}", name, i));
  }
  body.push_back(
      formatv("%{0} = memref.alloc({1}) : {2}", name, llvm::join(dynamic, ", "), type()));
  if (!isRead)
    return;
  std::string operands = formatv("ins(%{0}_numbers, %{0}_numbers : {1}, {1}) outs(%{0} : {2})",
                                 name, typeOfNumbers(), type());
  body.push_back(formatv("{0} {{\n  ^bb0(%re: {1}, %im: {1}, %old: complex<{1}>):\n"
                         "    %both = complex.create %re, %im : complex<{1}>\n"
                         "    linalg.yield %both : complex<{1}>\n  }",
                         generic(operands, /*writesNumbers=*/false), number()));
}

void SplitMatrix::copyOut(std::vector<std::string> &body) const {
  std::string operands = formatv("ins(%{0} : {2}) outs(%{0}_numbers, %{0}_numbers : {1}, {1})",
                                 name, typeOfNumbers(), type());
  body.push_back(formatv("{0} {{\n  ^bb0(%both: complex<{1}>, %old_re: {1}, %old_im: {1}):\n"
                         "    %re = complex.re %both : complex<{1}>\n"
                         "    %im = complex.im %both : complex<{1}>\n"
                         "    linalg.yield %re, %im : {1}, {1}\n  }",
                         generic(operands, /*writesNumbers=*/true), number()));
}
