//===- Wave.cpp - Registers of a wave, as instructions see them -----------===//

#include "rooftile/Emulator/Wave.h"
#include "llvm/ADT/APFloat.h"

using namespace rooftile::emulator;

using Kind = Operand::Kind;

Wave::Wave(unsigned lanes, unsigned vectors, unsigned accumulators)
    : laneCount(lanes), vectors(vectors), accumulators(accumulators), pendingVectors(vectors),
      pendingAccumulators(accumulators) {
  // Registers that nobody writes hold a NaN.
  for (std::vector<Lanes> *file : {&this->vectors, &this->accumulators})
    for (Lanes &each : *file)
      each.fill(0x7fa0dead);
  scalars.fill(0x7fa0dead);
}

//===----------------------------------------------------------------------===//
// Constants and scalars
//===----------------------------------------------------------------------===//

uint64_t Wave::constant(const Operand &operand, unsigned bytes) {
  if (operand.kind == Kind::Integer) {
    auto value = uint64_t(operand.integer);
    return bytes == 8 ? value : bytes == 4 ? uint32_t(value) : uint16_t(value);
  }
  if (bytes == 8)
    return llvm::bit_cast<uint64_t>(operand.real);
  if (bytes == 4)
    return llvm::bit_cast<uint32_t>(float(operand.real));
  llvm::APFloat half(operand.real);
  bool isInexact;
  half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return half.bitcastToAPInt().getZExtValue();
}

uint64_t Wave::exec() const {
  uint64_t mask = scalars[kExec];
  return laneCount == 64 ? mask | uint64_t(scalars[kExec + 1]) << 32 : mask;
}

void Wave::setExec(uint64_t mask) {
  scalars[kExec] = uint32_t(mask), scalars[kExec + 1] = uint32_t(mask >> 32);
}

uint32_t Wave::scalar32(const Operand &operand) const {
  switch (operand.kind) {
  case Kind::Scalar:
    return operand.index == kNull ? 0 : scalars[operand.index];
  case Kind::Scc:
    return scc;
  default:
    return uint32_t(constant(operand, 4));
  }
}

uint64_t Wave::scalar64(const Operand &operand) const {
  if (operand.kind == Kind::Scc)
    return scc;
  if (operand.kind != Kind::Scalar)
    return constant(operand, 8);
  if (operand.index == kNull)
    return 0;
  return scalars[operand.index] | uint64_t(scalars[operand.index + 1]) << 32;
}

void Wave::setScalar32(const Operand &operand, uint32_t value) {
  if (operand.index != kNull)
    scalars[operand.index] = value;
}

void Wave::setScalar64(const Operand &operand, uint64_t value) {
  if (operand.index == kNull)
    return;
  scalars[operand.index] = uint32_t(value);
  scalars[operand.index + 1] = uint32_t(value >> 32);
}

uint64_t Wave::mask(const Operand &operand) const {
  return laneCount == 64 ? scalar64(operand) : scalar32(operand);
}

void Wave::setMask(const Operand &operand, uint64_t value) {
  laneCount == 64 ? setScalar64(operand, value) : setScalar32(operand, uint32_t(value));
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

uint32_t Wave::lane32(const Operand &operand, unsigned lane, unsigned word) const {
  switch (operand.kind) {
  case Kind::Vector:
    return vectors[operand.index + word][lane];
  case Kind::Accumulator:
    return accumulators[operand.index + word][lane];
  case Kind::Scalar:
    return operand.index == kNull ? 0 : scalars[operand.index + word];
  default:
    return scalar32(operand);
  }
}

uint64_t Wave::lane64(const Operand &operand, unsigned lane, unsigned word) const {
  if (operand.kind == Kind::Vector || operand.kind == Kind::Accumulator) {
    const std::vector<Lanes> &file = operand.kind == Kind::Vector ? vectors : accumulators;
    unsigned first = operand.index + word;
    return file[first][lane] | uint64_t(file[first + 1][lane]) << 32;
  }
  if (operand.kind == Kind::Scalar && operand.index != kNull)
    return scalars[operand.index + word] | uint64_t(scalars[operand.index + word + 1]) << 32;
  return scalar64(operand);
}

void Wave::setLane32(const Operand &operand, unsigned lane, uint32_t value, unsigned word) {
  (operand.kind == Kind::Accumulator ? accumulators : vectors)[operand.index + word][lane] = value;
}

void Wave::setLane64(const Operand &operand, unsigned lane, uint64_t value, unsigned word) {
  std::vector<Lanes> &file = operand.kind == Kind::Accumulator ? accumulators : vectors;
  file[operand.index + word][lane] = uint32_t(value);
  file[operand.index + word + 1][lane] = uint32_t(value >> 32);
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

bool Wave::takeJump(uint64_t &offset) {
  offset = jumpTarget;
  return std::exchange(hasJump, false);
}

void Wave::fail(const std::string &why) {
  if (message.empty())
    message = why;
}

//===----------------------------------------------------------------------===//
// Accesses under way
//===----------------------------------------------------------------------===//

void Wave::mark(const Operand &operand, bool isPending) {
  for (unsigned word = 0; operand.isRegister() && word < operand.count; ++word) {
    unsigned index = operand.index + word;
    uint8_t &count = operand.kind == Kind::Vector        ? pendingVectors[index]
                     : operand.kind == Kind::Accumulator ? pendingAccumulators[index]
                                                         : pendingScalars[index];
    count += isPending ? 1 : -1;
  }
}

/// Accesses that a counter can hold: 6 bits, and 4 of lgkmcnt before gfx10.
static unsigned mostOf(Counter counter, bool hasStoreCounter) {
  return counter == Counter::Local && !hasStoreCounter ? 15 : 63;
}

void Wave::begin(Counter counter, const Operand &destination, bool inOrder, bool writesLocal) {
  // One more waits until there is room, which LLVM relies on.
  wait(counter, mostOf(counter, hasStoreCounter) - 1);
  accesses[size_t(counter)].push_back({destination, inOrder, writesLocal});
  mark(destination, true);
}

void Wave::wait(Counter counter, unsigned left) {
  std::deque<Access> &all = accesses[size_t(counter)];
  auto isLate = [](const Access &each) { return !each.inOrder; };
  // Any may be the last of those that return in any order.
  if (left > 0 && std::any_of(all.begin(), all.end(), isLate))
    return;
  for (; all.size() > left; all.pop_front())
    mark(all.front().destination, false);
}

bool Wave::hasLocalStores() const {
  const std::deque<Access> &all = accesses[size_t(Counter::Local)];
  return std::any_of(all.begin(), all.end(), [](const Access &each) { return each.writesLocal; });
}

static std::string nameOf(const Operand &operand, unsigned word) {
  char letter = operand.kind == Kind::Vector ? 'v' : operand.kind == Kind::Scalar ? 's' : 'a';
  return letter + std::to_string(operand.index + word);
}

/// Size of the register file of an operand.
size_t Wave::registersLike(const Operand &operand) const {
  return operand.kind == Kind::Vector        ? vectors.size()
         : operand.kind == Kind::Accumulator ? accumulators.size()
                                             : size_t(kScalarRegisters);
}

bool Wave::checkPending(const Instruction &instruction) {
  for (const Operand &operand : instruction.operands) {
    // Halves of a register are loaded one after the other, and arrive in this order.
    bool mayBePending = instruction.keepsHalf && &operand == instruction.operands.begin();
    for (unsigned word = 0; operand.isRegister() && word < operand.count; ++word) {
      unsigned index = operand.index + word;
      if (index >= registersLike(operand)) {
        fail("register " + nameOf(operand, word) + ", but the kernel has " +
             std::to_string(registersLike(operand)));
        return false;
      }
      bool isPending = operand.kind == Kind::Vector        ? pendingVectors[index]
                       : operand.kind == Kind::Accumulator ? pendingAccumulators[index]
                                                           : pendingScalars[index];
      if (isPending && !mayBePending) {
        fail("register " + nameOf(operand, word) + " is used before the wait for its load");
        return false;
      }
    }
  }
  return std::all_of(instruction.parts.begin(), instruction.parts.end(),
                     [&](const Instruction &part) { return checkPending(part); });
}
