//===- Metadata.cpp - Arguments of kernels, from a code object's note -----===//
//
// Source: LLVM's AMDGPUUsage, "Code Object V5 Metadata". The document is read once before
// msgpack::Document does, which trusts that the keys of maps are strings.
//
//===----------------------------------------------------------------------===//

#include "Metadata.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace llvm;

namespace rooftile::emulator {
namespace {

constexpr unsigned kDeepest = 32;

template <typename... Values> Error failure(const char *format, Values &&...values) {
  return createStringError(inconvertibleErrorCode(),
                           formatv(format, std::forward<Values>(values)...).str());
}

std::optional<msgpack::Object> readObject(msgpack::Reader &reader) {
  msgpack::Object object;
  Expected<bool> isRead = reader.read(object);
  if (!isRead) {
    consumeError(isRead.takeError());
    return std::nullopt;
  }
  return *isRead ? std::optional(object) : std::nullopt;
}

/// Reads a value with all that it contains.
bool isWellFormed(msgpack::Reader &reader, unsigned depth = 0) {
  std::optional<msgpack::Object> object = readObject(reader);
  if (!object || depth > kDeepest)
    return false;
  bool isMap = object->Kind == msgpack::Type::Map;
  if (!isMap && object->Kind != msgpack::Type::Array)
    return object->Kind != msgpack::Type::Extension;
  for (size_t index = 0; index < object->Length; ++index) {
    std::optional<msgpack::Object> key = isMap ? readObject(reader) : std::nullopt;
    if (isMap && (!key || key->Kind != msgpack::Type::String))
      return false;
    if (!isWellFormed(reader, depth + 1))
      return false;
  }
  return true;
}

/// Null where there is none of that kind.
msgpack::DocNode *find(msgpack::DocNode &map, StringRef key, msgpack::Type kind) {
  if (!map.isMap())
    return nullptr;
  auto found = map.getMap().find(key);
  return found != map.getMap().end() && found->second.getKind() == kind ? &found->second : nullptr;
}

std::optional<uint32_t> findNumber(msgpack::DocNode &map, StringRef key) {
  msgpack::DocNode *node = find(map, key, msgpack::Type::UInt);
  if (!node || node->getUInt() > UINT32_MAX)
    return std::nullopt;
  return uint32_t(node->getUInt());
}

std::optional<Argument::Kind> kindOf(StringRef name) {
  using Kind = Argument::Kind;
  Kind kind = StringSwitch<Kind>(name)
                  .Cases({"by_value", "global_buffer"}, Kind::Value)
                  .Case("hidden_block_count_x", Kind::BlockCountX)
                  .Case("hidden_block_count_y", Kind::BlockCountY)
                  .Case("hidden_block_count_z", Kind::BlockCountZ)
                  .Case("hidden_group_size_x", Kind::GroupSizeX)
                  .Case("hidden_group_size_y", Kind::GroupSizeY)
                  .Case("hidden_group_size_z", Kind::GroupSizeZ)
                  .Case("hidden_remainder_x", Kind::RemainderX)
                  .Case("hidden_remainder_y", Kind::RemainderY)
                  .Case("hidden_remainder_z", Kind::RemainderZ)
                  .Case("hidden_grid_dims", Kind::GridDimensions)
                  .Case("hidden_dynamic_lds_size", Kind::DynamicLocalBytes)
                  .StartsWith("hidden_global_offset_", Kind::GlobalOffset)
                  .Default(Kind::Other);
  if (kind == Kind::Other && !name.starts_with("hidden_"))
    return std::nullopt;
  return kind;
}

Expected<std::vector<Argument>> readArguments(msgpack::DocNode &kernel, StringRef symbol) {
  std::vector<Argument> arguments;
  msgpack::DocNode *list = find(kernel, ".args", msgpack::Type::Array);
  if (!list) // A kernel without arguments.
    return arguments;
  for (msgpack::DocNode &node : list->getArray()) {
    msgpack::DocNode *name = find(node, ".value_kind", msgpack::Type::String);
    std::optional<uint32_t> offset = findNumber(node, ".offset"), bytes = findNumber(node, ".size");
    if (!name || !offset || !bytes)
      return failure("metadata of {0}: an argument lacks its kind, offset or size", symbol);
    std::optional<Argument::Kind> kind = kindOf(name->getString());
    if (!kind)
      return failure("metadata of {0}: an argument is a {1}", symbol, name->getString());
    arguments.push_back({*kind, *offset, *bytes});
  }
  return arguments;
}

} // namespace

Expected<StringMap<std::vector<Argument>>> readMetadata(StringRef note) {
  msgpack::Reader reader(note);
  msgpack::Document document;
  if (!isWellFormed(reader) || !document.readFromBlob(note, /*Multi=*/false))
    return failure("the metadata is damaged");
  msgpack::DocNode *kernels = find(document.getRoot(), "amdhsa.kernels", msgpack::Type::Array);
  if (!kernels)
    return failure("the metadata has no amdhsa.kernels");
  StringMap<std::vector<Argument>> all;
  for (msgpack::DocNode &kernel : kernels->getArray()) {
    msgpack::DocNode *symbol = find(kernel, ".symbol", msgpack::Type::String);
    if (!symbol)
      return failure("the metadata of a kernel has no .symbol");
    Expected<std::vector<Argument>> arguments = readArguments(kernel, symbol->getString());
    if (!arguments)
      return arguments.takeError();
    all[symbol->getString()] = std::move(*arguments);
  }
  return all;
}

} // namespace rooftile::emulator
