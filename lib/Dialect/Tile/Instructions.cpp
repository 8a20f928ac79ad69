//===- Instructions.cpp - Matrix instructions as data ---------------------===//

#include "rooftile/Dialect/Tile/Instructions.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

const Instruction *tile::findInstruction(StringRef name) {
  const auto *found =
      llvm::find_if(allInstructions(), [&](const Instruction &row) { return row.name == name; });
  return found == allInstructions().end() ? nullptr : found;
}

SmallVector<const Instruction *> tile::instructionsOf(StringRef machine) {
  SmallVector<const Instruction *> found;
  for (const Instruction &row : allInstructions())
    if (row.machine == machine)
      found.push_back(&row);
  return found;
}

std::string tile::instructionNames() {
  return llvm::join(
      llvm::map_range(allInstructions(), [](const Instruction &row) { return row.name; }), ", ");
}

Instruction tile::multiplyAdd(int64_t lanesM, int64_t lanesN, int64_t depth) {
  return {.name = "fma",
          .factors = {"f32", 4},
          .sums = {"f32", 4},
          .m = lanesM,
          .n = lanesN,
          .k = depth,
          .a = {{{lanesN, 0, 0}, {lanesM, 1, 0}}, {{depth, 0, 1}}},
          .b = {{{lanesN, 0, 1}, {lanesM, 0, 0}}, {{depth, 1, 0}}},
          .c = {{{lanesN, 0, 1}, {lanesM, 1, 0}}, {}},
          .machine = "fma"};
}

int64_t Instruction::lanes() const {
  auto [alongM, alongN] = lanesOfC();
  return alongM * alongN;
}

std::array<int64_t, 2> Instruction::lanesOfC() const {
  std::array<int64_t, 2> counts{1, 1};
  for (const Mode &mode : c.threads)
    counts[mode.row != 0 ? 0 : 1] *= mode.size;
  return counts;
}

int64_t Instruction::depth() const {
  if (lanesOfK == 1)
    return k;
  int64_t ofLane = std::max(m, n) * k / lanes(); // elements of A or B
  return ofLane > 1 ? k : 2 * k;
}

//===----------------------------------------------------------------------===//
// One dimension
//===----------------------------------------------------------------------===//

Spread::Spread(ArrayRef<Mode> threads, ArrayRef<Mode> values, bool rows) {
  for (bool lane : {true, false})
    for (const Mode &mode : lane ? threads : values)
      if (int64_t stride = rows ? mode.row : mode.column; stride != 0) {
        digits.push_back({mode.size, stride, lane});
        (lane ? laneCount : unitCount) *= mode.size;
      }
  llvm::sort(digits, [](const Digit &l, const Digit &r) { return l.stride < r.stride; });
  units = unitCount;
}

int64_t Spread::runOfInstruction() const {
  int64_t neighbours = 1;
  for (const Digit &digit : digits) {
    if (digit.lane)
      break;
    neighbours *= digit.size;
  }
  return neighbours;
}

void Spread::arrangeWhole(int64_t newUnits) {
  isWhole = true;
  run = runOfInstruction(), units = newUnits;
}

void Spread::arrange(int64_t newRun, int64_t newRunStride, int64_t newUnits, int64_t newLaneStep) {
  run = newRun, runStride = newRunStride, units = newUnits, laneStep = newLaneStep;
}

int64_t Spread::place(int64_t index) const {
  if (isWhole)
    return index;
  int64_t lane = 0, unit = 0, lanesBelow = 1, unitsBelow = 1;
  for (const Digit &digit : digits) {
    int64_t value = index / digit.stride % digit.size;
    int64_t &below = digit.lane ? lanesBelow : unitsBelow;
    (digit.lane ? lane : unit) += value * below;
    below *= digit.size;
  }
  return lane * laneStep + unit % run + unit / run * runStride;
}

SmallVector<std::pair<int64_t, int64_t>> Spread::repetitions() const {
  if (isWhole)
    return {{units / unitCount, laneCount * unitCount}};
  if (run <= unitCount)
    return {{units / unitCount, unitCount / run * runStride}};
  return {{run / unitCount, unitCount}, {units / run, runStride}};
}

//===----------------------------------------------------------------------===//
// Instructions in a tile
//===----------------------------------------------------------------------===//

static InstructionAttr makeAttribute(MLIRContext *context, const Instruction &instruction,
                                     function_ref<MapAttr(const Fragment &, int)> map) {
  Type factors = parseType(instruction.factors.name, context),
       sums = parseType(instruction.sums.name, context);
  return InstructionAttr::get(context, instruction.name,
                              {instruction.m, instruction.n, instruction.k},
                              {factors, factors, sums}, map(instruction.a, 0),
                              map(instruction.b, 1), map(instruction.c, 2));
}

InstructionAttr tile::placedInstruction(MLIRContext *context, const Instruction &instruction,
                                        const Spread &rows, const Spread &columns,
                                        const Spread &depth) {
  const std::pair<const Spread &, const Spread &> spreads[] = {
      {rows, depth}, {depth, columns}, {rows, columns}};
  return makeAttribute(context, instruction, [&](const Fragment &fragment, int operand) {
    auto placed = [&](ArrayRef<Mode> modes) {
      return llvm::map_to_vector(modes, [&](const Mode &mode) {
        return Mode{mode.size, spreads[operand].first.place(mode.row),
                    spreads[operand].second.place(mode.column)};
      });
    };
    return MapAttr::get(context, placed(fragment.threads), placed(fragment.values));
  });
}

InstructionAttr tile::plainInstruction(MLIRContext *context, const Instruction &instruction) {
  return makeAttribute(context, instruction, [&](const Fragment &fragment, int) {
    return MapAttr::get(context, fragment.threads, fragment.values);
  });
}

std::optional<SmallVector<Repetition>> tile::repetitionsOf(MapAttr fragment, MapAttr instruction) {
  std::map<std::pair<int64_t, int64_t>, int64_t> left; // registers by offset
  for (int64_t index = 0; index < fragment.getNumValues(); ++index)
    if (!left.try_emplace(fragment.getValueOffset(index), index).second)
      return std::nullopt;
  SmallVector<Repetition> repetitions;
  while (!left.empty()) {
    Repetition &repetition = repetitions.emplace_back();
    repetition.origin = left.begin()->first;
    for (int64_t index = 0; index < instruction.getNumValues(); ++index) {
      auto [row, column] = instruction.getValueOffset(index);
      auto found = left.find({repetition.origin.first + row, repetition.origin.second + column});
      if (found == left.end())
        return std::nullopt;
      repetition.registers.push_back(found->second);
      left.erase(found);
    }
  }
  return repetitions;
}
