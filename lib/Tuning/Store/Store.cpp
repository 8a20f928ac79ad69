//===- Store.cpp - Every candidate that was ever measured -----------------===//

#include "rooftile/Tuning/Store/Store.h"
#include "../Database.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/xxhash.h"

using namespace rooftile::tuning;
using llvm::StringRef;

static constexpr FileKind kStore{0x5266746c, 1, "store of measurements", // "Rftl"
                                 "`sqlite3 {0} .recover` saves what can be read"};

/// A row is a line of JSON; what queries ask for are columns that SQLite computes from it.
static const char *const kCreate = R"(
  CREATE TABLE measurement (
    hash TEXT PRIMARY KEY,
    line TEXT NOT NULL,
    operation TEXT AS (json_extract(line, '$.operation')),
    chip TEXT AS (json_extract(line, '$.chip')),
    plan TEXT AS (json_extract(line, '$.plan')),
    outcome TEXT AS (json_extract(line, '$.outcome')),
    date TEXT AS (json_extract(line, '$.date'))
  );
  CREATE INDEX byOperation ON measurement (operation, chip);
)";

Store::Store(std::unique_ptr<Database> database) : database(std::move(database)) {}
Store::Store(Store &&) = default;
Store::~Store() = default;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Makes the table of a file that has none.
llvm::Error Store::create() {
  return database->together([&]() -> llvm::Error {
    llvm::Expected<bool> isEmpty = database->isEmpty();
    if (!isEmpty)
      return isEmpty.takeError();
    return *isEmpty ? database->create(kCreate) : llvm::Error::success();
  });
}

llvm::Expected<Store> Store::open(StringRef file, Access access) {
  bool writes = access == Access::Write;
  if (!writes && !llvm::sys::fs::exists(file))
    return llvm::createStringError(file + ": there is no such file");
  llvm::Expected<Database> opened = Database::open(file, kStore, writes);
  if (!opened)
    return opened.takeError();
  Store store(std::make_unique<Database>(std::move(*opened)));
  llvm::Expected<bool> isEmpty = store.database->isEmpty();
  if (!isEmpty)
    return isEmpty.takeError();
  if (!*isEmpty || !writes) // Before anything is written: a database of others stays as it is.
    if (llvm::Error failed = store.database->check())
      return failed;
  if (writes) {
    if (llvm::Error failed = store.database->logWrites())
      return failed;
    if (llvm::Error failed = store.create())
      return failed;
  }
  return store;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

llvm::Expected<bool> Store::addLine(StringRef line) {
  llvm::Expected<Statement> statement =
      Statement::prepare(*database, "INSERT OR IGNORE INTO measurement (hash, line) VALUES (?, ?)");
  if (!statement)
    return statement.takeError();
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(line));
  statement->bind(1, llvm::utohexstr(hash.high64, /*LowerCase=*/true, 16) +
                         llvm::utohexstr(hash.low64, /*LowerCase=*/true, 16));
  statement->bind(2, line);
  if (llvm::Expected<bool> row = statement->step(); !row)
    return row.takeError();
  return database->changes() > 0;
}

llvm::Expected<bool> Store::add(const Measurement &measurement) {
  return addLine(toJson(measurement));
}

llvm::Error Store::forEachLine(const StoreFilter &filter,
                               llvm::function_ref<llvm::Error(StringRef)> visit) const {
  llvm::Expected<Statement> statement = Statement::prepare(
      *database, "SELECT line FROM measurement WHERE (?1 = '' OR operation = ?1) "
                 "AND (?2 = '' OR chip = ?2) ORDER BY operation, chip, plan, rowid");
  if (!statement)
    return statement.takeError();
  statement->bind(1, filter.operation);
  statement->bind(2, filter.chip);
  for (;;) {
    llvm::Expected<bool> row = statement->step();
    if (!row)
      return row.takeError();
    if (!*row)
      return llvm::Error::success();
    if (llvm::Error failed = visit(statement->text(0)))
      return failed;
  }
}

llvm::Error Store::forEach(const StoreFilter &filter,
                           llvm::function_ref<void(const Measurement &)> visit) const {
  return forEachLine(filter, [&](StringRef line) -> llvm::Error {
    llvm::Expected<Measurement> measurement = fromJson(line);
    if (!measurement)
      return llvm::createStringError(database->file() + ": a row that cannot be read: " +
                                     llvm::toString(measurement.takeError()));
    visit(*measurement);
    return llvm::Error::success();
  });
}

llvm::Error
Store::forEachOperation(const StoreFilter &filter,
                        llvm::function_ref<void(llvm::ArrayRef<Measurement>)> visit) const {
  std::vector<Measurement> all; // Rows come by operation and chip.
  auto add = [&](const Measurement &each) {
    if (!all.empty() && (all.front().operation != each.operation ||
                         all.front().environment.chip != each.environment.chip)) {
      visit(all);
      all.clear();
    }
    all.push_back(each);
  };
  if (llvm::Error failed = forEach(filter, add))
    return failed;
  if (!all.empty())
    visit(all);
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>> Store::chips() const {
  llvm::Expected<Statement> statement =
      Statement::prepare(*database, "SELECT DISTINCT chip FROM measurement ORDER BY chip");
  if (!statement)
    return statement.takeError();
  std::vector<std::string> names;
  for (;;) {
    llvm::Expected<bool> row = statement->step();
    if (!row)
      return row.takeError();
    if (!*row)
      return names;
    names.push_back(statement->text(0).str());
  }
}

llvm::Expected<std::vector<Measurement>> Store::read(const StoreFilter &filter) const {
  std::vector<Measurement> all;
  if (llvm::Error failed = forEach(filter, [&](const Measurement &each) { all.push_back(each); }))
    return failed;
  return all;
}

//===----------------------------------------------------------------------===//
// Other stores, and text
//===----------------------------------------------------------------------===//

/// Adds a line, and counts it where it is new.
llvm::Error Store::count(StringRef line, int64_t &added) {
  llvm::Expected<bool> isNew = addLine(line);
  if (!isNew)
    return isNew.takeError();
  added += *isNew;
  return llvm::Error::success();
}

llvm::Expected<int64_t> Store::merge(const Store &other) {
  int64_t added = 0;
  llvm::Error failed = database->together(
      [&] { return other.forEachLine({}, [&](StringRef line) { return count(line, added); }); });
  if (failed)
    return failed;
  return added;
}

llvm::Expected<int64_t> Store::importLines(llvm::MemoryBufferRef text) {
  int64_t added = 0;
  llvm::Error failed = database->together([&]() -> llvm::Error {
    for (llvm::line_iterator line(text, /*SkipBlanks=*/true); !line.is_at_end(); ++line) {
      llvm::Expected<Measurement> measurement = fromJson(*line);
      if (!measurement)
        return llvm::createStringError(text.getBufferIdentifier() + ":" +
                                       llvm::Twine(line.line_number()) + ": " +
                                       llvm::toString(measurement.takeError()));
      if (llvm::Error each = count(toJson(*measurement), added))
        return each;
    }
    return llvm::Error::success();
  });
  if (failed)
    return failed;
  return added;
}

llvm::Error Store::exportLines(llvm::raw_ostream &out) const {
  return forEachLine({}, [&](StringRef line) {
    out << line << '\n';
    return llvm::Error::success();
  });
}
