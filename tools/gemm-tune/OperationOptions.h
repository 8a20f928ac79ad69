//===- OperationOptions.h - Which operations a command is for ---*- C++ -*-===//
#ifndef ROOFTILE_TOOLS_GEMM_TUNE_OPERATIONOPTIONS_H
#define ROOFTILE_TOOLS_GEMM_TUNE_OPERATIONOPTIONS_H

#include "rooftile/Bench/Candidates.h"
#include "rooftile/Bench/Shape.h"
#include "llvm/Support/CommandLine.h"

/// Options of a command that name operations, one way of three, and the plans of them that are
/// considered.
class OperationOptions {
public:
  OperationOptions(llvm::cl::SubCommand &command, llvm::cl::OptionCategory &category);

  /// Format of the report on the calls of a log, and on what is left out of them.
  enum class Report { Text, Comments, Json };
  /// Different operations of a list, those of a log, or some that are drawn.
  llvm::Expected<std::vector<rooftile::bench::Shape>> read(Report report = Report::Text) const;
  /// The value of --plans; nothing, with a message, where it is none.
  std::optional<rooftile::bench::PlanQuery> plansToConsider() const;

private:
  llvm::Expected<std::vector<rooftile::bench::Shape>> draw() const;
  llvm::Expected<std::vector<rooftile::bench::Shape>> readLog(Report report) const;

  llvm::cl::opt<std::string> list, like, plans;
  llvm::cl::opt<unsigned> random;
  llvm::cl::opt<uint64_t> seed;
};

/// Different operations of a list.
llvm::Expected<std::vector<rooftile::bench::Shape>> listedIn(const std::string &list);

#endif // ROOFTILE_TOOLS_GEMM_TUNE_OPERATIONOPTIONS_H
