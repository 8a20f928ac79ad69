//===- Folder.cpp - A folder that is there whole, or not at all -----------===//

#include "Folder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/stat.h>

using namespace llvm;
using namespace rooftile::exporter;

static Error fail(const Twine &what, std::error_code error) {
  return createStringError(what + ": " + error.message());
}

Error rooftile::exporter::checkReplaceable(StringRef path, const StringSet<> &files) {
  if (!sys::fs::exists(path))
    return Error::success();
  if (!sys::fs::is_directory(path))
    return createStringError("'" + path + "' is no folder");
  std::error_code error;
  for (sys::fs::directory_iterator at(path, error), end; at != end && !error; at.increment(error))
    if (StringRef name = sys::path::filename(at->path()); !files.contains(name))
      return createStringError("folder '" + path + "' has a file '" + name +
                               "' that is none of this library: expected an empty folder, one that "
                               "does not exist, or an earlier export");
  return error ? fail("folder '" + path + "'", error) : Error::success();
}

Expected<Folder> Folder::create(StringRef path, const StringSet<> &files) {
  if (Error error = checkReplaceable(path, files))
    return error;
  SmallString<128> wanted(path), model;
  if (std::error_code error = sys::fs::make_absolute(wanted))
    return fail("folder '" + path + "'", error);
  sys::path::remove_dots(wanted, /*remove_dot_dot=*/true);
  while (wanted.size() > 1 && sys::path::is_separator(wanted.back()))
    wanted.pop_back();
  if (std::error_code error = sys::fs::create_directories(sys::path::parent_path(wanted)))
    return fail("folder '" + sys::path::parent_path(wanted) + "'", error);
  SmallString<128> temporary;
  for (int tries = 0; tries < 100; ++tries) {
    sys::fs::createUniquePath(wanted + ".%%%%%%%%.tmp", temporary, /*MakeAbsolute=*/false);
    std::error_code error =
        sys::fs::create_directory(temporary, /*IgnoreExisting=*/false, sys::fs::perms::all_all);
    if (!error)
      return Folder(std::string(wanted), std::string(temporary));
    if (error != std::errc::file_exists)
      return fail("folder '" + temporary + "'", error);
  }
  return createStringError("no temporary folder beside '" + path + "'");
}

Folder::Folder(Folder &&other) : wanted(other.wanted) { temporary.swap(other.temporary); }

Folder::~Folder() {
  if (!temporary.empty())
    sys::fs::remove_directories(temporary);
}

Error Folder::write(StringRef name, StringRef bytes) {
  SmallString<128> path(temporary);
  sys::path::append(path, name);
  return writeFile(path, bytes);
}

Error rooftile::exporter::writeFile(StringRef path, StringRef bytes) {
  std::error_code error;
  raw_fd_ostream stream(path, error, sys::fs::OF_None);
  if (!error) {
    stream << bytes;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  return error ? fail("'" + path + "'", error) : Error::success();
}

/// A folder that was there before steps aside first, and comes back where this fails.
Error Folder::finish() {
  std::string aside;
  if (sys::fs::exists(wanted)) {
    aside = temporary + ".old";
    if (std::error_code error = sys::fs::rename(wanted, aside))
      return fail("folder '" + wanted + "'", error);
  }
  if (std::error_code error = sys::fs::rename(temporary, wanted)) {
    if (!aside.empty())
      sys::fs::rename(aside, wanted);
    return fail("folder '" + wanted + "'", error);
  }
  temporary.clear();
  if (!aside.empty())
    sys::fs::remove_directories(aside);
  return Error::success();
}
