//===- Invoke.h - One call of a compiled function ---------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_ENGINE_INVOKE_H
#define ROOFTILE_VERIFY_ENGINE_INVOKE_H

#include "rooftile/Verify/Engine/Program.h"

#include <cmath>
#include <optional>

namespace rooftile::verify {

/// An argument: a view for a memref, a value for a scalar.
struct Argument {
  View view; ///< of an array of pointers, that of all its matrices
  Scalar value = 0;
  int64_t shift = 0; ///< elements by which a memref's base pointer misses its alignment
  std::optional<Pointee> pointee = std::nullopt;
};

struct Call {
  std::string function, label; ///< `label` distinguishes calls of one function; may be empty
  std::vector<Argument> arguments;
};

struct InvokeOptions {
  DeviceKind device = DeviceKind::Cpu;
  int64_t repeat = 0;
  uint64_t seed = 1;
  bool graph = false; ///< Replays the call in a CUDA graph, too.
  int64_t orders = 0; ///< More calls, in other orders of threads and blocks: the same bits.
  std::optional<double> fill = std::nullopt; ///< In place of test integers.
  double work = INFINITY; ///< Multiply-adds of a product, of which some tiles run on the CPU.
};

/// Sizes for memref arguments, in order: from the command line; where that is empty from
/// `rooftile.sizes` of the argument; else 256 for every dynamic dimension. Contiguous along the
/// last dimension where strides are dynamic. Scalars are `rooftile.value`, else 2. Returns the
/// reason, naming the argument, when sizes do not fit the type.
llvm::Expected<Call> callOf(const Signature &signature,
                            const std::vector<std::vector<int64_t>> &sizes);

/// Calls twice with verification (in the first, A and B of products hold integers, or `fill`), and
/// `orders` times for the same results to the bit; then `repeat` times on the clock. What was found
/// is in `session`.
void invoke(const Program &program, const Signature &signature, const Call &call,
            const InvokeOptions &options, Session &session);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_INVOKE_H
