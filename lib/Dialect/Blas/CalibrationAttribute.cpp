//===- CalibrationAttribute.cpp - Text and verifier of calibrations -------===//

#include "StructReader.h"
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
  return haveEqualValues(left, right);
}

llvm::hash_code blas::hash_value(const CalibrationData &calibration) { return hashOf(calibration); }

std::string blas::numberText(double value) {
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

/// [[4, 8, 8, 32, 3, 16], ...]: the members of a form in their order.
std::string blas::valueText(const std::vector<BulkForm> &forms) {
  std::string text;
  for (const BulkForm &form : forms)
    text += llvm::formatv("{0}[{1}, {2}, {3}, {4}, {5}, {6}]", text.empty() ? "" : ", ",
                          form.multiplyAdds, form.microM, form.microN, form.macroK, form.stages,
                          form.unroll)
                .str();
  return "[" + text + "]";
}

ParseResult blas::readValue(KeyContext in, std::vector<BulkForm> &forms) {
  auto readForm = [&]() -> ParseResult {
    SMLoc place = in.parser.getCurrentLocation();
    SmallVector<int64_t, 6> values;
    if (in.parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return in.parser.parseInteger(values.emplace_back());
        }))
      return failure();
    if (values.size() != 6 || llvm::any_of(values, [](int64_t value) { return value < 1; }))
      return in.parser.emitError(place)
             << in.owner << ": a form of " << in.key.name
             << " is 6 positive integers (multiply-adds of an element, micro M, micro N, macro K, "
                "stages, unroll)";
    forms.push_back({values[0], values[1], values[2], values[3], values[4], values[5]});
    return success();
  };
  forms.clear();
  return in.parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, readForm);
}

std::string blas::textOf(const CalibrationData &calibration) { return structText(calibration); }

/// The fault of one value.
static std::string whyOutside(const Coefficient &key, double value) {
  if (value >= key.least && value <= key.most)
    return "";
  return std::isnan(value)
             ? llvm::formatv("lacks {0}, {1}", key.name, key.doc).str()
             : llvm::formatv("{0} = {1} is not in {2} .. {3}", key.name, value, key.least, key.most)
                   .str();
}
static std::string whyOutside(const CalibrationBound &key, int64_t value) {
  return value >= 1 ? "" : llvm::formatv("{0} = {1} is not positive", key.name, value).str();
}
static std::string whyOutside(const CalibrationBound &, const std::vector<BulkForm> &) {
  return ""; // as read
}

std::string blas::whyInvalid(const CalibrationData &calibration) {
  std::string why;
  CalibrationData::visitKeys([&](const auto &key, auto member) {
    if (why.empty())
      why = whyOutside(key, calibration.*member);
  });
  return why;
}

LogicalResult CalibrationAttr::verify(function_ref<InFlightDiagnostic()> emit,
                                      CalibrationData data) {
  std::string why = whyInvalid(data);
  return why.empty() ? success() : emit() << "calibration: " << why;
}

static ParseResult readCalibration(AsmParser &parser, CalibrationData &data) {
  // Never destroyed: programs may compile after main.
  static const auto &keys = *new std::vector<KeyInfo>(keysOf<CalibrationData>());
  return StructReader<CalibrationData>(parser, "calibration", "calibration", keys).read(data);
}

/// #blas.calibration<...>, an alias of one, or what stands after its name.
ParseResult blas::readValue(KeyContext in, std::optional<CalibrationData> &calibration) {
  CalibrationData &data = calibration.emplace();
  if (OptionalParseResult whole = readWhole<CalibrationAttr>(in.parser, data); whole.has_value())
    return *whole;
  return readCalibration(in.parser, data);
}

Attribute CalibrationAttr::parse(AsmParser &parser, Type) {
  SMLoc place = parser.getCurrentLocation();
  CalibrationData data;
  if (readCalibration(parser, data))
    return {};
  return parser.getChecked<CalibrationAttr>(place, parser.getContext(), data);
}

void CalibrationAttr::print(AsmPrinter &printer) const { printer << textOf(getData()); }
