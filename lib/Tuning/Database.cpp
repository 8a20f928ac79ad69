//===- Database.cpp - Statements of SQLite --------------------------------===//

#include "Database.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <sqlite3.h>
#include <thread>

using namespace rooftile::tuning;
using llvm::StringRef;

/// Milliseconds that a process waits for others that write: eight at once wait for less than one.
static constexpr int kMostWaiting = 60000;

void Database::Close::operator()(sqlite3 *open) const { sqlite3_close(open); }
void Statement::Finish::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string Database::adviceFor(int code) const {
  switch (code & 0xff) {
  case SQLITE_CORRUPT:
    return "; " + llvm::formatv(false, kind->remedy.data(), path).str();
  case SQLITE_FULL:
    return "; what was added before is kept";
  case SQLITE_BUSY:
    return ": another process has been writing for a minute";
  default:
    return "";
  }
}

llvm::Error Database::error() const {
  int code = sqlite3_extended_errcode(connection.get());
  return llvm::createStringError(path + ": " + sqlite3_errmsg(connection.get()) + adviceFor(code));
}

llvm::Expected<Database> Database::open(StringRef file, const FileKind &kind, bool writes) {
  Database database;
  database.path = file.str();
  database.kind = &kind;
  sqlite3 *opened = nullptr;
  int flags = writes ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  int code = sqlite3_open_v2(database.path.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  database.connection.reset(opened);
  if (code != SQLITE_OK)
    return database.error();
  sqlite3_busy_timeout(opened, kMostWaiting);
  sqlite3_extended_result_codes(opened, 1);
  return database;
}

llvm::Expected<bool> Database::isEmpty() const {
  llvm::Expected<int64_t> tables = number("SELECT count(*) FROM sqlite_schema");
  if (!tables)
    return tables.takeError();
  return *tables == 0;
}

llvm::Error Database::create(const char *statements) const {
  if (llvm::Error failed = run(statements))
    return failed;
  return run(llvm::formatv("PRAGMA application_id = {0}; PRAGMA user_version = {1}",
                           kind->application, kind->version)
                 .str()
                 .c_str());
}

llvm::Error Database::checkVersion() const {
  llvm::Expected<int64_t> application = number("PRAGMA application_id");
  if (!application)
    return application.takeError();
  llvm::Expected<int64_t> version = number("PRAGMA user_version");
  if (!version)
    return version.takeError();
  if (*application != kind->application)
    return llvm::createStringError(path + ": is no " + kind->name);
  if (*version > kind->version)
    return llvm::createStringError(path + ": a " + kind->name + " of version " +
                                   llvm::Twine(*version) + ", where this program reads " +
                                   llvm::Twine(kind->version) + ": use a newer one");
  return llvm::Error::success();
}

llvm::Error Database::check() const {
  if (llvm::Error failed = checkVersion())
    return failed;
  llvm::Expected<Statement> statement = Statement::prepare(*this, "PRAGMA quick_check(1)");
  if (!statement)
    return statement.takeError();
  llvm::Expected<bool> row = statement->step();
  if (!row)
    return row.takeError();
  if (*row && statement->text(0) != "ok")
    return llvm::createStringError(path + ": is damaged: " + statement->text(0) +
                                   adviceFor(SQLITE_CORRUPT));
  return llvm::Error::success();
}

/// SQLite refuses at once, and does not wait, where others are about to change to the log, too: two
/// that hold a lock for reading would wait for each other.
llvm::Error Database::logWrites() const {
  constexpr const char *kPragmas = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
  auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kMostWaiting);
  llvm::Error failed = run(kPragmas);
  while (failed && (sqlite3_errcode(connection.get()) & 0xff) == SQLITE_BUSY &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    llvm::consumeError(std::move(failed));
    failed = run(kPragmas);
  }
  return failed;
}

llvm::Error Database::together(llvm::function_ref<llvm::Error()> work) const {
  if (llvm::Error failed = run("BEGIN IMMEDIATE"))
    return failed;
  if (llvm::Error failed = work()) {
    llvm::consumeError(run("ROLLBACK"));
    return failed;
  }
  return run("COMMIT");
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

llvm::Error Database::run(const char *text) const {
  if (sqlite3_exec(connection.get(), text, nullptr, nullptr, nullptr) != SQLITE_OK)
    return error();
  return llvm::Error::success();
}

llvm::Expected<int64_t> Database::number(const char *text) const {
  llvm::Expected<Statement> statement = Statement::prepare(*this, text);
  if (!statement)
    return statement.takeError();
  llvm::Expected<bool> row = statement->step();
  if (!row)
    return row.takeError();
  return *row ? statement->number(0) : 0;
}

int64_t Database::changes() const { return sqlite3_changes(connection.get()); }

llvm::Expected<Statement> Statement::prepare(const Database &database, const char *text) {
  sqlite3_stmt *prepared = nullptr;
  if (sqlite3_prepare_v2(database.connection.get(), text, -1, &prepared, nullptr) != SQLITE_OK)
    return database.error();
  return Statement(database, prepared);
}

void Statement::bind(int parameter, StringRef text) {
  sqlite3_bind_text(prepared.get(), parameter, text.data(), int(text.size()), SQLITE_TRANSIENT);
}

void Statement::bind(int parameter, int64_t number) {
  sqlite3_bind_int64(prepared.get(), parameter, number);
}

void Statement::bind(int parameter, double number) {
  sqlite3_bind_double(prepared.get(), parameter, number);
}

void Statement::bindBytes(int parameter, StringRef bytes) {
  sqlite3_bind_blob64(prepared.get(), parameter, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

llvm::Expected<bool> Statement::step() {
  int code = sqlite3_step(prepared.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    return database->error();
  return code == SQLITE_ROW;
}

StringRef Statement::text(int column) const {
  auto *begin = reinterpret_cast<const char *>(sqlite3_column_text(prepared.get(), column));
  return begin ? StringRef(begin, sqlite3_column_bytes(prepared.get(), column)) : StringRef();
}

StringRef Statement::bytes(int column) const {
  auto *begin = static_cast<const char *>(sqlite3_column_blob(prepared.get(), column));
  return begin ? StringRef(begin, sqlite3_column_bytes(prepared.get(), column)) : StringRef();
}

double Statement::real(int column) const { return sqlite3_column_double(prepared.get(), column); }

int64_t Statement::number(int column) const { return sqlite3_column_int64(prepared.get(), column); }

void Statement::reset() { sqlite3_reset(prepared.get()); }

llvm::Error Statement::run() {
  llvm::Expected<bool> row = step();
  if (!row)
    return row.takeError();
  reset();
  return llvm::Error::success();
}
