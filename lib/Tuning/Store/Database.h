//===- Database.h - Statements of SQLite ------------------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_STORE_DATABASE_H
#define ROOFTILE_TUNING_STORE_DATABASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace rooftile::tuning {

/// A file that SQLite has open.
class Database {
public:
  /// Opens `file`; makes it where it may be written and there is none.
  static llvm::Expected<Database> open(llvm::StringRef file, bool writes);

  /// Runs statements that have no result.
  llvm::Error run(const char *text) const;
  /// The number that a statement gives, such as a pragma.
  llvm::Expected<int64_t> number(const char *text) const;
  /// Rows that the last statement changed.
  int64_t changes() const;
  /// SQLite's message of its last failure, with the name of the file and advice.
  llvm::Error error() const;

  const std::string &file() const { return path; }

private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3 *open) const;
  };
  std::string path;
  std::unique_ptr<sqlite3, Close> connection;
};

/// A prepared statement, its parameters counted from 1 and its columns from 0.
class Statement {
public:
  static llvm::Expected<Statement> prepare(const Database &database, const char *text);

  void bind(int parameter, llvm::StringRef text);
  /// Whether there is another row.
  llvm::Expected<bool> step();
  llvm::StringRef text(int column) const;
  int64_t number(int column) const;
  void reset();

private:
  struct Finish {
    void operator()(sqlite3_stmt *statement) const;
  };
  Statement(const Database &database, sqlite3_stmt *prepared)
      : database(&database), prepared(prepared) {}

  const Database *database;
  std::unique_ptr<sqlite3_stmt, Finish> prepared;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_STORE_DATABASE_H
