//===- Database.h - Statements of SQLite ------------------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_DATABASE_H
#define ROOFTILE_TUNING_DATABASE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace rooftile::tuning {

/// Purpose of a file of SQLite.
struct FileKind {
  int64_t application;        ///< Marks the file as one of this kind.
  int64_t version;            ///< Version of its tables.
  llvm::StringLiteral name;   ///< "store of measurements"
  llvm::StringLiteral remedy; ///< Advice about a damaged one; {0} stands for its name.
};

/// A file that SQLite has open.
class Database {
public:
  /// Opens `file`; makes it where it may be written and there is none.
  static llvm::Expected<Database> open(llvm::StringRef file, const FileKind &kind, bool writes);

  /// Whether there are no tables yet.
  llvm::Expected<bool> isEmpty() const;
  /// Makes tables by these statements, and marks the file as one of its kind.
  llvm::Error create(const char *statements) const;
  /// An error where the file is damaged, of another kind, or of a newer version.
  llvm::Error check() const;
  /// Lets several processes write at once, by a log (WAL). Commits outlive the process, not a power
  /// failure of the machine.
  llvm::Error logWrites() const;
  /// Runs `work` in one transaction, which is undone where it fails.
  llvm::Error together(llvm::function_ref<llvm::Error()> work) const;

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
  llvm::Error checkVersion() const;
  /// Advice after a failure; empty where SQLite's message is enough.
  std::string adviceFor(int code) const;

  std::string path;
  const FileKind *kind = nullptr;
  std::unique_ptr<sqlite3, Close> connection;
};

/// A prepared statement, its parameters counted from 1 and its columns from 0.
class Statement {
public:
  static llvm::Expected<Statement> prepare(const Database &database, const char *text);

  void bind(int parameter, llvm::StringRef text);
  void bind(int parameter, int64_t number);
  void bind(int parameter, double number);
  void bindBytes(int parameter, llvm::StringRef bytes);
  /// Whether there is another row.
  llvm::Expected<bool> step();
  llvm::StringRef text(int column) const;
  llvm::StringRef bytes(int column) const;
  int64_t number(int column) const;
  double real(int column) const;
  void reset();
  /// Runs a statement that has no rows, and makes it ready to run again.
  llvm::Error run();

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

#endif // ROOFTILE_TUNING_DATABASE_H
