//===- Session.h - Verification around every blas operation -----*- C++ -*-===//
//
// Compiled code calls `before` and `after` around each operation with its real
// operands. In a verifying phase `before` fills them with test data and `after`
// compares; in the timing phase both only mark which launches belong to which
// operation.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_VERIFY_ENGINE_SESSION_H
#define ROOFTILE_VERIFY_ENGINE_SESSION_H

#include "rooftile/Runtime/Executable/Executable.h"
#include "rooftile/Verify/Model/Site.h"
#include "rooftile/Verify/Operands/Memory.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace rooftile::verify {

/// Rates of the chip that the plans are for, per second; 0 where unknown.
struct Roofline {
  std::string chip;
  double flopsF32 = 0, flopsF64 = 0, readBytes = 0, writeBytes = 0;
};

/// A plan as it is reported, and its tile.
struct RunPlan {
  std::string text;
  int64_t tileM = 1, tileN = 1;
  int64_t splits = 1; ///< Workgroups that share out the K steps of a tile.
  int64_t slices = 1; ///< Partial sums in memory, for each element of C.
};

/// Again: uniform data once more, for the same results to the bit.
enum class Phase { Integers, Uniform, Again, Timing };

/// One execution (or several, in a loop) of an operation in one call.
struct Outcome {
  const Site *site = nullptr;
  int64_t batch = 0, m = 0, n = 0, k = 0;
  bool readsC = false, sharedA = false, sharedB = false;
  std::string layouts;
  std::vector<std::string> plans; ///< that ran, each once; none for what was folded
  int64_t tileM = 1, tileN = 1;   ///< of the first of them
  int64_t compared = 0;           ///< elements, in all phases
  double ratio = 0;               ///< largest error / bound
  double ulps = -1;               ///< largest distance from exact results; -1: not counted
  int64_t unbounded = 0;          ///< elements that may be anything
  bool exactTested = false, sampled = false;
  std::string failure;  ///< empty when right
  bool refused = false; ///< `failure` is that a kernel was not launched, and C is untouched
  std::vector<double> milliseconds;

  double flops() const;
  /// Seconds that the roofline allows; 0 where the chip is unknown.
  double bound(const Roofline &roofline) const;
  /// The plans, joined by " + "; "folded" where a product has none.
  std::string planText() const;
  /// Median of the measured times; 0 without one.
  double median() const;
};

class OperationRun;
struct Finding;

/// Calls of one function: the operations in it are verified, or timed, as they run.
class Session {
public:
  Session(DeviceKind device, std::vector<Site> sites, std::vector<RunPlan> plans, uint64_t seed);
  ~Session();

  /// Callbacks of compiled code. `operands` are A, B, C, whose types the session has.
  void before(int64_t id, const Operand *operands, Scalar alpha, Scalar beta);
  void after(int64_t id);
  /// Extra operand `index` of the operation that comes next: a matrix, or a scalar.
  void extra(int64_t id, int64_t index, Operand operand, Scalar scalar);
  /// The running operation now launches the kernel of a plan.
  void runs(int64_t plan);

  /// Forgets the outcomes and stores the buffers whose surroundings are watched.
  void begin(std::vector<Buffer *> buffers);
  void setPhase(Phase next) { phase = next, compared = 0; }
  /// A and B of products hold this value where results are expected to be exact, no integers.
  void setConstant(std::optional<double> number);
  /// On the CPU operations whose tiles are independent run so many of them that they are at most
  /// `multiplyAdds`, or two; infinity: all.
  void setWork(double multiplyAdds) { work = multiplyAdds; }
  /// Ends a timing phase: distributes the launch times over the sites.
  void takeTimes();
  /// The call has ended with an error, maybe before the end of an operation.
  void stop(const std::string &error);
  /// Marks the call as failed for a reason outside of any comparison.
  void fail(const std::string &message);

  const std::vector<Outcome> &getOutcomes() const { return outcomes; }
  const std::vector<std::string> &getFailures() const { return failures; }

private:
  Outcome &outcomeOf(int64_t id);
  void noteError(Outcome &outcome, const std::string &error);
  /// Keeps the result for uniform data, to compare that of another call with it.
  void keepBits();
  void compareBits(Outcome &outcome);
  void compareResult(Outcome &outcome);
  void chooseTiles(const Outcome &outcome, const RunPlan &plan);
  std::string checkWritten(const Finding &finding) const;

  DeviceKind device;
  std::vector<Site> sites;
  std::vector<RunPlan> plans;
  std::unique_ptr<OperationRun> run; ///< of the operation between `before` and `after`
  Phase phase = Phase::Integers;
  std::vector<Outcome> outcomes;
  std::vector<std::string> failures;
  std::vector<uint64_t> hashes; ///< of what each operation left with uniform data, in order
  double work = INFINITY;       ///< multiply-adds of an operation
  int64_t storedPerElement = 0; ///< bytes that a kernel of which some tiles run stores for one of C
  size_t compared = 0;          ///< with these, in this phase
  size_t firstLaunch = 0;
  int64_t running = -1; ///< id of the operation between `before` and `after`
  struct Launches {
    int64_t id;
    size_t begin, end;
  };
  std::vector<Launches> launches;
};

/// Addresses of the callbacks of all sites, by the names that Instrument gives to their
/// declarations.
std::vector<std::pair<std::string, void *>> callbackSymbols(const std::vector<Site> &sites);

/// The callback of a name as a function that an executable's host code calls, with all registers
/// of a memref of one of the `ranks`; null for other names.
HostKernel callbackOf(std::string_view name, std::vector<int64_t> ranks);

/// The session that callbacks reach.
void setActiveSession(Session *session);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_SESSION_H
