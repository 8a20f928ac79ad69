//===- Invoke.cpp - One call of a compiled function -----------------------===//

#include "Invoke.h"
#include "Frame.h"
#include "Graph.h"
#include "Instrument.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Cuda/Driver.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

/// Guard zones of all arguments, and errors that no operation reported.
static void checkCall(const Frame &frame, Session &session) {
  std::vector<Buffer *> buffers = frame.watched();
  for (size_t i = 0; i < buffers.size(); ++i)
    if (std::string broken = buffers[i]->brokenGuard(); !broken.empty())
      session.fail("memref argument " + std::to_string(i) + " was written " + broken);
  if (std::string error = rooftileLastError(); !error.empty())
    session.fail(error);
  rooftileClearError();
}

/// Whether the host has room for the arguments and for the copies that they are verified on: one of
/// each operand, two of an output.
static bool haveRoom(const Signature &signature, const Call &call, Device device,
                     Session &session) {
  double bytes = 0; // spans may overflow an integer
  for (auto [type, argument] : llvm::zip_equal(signature.arguments, call.arguments))
    bytes += spannedBytes(type, argument);
  double needed = bytes * (device == Device::Cpu ? 3 : 2), available = availableBytes();
  if (needed <= available)
    return true;
  session.fail(llvm::formatv("arguments of {0:f1} GB, with copies to verify them on {1:f1} GB, do "
                             "not fit in memory: {2:f1} GB are available",
                             bytes / 1e9, needed / 1e9, available / 1e9));
  return false;
}

void rooftile::run::invoke(const Program &program, const Signature &signature, const Call &call,
                           const InvokeOptions &options, Session &session) {
  session.begin({});
  session.setConstant(options.fill);
  if (!haveRoom(signature, call, options.device, session))
    return;
  Frame frame(options.device, options.seed);
  for (auto [type, argument] : llvm::zip_equal(signature.arguments, call.arguments))
    if (!frame.add(type, argument)) {
      session.fail(std::string("arguments do not fit in memory: ") + rooftileLastError());
      return rooftileClearError();
    }
  auto function = program.engine->lookupPacked("_mlir_ciface_" + signature.name);
  if (!function)
    return session.fail(llvm::toString(function.takeError()));
  session.begin(frame.watched());
  setActiveSession(&session);
  auto runPhase = [&](Phase phase) {
    session.setPhase(phase);
    frame.call(*function, signature.results);
    synchronize(options.device);
    checkCall(frame, session);
  };
  runPhase(Phase::Integers);
  runPhase(Phase::Uniform);
  for (int64_t order = 1; order <= options.orders; ++order) {
    rooftileCpuSeed(options.seed + order);
    runPhase(Phase::Again);
  }
  session.setPhase(Phase::Timing);
  if (options.graph)
    replayInGraph([&] { frame.call(*function, signature.results); }, frame.watched(), session);
  rooftileCpuRecord(false);
  rooftileProfile(true);
  for (int64_t run = 0; run < options.repeat; ++run)
    frame.call(*function, signature.results);
  synchronize(options.device);
  session.takeTimes();
  rooftileProfile(false);
  rooftileCpuRecord(true);
  checkCall(frame, session);
  setActiveSession(nullptr);
}
