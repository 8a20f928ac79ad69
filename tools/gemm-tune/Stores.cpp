//===- Stores.cpp - Commands on stores of measurements --------------------===//

#include "Commands.h"
#include "rooftile/Tuning/Store/Store.h"
#include "llvm/Support/CommandLine.h"
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

std::optional<int> runStoreCommand() {
  if (importCommand)
    return addAll(importInto, importFrom, importLines);
  if (mergeCommand)
    return addAll(mergeInto, mergeFrom, mergeStore);
  if (exportCommand)
    return exportLines();
  return std::nullopt;
}
