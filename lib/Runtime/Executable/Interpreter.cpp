//===- Interpreter.cpp - Runs the code of the host ------------------------===//
//
// A call has about a hundred instructions and one launch: nothing here
// allocates memory or makes a string until something fails.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "rooftile/Runtime/Runtime.h"

#include <algorithm>
#include <climits>
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
  explicit Allocations(Device &device) : device(device) {}
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
  /// False where `memory` is not there.
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
  Device &device;
  void *few[kFew];
  size_t fewCount = 0;
  std::vector<void *> many;
};

/// One run.
class Run {
public:
  Run(const Code &code, uint64_t *registers, Device &device)
      : code(code), registers(registers), device(device), allocations(device) {}
  std::string run();

private:
  int64_t at(uint32_t number) const { return registers[number]; }
  void perform(const Instruction &instruction);
  void allocate(const Instruction &instruction);
  void release(void *memory);
  void launch(const LaunchSite &site);
  void checkAlignment(int64_t address, int64_t bytes, int64_t role);
  void describe(const DescriptorSite &site);

  const Code &code;
  uint64_t *registers;
  Device &device;
  Allocations allocations;
};

} // namespace

static bool isDivision(Opcode opcode) { return opcode >= Opcode::DivU && opcode <= Opcode::RemS; }

/// A quotient of 2^63 wraps, as sums do.
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
  device.makeDescriptor(registers + site.descriptor, at(site.address), at(site.numberBytes),
                        at(site.length), at(site.lines), at(site.lineBytes), at(site.boxLength),
                        at(site.boxLines));
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
    case Opcode::Allocate:
    case Opcode::Free:
    case Opcode::Launch:
    case Opcode::IsAligned:
    case Opcode::HasRoom:
    case Opcode::TensorMap:
      perform(now);
      if (*rooftileLastError())
        return fail(takeError());
      break;
    default:
      if (!isDivision(now.opcode))
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

/// With the registers of constants and arguments filled, and the others 0.
static std::string runIn(uint64_t *registers, const Code &code, const uint64_t *arguments,
                         Device &device) {
  size_t constants = code.constants.size(), given = constants + code.arguments;
  std::copy_n(code.constants.data(), constants, registers);
  std::copy_n(arguments, code.arguments, registers + constants);
  std::fill(registers + given, registers + code.registers, 0);
  return Run(code, registers, device).run();
}

std::string Device::run(const Code &code, const uint64_t *arguments) {
  return interpret(code, arguments, *this);
}

std::string rooftile::interpret(const Code &code, const uint64_t *arguments, Device &device) {
  rooftileClearError();
  std::string error;
  if (code.registers <= kFewRegisters) {
    alignas(64) uint64_t registers[kFewRegisters];
    error = runIn(registers, code, arguments, device);
  } else {
    std::unique_ptr<uint64_t[]> registers(new uint64_t[code.registers]);
    error = runIn(registers.get(), code, arguments, device);
  }
  std::string behind = takeError(); // of memory that was freed at the end
  return error.empty() && !behind.empty() ? "function '" + code.name + "': " + behind : error;
}
