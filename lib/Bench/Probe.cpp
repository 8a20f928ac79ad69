//===- Probe.cpp - The figures of the chip at hand ------------------------===//

#include "rooftile/Bench/Probe.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Bench/Kernel.h"
#include "rooftile/Bench/ProbeKernels.h"
#include "rooftile/Bench/Stopwatch.h"
#include "rooftile/Compiler/HostEngine.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Pipelines/Pipelines.h"
#include "rooftile/Target/Chips.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <random>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Facts of the driver
//===----------------------------------------------------------------------===//

/// The figures that the driver states.
static constexpr std::pair<llvm::StringLiteral, int DeviceFacts::*> kStated[] = {
    {"units", &DeviceFacts::units},
    {"subgroup", &DeviceFacts::subgroup},
    {"registersPerUnit", &DeviceFacts::registersPerUnit},
    {"sharedBytesPerUnit", &DeviceFacts::sharedBytesPerUnit},
    {"sharedBytesPerBlock", &DeviceFacts::sharedBytesPerBlock},
    {"sharedBytesReserved", &DeviceFacts::sharedBytesReserved},
    {"threadsPerUnit", &DeviceFacts::threadsPerUnit},
    {"threadsPerBlock", &DeviceFacts::threadsPerBlock},
    {"blocksPerUnit", &DeviceFacts::blocksPerUnit},
    {"l2Bytes", &DeviceFacts::l2Bytes}};

/// "sm_90a": 90. 0 for what is no such name.
static int capabilityOf(blas::TargetAttr target) {
  StringRef digits = target->arch;
  int capability = 0;
  if (!digits.consume_front("sm_") || digits.consumeInteger(10, capability))
    return 0;
  return capability;
}

/// The known chip that is most like a device of `capability`.
static blas::TargetAttr relativeOf(StringRef device, int capability, MLIRContext &context) {
  auto lookup = [&](StringRef name) {
    return target::lookupChip(&context, name, [&] { return emitError(UnknownLoc::get(&context)); });
  };
  if (StringRef known = target::chipOfDevice(device); !known.empty())
    return lookup(known);
  blas::TargetAttr nearest, oldest;
  for (StringRef name : target::chipNames()) {
    blas::TargetAttr chip = lookup(name);
    int own = capabilityOf(chip);
    if (own == 0)
      continue;
    if (own <= capability && (!nearest || own > capabilityOf(nearest)))
      nearest = chip;
    if (!oldest || own < capabilityOf(oldest))
      oldest = chip;
  }
  return nearest ? nearest : oldest;
}

/// "NVIDIA L40S": "l40s".
static std::string nameOf(StringRef device) {
  std::string name = device.lower();
  name = StringRef(name).drop_until([](char letter) { return letter == ' '; }).str();
  llvm::erase_if(name, [](char letter) { return !llvm::isAlnum(letter); });
  return name.empty() ? "gpu" : name;
}

/// The figures of the relative with those of the device.
static Figures statedFigures(const DeviceFacts &device, StringRef name, MLIRContext &context) {
  int capability = device.major * 10 + device.minor;
  blas::TargetAttr relative = relativeOf(device.name, capability, context);
  Figures figures(relative, "as " + relative->chip);
  std::string source = "stated by the driver";
  StringRef known = target::chipOfDevice(device.name);
  std::string own = !name.empty() ? name.str() : !known.empty() ? known.str() : nameOf(device.name);
  figures.set("chip", "\"" + own + "\"", device.name);
  if (capability != capabilityOf(relative))
    figures.set("arch", formatv("\"sm_{0}\"", capability), source);
  for (auto [figure, fact] : kStated)
    figures.set(figure, device.*fact, source);
  figures.set("memoryBytes", device.memoryBytes, source);
  return figures;
}

//===----------------------------------------------------------------------===//
// Measurements
//===----------------------------------------------------------------------===//

/// Repetitions of each measurement; the median counts.
static constexpr int kSamples = 5;
/// Milliseconds of work before the first, so that clocks are as under load.
static constexpr double kWarmMs = 500;
/// Where kernels store results and read values (ProbeKernels.inc).
static constexpr size_t kOutBytes = 65536, kNumbersAt = 64, kNumbersBytes = 448;
/// Bytes that are streamed at most, of the device's memory a share at most, and bytes of the
/// longest chain.
static constexpr int64_t kStreamBytes = int64_t(4) << 30, kMemoryPart = 8,
                         kChainBytes = int64_t(1) << 30;
/// Bytes of an access.
static constexpr int64_t kAccess = 16;
/// Bytes from one node of a chain in memory to the next: no two share a line of any cache.
static constexpr int64_t kNodeBytes = 256;

namespace {
/// Kernels on the device, and memory for them. After the first error nothing is measured.
class Prober {
public:
  Prober(const Driver &driver, blas::TargetAttr target)
      : driver(driver), target(target), watch(driver), source("measured " + today()) {}
  ~Prober();

  /// Loads the kernels and allocates memory, then measures.
  llvm::Error run(Figures &figures);

private:
  using Arguments = SmallVector<int64_t, 8>;

  llvm::Error prepare();
  /// Calls the host function of kernel `name` again and again.
  void launch(StringRef name, Arguments arguments, int calls = 1);
  /// Seconds of a launch, the median of several samples of `calls` each. Arguments: workgroups,
  /// threads of one, those of the kernel.
  double seconds(StringRef name, Arguments arguments, int calls = 1);
  /// Clocks that a thread of it spent in its loop, after `before`.
  double clocks(StringRef name, Arguments arguments, llvm::function_ref<void()> before = [] {});
  /// The median of what `sample` measures of kernel `name`.
  double median(StringRef name, llvm::function_ref<double()> sample);
  void fail(StringRef name, StringRef what);
  /// Clocks of a load out of `table` bytes, a power of two.
  double loadClocks(int64_t table, bool isCached);

  void measureClock(Figures &figures);
  void measureRates(Figures &figures);
  void measureLatencies(Figures &figures);
  void measureBandwidths(Figures &figures);

  const Driver &driver;
  blas::TargetAttr target; ///< Facts of the driver; the rest is a relative's.
  Stopwatch watch;
  std::string source, error;
  std::unique_ptr<ExecutionEngine> engine;
  int64_t from = 0, to = 0, out = 0; ///< Addresses.
  int64_t bytes = 0;                 ///< Size of `from` and `to` each.
  double clocksPerSecond = 0;
};
} // namespace

Prober::~Prober() {
  for (int64_t memory : {from, to, out})
    driver.free(reinterpret_cast<void *>(memory));
}

static llvm::Error stop(const llvm::Twine &message) {
  return llvm::createStringError(message.str());
}

llvm::Error Prober::prepare() {
  std::string why;
  ScopedDiagnosticHandler handler(target.getContext(), errorsInto(why));
  OwningOpRef<ModuleOp> module = probeModule(target);
  PassManager passes(target.getContext());
  buildNvvmPipeline(passes, Format::Auto);
  FailureOr<std::unique_ptr<ExecutionEngine>> compiled = failure();
  if (module && succeeded(passes.run(*module)))
    compiled = compiler::createHostEngine(*module, compiler::Effort::Full);
  if (failed(compiled))
    return stop("the kernels of the probe do not compile: " + why);
  engine = std::move(*compiled);
  engine->initialize();
  bytes = std::min(kStreamBytes, target->memoryBytes / kMemoryPart);
  // All threads of the chip share each access of a stream.
  int64_t whole = target->units * target->threadsPerUnit * kAccess;
  bytes = std::max(whole, bytes / whole * whole);
  for (auto [memory, size] : {std::pair(&from, bytes), {&to, bytes}, {&out, int64_t(kOutBytes)}})
    *memory = reinterpret_cast<int64_t>(driver.allocate(uint64_t(size)));
  if (std::string failed = rooftileLastError(); !failed.empty())
    return stop(failed);
  // Values in [1, 2) of both types: sums of their products stay finite.
  std::vector<double> numbers(kNumbersBytes / sizeof(double));
  std::mt19937_64 generator(1);
  for (double &number : numbers)
    number = std::uniform_real_distribution<double>(1, 2)(generator);
  driver.copy(reinterpret_cast<void *>(out + kNumbersAt), numbers.data(), kNumbersBytes);
  return llvm::Error::success();
}

void Prober::fail(StringRef name, StringRef what) {
  if (error.empty())
    error = ("kernel " + name + " of the probe: " + what).str();
}

void Prober::launch(StringRef name, Arguments arguments, int calls) {
  SmallVector<void *> pointers;
  for (int64_t &argument : arguments)
    pointers.push_back(&argument);
  auto function = engine->lookupPacked(("probe_" + name).str());
  if (!function)
    return fail(name, llvm::toString(function.takeError()));
  for (int call = 0; call < calls; ++call)
    (*function)(pointers.data());
}

double Prober::median(StringRef name, llvm::function_ref<double()> sample) {
  std::vector<double> samples;
  for (int index = 0; index <= kSamples && error.empty(); ++index) {
    rooftileClearError();
    double value = sample();
    if (std::string failed = rooftileLastError(); !failed.empty())
      fail(name, failed);
    else if (!(value > 0))
      fail(name, "took no time");
    if (index > 0) // the first loads it
      samples.push_back(value);
  }
  if (!error.empty())
    return 1; // nobody sees what is made of it
  llvm::sort(samples);
  return samples[samples.size() / 2];
}

double Prober::seconds(StringRef name, Arguments arguments, int calls) {
  return median(name, [&] {
    auto work = [&] { launch(name, arguments, calls); };
    return watch.milliseconds(nullptr, work) * 1e-3 / calls;
  });
}

double Prober::clocks(StringRef name, Arguments arguments, llvm::function_ref<void()> before) {
  return median(name, [&] {
    before();
    launch(name, arguments);
    int64_t count = 0;
    driver.copy(&count, reinterpret_cast<void *>(out), sizeof count);
    return double(count);
  });
}

/// Workgroups of 256 threads that fill the schedulers of a unit with 8 subgroups and more.
static constexpr int64_t kRateThreads = 256, kRateBlocks = 2;

void Prober::measureClock(Figures &figures) {
  constexpr int64_t kSteps = 50000;
  Arguments load = {target->units * kRateBlocks, kRateThreads, kSteps, out};
  for (double spent = 0; spent < kWarmMs && error.empty();)
    spent += seconds("rate_f32", load) * 1e3 * (kSamples + 1);
  double taken = seconds("rate_f32", load);
  clocksPerSecond = clocks("rate_f32", load) / taken;
  figures.set("clockMHz", clocksPerSecond * 1e-6, source + " (under multiply-adds of f32)");
}

void Prober::measureRates(Figures &figures) {
  int64_t blocks = target->units * kRateBlocks;
  for (auto [name, perClock, rate] : {std::tuple("rate_f32", "fmaF32PerClock", "fmaF32GFlops"),
                                      {"rate_f64", "fmaF64PerClock", "fmaF64GFlops"}}) {
    constexpr int64_t kSteps = 20000, kProducts = 64;
    double taken = seconds(name, {blocks, kRateThreads, kSteps, out});
    double perSecond = double(blocks) * kRateThreads * kSteps * kProducts / taken;
    double ofUnit = perSecond / clocksPerSecond / target->units;
    figures.set(rate, perSecond * 2e-9, source);
    // Multiply-adds of a unit in a clock are a power of two, of which kernels get most.
    figures.set(perClock, std::exp2(std::round(std::log2(ofUnit))),
                formatv("{0} ({1:f1} of them)", source, ofUnit));
  }
  SmallVector<std::string> rates;
  for (const blas::InstructionRate &each : target->instructions) {
    constexpr int64_t kSteps = 10000;
    const tile::Instruction &instruction = *each.instruction;
    if (instruction.readsShared()) { // its rate is that of a data sheet
      rates.push_back(formatv("{0} = {1}", instruction.name, each.gflops));
      continue;
    }
    double taken = seconds("rate_" + instruction.name.str(), {blocks, kRateThreads, kSteps, out});
    double count = double(blocks) * kRateThreads / target->subgroup * kSteps * kMatricesOfStep;
    double flops = 2.0 * instruction.m * instruction.n * instruction.k * count;
    rates.push_back(formatv("{0} = {1}", instruction.name, std::llround(flops / taken * 1e-9)));
  }
  if (!rates.empty())
    figures.set("instructions", "[" + llvm::join(rates, ", ") + "]", source + ", GFLOP/s");
}

double Prober::loadClocks(int64_t table, bool isCached) {
  constexpr int64_t kThreads = 256, kMostSteps = 1 << 14;
  int64_t nodes = table / kNodeBytes;
  launch("link", {nodes / kThreads, kThreads, from, nodes, kNodeBytes});
  auto pushOut = [&] { // of all caches
    if (!isCached)
      launch("write", {target->units * 2, target->threadsPerBlock, to, bytes / kAccess});
  };
  // No node twice, lest it be found nearer.
  int64_t steps = std::min(nodes, kMostSteps);
  return clocks("chase", {1, 1, from, steps, out}, pushOut) / steps;
}

void Prober::measureLatencies(Figures &figures) {
  constexpr int64_t kSteps = 1 << 16;
  figures.set("fmaLatencyCycles", clocks("chain", {1, 32, kSteps, out}) / kSteps,
              source + " (multiply-adds that wait for each other)");
  figures.set("sharedLatencyCycles", clocks("chase_shared", {1, 1, kSteps, out}) / kSteps,
              source + " (pointer chase)");
  for (auto [figure, table, isCached] :
       {std::tuple("l2LatencyCycles", target->l2Bytes / 4, true),
        {"dramLatencyCycles", std::min(bytes, kChainBytes), false}}) {
    int64_t size = llvm::bit_floor(uint64_t(table));
    figures.set(figure, loadClocks(size, isCached),
                formatv("{0} (pointer chase, {1} MiB)", source, size >> 20));
  }
}

void Prober::measureBandwidths(Figures &figures) {
  constexpr int64_t kSharedSteps = 1 << 16, kSharedThreads = 1024, kPasses = 200;
  int64_t units = target->units;
  double ofUnit = double(kSharedThreads) * kSharedSteps * kAccess /
                  clocks("read_shared", {units, kSharedThreads, kSharedSteps, out});
  double whole = std::exp2(std::round(std::log2(ofUnit)));
  figures.set("sharedBytesPerClock", whole, formatv("{0} ({1:f1} of them)", source, ofUnit));
  figures.set("sharedBanks", whole / 4, "of 4 bytes each");
  // As many threads as there can be, four accesses of each at a time.
  constexpr int64_t kThreads = 512;
  int64_t blocks = units * target->threadsPerUnit / kThreads;
  int64_t round = blocks * kThreads * kAccess;
  int64_t cached = std::max<int64_t>(1, target->l2Bytes * 3 / 4 / round) * round;
  double taken = seconds("read", {blocks, kThreads, from, cached / kAccess, blocks, kPasses, out});
  figures.set("l2GBps", cached * kPasses / taken * 1e-9,
              formatv("{0} (read, {1} MiB)", source, cached >> 20));
  // More than lies in the cache of a unit. Each part by as many units as share a panel of an
  // operand where tiles make up a square; then all of it by one workgroup alone.
  constexpr int64_t kOfUnit = 16 << 20, kSharedPasses = 20, kOfUnitPasses = 5;
  int64_t threads = target->threadsPerBlock, parts = std::llround(std::sqrt(units));
  taken = seconds("read", {units, threads, from, kOfUnit / kAccess, parts, kSharedPasses, out});
  figures.set("l2SharedGBps", double(kOfUnit) / parts * units * kSharedPasses / taken * 1e-9,
              formatv("{0} ({1} parts, each read by {2} units)", source, parts, units / parts));
  taken = seconds("read", {1, threads, from, kOfUnit / kAccess, 1, kOfUnitPasses, out});
  figures.set("l2BytesPerClock", kOfUnit * kOfUnitPasses / taken / clocksPerSecond,
              source + " (of a unit)");
  constexpr int kCalls = 5;
  int64_t count = bytes / kAccess;
  taken = seconds("read", {blocks, kThreads, from, count, blocks, 1, out}, kCalls);
  figures.set("dramReadGBps", bytes / taken * 1e-9, source);
  taken = seconds("copy", {blocks, kThreads, from, to, count}, kCalls);
  figures.set("dramCopyGBps", 2 * bytes / taken * 1e-9, source + " (read + write)");
  taken = seconds("write", {blocks, kThreads, to, count}, kCalls);
  figures.set("dramWriteGBps", bytes / taken * 1e-9, source);
  constexpr int kLaunches = 2000;
  figures.set("launchNs", seconds("empty", {1, 32}, kLaunches) * 1e9, source + " (in a stream)");
  constexpr int64_t kWorkgroups = 1 << 20;
  figures.set("workgroupPs", seconds("empty", {kWorkgroups, 32}) / kWorkgroups * 1e12,
              source + " (2^20 of an empty kernel)");
}

llvm::Error Prober::run(Figures &figures) {
  if (llvm::Error failed = prepare())
    return failed;
  using Step = void (Prober::*)(Figures &);
  const std::pair<const char *, Step> steps[] = {{"the clock under load", &Prober::measureClock},
                                                 {"rates", &Prober::measureRates},
                                                 {"latencies", &Prober::measureLatencies},
                                                 {"bandwidths", &Prober::measureBandwidths}};
  for (auto [index, step] : llvm::enumerate(steps)) {
    llvm::errs() << formatv("[{0}/{1}] {2}\n", index + 1, std::size(steps), step.first);
    (this->*step.second)(figures);
    if (!error.empty())
      return stop(error);
  }
  return llvm::Error::success();
}

llvm::Expected<Figures> rooftile::bench::probe(StringRef name, MLIRContext &context) {
  rooftileClearError();
  const Driver &driver = Driver::of(DeviceKind::Cuda);
  DeviceFacts device;
  if (!driver.ask(driver.device(), device))
    return stop(rooftileLastError());
  Figures figures = statedFigures(device, name, context);
  std::string why;
  ScopedDiagnosticHandler handler(&context, errorsInto(why));
  blas::TargetAttr stated = figures.attribute(&context);
  if (!stated)
    return stop("what the driver states is no target: " + why);
  if (llvm::Error failed = Prober(driver, stated).run(figures))
    return failed;
  if (!figures.attribute(&context))
    return stop("what was measured is no target: " + why);
  return figures;
}
