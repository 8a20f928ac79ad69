//===- Map.cpp - Who holds which element ----------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rooftile::tile;

/// [16:(0, 4), 16:(4, 0)]
static ParseResult parseModes(AsmParser &parser, SmallVector<Mode> &modes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    Mode &mode = modes.emplace_back();
    return failure(parser.parseInteger(mode.size) || parser.parseColon() || parser.parseLParen() ||
                   parser.parseInteger(mode.row) || parser.parseComma() ||
                   parser.parseInteger(mode.column) || parser.parseRParen());
  });
}

static void printModes(AsmPrinter &printer, ArrayRef<Mode> modes) {
  printer << '[';
  llvm::interleaveComma(modes, printer, [&](const Mode &mode) {
    printer << mode.size << ":(" << mode.row << ", " << mode.column << ')';
  });
  printer << ']';
}

/// [16, 8, 4]
static ParseResult parseShape(AsmParser &parser, SmallVector<int64_t> &shape) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(shape.emplace_back()); });
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape) {
  printer << '[';
  llvm::interleaveComma(shape, printer);
  printer << ']';
}

/// [f64, f64, f64]
static ParseResult parseTypes(AsmParser &parser, SmallVector<Type> &types) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseType(types.emplace_back()); });
}

static void printTypes(AsmPrinter &printer, ArrayRef<Type> types) {
  printer << '[';
  llvm::interleaveComma(types, printer);
  printer << ']';
}

#include "rooftile/Dialect/Tile/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "rooftile/Dialect/Tile/TileAttributes.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "rooftile/Dialect/Tile/TileAttributes.cpp.inc"
      >();
}

LogicalResult MapAttr::verify(function_ref<InFlightDiagnostic()> emit, ArrayRef<Mode> threads,
                              ArrayRef<Mode> values) {
  for (ArrayRef<Mode> modes : {threads, values})
    for (const Mode &mode : modes)
      if (mode.size < 1 || mode.row < 0 || mode.column < 0)
        return emit() << "map: mode " << mode.size << ":(" << mode.row << ", " << mode.column
                      << ") needs a positive size and strides of at least 0";
  return success();
}

static int64_t product(ArrayRef<Mode> modes) {
  int64_t count = 1;
  for (const Mode &mode : modes)
    count *= mode.size;
  return count;
}

int64_t MapAttr::getNumThreads() const { return product(getThreads()); }
int64_t MapAttr::getNumValues() const { return product(getValues()); }

std::pair<int64_t, int64_t> MapAttr::getValueOffset(int64_t index) const {
  int64_t row = 0, column = 0;
  for (const Mode &mode : getValues()) {
    row += index % mode.size * mode.row;
    column += index % mode.size * mode.column;
    index /= mode.size;
  }
  return {row, column};
}
