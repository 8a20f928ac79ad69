//===- Types.cpp - Register matrices and shared buffers -------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Dialect/Tile/Tile.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

#define GET_TYPEDEF_CLASSES
#include "rooftile/Dialect/Tile/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "rooftile/Dialect/Tile/TileTypes.cpp.inc"
      >();
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape, Type elementType) {
  for (int64_t size : shape)
    printer << size << 'x';
  printer << elementType;
}

//===----------------------------------------------------------------------===//
// !tile.matrix<128x8xf32, MAP>
//===----------------------------------------------------------------------===//

Type MatrixType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  MapAttr map;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseCustomAttributeWithFallback(map) || parser.parseGreater())
    return {};
  return parser.getChecked<MatrixType>(parser.getContext(), shape, elementType, map);
}

void MatrixType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  printer << ", ";
  printer.printStrippedAttrOrType(getMap());
  printer << '>';
}

LogicalResult MatrixType::verify(function_ref<InFlightDiagnostic()> emit, ArrayRef<int64_t> shape,
                                 Type elementType, MapAttr map) {
  if (shape.size() != 2)
    return emit() << "matrix: expected rows and columns, got " << shape.size() << " sizes";
  int64_t rows = 1, columns = 1;
  for (ArrayRef<Mode> modes : {map.getThreads(), map.getValues()})
    for (const Mode &mode : modes) {
      rows += (mode.size - 1) * mode.row;
      columns += (mode.size - 1) * mode.column;
    }
  if (rows > shape[0] || columns > shape[1])
    return emit() << "matrix: the map reaches " << rows << "x" << columns << " but the matrix is "
                  << shape[0] << "x" << shape[1];
  return success();
}

MatrixType MatrixType::cloneWith(std::optional<ArrayRef<int64_t>> shape, Type elementType) const {
  return get(getContext(), shape.value_or(getShape()), elementType, getMap());
}

//===----------------------------------------------------------------------===//
// !tile.buffer<2 x 128x16xf32, strides = [1, 132]>
//===----------------------------------------------------------------------===//

Type BufferType::parse(AsmParser &parser) {
  int64_t stages;
  SmallVector<int64_t> shape, strides;
  Type elementType;
  auto stride = [&] { return parser.parseInteger(strides.emplace_back()); };
  if (parser.parseLess() || parser.parseInteger(stages) || parser.parseXInDimensionList() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) || parser.parseType(elementType) ||
      parser.parseComma() || parser.parseKeyword("strides") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, stride))
    return {};
  int64_t swizzle = 0, planeStride = 0, panelStride = 0;
  while (succeeded(parser.parseOptionalComma())) {
    bool isSwizzle = succeeded(parser.parseOptionalKeyword("swizzle"));
    bool isPanel = !isSwizzle && succeeded(parser.parseOptionalKeyword("panelStride"));
    if ((!isSwizzle && !isPanel && parser.parseKeyword("planeStride")) || parser.parseEqual() ||
        parser.parseInteger(isSwizzle ? swizzle
                            : isPanel ? panelStride
                                      : planeStride))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BufferType>(parser.getContext(), stages, shape, elementType, strides,
                                       swizzle, planeStride, panelStride);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<' << getStages() << " x ";
  printShape(printer, getShape(), getElementType());
  printer << ", strides = [";
  llvm::interleaveComma(getStrides(), printer);
  printer << ']';
  if (getSwizzle() != 0)
    printer << ", swizzle = " << getSwizzle();
  if (getPlaneStride() != 0)
    printer << ", planeStride = " << getPlaneStride();
  if (getPanelStride() != 0)
    printer << ", panelStride = " << getPanelStride();
  printer << '>';
}

/// Elements from the first of a tile to its last, and that one.
static int64_t footprintOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  int64_t footprint = 1;
  for (auto [size, stride] : llvm::zip(shape, strides))
    footprint += (size - 1) * stride;
  return footprint;
}

/// Planes of real and of imaginary components do not meet, and begin where accesses of 16 bytes
/// can.
static LogicalResult verifyPlaneStride(function_ref<InFlightDiagnostic()> emit,
                                       ArrayRef<int64_t> shape, Type elementType,
                                       ArrayRef<int64_t> strides, int64_t planeStride) {
  if (planeStride == 0)
    return success();
  if (!isa<ComplexType>(elementType))
    return emit() << "buffer: planeStride = " << planeStride << ", but " << elementType
                  << " has no parts";
  int64_t footprint = footprintOf(shape, strides);
  if (planeStride < footprint)
    return emit() << "buffer: planeStride = " << planeStride << ", but the real components need "
                  << footprint;
  if (planeStride * elementBytes(realTypeOf(elementType)) % 16 != 0)
    return emit() << "buffer: planeStride = " << planeStride << " of " << realTypeOf(elementType)
                  << " is no multiple of 16 bytes";
  return success();
}

/// Panels hold all of their vectors, which are swizzled, and do not meet.
static LogicalResult verifyPanelStride(function_ref<InFlightDiagnostic()> emit,
                                       ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                                       int64_t swizzle, int64_t planeStride, int64_t panelStride) {
  if (panelStride == 0)
    return success();
  int inner = strides[0] == 1 ? 0 : 1;
  int64_t length = strides[1 - inner];
  if (strides[inner] != 1 || swizzle == 0 || planeStride != 0 || shape[inner] % length != 0)
    return emit() << "buffer: panelStride = " << panelStride << " of vectors of " << shape[inner]
                  << " needs a swizzle, no planeStride, and panels of " << length
                  << " that divide vectors";
  if (panelStride < shape[1 - inner] * length)
    return emit() << "buffer: panelStride = " << panelStride << ", but a panel needs "
                  << shape[1 - inner] * length;
  return success();
}

LogicalResult EdgesAttr::verify(function_ref<InFlightDiagnostic()> emit, Edge rows, Edge columns,
                                int64_t length) {
  if (length < 0 || (length == 0 && (rows == Edge::Step || columns == Edge::Step)))
    return emit() << "edges: a step of " << length << " elements, expected 1 or more";
  auto ends = [](Edge edge) { return edge == Edge::Step || edge == Edge::Zero; };
  if (length > 0 && !ends(rows) && !ends(columns))
    return emit() << "edges: a step of " << length << " elements, but no edge is zero or step";
  return success();
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emit, int64_t stages,
                                 ArrayRef<int64_t> shape, Type elementType,
                                 ArrayRef<int64_t> strides, int64_t swizzle, int64_t planeStride,
                                 int64_t panelStride) {
  if (stages < 1)
    return emit() << "buffer: " << stages << " stages";
  if (shape.size() != 2 || strides.size() != 2)
    return emit() << "buffer: expected 2 sizes and 2 strides, got " << shape.size() << " and "
                  << strides.size();
  if (!realTypeOf(elementType).isIntOrFloat())
    return emit() << "buffer: element type " << elementType
                  << " is neither integer nor float, nor complex";
  if (strides[0] < 1 || strides[1] < 1)
    return emit() << "buffer: strides [" << strides[0] << ", " << strides[1]
                  << "] must be positive";
  if (failed(verifyPlaneStride(emit, shape, elementType, strides, planeStride)))
    return failure();
  if (failed(verifyPanelStride(emit, shape, strides, swizzle, planeStride, panelStride)))
    return failure();
  if (swizzle == 0)
    return success();
  if (swizzle < 0 || !llvm::isPowerOf2_64(swizzle))
    return emit() << "buffer: swizzle = " << swizzle << " is no power of 2";
  if (strides[0] != 1 && strides[1] != 1)
    return emit() << "buffer: a swizzle needs a stride of 1, got [" << strides[0] << ", "
                  << strides[1] << "]";
  return success();
}

int64_t BufferType::getPanelLength() const {
  int inner = getInnerDim();
  return getPanelStride() != 0 ? getStrides()[1 - inner] : getShape()[inner];
}

int64_t BufferType::getPanels() const {
  return getShape()[getInnerDim()] / std::max<int64_t>(1, getPanelLength());
}

int64_t BufferType::getStageElements() const {
  if (getPlaneStride() != 0)
    return getPlaneStride();
  if (getPanelStride() != 0)
    return getPanels() * getPanelStride();
  int64_t granule = std::max<int64_t>(1, kStageAlignment / elementBytes(getElementType()));
  return llvm::alignTo(footprintOf(getShape(), getStrides()), granule);
}

int64_t BufferType::getRealsPerStep() const {
  return getPlaneStride() != 0 ? 1 : componentsOf(getElementType());
}

int64_t BufferType::getStepBytes() const {
  return getRealsPerStep() * elementBytes(realTypeOf(getElementType()));
}

BufferType::SwizzlePeriod BufferType::getSwizzlePeriod(int64_t swizzle, int64_t stride,
                                                       int64_t stepBytes) {
  int64_t bytes = swizzle * stepBytes;
  if (bytes == 0 || bytes >= kStageAlignment || stride * stepBytes % kStageAlignment != 0)
    return {};
  return {1, kStageAlignment / bytes};
}

BufferType::SwizzlePeriod BufferType::getSwizzlePeriod() const {
  return getSwizzlePeriod(getSwizzle(), getStrides()[1 - getInnerDim()], getStepBytes());
}

int64_t BufferType::getSwizzled(int64_t swizzle, int64_t vectors, SwizzlePeriod period) {
  int64_t count = llvm::divideCeil(vectors, period.vectors);
  return swizzle * std::min<int64_t>(period.ways, llvm::PowerOf2Ceil(count));
}

int64_t BufferType::getBytes() const {
  return getStages() * getStageElements() * elementBytes(getElementType());
}
