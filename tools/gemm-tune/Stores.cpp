//===- Stores.cpp - Commands on stores of measurements --------------------===//

#include "Commands.h"
#include "rooftile/Tuning/Trial/Replay.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace rooftile::tuning;
namespace cl = llvm::cl;

static cl::SubCommand importCommand("import", "Add lines of JSON to a store of measurements");
static cl::opt<std::string> importInto(cl::Positional, cl::desc("<store>"), cl::Required,
                                       cl::sub(importCommand));
static cl::list<std::string> importFrom(cl::Positional, cl::desc("<file of lines>, - is stdin"),
                                        cl::OneOrMore, cl::sub(importCommand));

static cl::SubCommand exportCommand("export", "Print a store of measurements, a line of JSON each");
static cl::opt<std::string> exported(cl::Positional, cl::desc("<store>"), cl::Required,
                                     cl::sub(exportCommand));

static cl::SubCommand mergeCommand("merge", "Add the measurements of other stores to one");
static cl::opt<std::string> mergeInto(cl::Positional, cl::desc("<store>"), cl::Required,
                                      cl::sub(mergeCommand));
static cl::list<std::string> mergeFrom(cl::Positional, cl::desc("<other store>"), cl::OneOrMore,
                                       cl::sub(mergeCommand));

static cl::SubCommand selectCommand("select", "Write the plans that measured fastest as a list");
static cl::opt<std::string> selectFrom(cl::Positional, cl::desc("<store>"), cl::Required,
                                       cl::sub(selectCommand));
static cl::opt<std::string> selectChip("chip",
                                       cl::desc("Of this chip (default: that of the store)"),
                                       cl::value_desc("name"), cl::sub(selectCommand));
static cl::opt<std::string> selectTo("o", cl::desc("The list (default: stdout)"),
                                     cl::value_desc("file"), cl::init("-"), cl::sub(selectCommand));

static cl::SubCommand replayCommand("replay", "Compare strategies of search by a store");
static cl::opt<std::string> replayed(cl::Positional, cl::desc("<store>"), cl::Required,
                                     cl::sub(replayCommand));
static cl::list<std::string>
    replayStrategies("strategy", cl::desc("Of search (default: guided, ranked, random)"),
                     cl::value_desc("names"), cl::CommaSeparated, cl::sub(replayCommand));
static cl::opt<unsigned> replayLeast("least",
                                     cl::desc("Candidates of an operation that counts "
                                              "(default 40)"),
                                     cl::init(40), cl::sub(replayCommand));

static int report(const std::string &file, llvm::Expected<int64_t> added) {
  if (!added)
    return error(llvm::toString(added.takeError()));
  llvm::outs() << file << ": " << *added << " new\n";
  return 0;
}

/// Opens the store at `file`, and calls `addTo` with it for each of `others`.
static int addAll(const std::string &file, const cl::list<std::string> &others,
                  llvm::function_ref<int(Store &, const std::string &)> addTo) {
  llvm::Expected<Store> store = Store::open(file, Access::Write);
  if (!store)
    return error(llvm::toString(store.takeError()));
  for (const std::string &other : others)
    if (int status = addTo(*store, other))
      return status;
  return 0;
}

static int importLines(Store &store, const std::string &file) {
  auto text = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!text)
    return error("cannot read '" + file + "': " + text.getError().message());
  return report(file, store.importLines(**text));
}

static int mergeStore(Store &store, const std::string &file) {
  llvm::Expected<Store> other = Store::open(file, Access::Read);
  if (!other)
    return error(llvm::toString(other.takeError()));
  return report(file, store.merge(*other));
}

static int exportLines() {
  llvm::Expected<Store> store = Store::open(exported, Access::Read);
  if (!store)
    return error(llvm::toString(store.takeError()));
  if (llvm::Error failed = store->exportLines(llvm::outs()))
    return error(llvm::toString(std::move(failed)));
  return 0;
}

llvm::Expected<std::string> chipOf(const Store &store, llvm::StringRef file,
                                   llvm::StringRef wanted) {
  llvm::Expected<std::vector<std::string>> chips = store.chips();
  if (!chips)
    return chips.takeError();
  std::string names = llvm::join(*chips, ", ");
  if (chips->empty())
    return llvm::createStringError(file + ": there are no measurements");
  if (wanted.empty() && chips->size() > 1)
    return llvm::createStringError(file + ": has measurements of " + names + "; --chip chooses");
  if (!wanted.empty() && !llvm::is_contained(*chips, wanted))
    return llvm::createStringError(file + ": has no measurements of '" + wanted + "', only of " +
                                   names);
  return wanted.empty() ? chips->front() : wanted.str();
}

llvm::Expected<ChipStore> openChipStore(llvm::StringRef file, llvm::StringRef wanted) {
  llvm::Expected<Store> store = Store::open(file.str(), Access::Read);
  if (!store)
    return store.takeError();
  llvm::Expected<std::string> chip = chipOf(*store, file, wanted);
  if (!chip)
    return chip.takeError();
  return ChipStore{std::move(*store), std::move(*chip)};
}

llvm::Expected<Selection> writeSelection(const ChipStore &opened, llvm::StringRef file) {
  llvm::Expected<Selection> selection = select(opened.store, opened.chip);
  if (!selection)
    return selection;
  for (const auto &[operation, why] : selection->unnamed)
    llvm::errs() << "gemm-tune: warning: " << operation << ": " << why << '\n';
  if (llvm::Error failed = llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
        writeList(*selection, out);
        return llvm::Error::success();
      }))
    return failed;
  return selection;
}

static int selectPlans() {
  llvm::Expected<ChipStore> opened = openChipStore(selectFrom, selectChip);
  if (!opened)
    return error(llvm::toString(opened.takeError()));
  llvm::Expected<Selection> selection = writeSelection(*opened, selectTo);
  return selection ? 0 : error(llvm::toString(selection.takeError()));
}

/// Shares of the candidates that a strategy may try.
static constexpr double kShares[] = {0.05, 0.1, 0.2, 0.5};

static int replayStore() {
  llvm::Expected<Store> store = Store::open(replayed, Access::Read);
  if (!store)
    return error(llvm::toString(store.takeError()));
  std::vector<std::string> strategies(replayStrategies.begin(), replayStrategies.end());
  if (strategies.empty())
    strategies = {"guided", "ranked", "random"};
  llvm::Expected<std::vector<Regret>> regrets =
      compareStrategies(*store, strategies, kShares, replayLeast);
  if (!regrets)
    return error(llvm::toString(regrets.takeError()));
  llvm::outs() << "| strategy | of all candidates | tried, mean | found / best, mean | least | "
                  "operations |\n|---|---|---|---|---|---|\n";
  for (const Regret &each : *regrets)
    llvm::outs() << llvm::formatv("| {0} | {1:f0} % | {2:f1} | {3:f4} | {4:f3} | {5} |\n",
                                  each.strategy, 100 * each.share, each.tried, each.found,
                                  each.worst, each.operations);
  return 0;
}

std::optional<int> runStoreCommand() {
  if (replayCommand)
    return replayStore();
  if (selectCommand)
    return selectPlans();
  if (importCommand)
    return addAll(importInto, importFrom, importLines);
  if (mergeCommand)
    return addAll(mergeInto, mergeFrom, mergeStore);
  if (exportCommand)
    return exportLines();
  return std::nullopt;
}
