//===- Results.cpp - Rows of a result file --------------------------------===//

#include "rooftile/Bench/Results.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <ctime>
#include <map>

using namespace rooftile::bench;
using llvm::formatv;
using llvm::StringRef;

static constexpr StringRef kColumns[] = {
    "class",        "type",       "op",        "sizes",         "modifiers",   "ours_ms",
    "ours_tflops",  "ours_gbps",  "vendor_ms", "vendor_tflops", "vendor_gbps", "ratio",
    "predicted_ms", "compile_ms", "binary_ms", "registers",     "spill_bytes", "verified",
    "rank",         "flops",      "bytes",     "status",        "plan"};

std::string rooftile::bench::now() {
  std::time_t time = std::time(nullptr);
  char text[sizeof "2026-11-25T13:05:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

std::string rooftile::bench::compilerVersion() {
  return "Rooftile " ROOFTILE_VERSION ", LLVM " LLVM_VERSION_STRING;
}

/// A number with six digits that count; nothing for NaN.
static std::string number(double value) {
  if (std::isnan(value))
    return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

static std::string quoted(StringRef text) {
  if (text.find_first_of(",\"\n") == StringRef::npos)
    return text.str();
  std::string out = "\"";
  for (char c : text)
    out += c == '"' ? "\"\"" : c == '\n' ? " " : std::string(1, c);
  return out + "\"";
}

void rooftile::bench::writeHeader(llvm::raw_ostream &out, const Header &header) {
  for (auto &[name, value] : header)
    out << "# " << name << ": " << value << '\n';
  out << llvm::join(llvm::ArrayRef(kColumns), ",") << '\n';
}

void rooftile::bench::writeRow(llvm::raw_ostream &out, const Row &row) {
  std::string cells[] = {row.group,
                         row.type,
                         row.op,
                         row.sizes,
                         StringRef(row.modifiers).trim().str(),
                         number(row.oursMs),
                         number(row.tflops(row.oursMs)),
                         number(row.gbytesPerSecond(row.oursMs)),
                         number(row.vendorMs),
                         number(row.tflops(row.vendorMs)),
                         number(row.gbytesPerSecond(row.vendorMs)),
                         number(row.ratio()),
                         number(row.predictedMs),
                         number(row.compileMs),
                         number(row.binaryMs),
                         number(row.registers),
                         number(row.spillBytes),
                         row.verified,
                         std::to_string(row.rank),
                         formatv("{0:f0}", row.flops),
                         formatv("{0:f0}", row.bytes),
                         row.status,
                         row.plan};
  out << llvm::join(llvm::map_range(cells, [](const std::string &cell) { return quoted(cell); }),
                    ",")
      << '\n';
  out.flush();
}

/// The cells of one line; false when a quote is not closed.
static bool split(StringRef line, std::vector<std::string> &cells) {
  cells.assign(1, "");
  bool inQuotes = false;
  for (size_t i = 0; i < line.size(); ++i) {
    char c = line[i];
    if (inQuotes && c == '"' && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"')
      inQuotes = !inQuotes;
    else if (c == ',' && !inQuotes)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return !inQuotes;
}

namespace {
/// The cells of a line by the names of their columns.
class Cells {
public:
  Cells(const std::vector<std::string> &names, const std::vector<std::string> &values) {
    for (size_t i = 0; i < names.size(); ++i)
      byName[names[i]] = values[i];
  }
  std::string text(const char *name) { return byName[name]; }
  double number(const char *name) {
    double value = NAN;
    StringRef text = byName[name];
    if (!text.empty() && text.getAsDouble(value))
      wrong = formatv("column {0} is '{1}', expected a number", name, text);
    return value;
  }
  std::string wrong; ///< the first cell that is no number where one belongs

private:
  std::map<std::string, std::string> byName;
};
} // namespace

static Row readRow(Cells &cells) {
  Row row;
  row.group = cells.text("class");
  row.type = cells.text("type");
  row.op = cells.text("op");
  row.sizes = cells.text("sizes");
  std::string modifiers = cells.text("modifiers");
  row.modifiers = modifiers.empty() ? "" : " " + modifiers;
  row.flops = cells.number("flops");
  row.bytes = cells.number("bytes");
  row.oursMs = cells.number("ours_ms");
  row.vendorMs = cells.number("vendor_ms");
  row.predictedMs = cells.number("predicted_ms");
  row.compileMs = cells.number("compile_ms");
  row.binaryMs = cells.number("binary_ms");
  row.registers = cells.number("registers");
  row.spillBytes = cells.number("spill_bytes");
  row.verified = cells.text("verified");
  double rank = cells.number("rank");
  row.rank = std::isnan(rank) ? 0 : rank;
  row.status = cells.text("status");
  row.plan = cells.text("plan");
  return row;
}

llvm::Expected<Results> rooftile::bench::readResults(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createStringError("cannot read '" + file + "': " + buffer.getError().message());
  Results results;
  std::vector<std::string> names, values;
  int number = 0;
  auto error = [&](const llvm::Twine &what) {
    return llvm::createStringError(file + ":" + llvm::Twine(number) + ": " + what);
  };
  for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
    ++number;
    line = line.rtrim("\r");
    if (line.consume_front("#")) {
      auto [name, value] = line.split(':');
      results.header.push_back({name.trim().str(), value.trim().str()});
      continue;
    }
    if (line.empty())
      continue;
    if (!split(line, values))
      return error("a quote is not closed");
    if (names.empty()) {
      names = values;
      if (!llvm::is_contained(names, "ours_ms") || !llvm::is_contained(names, "sizes"))
        return error("no result file of gemm-bench: it has no columns sizes and ours_ms");
      continue;
    }
    if (values.size() != names.size())
      return error(formatv("{0} cells, expected {1}", values.size(), names.size()));
    Cells cells(names, values);
    results.rows.push_back(readRow(cells));
    if (!cells.wrong.empty())
      return error(cells.wrong);
  }
  if (names.empty())
    return error("no result file of gemm-bench: it is empty");
  return results;
}
