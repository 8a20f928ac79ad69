//===- Folder.h - A folder that is there whole, or not at all ---*- C++ -*-===//
#ifndef ROOFTILE_LIB_EXPORT_FOLDER_H
#define ROOFTILE_LIB_EXPORT_FOLDER_H

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <string>

namespace rooftile::exporter {

/// Files are written to a temporary folder beside the one that is asked for, which finish() puts in
/// its path. Without it the temporary folder goes.
class Folder {
public:
  /// `files`: the names of all files that will be written. A folder at `path` that has others is
  /// refused: it is not ours to replace.
  static llvm::Expected<Folder> create(llvm::StringRef path, const llvm::StringSet<> &files);
  Folder(Folder &&other);
  ~Folder();

  /// Where files are written.
  const std::string &path() const { return temporary; }
  llvm::Error write(llvm::StringRef name, llvm::StringRef bytes);
  llvm::Error finish();

private:
  Folder(std::string wanted, std::string temporary)
      : wanted(std::move(wanted)), temporary(std::move(temporary)) {}

  std::string wanted, temporary;
};

/// Writes a file; what the system refuses, such as on a full disk, is an error with its path.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// Why `path` cannot be replaced by a folder of `files`; success where it can.
llvm::Error checkReplaceable(llvm::StringRef path, const llvm::StringSet<> &files);

} // namespace rooftile::exporter

#endif // ROOFTILE_LIB_EXPORT_FOLDER_H
