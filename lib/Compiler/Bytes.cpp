//===- Bytes.cpp - How much a process keeps -------------------------------===//

#include "rooftile/Compiler/Bytes.h"

#include <cstdlib>

using namespace rooftile;
using llvm::StringRef;

std::optional<uint64_t> compiler::parseBytes(StringRef text) {
  unsigned shift = 0;
  if (text.consume_back_insensitive("K"))
    shift = 10;
  else if (text.consume_back_insensitive("M"))
    shift = 20;
  else if (text.consume_back_insensitive("G"))
    shift = 30;
  uint64_t number = 0;
  if (text.getAsInteger(10, number) || number > UINT64_MAX >> shift)
    return std::nullopt;
  return number << shift;
}

size_t compiler::mostKeptBytes() {
  constexpr size_t kDefault = size_t(512) << 20;
  const char *text = std::getenv("ROOFTILE_KEPT_SIZE");
  return parseBytes(text ? text : "").value_or(kDefault);
}
