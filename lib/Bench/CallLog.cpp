//===- CallLog.cpp - The operations that a program calls ------------------===//

#include "rooftile/Bench/Classes.h"
#include "rooftile/Operation/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace rooftile;
using namespace rooftile::bench;
using llvm::StringRef;

/// The operation in brackets at the end of a line; empty where there is none.
static StringRef operationIn(StringRef line) {
  line = line.rtrim();
  size_t begin = line.rfind(" [v");
  if (!line.consume_back("]") || begin == StringRef::npos)
    return "";
  StringRef operation = line.drop_front(begin + 2);
  return operation.contains(' ') ? operation : "";
}

/// A line of the operation that is compiled for a call, or why it cannot be read.
static std::string compiledLine(StringRef line, std::string &why) {
  operation::Parsed parsed = operation::parse(line);
  if (!parsed)
    why = parsed.error;
  return parsed ? text(canonical(withGeneralScalars(parsed.operation))) : line.str();
}

llvm::Expected<CallLog> rooftile::bench::readCallLog(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!buffer)
    return llvm::createStringError("cannot read '" + file + "': " + buffer.getError().message());
  std::map<std::string, int64_t> counts;
  std::map<std::string, std::string> left;
  for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
    StringRef operation = operationIn(line);
    if (operation.empty())
      continue;
    std::string why, compiled = compiledLine(operation, why);
    if (why.empty())
      ++counts[compiled];
    else
      left[compiled] = why;
  }
  CallLog log;
  for (auto &[line, count] : counts) {
    llvm::Expected<Shape> shape = Shape::parse(line);
    if (shape)
      log.calls.push_back({std::move(*shape), count});
    else
      left[line] = llvm::toString(shape.takeError());
  }
  llvm::sort(log.calls, [](const CallLog::Call &first, const CallLog::Call &second) {
    auto work = [](const CallLog::Call &call) { return double(call.count) * call.shape.flops(); };
    return std::pair(-work(first), first.shape.key()) <
           std::pair(-work(second), second.shape.key());
  });
  log.left.assign(left.begin(), left.end());
  if (log.calls.empty())
    return llvm::createStringError(
        file +
        ": no line ends with an operation in brackets, such as [v1 gemm ...]; "
        "ROOFTILE_LOG=calls writes them" +
        (log.left.empty() ? "" : "; " + log.left.front().first + ": " + log.left.front().second));
  return log;
}
