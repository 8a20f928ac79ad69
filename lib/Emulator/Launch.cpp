//===- Launch.cpp - Runs a kernel of a code object ------------------------===//
//
// Workgroups run side by side on one thread: a turn of a wave lasts until it waits at a barrier, or
// for a number of instructions, so that one workgroup may wait for what another one stores.
// Registers at the begin of a kernel are those of LLVM's AMDGPUUsage, "Initial Kernel Execution
// State".
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/Launch.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

using namespace rooftile::emulator;

/// Workgroups that run side by side, at most: registers of a wave need 128 KB.
static constexpr size_t kMostResident = 128;
/// Instructions of a turn.
static constexpr unsigned kTurn = 4096;

namespace {
/// hsa_kernel_dispatch_packet_t: of its 64 bytes kernels read the sizes.
struct DispatchPacket {
  uint16_t header = 0, setup = 0;
  uint16_t threads[3];
  uint16_t reserved = 0;
  uint32_t items[3];
  uint32_t privateBytes = 0, localBytes = 0;
  uint64_t kernel = 0, arguments = 0, reserved2 = 0, signal = 0;
};
static_assert(sizeof(DispatchPacket) == 64, "as the hardware reads it");

struct Group {
  uint32_t at[3];
  std::unique_ptr<LocalMemory> local;
  std::vector<std::unique_ptr<Wave>> waves;
};

class Run {
public:
  Run(const CodeObject &object, const Kernel &kernel, const Launch &launch, GlobalMemory &memory);
  std::string run();

private:
  std::string whyNot() const;
  void fillArguments();
  void fillHidden(const Argument &argument);
  Group begin(uint64_t number);
  void setScalars(Wave &wave, const Group &group) const;
  void setItems(Wave &wave, unsigned first) const;
  /// A turn of each wave; false after a failure.
  bool advance(Group &group);
  bool turn(Wave &wave, const Group &group);
  void report(const Wave &wave, const Group &group, const Instruction *instruction);

  const CodeObject &object;
  const Kernel &kernel;
  const Launch &launch;
  GlobalView view;
  std::vector<uint8_t> arguments;
  DispatchPacket packet;
  unsigned threads, lanes;
  size_t first = 0; ///< Index of the first instruction.
  uint64_t executed = 0;
  std::string failure;
};
} // namespace

Run::Run(const CodeObject &object, const Kernel &kernel, const Launch &launch, GlobalMemory &memory)
    : object(object), kernel(kernel), launch(launch), view(memory),
      arguments(std::max(kernel.argumentBytes, 4u)),
      threads(launch.threads[0] * launch.threads[1] * launch.threads[2]),
      lanes(kernel.hasWave32 ? 32 : 64) {
  for (int dim : {0, 1, 2}) {
    packet.threads[dim] = uint16_t(launch.threads[dim]);
    packet.items[dim] = launch.blocks[dim] * launch.threads[dim];
  }
  packet.localBytes = kernel.localBytes + launch.localBytes;
  view.add(uint64_t(arguments.data()), arguments.size());
  view.add(uint64_t(&packet), sizeof packet);
  view.add(uint64_t(object.image().data()), object.image().size());
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

void Run::fillHidden(const Argument &argument) {
  using Kind = Argument::Kind;
  auto at = [&](Kind kind) { return unsigned(argument.kind) - unsigned(kind); };
  uint64_t value = 0;
  if (argument.kind >= Kind::BlockCountX && argument.kind <= Kind::BlockCountZ)
    value = launch.blocks[at(Kind::BlockCountX)];
  else if (argument.kind >= Kind::GroupSizeX && argument.kind <= Kind::GroupSizeZ)
    value = launch.threads[at(Kind::GroupSizeX)];
  else if (argument.kind == Kind::GridDimensions)
    value = launch.blocks[2] * launch.threads[2] > 1   ? 3
            : launch.blocks[1] * launch.threads[1] > 1 ? 2
                                                       : 1;
  else if (argument.kind == Kind::DynamicLocalBytes)
    value = launch.localBytes;
  std::memcpy(&arguments[argument.offset], &value, std::min<size_t>(argument.bytes, sizeof value));
}

void Run::fillArguments() {
  size_t next = 0;
  for (const Argument &argument : kernel.arguments)
    if (argument.kind != Argument::Kind::Value)
      fillHidden(argument);
    else
      std::memcpy(&arguments[argument.offset], launch.arguments[next++], argument.bytes);
}

std::string Run::whyNot() const {
  size_t values =
      std::count_if(kernel.arguments.begin(), kernel.arguments.end(),
                    [](const Argument &each) { return each.kind == Argument::Kind::Value; });
  if (values != launch.arguments.size())
    return llvm::formatv("has {0} arguments, got {1}", values, launch.arguments.size());
  for (const Argument &argument : kernel.arguments)
    if (uint64_t(argument.offset) + argument.bytes > arguments.size())
      return llvm::formatv("an argument at {0} of {1} bytes", argument.offset, arguments.size());
  if (threads == 0 || threads > 1024)
    return llvm::formatv("a workgroup of {0} threads; 1 to 1024 are possible", threads);
  if (kernel.scratchBytes > 0)
    return llvm::formatv("needs {0} bytes of scratch memory a thread, which the emulator does not "
                         "have",
                         kernel.scratchBytes);
  constexpr uint32_t kMostLocal = 65536;
  if (packet.localBytes > kMostLocal)
    return llvm::formatv("{0} bytes of LDS; there are {1}", packet.localBytes, kMostLocal);
  return "";
}

//===----------------------------------------------------------------------===//
// Registers at the begin
//===----------------------------------------------------------------------===//

void Run::setScalars(Wave &wave, const Group &group) const {
  unsigned next = 0;
  auto add64 = [&](bool isOn, uint64_t value) {
    if (!isOn)
      return;
    wave.scalar(next) = uint32_t(value), wave.scalar(next + 1) = uint32_t(value >> 32);
    next += 2;
  };
  next += kernel.hasPrivateBuffer ? 4 : 0;
  add64(kernel.hasDispatchPointer, uint64_t(&packet));
  add64(kernel.hasQueuePointer, 0);
  add64(kernel.hasArgumentPointer, uint64_t(arguments.data()));
  add64(kernel.hasDispatchId, 0);
  add64(kernel.hasFlatScratch, 0);
  if (kernel.hasPrivateSize)
    wave.scalar(next) = 0;
  next = kernel.userScalars;
  bool has[] = {kernel.hasGroupX, kernel.hasGroupY, kernel.hasGroupZ};
  for (int dim : {0, 1, 2})
    if (has[dim])
      wave.scalar(next++) = group.at[dim];
  if (kernel.hasGroupInfo)
    wave.scalar(next++) = 0;
  if (kernel.hasScratchOffset)
    wave.scalar(next++) = 0;
}

/// Numbers of the threads in the workgroup: one register for each dimension on gfx906, ten bits of
/// one register since.
void Run::setItems(Wave &wave, unsigned begin) const {
  bool isPacked = object.chip() != "gfx906";
  Operand item;
  item.kind = Operand::Kind::Vector;
  unsigned dimensions = isPacked ? 1 : kernel.itemDimensions;
  uint64_t active = 0;
  for (unsigned lane = 0; lane < lanes && begin + lane < threads; ++lane) {
    active |= uint64_t(1) << lane;
    unsigned thread = begin + lane, x = thread % launch.threads[0],
             y = thread / launch.threads[0] % launch.threads[1],
             z = thread / launch.threads[0] / launch.threads[1];
    if (isPacked) {
      unsigned shown = kernel.itemDimensions;
      wave.setLane32(item, lane, x | (shown > 1 ? y << 10 : 0) | (shown > 2 ? z << 20 : 0));
      continue;
    }
    unsigned numbers[] = {x, y, z};
    for (unsigned dim = 0; dim < dimensions; ++dim)
      wave.setLane32(item, lane, numbers[dim], dim);
  }
  wave.setExec(active);
}

Group Run::begin(uint64_t number) {
  Group group;
  group.at[0] = uint32_t(number % launch.blocks[0]);
  group.at[1] = uint32_t(number / launch.blocks[0] % launch.blocks[1]);
  group.at[2] = uint32_t(number / launch.blocks[0] / launch.blocks[1]);
  group.local = std::make_unique<LocalMemory>(packet.localBytes);
  group.local->banks = launch.banks;
  unsigned accumulators = kernel.accumulatorsBegin ? kernel.vectors - kernel.accumulatorsBegin : 0;
  unsigned vectors = std::max(kernel.vectors - accumulators, 4u);
  for (unsigned begin = 0; begin < threads; begin += lanes) {
    auto wave = std::make_unique<Wave>(lanes, vectors, accumulators);
    wave->global = &view, wave->local = group.local.get();
    wave->number = begin / lanes, wave->imageAddress = object.addressOf(0);
    wave->hasStoreCounter = object.chip().rfind("gfx11", 0) == 0;
    wave->mode = kernel.mode, wave->next = first;
    setScalars(*wave, group);
    setItems(*wave, begin);
    group.waves.push_back(std::move(wave));
  }
  return group;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

void Run::report(const Wave &wave, const Group &group, const Instruction *instruction) {
  failure = llvm::formatv("workgroup ({0}, {1}, {2}), wave {3}", group.at[0], group.at[1],
                          group.at[2], wave.number);
  if (instruction)
    failure += llvm::formatv(", at {0:x}: {1}", instruction->offset, instruction->text);
  failure += ": " + wave.failure();
}

bool Run::turn(Wave &wave, const Group &group) {
  const std::vector<Instruction> &code = object.instructions();
  for (unsigned count = 0; count < kTurn && wave.state == Wave::State::Running; ++count) {
    const Instruction &instruction = code[wave.next];
    if (!instruction.execute)
      wave.fail("the emulator does not know " + instruction.name);
    else if (wave.checkPending(instruction))
      instruction.execute(wave, instruction);
    ++executed, ++wave.next;
    uint64_t target = 0;
    if (wave.takeJump(target)) {
      std::optional<size_t> index = object.indexOf(target);
      index ? void(wave.next = *index)
            : wave.fail("a branch to " + llvm::formatv("{0:x}", target).str() +
                        ", where no instruction begins");
    }
    if (wave.next >= code.size() && wave.state == Wave::State::Running)
      wave.fail("runs beyond the end of the code");
    if (executed > launch.mostInstructions)
      wave.fail(llvm::formatv("more than {0} instructions", launch.mostInstructions));
    if (!wave.failure().empty())
      return report(wave, group, &instruction), false;
  }
  return true;
}

bool Run::advance(Group &group) {
  for (std::unique_ptr<Wave> &wave : group.waves)
    if (wave->state == Wave::State::Running && !turn(*wave, group))
      return false;
  auto isAt = [](Wave::State state) {
    return [state](const std::unique_ptr<Wave> &wave) { return wave->state == state; };
  };
  // A barrier is for waves that have not ended.
  bool anyRuns = llvm::any_of(group.waves, isAt(Wave::State::Running));
  bool anyWaits = llvm::any_of(group.waves, isAt(Wave::State::AtBarrier));
  if (anyRuns || !anyWaits)
    return true;
  group.local->passBarrier();
  for (std::unique_ptr<Wave> &wave : group.waves)
    if (wave->state == Wave::State::AtBarrier)
      wave->state = Wave::State::Running;
  return true;
}

std::string Run::run() {
  if (std::string why = whyNot(); !why.empty())
    return why;
  std::optional<size_t> entry = object.indexOf(kernel.entry);
  if (!entry)
    return "has no code";
  first = *entry;
  fillArguments();
  std::vector<uint64_t> order(uint64_t(launch.blocks[0]) * launch.blocks[1] * launch.blocks[2]);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(launch.seed));
  std::vector<Group> resident;
  size_t next = 0;
  while (next < order.size() || !resident.empty()) {
    while (next < order.size() && resident.size() < kMostResident)
      resident.push_back(begin(order[next++]));
    for (Group &group : resident)
      if (!advance(group))
        return failure;
    llvm::erase_if(resident, [](const Group &group) {
      return llvm::all_of(group.waves, [](const std::unique_ptr<Wave> &wave) {
        return wave->state == Wave::State::Done;
      });
    });
  }
  return "";
}

std::string rooftile::emulator::run(const CodeObject &object, const Kernel &kernel,
                                    const Launch &launch, GlobalMemory &memory) {
  std::string why = Run(object, kernel, launch, memory).run();
  return why.empty() ? "" : "kernel " + kernel.name + ": " + why;
}
