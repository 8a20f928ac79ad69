//===- Store.h - Every candidate that was ever measured ---------*- C++ -*-===//
//
// A store is one SQLite file (in WAL mode: several processes write at once, and what was added
// before a process is killed stays). Each row is a Measurement; equal ones are one row, so that a
// store can be merged with, or import, what it has already.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_TUNING_STORE_STORE_H
#define ROOFTILE_TUNING_STORE_STORE_H

#include "rooftile/Tuning/Store/Measurement.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace rooftile::tuning {

class Database;

enum class Access {
  Read,  ///< The file exists, and stays as it is.
  Write, ///< The file is made where there is none.
};

/// Restriction of a query; empty fields match all.
struct StoreFilter {
  std::string operation, chip;
};

/// An open store, for one thread at a time.
class Store {
public:
  Store(Store &&);
  ~Store();

  /// Error: the file is missing, is no store, is damaged, or is of a newer version.
  static llvm::Expected<Store> open(llvm::StringRef file, Access access);

  /// Adds a measurement, whole or not at all. Returns whether it was new.
  llvm::Expected<bool> add(const Measurement &measurement);

  /// Calls `visit` with the measurements, by operation, chip and plan, then as they were added.
  llvm::Error forEach(const StoreFilter &filter,
                      llvm::function_ref<void(const Measurement &)> visit) const;
  /// Calls `visit` with all measurements of an operation on a chip at once.
  llvm::Error forEachOperation(const StoreFilter &filter,
                               llvm::function_ref<void(llvm::ArrayRef<Measurement>)> visit) const;
  /// Chips of the measurements, by name.
  llvm::Expected<std::vector<std::string>> chips() const;
  llvm::Expected<std::vector<Measurement>> read(const StoreFilter &filter = {}) const;

  /// Adds all of another store, or nothing. Returns how many were new.
  llvm::Expected<int64_t> merge(const Store &other);

  /// Adds lines of JSON, all or none. Returns how many were new. An error names the line.
  llvm::Expected<int64_t> importLines(llvm::MemoryBufferRef text);
  /// Writes all measurements, a line of JSON each.
  llvm::Error exportLines(llvm::raw_ostream &out) const;

private:
  explicit Store(std::unique_ptr<Database> database);

  llvm::Error create();
  llvm::Expected<bool> addLine(llvm::StringRef line);
  llvm::Error count(llvm::StringRef line, int64_t &added);
  llvm::Error forEachLine(const StoreFilter &filter,
                          llvm::function_ref<llvm::Error(llvm::StringRef)> visit) const;

  std::unique_ptr<Database> database;
};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_STORE_STORE_H
