//===- OperationRun.h - One execution of an operation -----------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_ENGINE_OPERATIONRUN_H
#define ROOFTILE_VERIFY_ENGINE_OPERATIONRUN_H

#include "rooftile/Verify/Engine/Session.h"

namespace rooftile::verify {

/// The operands of the operation that runs, test data in them, and host copies of them.
///
/// The memory around an output is NaN, so that reading it shows. But what is added to a NaN leaves
/// the NaN: with uniform data the surroundings of C are finite values, so that adding to them
/// shows, too.
class OperationRun {
public:
  OperationRun(DeviceKind device, uint64_t seed, uint64_t seedOfInputs)
      : device(device), seed(seed), seedOfInputs(seedOfInputs) {}

  /// The buffers whose surroundings are watched.
  void setBuffers(std::vector<Buffer *> watched) { buffers = std::move(watched); }
  /// Stores A, B, C of an operation, whose types the site has.
  void begin(const Site &site, const Operand *operands, Scalar alpha, Scalar beta, Phase phase);

  //===--------------------------------------------------------------------===//
  // Calls of models before the operation
  //===--------------------------------------------------------------------===//

  /// Prints an error about the operation and leaves the program with status 1: its kernel cannot be
  /// launched on such operands.
  [[noreturn]] void refuse(const std::string &message) const;
  /// Refuses extra operands that do not fit to C.
  void requireValidExtras() const;
  /// Chooses the test integers for dot products of so many terms, in the phase of them.
  void chooseRange(Element element, int64_t terms, int64_t most = 8);
  /// Puts data into A (0) or B (1); its copy holds them afterwards.
  void fillInput(int input, Values values);
  /// Uniform values, or for compensated summation positive ones, or the test integers.
  Values inputValues() const;
  /// New data, integers or uniform, in all extra operands. Afterwards the copies of A and B, too,
  /// hold what is there: operands that are read may share memory.
  void fillExtras();
  /// Reads the memory around C into `c`; from here on NaN in it may be finite values.
  void takeOutput();
  /// Integers, uniform data, or NaN where beta is 0; `c` holds a copy of the memory around it.
  void fillOutput();

  /// C before and after.
  const char *before() { return c.at(operands[2].begin()); }
  const char *after() { return result.at(operands[2].begin()); }
  bool isExact() const { return range > 0; }
  /// Some of the tiles run: what they do not write stays as it was.
  bool onlySomeTiles = false;

  //===--------------------------------------------------------------------===//
  // Calls of the session after it
  //===--------------------------------------------------------------------===//

  void readResult() { result.read(device, c.origin, c.bytes); }
  bool isUntouched() const;
  uint64_t hashOfResult() const;
  /// Compares everything around C's elements with what was there before; empty for the same.
  std::string checkOutside();
  void restoreSurroundings();

  DeviceKind device;
  uint64_t seed, seedOfInputs;
  const Site *site = nullptr;
  Operand operands[3];
  Scalar alpha = 1, beta = 0;
  Phase phase = Phase::Integers;
  int64_t range = 0;              ///< of the test integers; 0: uniform data
  std::optional<double> constant; ///< what A and B of products hold in place of test integers
  Outcome *outcome = nullptr;
  Mirror a, b, c, result; ///< copies of the operands
  /// The extra operands, and copies of the matrices among them.
  struct Extra {
    Operand operand;
    Scalar scalar;
    Mirror mirror;
  };
  std::vector<Extra> extras;
  std::vector<std::vector<char>> kept; ///< what a model needs to compare

private:
  Mirror regionOf(const Operand &operand);

  std::vector<Buffer *> buffers;
  std::vector<bool> surroundings; ///< words of `c` that were NaN, and are finite
};

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_OPERATIONRUN_H
