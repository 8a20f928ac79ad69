//===- Session.cpp - Verification around every blas operation -------------===//

#include "rooftile/Verify/Engine/Session.h"
#include "OperationRun.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Memref.h"
#include "rooftile/Runtime/Runtime.h"
#include "rooftile/Verify/Model/OperationModel.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>

using namespace rooftile;
using namespace rooftile::verify;

Session::Session(DeviceKind device, std::vector<Site> ofProgram, std::vector<RunPlan> plans,
                 uint64_t seed)
    : device(device), sites(std::move(ofProgram)), plans(std::move(plans)),
      run(std::make_unique<OperationRun>(device, seed, seed + 2 * sites.size())) {}

Session::~Session() = default;

void Session::begin(std::vector<Buffer *> watched) {
  run->setBuffers(std::move(watched));
  outcomes.clear();
  failures.clear();
  launches.clear(), hashes.clear();
}

void Session::setConstant(std::optional<double> number) { run->constant = number; }

void Session::fail(const std::string &message) {
  if (std::find(failures.begin(), failures.end(), message) == failures.end())
    failures.push_back(message);
}

Outcome &Session::outcomeOf(int64_t id) {
  for (Outcome &outcome : outcomes)
    if (outcome.site == &sites[id])
      return outcome;
  outcomes.emplace_back();
  outcomes.back().site = &sites[id];
  return outcomes.back();
}

void Session::runs(int64_t plan) {
  if (phase == Phase::Timing || running < 0)
    return;
  Outcome &outcome = outcomeOf(running);
  if (outcome.plans.empty())
    outcome.tileM = plans[plan].tileM, outcome.tileN = plans[plan].tileN;
  if (!llvm::is_contained(outcome.plans, plans[plan].text))
    outcome.plans.push_back(plans[plan].text);
  chooseTiles(outcome, plans[plan]);
}

/// Tiles of a product that run: the first, the last and some between.
static constexpr double kLeastTiles = 2, kMostTiles = 6;

void Session::chooseTiles(const Outcome &outcome, const RunPlan &plan) {
  const Site &site = *outcome.site;
  if (device != DeviceKind::Cpu || std::isinf(work) || !site.model->hasIndependentTiles())
    return;
  double products = componentsOf(site.elementA) * componentsOf(site.elementB);
  double ofTile = double(plan.tileM) * plan.tileN * std::max<int64_t>(outcome.k, 1) * products;
  double all = double(outcome.m) * outcome.n * outcome.k * outcome.batch * products;
  run->onlySomeTiles = all > work;
  if (!run->onlySomeTiles)
    return;
  rooftileCpuSample(site.model->name(), std::clamp(work / ofTile, kLeastTiles, kMostTiles),
                    plan.splits);
  (void)rooftileCpuTakeStoredBytes();
  storedPerElement = plan.slices > 1 ? plan.slices * bytesOf(site.sum) : bytesOf(site.element);
}

/// Elements that tiles stored and that hold no number, or the number from before. Empty for none.
std::string Session::checkWritten(const Finding &finding) const {
  int64_t stored = rooftileCpuTakeStoredBytes() / storedPerElement;
  if (run->beta != 0.0 || finding.compared == stored) // C may keep a number
    return "";
  return std::to_string(stored - finding.compared) + " of " + std::to_string(stored) +
         " elements that were stored are NaN";
}

void Session::extra(int64_t id, int64_t index, Operand operand, Scalar scalar) {
  operand.element = sites[id].epilogue.extras[index].element;
  run->extras.resize(index + 1);
  run->extras[index].operand = operand;
  run->extras[index].scalar = scalar;
}

void Session::before(int64_t id, const Operand *operands, Scalar alpha, Scalar beta) {
  running = id;
  firstLaunch = rooftileProfileCount();
  if (phase == Phase::Timing)
    return;
  run->begin(sites[id], operands, alpha, beta, phase);
  run->onlySomeTiles = false;
  run->outcome = &outcomeOf(id);
  sites[id].model->prepare(*run);
}

void Session::keepBits() {
  if (phase == Phase::Uniform)
    hashes.push_back(run->hashOfResult());
}

void Session::compareBits(Outcome &outcome) {
  bool same = compared < hashes.size() && run->hashOfResult() == hashes[compared];
  ++compared;
  if (!same && outcome.failure.empty())
    outcome.failure = "the same data gave other bits in another order of threads and workgroups";
}

void Session::compareResult(Outcome &outcome) {
  bool isEmpty = run->operands[2].view.elements() == 0, exact = run->isExact();
  if (!isEmpty) {
    Finding finding = outcome.site->model->compare(*run);
    outcome.compared += finding.compared;
    outcome.ratio = std::max(outcome.ratio, finding.ratio);
    outcome.ulps = std::max(outcome.ulps, finding.ulps);
    outcome.unbounded += finding.unbounded;
    outcome.sampled |= finding.sampled;
    if (finding.wrong && outcome.failure.empty())
      outcome.failure = std::to_string(finding.wrong) + " of " + std::to_string(finding.compared) +
                        " elements are wrong with " + (exact ? "small-integer" : "uniform") +
                        " data: " + finding.first;
    if (run->onlySomeTiles && outcome.failure.empty())
      outcome.failure = checkWritten(finding);
  }
  outcome.exactTested |= exact || isEmpty; // nothing to get wrong
  std::string outside = run->checkOutside();
  if (outcome.failure.empty())
    outcome.failure = outside;
}

/// An error of the runtime. What was not launched must not have been begun, either.
void Session::noteError(Outcome &outcome, const std::string &error) {
  bool refused = llvm::StringRef(error).ends_with(": not launched");
  bool untouched = run->isUntouched();
  outcome.refused |= refused && untouched;
  if (outcome.failure.empty())
    outcome.failure = error + (refused && !untouched ? ", but C was written" : "");
}

void Session::after(int64_t id) {
  if (phase == Phase::Timing) {
    launches.push_back({id, firstLaunch, rooftileProfileCount()});
    return;
  }
  synchronize(device);
  rooftileCpuSample("", 0, 1);
  Outcome &outcome = outcomeOf(id);
  run->readResult();
  std::string error = rooftileLastError();
  if (!error.empty()) {
    noteError(outcome, error);
    rooftileClearError();
  } else if (phase == Phase::Again) {
    compareBits(outcome);
  } else {
    compareResult(outcome);
    keepBits();
  }
  run->restoreSurroundings();
  running = -1;
}

void Session::stop(const std::string &error) {
  if (running < 0 || phase == Phase::Timing)
    return fail(error);
  recordError(error);
  after(running);
}

void Session::takeTimes() {
  std::vector<double> times(rooftileProfileCount());
  rooftileProfileTake(times.data(), times.size());
  for (const Launches &launch : launches) {
    double sum = 0;
    for (size_t i = launch.begin; i < launch.end && i < times.size(); ++i)
      sum += times[i];
    outcomeOf(launch.id).milliseconds.push_back(sum);
  }
  launches.clear();
}

//===----------------------------------------------------------------------===//
// Figures of one operation
//===----------------------------------------------------------------------===//

double Outcome::flops() const { return site->model->flops(*this); }

double Outcome::bound(const Roofline &roofline) const {
  double peak = realOf(site->sum) == Element::F64 ? roofline.flopsF64 : roofline.flopsF32;
  if (peak <= 0 || roofline.readBytes <= 0 || roofline.writeBytes <= 0)
    return 0;
  Traffic traffic = site->model->traffic(*this);
  double bytesOfC = double(m) * n * batch * bytesOf(site->element);
  double read = traffic.elementsA * bytesOf(site->elementA) +
                traffic.elementsB * bytesOf(site->elementB) + (traffic.readsC ? bytesOfC : 0);
  double memory = read / roofline.readBytes + bytesOfC / roofline.writeBytes;
  return std::max(flops() / peak, memory);
}

double Outcome::median() const {
  if (milliseconds.empty())
    return 0;
  std::vector<double> sorted = milliseconds;
  std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
  return sorted[sorted.size() / 2];
}

std::string Outcome::planText() const {
  return plans.empty() ? site->model->unplanned() : "plan " + llvm::join(plans, " + ");
}

//===----------------------------------------------------------------------===//
// C entry points
//
// Memrefs arrive as MLIR's C interface passes unranked ones (Runtime/Memref.h).
//===----------------------------------------------------------------------===//

static Session *activeSession = nullptr;

void rooftile::verify::setActiveSession(Session *session) { activeSession = session; }

static Operand operandOf(const Unranked &memref) {
  Operand operand{memref.descriptor->aligned, Element::F32, {}};
  const int64_t *sizes = memref.descriptor->sizesAndStrides;
  operand.view.offset = memref.descriptor->offset;
  operand.view.sizes.assign(sizes, sizes + memref.rank);
  operand.view.strides.assign(sizes + memref.rank, sizes + 2 * memref.rank);
  return operand;
}

static void before(int64_t id, Unranked *a, Unranked *b, Unranked *c, double alphaRe,
                   double alphaIm, double betaRe, double betaIm) {
  Operand operands[] = {operandOf(*a), operandOf(*b), operandOf(*c)};
  activeSession->before(id, operands, {alphaRe, alphaIm}, {betaRe, betaIm});
}

static void after(int64_t id, Unranked *, Unranked *, Unranked *, double, double, double, double) {
  activeSession->after(id);
}

static void extraMatrix(int64_t id, int64_t index, Unranked *matrix) {
  activeSession->extra(id, index, operandOf(*matrix), 0);
}

static void extraScalar(int64_t id, int64_t index, double re, double im) {
  activeSession->extra(id, index, {}, {re, im});
}

static void runs(int64_t plan) { activeSession->runs(plan); }

std::vector<std::pair<std::string, void *>>
rooftile::verify::callbackSymbols(const std::vector<Site> &sites) {
  std::vector<std::pair<std::string, void *>> symbols{
      {"_mlir_ciface_rooftileRuns", reinterpret_cast<void *>(runs)}};
  for (size_t id = 0; id < sites.size(); ++id) {
    std::string number = std::to_string(id);
    symbols.push_back(
        {"_mlir_ciface_rooftileBeforeSite" + number, reinterpret_cast<void *>(before)});
    symbols.push_back({"_mlir_ciface_rooftileAfterSite" + number, reinterpret_cast<void *>(after)});
    for (size_t index = 0; index < sites[id].epilogue.extras.size(); ++index)
      symbols.push_back({"_mlir_ciface_rooftileExtraSite" + number + "x" + std::to_string(index),
                         sites[id].epilogue.extras[index].isMatrix
                             ? reinterpret_cast<void *>(extraMatrix)
                             : reinterpret_cast<void *>(extraScalar)});
  }
  return symbols;
}

//===----------------------------------------------------------------------===//
// Entry points of executables
//
// A parameter is the address of all registers of an operand (Executable/Code.h).
//===----------------------------------------------------------------------===//

template <typename T> static T numberAt(const void *parameter) {
  T number;
  std::memcpy(&number, parameter, sizeof number);
  return number;
}

static Scalar scalarAt(void *const *parameters) {
  return {numberAt<double>(parameters[0]), numberAt<double>(parameters[1])};
}

static Operand operandAt(const void *parameter, int64_t rank) {
  auto registers = static_cast<const int64_t *>(parameter);
  Operand operand{reinterpret_cast<char *>(registers[0]), Element::F32, {}};
  operand.view.offset = registers[1];
  operand.view.sizes.assign(registers + 2, registers + 2 + rank);
  operand.view.strides.assign(registers + 2 + rank, registers + 2 + 2 * rank);
  return operand;
}

/// With the parameters of a call alone.
template <typename Function> static HostKernel calling(Function function) {
  return
      [function](int64_t, int64_t, int64_t, int64_t, void **parameters) { function(parameters); };
}

HostKernel rooftile::verify::callbackOf(std::string_view callee, std::vector<int64_t> ranks) {
  llvm::StringRef name = callee;
  if (name == "rooftileRuns")
    return calling([](void **at) { activeSession->runs(numberAt<int64_t>(at[0])); });
  if (name.contains("Site"))
    return nullptr; // of compiled code
  if (name.starts_with("rooftileAfter"))
    return calling([](void **at) { activeSession->after(numberAt<int64_t>(at[0])); });
  if (name.starts_with("rooftileBefore"))
    return calling([ranks](void **at) {
      Operand operands[] = {operandAt(at[1], ranks[1]), operandAt(at[2], ranks[2]),
                            operandAt(at[3], ranks[3])};
      activeSession->before(numberAt<int64_t>(at[0]), operands, scalarAt(at + 4), scalarAt(at + 6));
    });
  if (name.starts_with("rooftileExtra"))
    return calling([ranks](void **at) {
      bool isMatrix = ranks.size() == 3;
      activeSession->extra(numberAt<int64_t>(at[0]), numberAt<int64_t>(at[1]),
                           isMatrix ? operandAt(at[2], ranks[2]) : Operand{},
                           isMatrix ? Scalar(0) : scalarAt(at + 2));
    });
  return nullptr;
}
