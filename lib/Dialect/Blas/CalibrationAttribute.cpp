//===- CalibrationAttribute.cpp - Text and verifier of calibrations -------===//

#include "mlir/IR/DialectImplementation.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/CalibrationData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

bool blas::operator==(const CalibrationData &left, const CalibrationData &right) {
  bool equal = true;
  CalibrationData::visitKeys(
      [&](const Coefficient &, auto member) { equal &= left.*member == right.*member; });
  return equal;
}

llvm::hash_code blas::hash_value(const CalibrationData &calibration) {
  llvm::hash_code code(0);
  CalibrationData::visitKeys([&](const Coefficient &, auto member) {
    code = llvm::hash_combine(code, llvm::bit_cast<uint64_t>(calibration.*member));
  });
  return code;
}

/// The shortest text that reads as the same number.
static std::string numberText(double value) {
  for (int digits = 1; digits < 17; ++digits) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) != value)
      continue;
    // A literal of MLIR has a point before its exponent.
    size_t exponent = text.find('e');
    if (text.find('.') == std::string::npos)
      text.insert(std::min(exponent, text.size()), ".0");
    return text;
  }
  return llvm::formatv("{0:e17}", value);
}

std::string blas::textOf(const CalibrationData &calibration) {
  std::string text = "<";
  CalibrationData::visitKeys([&](const Coefficient &key, auto member) {
    text +=
        (text.size() > 1 ? ", " : "") + key.name.str() + " = " + numberText(calibration.*member);
  });
  return text + ">";
}

std::string blas::whyInvalid(const CalibrationData &calibration) {
  std::string why;
  CalibrationData::visitKeys([&](const Coefficient &key, auto member) {
    double value = calibration.*member;
    if (!why.empty() || (value >= key.least && value <= key.most))
      return;
    why = std::isnan(value) ? llvm::formatv("lacks {0}, {1}", key.name, key.doc).str()
                            : llvm::formatv("{0} = {1} is not in {2} .. {3}", key.name, value,
                                            key.least, key.most)
                                  .str();
  });
  return why;
}

LogicalResult CalibrationAttr::verify(function_ref<InFlightDiagnostic()> emit,
                                      CalibrationData data) {
  std::string why = whyInvalid(data);
  return why.empty() ? success() : emit() << "calibration: " << why;
}

/// name = number
static ParseResult readCoefficient(AsmParser &parser, CalibrationData &data) {
  SMLoc place = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  double CalibrationData::*found = nullptr;
  StringRef nearest;
  unsigned least = 4;
  CalibrationData::visitKeys([&](const Coefficient &key, auto member) {
    if (key.name == name)
      found = member;
    if (unsigned distance = name.edit_distance(key.name); distance < least)
      least = distance, nearest = key.name;
  });
  if (!found) {
    InFlightDiagnostic error = parser.emitError(place)
                               << "calibration: unknown coefficient '" << name << "'";
    if (!nearest.empty())
      error << ", did you mean '" << nearest << "'?";
    return error;
  }
  if (!std::isnan(data.*found))
    return parser.emitError(place) << "calibration: '" << name << "' appears twice";
  return failure(parser.parseEqual() || parser.parseFloat(data.*found));
}

Attribute CalibrationAttr::parse(AsmParser &parser, Type) {
  SMLoc place = parser.getCurrentLocation();
  CalibrationData data;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     [&] { return readCoefficient(parser, data); }))
    return {};
  return parser.getChecked<CalibrationAttr>(place, parser.getContext(), data);
}

void CalibrationAttr::print(AsmPrinter &printer) const { printer << textOf(getData()); }
