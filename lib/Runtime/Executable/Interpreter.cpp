//===- Interpreter.cpp - Runs the code of the host ------------------------===//
//
// A call has about a hundred instructions and one launch: nothing here
// allocates memory or makes a string until something fails.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "rooftile/Runtime/Executable/Executable.h"
#include "rooftile/Runtime/HostCode.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <memory>

using namespace rooftile;

/// Instructions of one run; what needs more goes round for ever.
static constexpr uint32_t kMostInstructions = 1 << 26;
/// Registers on the stack.
static constexpr uint32_t kFewRegisters = 1024;

namespace {

/// The memory of a run. Most have one piece or two.
class Allocations {
public:
  explicit Allocations(Runner &device) : device(device) {}
  ~Allocations() {
    for (size_t i = 0; i < fewCount; ++i)
      device.free(few[i]);
    for (void *memory : many)
      device.free(memory);
  }
  void add(void *memory) {
    if (fewCount < kFew)
      few[fewCount++] = memory;
    else
      many.push_back(memory);
  }
  /// False where `memory` is missing.
  bool remove(void *memory) {
    if (void **found = std::find(few, few + fewCount, memory); found != few + fewCount) {
      *found = few[--fewCount];
      return true;
    }
    auto found = std::find(many.rbegin(), many.rend(), memory);
    if (found == many.rend())
      return false;
    *found = many.back();
    many.pop_back();
    return true;
  }

private:
  static constexpr size_t kFew = 8;
  Runner &device;
  void *few[kFew];
  size_t fewCount = 0;
  std::vector<void *> many;
};

/// One run.
class Run {
public:
  Run(const Code &code, uint64_t *registers, Runner &device)
      : code(code), registers(registers), device(device), allocations(device) {}
  std::string run();
  /// Moves the results out of their registers; memory among them is no longer the run's.
  void take(uint64_t *results);

private:
  int64_t at(uint32_t number) const { return registers[number]; }
  void perform(const Instruction &instruction);
  void allocate(const Instruction &instruction);
  void release(void *memory);
  void launch(const LaunchSite &site);
  void checkAlignment(int64_t address, int64_t bytes, int64_t role);
  void describe(const DescriptorSite &site);
  void loadNumber(const Instruction &instruction);

  const Code &code;
  uint64_t *registers;
  Runner &device;
  Allocations allocations;
};

} // namespace

static bool isDivision(Opcode opcode) { return opcode >= Opcode::DivU && opcode <= Opcode::RemS; }

/// A quotient of 2^63 wraps, as additions do.
static uint64_t divide(Opcode opcode, uint64_t a, uint64_t b) {
  int64_t signedA = a, signedB = b;
  bool overflows = signedA == INT64_MIN && signedB == -1;
  auto rest = [&] { return overflows ? 0 : signedA % signedB; };
  auto quotient = [&] { return overflows ? signedA : signedA / signedB; };
  switch (opcode) {
  case Opcode::DivU:
    return a / b;
  case Opcode::CeilDivU:
    return a / b + (a % b != 0);
  case Opcode::RemU:
    return a % b;
  case Opcode::DivS:
    return quotient();
  case Opcode::CeilDivS:
    return quotient() + (rest() != 0 && (signedA < 0) == (signedB < 0));
  default: // RemS
    return rest();
  }
}

//===----------------------------------------------------------------------===//
// Floating-point values
//===----------------------------------------------------------------------===//

template <typename To, typename From> static To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// The number that the bits of an f16 stand for: 5 bits of exponent, 10 of fraction.
static double ofHalf(uint64_t bits) {
  int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  double size = exponent == 0x1f ? (fraction ? NAN : INFINITY)
                : exponent       ? std::ldexp(1024 + fraction, exponent - 25)
                                 : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -size : size;
}

/// The nearest number, to even in the middle, of a type of 16 bits with `fractionBits` of them and
/// exponents from `least` on.
static uint64_t narrowed(double value, int fractionBits, int least) {
  uint64_t sign = std::signbit(value) ? 0x8000 : 0, largest = 0x7fff >> fractionBits;
  if (std::isnan(value))
    return sign | largest << fractionBits | uint64_t(1) << (fractionBits - 1);
  if (value == 0)
    return sign;
  int exponent = std::isinf(value) ? INT_MAX : std::max(std::ilogb(value), least);
  if (exponent > -least + 1)
    return sign | largest << fractionBits;
  // Steps of the last bit; rounding may carry into the exponent, and from the largest to infinity.
  double steps = std::nearbyint(std::ldexp(std::fabs(value), fractionBits - exponent));
  return sign | ((uint64_t(exponent - least) << fractionBits) + uint64_t(steps));
}

static double toDouble(NumberType type, uint64_t bits) {
  switch (type) {
  case NumberType::I64:
    return double(int64_t(bits));
  case NumberType::U64:
    return double(bits);
  case NumberType::F16:
    return ofHalf(bits);
  case NumberType::BF16:
    return bitsAs<float>(uint32_t(bits << 16));
  case NumberType::F32:
    return bitsAs<float>(uint32_t(bits));
  case NumberType::F64:
    return bitsAs<double>(bits);
  }
  return 0;
}

/// A value out of the range of integers becomes the nearest of them; NaN is 0.
static uint64_t fromDouble(NumberType type, double value) {
  constexpr double kEnd = 0x1p63;
  switch (type) {
  case NumberType::I64:
    return std::isnan(value) ? 0
           : value >= kEnd   ? uint64_t(INT64_MAX)
           : value < -kEnd   ? uint64_t(INT64_MIN)
                             : uint64_t(int64_t(value));
  case NumberType::U64:
    return !(value > 0) ? 0 : value >= 2 * kEnd ? UINT64_MAX : uint64_t(value);
  case NumberType::F16:
    return narrowed(value, 10, -14);
  case NumberType::BF16:
    return narrowed(value, 7, -126);
  case NumberType::F32:
    return bitsAs<uint32_t>(float(value));
  case NumberType::F64:
    return bitsAs<uint64_t>(value);
  }
  return 0;
}

/// `target` of the instruction specifies both types.
static uint64_t convert(uint32_t conversion, uint64_t bits) {
  auto from = NumberType(conversion / kNumberTypes), to = NumberType(conversion % kNumberTypes);
  bool isWhole = from <= NumberType::U64 && to <= NumberType::U64;
  bool isRounded = from <= NumberType::U64 && to == NumberType::F32; // by f64 it would be twice
  if (isRounded)
    return bitsAs<uint32_t>(from == NumberType::I64 ? float(int64_t(bits)) : float(bits));
  return isWhole ? bits : fromDouble(to, toDouble(from, bits));
}

static bool isOfFloats(Opcode opcode) { return opcode >= Opcode::AddF && opcode <= Opcode::SqrtF; }

static uint64_t computeFloat(Opcode opcode, double a, double b) {
  switch (opcode) {
  case Opcode::AddF:
    return bitsAs<uint64_t>(a + b);
  case Opcode::SubF:
    return bitsAs<uint64_t>(a - b);
  case Opcode::MulF:
    return bitsAs<uint64_t>(a * b);
  case Opcode::DivF:
    return bitsAs<uint64_t>(a / b);
  case Opcode::EqualF:
    return a == b;
  case Opcode::LessF:
    return a < b;
  case Opcode::LessEqualF:
    return a <= b;
  default: // SqrtF
    return bitsAs<uint64_t>(std::sqrt(a));
  }
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Operations that read two registers and cannot fail.
static uint64_t compute(Opcode opcode, uint64_t a, uint64_t b) {
  int64_t signedA = a, signedB = b;
  switch (opcode) {
  case Opcode::Add:
    return a + b;
  case Opcode::Sub:
    return a - b;
  case Opcode::Mul:
    return a * b;
  case Opcode::And:
    return a & b;
  case Opcode::Or:
    return a | b;
  case Opcode::Xor:
    return a ^ b;
  case Opcode::ShiftLeft:
    return b < 64 ? a << b : 0;
  case Opcode::ShiftRightU:
    return b < 64 ? a >> b : 0;
  case Opcode::ShiftRightS:
    return signedA >> std::min<uint64_t>(b, 63);
  case Opcode::SignExtend:
    return b - 1 < 63 ? uint64_t(int64_t(a << (64 - b)) >> (64 - b)) : a;
  case Opcode::MinU:
    return std::min(a, b);
  case Opcode::MinS:
    return std::min(signedA, signedB);
  case Opcode::MaxU:
    return std::max(a, b);
  case Opcode::MaxS:
    return std::max(signedA, signedB);
  case Opcode::Equal:
    return a == b;
  case Opcode::NotEqual:
    return a != b;
  case Opcode::LessU:
    return a < b;
  case Opcode::LessS:
    return signedA < signedB;
  case Opcode::LessEqualU:
    return a <= b;
  default: // LessEqualS
    return signedA <= signedB;
  }
}

void Run::allocate(const Instruction &instruction) {
  void *memory = device.allocate(at(instruction.a));
  if (*rooftileLastError())
    return;
  if (memory)
    allocations.add(memory);
  registers[instruction.result] = reinterpret_cast<uint64_t>(memory);
}

void Run::release(void *memory) {
  if (!memory)
    return;
  if (allocations.remove(memory))
    device.free(memory);
  else
    recordError("it frees memory that this run did not allocate");
}

void Run::launch(const LaunchSite &site) {
  KernelLaunch launch;
  void *parameters[kMostParameters];
  uint32_t parameterBytes[kMostParameters];
  launch.kernel = site.kernel;
  for (int dim = 0; dim < 3; ++dim) {
    launch.grid[dim] = at(site.grid[dim]);
    launch.block[dim] = at(site.block[dim]);
    launch.cluster[dim] = at(site.cluster[dim]);
  }
  if (launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0)
    return;
  launch.sharedBytes = at(site.sharedBytes);
  launch.parameters = parameters, launch.parameterBytes = parameterBytes;
  launch.parameterCount = site.parameters.size();
  for (size_t i = 0; i < launch.parameterCount; ++i) {
    parameters[i] = registers + site.parameters[i].place;
    parameterBytes[i] = site.parameters[i].bytes;
  }
  device.launch(launch);
}

void Run::checkAlignment(int64_t address, int64_t bytes, int64_t role) {
  if (bytes <= 0 || role < 0)
    recordError("an alignment of " + std::to_string(bytes) + " for role " + std::to_string(role));
  else
    rooftileIsAligned(address, bytes, role);
}

void Run::describe(const DescriptorSite &site) {
  device.makeDescriptor(registers + site.descriptor,
                        {at(site.address), at(site.realBytes), at(site.length), at(site.vectors),
                         at(site.vectorBytes), at(site.boxLength), at(site.boxVectors),
                         at(site.swizzleBytes)});
}

/// "argument 1 has 3 elements along dimension 0"
static std::string textOfSize(SizePlace place, int64_t size) {
  if (place.isStated())
    return std::to_string(size) + " is expected";
  return "argument " + std::to_string(place.argument) + " has size " + std::to_string(size) +
         " along dimension " + std::to_string(place.dim);
}

static void checkSizes(int64_t first, int64_t second, uint64_t places) {
  if (first == second)
    return;
  SizePlace one{uint16_t(places >> 48), uint16_t(places >> 32)},
      other{uint16_t(places >> 16), uint16_t(places)};
  if (one.isStated())
    std::swap(one, other), std::swap(first, second);
  recordError(textOfSize(one, first) + ", but " + textOfSize(other, second) + kSizesDisagree);
}

/// In little endian, as every host of a GPU is.
void Run::loadNumber(const Instruction &instruction) {
  uint64_t number = 0, bytes = std::min<uint64_t>(at(instruction.b), sizeof number);
  device.read(&number, reinterpret_cast<const void *>(at(instruction.a)), bytes);
  registers[instruction.result] = number;
}

/// Operations that may fail, with a recorded error.
void Run::perform(const Instruction &instruction) {
  switch (instruction.opcode) {
  case Opcode::Allocate:
    return allocate(instruction);
  case Opcode::Free:
    return release(reinterpret_cast<void *>(registers[instruction.a]));
  case Opcode::Launch:
    return launch(code.launches[instruction.target]);
  case Opcode::Load:
    return loadNumber(instruction);
  case Opcode::Array:
    registers[instruction.result] = reinterpret_cast<uint64_t>(device.array(instruction.target));
    return;
  case Opcode::Require:
    return at(instruction.a) ? void() : recordError(code.messages[instruction.target]);
  case Opcode::SameSize:
    return checkSizes(at(instruction.a), at(instruction.b), registers[instruction.c]);
  case Opcode::IsAligned:
    checkAlignment(at(instruction.a), at(instruction.b), at(instruction.c));
    break;
  case Opcode::HasRoom:
    rooftileHasRoom(at(instruction.a), at(instruction.b));
    break;
  default: // TensorMap
    describe(code.descriptors[instruction.target]);
    break;
  }
  registers[instruction.result] = 1; // else the run ends with the recorded error
}

std::string Run::run() {
  const Instruction *first = code.instructions.data(), *next = first;
  auto fail = [&](const std::string &what) {
    return "function '" + code.name + "', instruction " + std::to_string(next - first) + ": " +
           what;
  };
  for (uint32_t left = kMostInstructions; left; --left) {
    const Instruction &now = *next;
    switch (now.opcode) {
    case Opcode::Return:
      return "";
    case Opcode::Jump:
      next = first + now.target;
      continue;
    case Opcode::JumpUnless:
      next = registers[now.a] ? next + 1 : first + now.target;
      continue;
    case Opcode::Copy:
      registers[now.result] = registers[now.a];
      break;
    case Opcode::Select:
      registers[now.result] = registers[now.a] ? registers[now.b] : registers[now.c];
      break;
    case Opcode::Convert:
      registers[now.result] = convert(now.target, registers[now.a]);
      break;
    case Opcode::Allocate:
    case Opcode::Free:
    case Opcode::Launch:
    case Opcode::Load:
    case Opcode::Array:
    case Opcode::Require:
    case Opcode::SameSize:
    case Opcode::IsAligned:
    case Opcode::HasRoom:
    case Opcode::TensorMap:
      perform(now);
      if (*rooftileLastError())
        return fail(takeError());
      break;
    default:
      if (isOfFloats(now.opcode))
        registers[now.result] = computeFloat(now.opcode, bitsAs<double>(registers[now.a]),
                                             bitsAs<double>(registers[now.b]));
      else if (!isDivision(now.opcode))
        registers[now.result] = compute(now.opcode, registers[now.a], registers[now.b]);
      else if (registers[now.b] == 0)
        return fail("division by zero");
      else
        registers[now.result] = divide(now.opcode, registers[now.a], registers[now.b]);
    }
    ++next;
  }
  return fail("more than " + std::to_string(kMostInstructions) + " instructions: an endless loop");
}

void Run::take(uint64_t *results) {
  for (const ResultSite &result : code.results) {
    *results++ = registers[result.place];
    if (result.isMemory)
      allocations.remove(reinterpret_cast<void *>(registers[result.place]));
  }
}

/// With the registers of constants and arguments filled, and the others 0.
static std::string runIn(uint64_t *registers, const Code &code, const uint64_t *arguments,
                         uint64_t *results, Runner &device) {
  size_t constants = code.constants.size(), given = constants + code.arguments;
  std::copy_n(code.constants.data(), constants, registers);
  std::copy_n(arguments, code.arguments, registers + constants);
  std::fill(registers + given, registers + code.registers, 0);
  Run run(code, registers, device);
  std::string error = run.run();
  if (error.empty())
    run.take(results);
  return error;
}

std::string Runner::run(const Code &code, const uint64_t *arguments, uint64_t *results) {
  return interpret(code, arguments, results, *this);
}

std::string rooftile::interpret(const Code &code, const uint64_t *arguments, uint64_t *results,
                                Runner &device) {
  rooftileClearError();
  std::string error;
  if (code.registers <= kFewRegisters) {
    alignas(64) uint64_t registers[kFewRegisters];
    error = runIn(registers, code, arguments, results, device);
  } else {
    std::unique_ptr<uint64_t[]> registers(new uint64_t[code.registers]);
    error = runIn(registers.get(), code, arguments, results, device);
  }
  std::string behind = takeError(); // of memory that was freed at the end
  return error.empty() && !behind.empty() ? "function '" + code.name + "': " + behind : error;
}
