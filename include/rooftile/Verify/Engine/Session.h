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

#include "rooftile/Verify/Operands/Memory.h"
#include "rooftile/Verify/Operations/Triangular.h"
#include "rooftile/Verify/Reference/Compare.h"

#include <optional>

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
};

/// What the compiler knows of one blas operation.
struct Site {
  std::string function, location;
  int index = 0;                  ///< within its function
  Element element = Element::F32; ///< of C
  Element elementA = Element::F32, elementB = Element::F32;
  Element sum = Element::F32; ///< of the accumulator
  bool conjugatedA = false, conjugatedB = false;
  bool transposedA = false, transposedB = false;
  bool byPointers[3] = {};          ///< A, B, C: arrives as the array of the addresses
  std::optional<Triangle> triangle; ///< trmm and trsm
  bool emulated = false;            ///< a gemm whose complex products may be three real ones
  bool compensated = false;         ///< a gemm or reduce whose errors do not grow with its terms
  bool partial = false;             ///< a gemm whose C are slices that add up to the product
  Epilogue epilogue;
  bool padded = false; ///< a gemm whose op(A) and op(B) may be larger than C
  bool sums = false;   ///< reduce: operand A is W, and there is no B
  bool copies = false; ///< pack, the sum of one slice: operand A is A, C is W
  /// gemm, reduce, pack, trmm or trsm.
  const char *operation() const {
    return copies             ? "pack"
           : sums             ? "reduce"
           : !triangle        ? "gemm"
           : triangle->solves ? "trsm"
                              : "trmm";
  }
};

/// Data of an operation whose sums are rounded. What plain sums of positive numbers lose grows with
/// their length, which compensated ones must not show.
inline Values::Kind roundedData(const Site &site) {
  return site.compensated ? Values::Positive : Values::Uniform;
}

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
  double ratio = 0;               ///< largest error / bound
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

class Session {
public:
  Session(Device device, std::vector<Site> sites, std::vector<RunPlan> plans, uint64_t seed)
      : device(device), sites(std::move(sites)), plans(std::move(plans)), seed(seed) {}

  /// Callbacks of compiled code. `operands` are A, B, C, whose types the session knows.
  void before(int64_t id, Operand *operands, Scalar alpha, Scalar beta);
  void after(int64_t id, Operand *operands, Scalar alpha, Scalar beta);
  /// Extra operand `index` of the operation that comes next: a matrix, or a scalar.
  void extra(int64_t id, int64_t index, Operand operand, Scalar scalar);
  /// The running operation now launches the kernel of a plan.
  void runs(int64_t plan);

  /// Forgets the outcomes and takes the buffers whose surroundings are watched.
  void begin(std::vector<Buffer *> buffers);
  void setPhase(Phase next) { phase = next, compared = 0; }
  /// A and B of products hold this number where sums are expected to be exact, no integers.
  void setConstant(std::optional<double> number) { constant = number; }
  /// Ends a timing phase: distributes the launch times over the sites.
  void takeTimes();
  /// Marks the call as failed for a reason outside of any comparison.
  void fail(const std::string &message);

  const std::vector<Outcome> &getOutcomes() const { return outcomes; }
  const std::vector<std::string> &getFailures() const { return failures; }

private:
  Outcome &outcomeOf(int64_t id);
  void requireValid(const Site &site, const Operand *operands);
  void nameTypes(int64_t id, Operand *operands) const;
  void followPointers(int64_t id, Operand *operands) const;
  void fillInputs(const Site &site, const Operand *operands, int64_t range, Scalar alpha);
  void fillOutput(const Operand &output, Scalar beta);
  Mirror regionOf(const Operand &operand);
  /// Reads the memory around C into `c`; between these two NaN in it may be numbers.
  void takeOutput(const Operand &output);
  void restoreSurroundings();
  std::string checkOutside(const Operand &c);
  void noteError(Outcome &outcome, const std::string &error);
  /// Of what an operation left with uniform data, for the comparison of another call with it.
  void keepBits();
  void compareBits(Outcome &outcome);
  void compareResult(Outcome &outcome, const Operand *operands, Scalar alpha, Scalar beta);
  Finding compareProduct(const Outcome &outcome, const Operand *operands, Scalar alpha,
                         Scalar beta);

  void requireValidExtras(const Site &site, const Operand *operands);
  void fillExtras(const Operand *operands);
  void addExtras(const Site &site, const Operand *operands, Product &product) const;

  void beforeTriangular(int64_t id, const Operand *operands, double alpha);
  void fillTriangularInput(void *data, const Operand &operand, const TriangularRun &run);
  Finding compareTriangle(const Site &site, const Operand *operands, double alpha);

  void beforeSum(int64_t id, const Operand *operands, Scalar alpha, Scalar beta);
  Finding compareSum(const Site &site, const Operand *operands, Scalar alpha, Scalar beta);
  std::vector<char> addSlices(const Operand &slices);

  Device device;
  std::vector<Site> sites;
  std::vector<RunPlan> plans;
  uint64_t seed;
  Phase phase = Phase::Integers;
  std::vector<Buffer *> buffers;
  std::vector<Outcome> outcomes;
  std::vector<std::string> failures;
  Mirror a, b, c, result;                      ///< copies of the running operation's operands
  std::vector<char> expanded, input, solution; ///< of a triangular operation: A, B, X
  /// The extra operands of the running operation, and copies of the matrices among them.
  struct Extra {
    Operand operand;
    Scalar scalar;
    Mirror mirror;
  };
  std::vector<Extra> extras;
  std::vector<bool> surroundings; ///< words of `c` that were NaN, and are numbers
  int64_t range = 0;              ///< of the test integers; 0: uniform data
  std::optional<double> constant;
  std::vector<uint64_t> hashes; ///< of what each operation left with uniform data, in order
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

/// The session that callbacks reach.
void setActiveSession(Session *session);

/// C of an operation, or what each slice of it is a part of.
View outputView(const Site &site, const Operand &output);

/// Views A of a copy as the slice of which W is the sum.
void showCopy(const Site &site, Operand *operands);

/// Prints an error about the running operation and leaves the program with status 1: the kernel
/// cannot be launched on such operands.
[[noreturn]] void refuse(const Site &site, const std::string &message);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_SESSION_H
