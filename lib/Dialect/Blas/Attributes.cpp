//===- Attributes.cpp - Text of all attributes; the contract --------------===//
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

/// [128, 128, 16]
static ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(sizes.emplace_back()); });
}

static void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  printer << '[';
  llvm::interleaveComma(sizes, printer);
  printer << ']';
}

/// A number, or ? for a dynamic one.
static ParseResult parseNumber(AsmParser &parser, int64_t &number) {
  number = ShapedType::kDynamic;
  return succeeded(parser.parseOptionalQuestion()) ? success() : parser.parseInteger(number);
}
static void printNumber(AsmPrinter &printer, int64_t number) {
  ShapedType::isDynamic(number) ? printer << "?" : printer << number;
}

/// [?, 128, 16]
static ParseResult parseExtents(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    return parseNumber(parser, sizes.emplace_back());
  });
}
static void printExtents(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  printer << '[';
  llvm::interleaveComma(sizes, printer, [&](int64_t size) { printNumber(printer, size); });
  printer << ']';
}

/// [<pointer a align 16>, <size a[0]>]
static ParseResult parseArgs(AsmParser &parser, SmallVector<ArgAttr> &args) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    args.push_back(dyn_cast_or_null<ArgAttr>(ArgAttr::parse(parser, Type())));
    return success(args.back() != nullptr);
  });
}

static void printArgs(AsmPrinter &printer, ArrayRef<ArgAttr> args) {
  printer << '[';
  llvm::interleaveComma(args, printer, [&](ArgAttr arg) { arg.print(printer); });
  printer << ']';
}

#include "rooftile/Dialect/Blas/BlasEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "rooftile/Dialect/Blas/BlasAttributes.cpp.inc"

void BlasDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "rooftile/Dialect/Blas/BlasAttributes.cpp.inc"
      >();
}

/// Words of version 1 are upgraded where the text comes from bytecode.
Attribute BlasDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef text = parser.getFullSymbolSpec();
  SMLoc place = parser.getCurrentLocation();
  if (std::string now = upgradedText(text); now != text && isSourceOfItsOwn(parser, text))
    return mlir::parseAttribute("#blas." + now, getContext(), type);
  StringRef mnemonic;
  Attribute attribute;
  if (OptionalParseResult parsed = generatedAttributeParser(parser, &mnemonic, type, attribute);
      parsed.has_value())
    return attribute;
  parser.emitError(place) << "unknown attribute `" << mnemonic << "` in dialect `blas`";
  return {};
}

void BlasDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

Attribute DiagAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  if (parser.parseLess())
    return {};
  SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return {};
  if (word == "non_unit") {
    word = stringifyDiag(Diag::NonUnit);
    mlir::emitWarning(parser.getEncodedSourceLoc(place))
        << "'non_unit' is called '" << word << "' now";
  }
  std::optional<Diag> diag = symbolizeDiag(word);
  if (!diag) {
    StringRef words[] = {stringifyDiag(Diag::NonUnit), stringifyDiag(Diag::Unit)};
    parser.emitError(place) << "diag = " << unknownWordText(word, words);
    return {};
  }
  return parser.parseGreater() ? DiagAttr() : get(parser.getContext(), *diag);
}

void DiagAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyDiag(getValue()) << '>';
}

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult ArgAttr::verify(Emit emit, ArgKind kind, Role role, int64_t dim, int64_t align,
                              int64_t index, ArrayRef<int64_t> box) {
  bool scalar = role == Role::Alpha || role == Role::Beta;
  if (index < 0 || (index > 0 && role != Role::E))
    return emit() << "argument: index " << index << " of " << stringifyRole(role)
                  << "; extra operands of an epilogue are counted, from 0";
  bool ofScalar = kind == ArgKind::Scalar || kind == ArgKind::Pointer;
  if (role != Role::E && (scalar ? !ofScalar : kind == ArgKind::Scalar))
    return emit() << "argument: " << stringifyArgKind(kind) << " does not go with "
                  << stringifyRole(role) << "; alpha and beta are scalars, a, b and c are not";
  if (dim < 0 || (dim > 0 && kind != ArgKind::Size && kind != ArgKind::Stride))
    return emit() << "argument: dimension " << dim << " of a " << stringifyArgKind(kind);
  bool pointer = kind == ArgKind::Pointer || kind == ArgKind::Workspace || kind == ArgKind::Table;
  if (align != 0 && (!pointer || !llvm::isPowerOf2_64(align)))
    return emit() << "argument: align = " << align << " of a " << stringifyArgKind(kind)
                  << "; a pointer may have a power of 2";
  bool described = kind == ArgKind::Descriptor;
  bool sizes = described ? box.size() == 2 || box.size() == 3 : box.empty();
  if (!sizes || llvm::any_of(box, [](int64_t size) { return size < 1; }))
    return emit() << "argument: a " << stringifyArgKind(kind) << " with a box of " << box.size()
                  << " sizes; a descriptor has the vectors of one, the real elements of each, and "
                     "bytes of a swizzle, if there is one";
  return success();
}

LogicalResult RefusalAttr::verify(Emit emit, StringRef kernel, PlanAttr plan, BlocksAttr blocks,
                                  int64_t, int64_t) {
  if (bool(plan) == bool(blocks))
    return emit() << "refusal of " << kernel << ": expected a plan or blocks, got "
                  << (plan ? "both" : "none");
  return success();
}

Attribute RefusalAttr::getKernelPlan() const {
  return getPlan() ? Attribute(getPlan()) : Attribute(getBlocks());
}

LogicalResult ContractAttr::verify(Emit emit, ArrayRef<ArgAttr> args, ArrayRef<int64_t> tile,
                                   ArrayRef<int64_t> output, int64_t workgroup, int64_t sharedBytes,
                                   int64_t residency, int64_t splits, int64_t cluster,
                                   Structure structure, int64_t matrices) {
  if (output.size() == 1)
    return emit() << "contract: output needs the sizes of a batch, M and N, got 1";
  if (splits < 1 || cluster < 1 || splits % cluster != 0)
    return emit() << "contract: splits = " << splits
                  << " is not a positive multiple of cluster = " << cluster;
  if (residency < 1)
    return emit() << "contract: residency = " << residency << " is not positive";
  if (tile.size() != 2 || llvm::any_of(tile, [](int64_t size) { return size <= 0; }))
    return emit() << "contract: tile needs 2 positive sizes (M, N)";
  if (structure > Structure::Upper)
    return emit() << "contract: structure = " << stringifyStructure(structure)
                  << ": of C it is general, lower or upper";
  if (structure != Structure::General && tile[0] != tile[1])
    return emit() << "contract: structure = " << stringifyStructure(structure)
                  << " needs square tiles, got " << tile[0] << 'x' << tile[1];
  if (matrices < 1)
    return emit() << "contract: matrices = " << matrices << " is not positive";
  if (workgroup <= 0)
    return emit() << "contract: workgroup = " << workgroup << " is not positive";
  if (sharedBytes < 0)
    return emit() << "contract: sharedBytes = " << sharedBytes << " is negative";
  llvm::SmallDenseSet<ArgAttr> seen;
  for (ArgAttr arg : args)
    if (!seen.insert(arg).second)
      return emit() << "contract: " << arg << " appears twice";
  return success();
}
