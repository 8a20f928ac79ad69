//===- Pack.cpp - Compiled candidates in a file ---------------------------===//

#include "rooftile/Tuning/Pack/Pack.h"
#include "PackFile.h"
#include "rooftile/Target/Chips.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <map>

using namespace rooftile;
using namespace rooftile::tuning;
using llvm::StringRef;

Pack::Pack(std::unique_ptr<Database> database) : database(std::move(database)) {}
Pack::~Pack() = default;

/// Calls `visit` with the statement at each row.
static llvm::Error forEachRow(Statement &statement, llvm::function_ref<void()> visit) {
  for (;;) {
    llvm::Expected<bool> row = statement.step();
    if (!row)
      return row.takeError();
    if (!*row)
      return llvm::Error::success();
    visit();
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Error Pack::readHead() {
  llvm::Expected<Statement> statement = Statement::prepare(
      *database, "SELECT chip, architecture, compiler, target, planVersion FROM head");
  if (!statement)
    return statement.takeError();
  return forEachRow(*statement, [&] {
    Environment &environment = stated.environment;
    environment.chip = statement->text(0), stated.architecture = statement->text(1);
    environment.compiler = statement->text(2), environment.target = statement->text(3);
    environment.planVersion = statement->number(4);
  });
}

llvm::Expected<std::unique_ptr<Pack>> Pack::open(StringRef file) {
  if (!llvm::sys::fs::exists(file))
    return llvm::createStringError(file + ": there is no such file");
  llvm::Expected<Database> opened = Database::open(file, kPack, /*writes=*/false);
  if (!opened)
    return opened.takeError();
  std::unique_ptr<Pack> pack(new Pack(std::make_unique<Database>(std::move(*opened))));
  if (llvm::Error failed = pack->database->check())
    return failed;
  if (llvm::Error failed = pack->readHead())
    return failed;
  return pack;
}

llvm::Expected<std::vector<PackedOperation>> Pack::operations() const {
  std::lock_guard lock(mutex);
  llvm::Expected<Statement> statement = Statement::prepare(
      *database, "SELECT line, count(plan), count(nullif(kernel, '')) FROM operation LEFT JOIN "
                 "candidate ON operation = operation.number GROUP BY operation.number");
  if (!statement)
    return statement.takeError();
  std::vector<PackedOperation> all;
  llvm::Error unread = llvm::Error::success();
  llvm::Error failed = forEachRow(*statement, [&] {
    llvm::Expected<bench::Shape> shape = bench::Shape::parse(statement->text(0));
    if (shape)
      all.push_back({std::move(*shape), statement->number(1), statement->number(2)});
    else
      unread = llvm::joinErrors(std::move(unread), shape.takeError());
  });
  if (llvm::Error either = llvm::joinErrors(std::move(failed), std::move(unread)))
    return llvm::createStringError(database->file() + ": " + llvm::toString(std::move(either)));
  return all;
}

llvm::Expected<Environment> Pack::environmentOn(const DeviceFacts &device) const {
  const std::string &chip = stated.environment.chip;
  StringRef own = target::chipOfDevice(device.name), number = stated.architecture;
  bool isOther = !own.empty() && own != chip && llvm::is_contained(target::chipNames(), chip);
  number.consume_front("sm_");
  number = number.rtrim("abcdefghijklmnopqrstuvwxyz"); // Features of that architecture alone.
  std::string present = std::to_string(device.major) + std::to_string(device.minor);
  if (isOther || number != present)
    return llvm::createStringError(database->file() + ": its kernels are for " + chip + ", " +
                                   stated.architecture + "; this GPU is " + device.name + ", sm_" +
                                   present + ": make a pack for it by gemm-tune pack --chip");
  return stated.environment;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

namespace rooftile::tuning {
class PackedKernels : public KernelSource {
public:
  PackedKernels(const Pack &pack, std::string operation)
      : pack(pack), operation(std::move(operation)) {}
  llvm::Expected<PlanKernel> kernelOf(const std::string &plan) override {
    return pack.kernelOf(operation, plan);
  }

private:
  const Pack &pack;
  std::string operation;
};
} // namespace rooftile::tuning

llvm::Expected<Candidates> Pack::candidatesOf(const bench::Shape &shape) const {
  std::lock_guard lock(mutex);
  std::string line = lineOf(shape);
  llvm::Expected<Statement> statement = Statement::prepare(
      *database,
      "SELECT candidate.number, plan, predicted, rank, name, milliseconds FROM operation "
      "JOIN candidate ON operation = operation.number LEFT JOIN resource ON candidate = "
      "candidate.number WHERE line = ? ORDER BY candidate.number, resource.rowid");
  if (!statement)
    return statement.takeError();
  statement->bind(1, line);
  std::vector<Candidate> all;
  int64_t last = -1;
  llvm::Error failed = forEachRow(*statement, [&] {
    if (last != statement->number(0))
      all.push_back({statement->text(1).str(), statement->real(2), {}, statement->number(3)});
    last = statement->number(0);
    if (!statement->text(4).empty())
      all.back().resources.push_back({statement->text(4).str(), statement->real(5)});
  });
  if (failed)
    return failed;
  if (all.empty())
    return llvm::createStringError(database->file() + ": has no candidates of " + line);
  return Candidates{Space(std::move(all)), std::make_unique<PackedKernels>(*this, line)};
}

llvm::Expected<PlanKernel> Pack::kernelOf(const std::string &operation,
                                          const std::string &plan) const {
  std::lock_guard lock(mutex);
  llvm::Expected<Statement> statement = Statement::prepare(
      *database, "SELECT kernel, reason, bytes FROM operation JOIN candidate ON operation = "
                 "operation.number LEFT JOIN kernel ON kernel = hash WHERE line = ? AND plan = ?");
  if (!statement)
    return statement.takeError();
  statement->bind(1, operation), statement->bind(2, plan);
  llvm::Expected<bool> row = statement->step();
  if (!row)
    return row.takeError();
  PlanKernel kernel{statement->bytes(2).str(), statement->text(1).str()};
  bool isWhole =
      *row && kernel.hash() == statement->text(0) && kernel.bytes.empty() == !kernel.reason.empty();
  if (!isWhole)
    return llvm::createStringError(database->file() + ": is damaged: the kernel of " + operation +
                                   " with " + plan + " is not the one that was packed; " +
                                   kPack.remedy);
  return kernel;
}
