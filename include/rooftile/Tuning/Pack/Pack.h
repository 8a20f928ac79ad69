//===- Pack.h - Compiled candidates in a file -------------------*- C++ -*-===//
//
// A pack has candidates of operations, with their kernels, for a session on a machine that compiles
// nothing. It is one file of SQLite, which several sessions may read at once:
//
//   head       chip, architecture, compiler, hash of the target, version of plans: one row
//   operation  lines as of a benchmark list
//   candidate  plan, predicted milliseconds, hash of the kernel, or why there is none
//   resource   predicted milliseconds of a candidate, by resource
//   kernel     executables by their hash, each once
//
// Equal candidates in the same order give the same bytes.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TUNING_PACK_PACK_H
#define ROOFTILE_TUNING_PACK_PACK_H

#include "rooftile/Tuning/Session/CandidateSource.h"

#include <mutex>

namespace rooftile::tuning {

class Database;

/// Facts of all candidates of a pack.
struct PackHead {
  Environment environment;  ///< Without device and driver.
  std::string architecture; ///< "sm_90a".
};

/// Writes a pack under a temporary name, and puts it in place when it is whole.
class PackWriter {
public:
  static llvm::Expected<PackWriter> create(llvm::StringRef file, const PackHead &head);
  PackWriter(PackWriter &&);
  /// Removes a pack that is not finished.
  ~PackWriter();

  llvm::Error addOperation(const bench::Shape &shape);
  /// Adds a candidate of the last operation; the first of each is the baseline.
  llvm::Error add(const Candidate &candidate, const PlanKernel &kernel);
  llvm::Error finish();

private:
  struct State;
  explicit PackWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// An operation of a pack.
struct PackedOperation {
  bench::Shape shape;
  int64_t candidates = 0, kernels = 0; ///< The latter, of the former, could be compiled.
};

/// A pack that is read. Kernels are checked by their hash.
class Pack : public CandidateSource {
public:
  /// Error: the file is missing, is no pack, is damaged, or is of a newer version.
  static llvm::Expected<std::unique_ptr<Pack>> open(llvm::StringRef file);
  ~Pack() override;

  const PackHead &head() const { return stated; }
  /// The operations, in the order in which they were added.
  llvm::Expected<std::vector<PackedOperation>> operations() const;

  llvm::Expected<Environment> environmentOn(const DeviceFacts &device) const override;
  llvm::Expected<Candidates> candidatesOf(const bench::Shape &shape) const override;

private:
  friend class PackedKernels;
  explicit Pack(std::unique_ptr<Database> database);
  llvm::Error readHead();
  llvm::Expected<PlanKernel> kernelOf(const std::string &operation, const std::string &plan) const;

  std::unique_ptr<Database> database;
  PackHead stated;
  mutable std::mutex mutex; ///< For the database.
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_PACK_PACK_H
