//===- BufferTile.cpp - A thread's places in a shared buffer --------------===//
//
// Without a swizzle the element (row, column) lies at
//
//   offset + row * rowStride + column * columnStride
//
// With swizzle s it lies at  slot + line * stride + (inner XOR s * ((line / L) mod w)),
// L = 8 and w = 4, or L = 1 where lines begin at multiples of 128 bytes (!tile.buffer).
// Where the lines that all threads access are known to lie in one group of L, as in fragments,
// what XOR adds is a constant: its high bits change the address, its low ones the order of the
// elements in a run, which costs nothing. Else it is the thread's own, computed once; its low bits
// still order a run alone, so that a loop of slices which is written out has whole runs again.
//
//===----------------------------------------------------------------------===//

#include "BufferTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include <numeric>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

static int64_t along(const Mode &mode, int64_t dim) { return dim == 0 ? mode.row : mode.column; }

/// The largest (line of a thread) mod `lines`, or more where it is not a sum of digits below these.
static int64_t largestRemainder(MapAttr map, int64_t dim, int64_t lines) {
  int64_t sum = 0;
  for (const Mode &mode : map.getThreads()) {
    int64_t stride = along(mode, dim), reach = (mode.size - 1) * stride;
    if (stride % lines != 0)
      sum += lines % stride == 0 ? std::min(reach, lines - stride) : reach;
  }
  return sum;
}

BufferTile::BufferTile(OpBuilder &builder, Location loc, Value view, ValueRange parts, MapAttr map,
                       int64_t widest, const BufferLimits &limits)
    : builder(builder), loc(loc), math(builder, loc), type(cast<BufferType>(view.getType())),
      map(map), run(runLength(map, type.getStrides(), std::min(widest, widestAccess(view)))),
      flat(parts[0]), lines(type.getGroups()), limits(limits) {
  ArrayRef<int64_t> strides = type.getStrides();
  // A run lies before the edge or beyond it.
  for (int dim : {0, 1})
    if (!limits.isInside(dim) && type.getStrides()[dim] == 1)
      run = std::gcd(run, limits.sizes[dim]);
  start = parts[1];
  if (type.getSwizzle() == 0) {
    base = math.add(parts[1], math.threadOffset(map, strides[0], strides[1]));
    return;
  }
  int64_t dim = lineDim();
  // What is known of the origin counts as a shift, so that views of many slices share addresses.
  Value origin = parts[2 + dim], ownLine = math.threadOffset(map, dim == 0, dim == 1);
  Value first = parts[2 + type.getInnerDim()], own = math.threadOffset(map, dim == 1, dim == 0);
  base = math.add(parts[1], math.mul(math.add(origin, ownLine), strides[dim]));
  lineOrigin = getConstantIntValue(origin).value_or(-1);
  line = lineOrigin < 0 ? math.add(origin, ownLine) : ownLine;
  innerOrigin = getConstantIntValue(first).value_or(0);
  inner = getConstantIntValue(first) ? own : math.add(first, own);
  remainder = largestRemainder(map, dim, lines.lines), reach = threadReach(map, dim);
  for (int64_t index = 0; index < map.getNumValues(); ++index) {
    auto [row, column] = map.getValueOffset(index);
    allKnown &= knownGroup(dim == 0 ? row : column).has_value();
  }
  whole = run;
  if (!allKnown)
    run = std::gcd(run, type.getSwizzle());
}

std::optional<int64_t> BufferTile::knownGroup(int64_t shift) const {
  if (lineOrigin < 0 || (lineOrigin + shift) % lines.lines + reach >= lines.lines)
    return std::nullopt;
  return (lineOrigin + shift) / lines.lines % lines.ways;
}

Value BufferTile::group(int64_t shift) {
  // Without a carry out of the lowest digits the thread's own group is found once.
  int64_t from = std::max<int64_t>(lineOrigin, 0) + shift, rest = from % lines.lines;
  bool additive = lines.lines == 1 || (lineOrigin >= 0 && remainder + rest < lines.lines);
  int64_t key = additive ? (from - rest) % (lines.lines * lines.ways) : from;
  auto [place, isNew] = groups.try_emplace(key);
  if (isNew)
    place->second = math.rem(math.div(math.add(line, key), lines.lines), lines.ways);
  return groups[key];
}

Value BufferTile::changed(int64_t shift, Value change) {
  // Above all bits that can change nothing does.
  int64_t from = innerOrigin + shift, low = from % (type.getSwizzle() * lines.ways);
  Value place = math.add(inner, low);
  if (getConstantIntValue(change) != 0)
    place = arith::XOrIOp::create(builder, loc, place, change);
  return math.add(place, from - low);
}

Value BufferTile::changedInRun(int64_t shift, Value change) {
  if (whole <= type.getSwizzle())
    return changed(shift, change);
  int64_t element = (innerOrigin + shift) % whole;
  Value low = math.rem(change, whole), high = arith::SubIOp::create(builder, loc, change, low);
  Value place = arith::XOrIOp::create(builder, loc, low, math.constant(element));
  return math.add(changed(shift - element, high), place);
}

std::pair<Value, bool> BufferTile::placeAlong(int dim, int64_t shift) {
  int64_t most = shift + (type.getStrides()[dim] == 1 ? run : 1) - 1 + threadReach(map, dim);
  Value place = math.add(math.threadOffset(map, dim == 0, dim == 1), shift);
  if (limits.isInside(dim))
    return {place, false};
  return {place, most >= limits.least[dim]};
}

Value BufferTile::clamped(int dim, int64_t shift) {
  auto [place, mayCross] = placeAlong(dim, shift);
  int64_t stride = type.getStrides()[dim];
  if (mayCross && limits.edges[dim] != Edge::Guard)
    place = math.min(place, math.add(limits.places[dim], -(stride == 1 ? run : 1)));
  return math.mul(place, stride);
}

Value BufferTile::isInside(int64_t register_) {
  auto [row, column] = map.getValueOffset(register_);
  Value inside;
  for (auto [dim, shift] : {std::pair(0, row), std::pair(1, column)}) {
    auto [place, mayCross] = placeAlong(dim, shift);
    if (!mayCross || limits.edges[dim] == Edge::Clamp)
      continue;
    Value own =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, place, limits.places[dim]);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, own).getResult() : own;
  }
  return inside;
}

BufferTile::Place BufferTile::at(int64_t register_) {
  auto [row, column] = map.getValueOffset(register_);
  ArrayRef<int64_t> strides = type.getStrides();
  if (!limits.isInside(0) || !limits.isInside(1))
    return {math.add(start, math.add(clamped(0, row), clamped(1, column)))};
  if (type.getSwizzle() == 0)
    return {math.add(base, row * strides[0] + column * strides[1])};
  int64_t dim = lineDim(), lineShift = dim == 0 ? row : column, shift = dim == 0 ? column : row;
  Value start = math.add(base, lineShift * strides[dim]);
  if (!allKnown) {
    Value change = math.mul(group(lineShift), type.getSwizzle());
    return {math.add(start, changedInRun(shift, change))};
  }
  int64_t change = *knownGroup(lineShift) * type.getSwizzle();
  int64_t low = change & (run - 1);
  return {math.add(start, changed(shift, math.constant(change - low))), low};
}
