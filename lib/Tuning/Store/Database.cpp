//===- Database.cpp - Statements of SQLite --------------------------------===//

#include "Database.h"
#include "llvm/ADT/Twine.h"

#include <sqlite3.h>

using namespace rooftile::tuning;
using llvm::StringRef;

/// Milliseconds that a process waits for others that write: eight at once wait for less than one.
static constexpr int kMostWaiting = 60000;

void Database::Close::operator()(sqlite3 *open) const { sqlite3_close(open); }
void Statement::Finish::operator()(sqlite3_stmt *statement) const { sqlite3_finalize(statement); }

/// Advice for a user after a failure; empty where SQLite's message is enough.
static std::string adviceFor(int code, const std::string &path) {
  switch (code & 0xff) {
  case SQLITE_CORRUPT:
    return "; `sqlite3 " + path + " .recover` saves what can be read";
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
  return llvm::createStringError(path + ": " + sqlite3_errmsg(connection.get()) +
                                 adviceFor(code, path));
}

llvm::Expected<Database> Database::open(StringRef file, bool writes) {
  Database database;
  database.path = file.str();
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

int64_t Statement::number(int column) const { return sqlite3_column_int64(prepared.get(), column); }

void Statement::reset() { sqlite3_reset(prepared.get()); }
