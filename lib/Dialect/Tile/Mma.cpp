//===- Mma.cpp - What can be multiplied -----------------------------------===//
//
// A renaming of rows, columns and K does not change a product, so that an instruction may lie
// in a tile in many ways. Here each coordinate of the instruction of the table is looked up in
// the one that the operation names: every lane and register must agree on where it lies.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Element.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

//===----------------------------------------------------------------------===//
// #tile.instruction
//===----------------------------------------------------------------------===//

/// Row and column that a thread or register index adds.
static std::pair<int64_t, int64_t> offsetOf(ArrayRef<Mode> modes, int64_t index) {
  std::pair<int64_t, int64_t> place(0, 0);
  for (const Mode &mode : modes) {
    place.first += index % mode.size * mode.row;
    place.second += index % mode.size * mode.column;
    index /= mode.size;
  }
  return place;
}

namespace {
/// Where the coordinates of one dimension of an instruction lie; -1: not known yet.
struct Renaming {
  explicit Renaming(int64_t size) : places(size, -1) {}
  bool agrees(int64_t index, int64_t place) {
    if (places[index] == -1 && !llvm::is_contained(places, place))
      places[index] = place;
    return places[index] == place;
  }
  SmallVector<int64_t> places;
};
} // namespace

/// Whether every lane and register of `map` holds what it holds of `fragment`, renamed.
static bool isRenamed(MapAttr map, const Fragment &fragment, Renaming &rows, Renaming &columns) {
  auto sizes = [](ArrayRef<Mode> modes) {
    return llvm::map_to_vector(modes, [](const Mode &mode) { return mode.size; });
  };
  if (sizes(map.getThreads()) != sizes(fragment.threads) ||
      sizes(map.getValues()) != sizes(fragment.values))
    return false;
  for (int64_t lane = 0; lane < map.getNumThreads(); ++lane)
    for (int64_t value = 0; value < map.getNumValues(); ++value) {
      auto [row, column] = offsetOf(fragment.threads, lane);
      auto [rowInside, columnInside] = offsetOf(fragment.values, value);
      auto [placedRow, placedColumn] = offsetOf(map.getThreads(), lane);
      auto [placedRowInside, placedColumnInside] = offsetOf(map.getValues(), value);
      if (!rows.agrees(row + rowInside, placedRow + placedRowInside) ||
          !columns.agrees(column + columnInside, placedColumn + placedColumnInside))
        return false;
    }
  return true;
}

LogicalResult InstructionAttr::verify(function_ref<InFlightDiagnostic()> emit, StringRef name,
                                      ArrayRef<int64_t> shape, ArrayRef<Type> types, MapAttr a,
                                      MapAttr b, MapAttr c) {
  const Instruction *known = findInstruction(name);
  if (!known)
    return emit() << "instruction: there is no '" << name << "'; there are " << instructionNames();
  if (shape != ArrayRef<int64_t>{known->m, known->n, known->k})
    return emit() << "instruction: " << name << " is " << known->m << "x" << known->n << "x"
                  << known->k << ", unlike shape";
  const Number numbers[] = {known->factors, known->factors, known->sums};
  auto isRight = [](auto pair) {
    std::string text;
    llvm::raw_string_ostream(text) << std::get<0>(pair);
    return text == std::get<1>(pair).name;
  };
  if (types.size() != 3 || !llvm::all_of(llvm::zip(types, numbers), isRight))
    return emit() << "instruction: " << name << " multiplies " << known->factors.name
                  << " and gives " << known->sums.name << ": types names them for a, b and c";
  Renaming rows(known->m), columns(known->n), depth(known->k);
  for (auto [operand, right] : {std::pair("a", isRenamed(a, known->a, rows, depth)),
                                std::pair("b", isRenamed(b, known->b, depth, columns)),
                                std::pair("c", isRenamed(c, known->c, rows, columns))})
    if (!right)
      return emit() << "instruction: lanes of " << operand << " do not hold what " << name
                    << " gives them, nor under other names of rows, columns and K";
  return success();
}

//===----------------------------------------------------------------------===//
// tile.mma
//===----------------------------------------------------------------------===//

/// Thread modes that carry the coordinate along one dimension only.
static SmallVector<int64_t> strides(ArrayRef<Mode> modes, bool rows) {
  SmallVector<int64_t> result;
  for (const Mode &mode : modes)
    result.push_back(rows ? mode.row : mode.column);
  return result;
}

/// The threads that hold different rows of c hold the same of a; so with columns of b. Those that
/// hold different shares of K add up in rows of their own.
static LogicalResult verifyThreads(MmaOp op, size_t lanes) {
  auto threads = [&](MatrixType type) { return type.getMap().getThreads().drop_front(lanes); };
  ArrayRef<Mode> a = threads(op.getMatrixA().getType()), b = threads(op.getMatrixB().getType()),
                 c = threads(op.getC().getType());
  if (strides(b, false) != strides(c, false))
    return op.emitOpError("threads of b do not hold the columns that they hold of c");
  if (strides(a, false) != strides(b, true))
    return op.emitOpError("threads of a do not hold the part of K that they hold of b");
  SmallVector<int64_t> rows = strides(c, true);
  int64_t groups = 1, tile = op.getMatrixA().getType().getShape()[0];
  for (auto [mode, row] : llvm::zip(a, rows)) {
    if (mode.column == 0)
      continue;
    if (row != groups * tile)
      return op.emitOpError("threads that share out K sum up in the same rows of c");
    groups *= mode.size, row = 0;
  }
  if (strides(a, true) != rows)
    return op.emitOpError("threads of a do not hold the rows that they hold of c");
  if (int64_t sums = op.getC().getType().getShape()[0] / tile; sums != groups)
    return op.emitOpError("c has ")
           << sums << " times the rows of a, but " << groups << " groups of threads share out K";
  return success();
}

static bool startsWith(ArrayRef<Mode> modes, ArrayRef<Mode> first) {
  return modes.size() >= first.size() && modes.take_front(first.size()) == first;
}

/// The maps are those of the instruction, repeated.
static LogicalResult verifyInstruction(MmaOp op, InstructionAttr instruction) {
  const std::tuple<StringRef, MatrixType, MapAttr> operands[] = {
      {"a", op.getMatrixA().getType(), instruction.getA()},
      {"b", op.getMatrixB().getType(), instruction.getB()},
      {"c", op.getC().getType(), instruction.getC()}};
  for (auto [name, type, map] : operands) {
    if (!startsWith(type.getMap().getThreads(), map.getThreads()))
      return op.emitOpError("lanes of ")
             << name << " do not hold it as instruction " << instruction.getName() << " specifies";
    if (!repetitionsOf(type.getMap(), map))
      return op.emitOpError("registers of ")
             << name << " are no repetitions of instruction " << instruction.getName();
  }
  return verifyThreads(op, instruction.getC().getThreads().size());
}

static Type elementOf(Value operand) {
  if (auto view = dyn_cast<BufferType>(operand.getType()))
    return view.getElementType();
  return cast<MatrixType>(operand.getType()).getElementType();
}

static ArrayRef<int64_t> shapeOf(Value operand) {
  if (auto view = dyn_cast<BufferType>(operand.getType()))
    return view.getShape();
  return cast<MatrixType>(operand.getType()).getShape();
}

/// Elements are those that the instruction multiplies.
static LogicalResult verifyTypes(MmaOp op, InstructionAttr instruction) {
  const std::tuple<StringRef, Value, Type> operands[] = {
      {"a", op.getA(), instruction.getTypes()[0]},
      {"b", op.getB(), instruction.getTypes()[1]},
      {"c", op.getC(), instruction.getTypes()[2]}};
  for (auto [name, operand, type] : operands)
    if (realTypeOf(elementOf(operand)) != type)
      return op.emitOpError("instruction ")
             << instruction.getName() << " reads " << type << ", or complex elements of it, but "
             << name << " is of " << elementOf(operand);
  return success();
}

/// The layout in which an instruction reads `view`: rows of 128 bytes along K, or panels of such
/// rows along M or N, whose units of 16 bytes a swizzle moves.
static LogicalResult verifyShared(MmaOp op, StringRef name, BufferType view, int64_t vectors) {
  int64_t bytes = elementBytes(view.getElementType()), row = kSharedRowBytes / bytes;
  int64_t dimK = name == "a" ? 1 : 0, extent = view.getShape()[1 - dimK];
  bool alongK = view.getStrides()[dimK] == 1, panels = view.getPanelStride() != 0;
  bool fits = view.getStrides()[alongK ? 1 - dimK : dimK] == row &&
              view.getStrides()[alongK ? dimK : 1 - dimK] == 1 &&
              (alongK ? !panels : extent == row || panels);
  if (!fits || view.getSwizzle() * bytes != kSharedUnitBytes || view.getPlaneStride() != 0)
    return op.emitOpError("reads ")
           << name << " from shared memory: that needs vectors along K of " << row
           << " elements, or panels of such vectors along M or N, and swizzle = "
           << kSharedUnitBytes / bytes << ", but it is " << view;
  int64_t multiple = alongK ? vectors : std::lcm(vectors, row);
  if (extent % multiple != 0)
    return op.emitOpError("reads ")
           << extent << " vectors of " << name << ", which are no multiple of " << multiple;
  return success();
}

/// Factors are where the instruction finds them, in its layout; each warpgroup has rows and columns
/// of C in whole repetitions.
static LogicalResult verifyViews(MmaOp op, InstructionAttr instruction) {
  const Instruction &own = *findInstruction(instruction.getName());
  if (failed(verifyShared(op, "a", cast<BufferType>(op.getA().getType()), own.m)) ||
      failed(verifyShared(op, "b", cast<BufferType>(op.getB().getType()), own.n)))
    return failure();
  if (shapeOf(op.getA())[1] % own.k != 0)
    return op.emitOpError("multiplies ") << shapeOf(op.getA())[1] << " along K, no multiple of the "
                                         << own.k << " of " << own.name;
  MapAttr map = op.getC().getType().getMap(), plain = instruction.getC();
  if (plain != MapAttr::get(op.getContext(), own.c.threads, own.c.values))
    return op.emitOpError("instruction ")
           << own.name << " reads shared memory: its rows and columns cannot lie elsewhere";
  if (!startsWith(map.getThreads(), plain.getThreads()) || !repetitionsOf(map, plain))
    return op.emitOpError("c is no repetition of instruction ") << own.name;
  if (op.getC().getType().getShape() != ArrayRef{shapeOf(op.getA())[0], shapeOf(op.getB())[1]})
    return op.emitOpError("threads of views do not share out K");
  return success();
}

/// The accumulators hold every product, and what is conjugated is complex.
static LogicalResult verifyElements(MmaOp op) {
  Type left = elementOf(op.getA()), right = elementOf(op.getB()), sum = elementOf(op.getC());
  bool complexA = isa<ComplexType>(left), complexB = isa<ComplexType>(right);
  if (!isa<FloatType>(realTypeOf(sum)) || !holdsExactly(sum, left) || !holdsExactly(sum, right) ||
      (complexA || complexB) != isa<ComplexType>(sum))
    return op.emitOpError("multiplies ")
           << left << " by " << right << " into " << sum << ", which does not hold the products";
  if ((op.getConjugateA() && !complexA) || (op.getConjugateB() && !complexB))
    return op.emitOpError("conjugates ")
           << (op.getConjugateA() && !complexA ? left : right) << ", which is real";
  return success();
}

LogicalResult MmaOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getA()), b = shapeOf(getB()), c = shapeOf(getC());
  if (c[0] % a[0] != 0 || b[1] != c[1] || a[1] != b[0])
    return emitOpError("shapes do not match: a is ")
           << a[0] << "x" << a[1] << ", b is " << b[0] << "x" << b[1] << ", c is " << c[0] << "x"
           << c[1];
  if (failed(verifyElements(*this)))
    return failure();
  std::optional<InstructionAttr> instruction = getInstruction();
  const Instruction *own = instruction ? findInstruction(instruction->getName()) : nullptr;
  bool expected = own && own->readsShared();
  for (Value operand : {getA(), getB()})
    if (isa<BufferType>(operand.getType()) != expected)
      return emitOpError(own ? StringRef(own->name) : StringRef("fma"))
             << " multiplies " << (expected ? "views of buffers" : "register matrices") << ", not "
             << operand.getType();
  if (!instruction)
    return verifyThreads(*this, 0);
  if (failed(verifyTypes(*this, *instruction)))
    return failure();
  return expected ? verifyViews(*this, *instruction) : verifyInstruction(*this, *instruction);
}

void MmaOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand *factor : {&getAMutable(), &getBMutable()})
    if (isa<BufferType>(factor->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), factor);
}

//===----------------------------------------------------------------------===//
// Components of complex elements
//===----------------------------------------------------------------------===//

/// `whole` is complex, and `part` real of the same shape and map.
static LogicalResult verifyComponents(Operation *op, MatrixType whole, MatrixType part) {
  auto complex = dyn_cast<ComplexType>(whole.getElementType());
  if (!complex)
    return op->emitOpError("splits complex elements, got ") << whole.getElementType();
  if (part.getElementType() == complex.getElementType() && part.getShape() == whole.getShape() &&
      part.getMap() == whole.getMap())
    return success();
  return op->emitOpError("parts of ") << whole << " are not " << part;
}

LogicalResult ComponentsOp::verify() {
  return verifyComponents(*this, getMatrix().getType(), getRe().getType());
}

LogicalResult JoinOp::verify() {
  return verifyComponents(*this, getMatrix().getType(), getRe().getType());
}

LogicalResult PartOp::verify() {
  Type element = getMatrix().getType().getElementType();
  if (!element.isF32())
    return emitOpError("parts are those of f32, not of ") << element;
  return success();
}

LogicalResult AddKnownOp::verify() {
  Type element = getType().getElementType();
  if (isa<FloatType>(element))
    return success();
  return emitOpError("adds real elements, got elements of ") << element;
}
