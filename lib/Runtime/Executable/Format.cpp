//===- Format.cpp - The bytes of an executable ----------------------------===//
//
// A string, and a list, is its length (8 bytes) and then its elements. A reader
// compares a length with the bytes that are left before it reserves memory.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Executable/Executable.h"

#include <cstring>

using namespace rooftile;

static constexpr std::string_view kMagic = "rooftile";
static constexpr uint64_t kVersion = 3;
static constexpr size_t kWord = 8, kHeadBytes = 4 * kWord;

/// 64 bits of FNV-1a. Source: Fowler, Noll, Vo, RFC 9923. Each step can be inverted, so that any
/// change of one byte is seen.
static uint64_t checksumOf(std::string_view bytes) {
  uint64_t sum = 0xcbf29ce484222325;
  for (unsigned char byte : bytes)
    sum = (sum ^ byte) * 0x100000001b3;
  return sum;
}

namespace {

/// Appends little-endian integers.
class Writer {
public:
  static constexpr bool kReads = false;
  std::string bytes;

  template <typename T> void number(const T &value) {
    for (size_t i = 0; i < sizeof(T); ++i)
      bytes.push_back(char(uint64_t(value) >> 8 * i));
  }
  void text(const std::string &value) {
    number(uint64_t(value.size()));
    bytes += value;
  }
  /// `leastBytes`: of an element, for the reader.
  template <typename T, typename Each>
  void list(const std::vector<T> &values, size_t leastBytes, Each each) {
    number(uint64_t(values.size()));
    for (const T &value : values)
      each(value);
  }
};

/// Reads them again; where bytes are missing it stops and stays stopped.
class Reader {
public:
  static constexpr bool kReads = true;
  std::string_view rest;
  bool isCut = false;

  template <typename T> void number(T &value) {
    if (!has(sizeof(T)))
      return;
    uint64_t read = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
      read |= uint64_t(static_cast<unsigned char>(rest[i])) << 8 * i;
    value = T(read);
    rest.remove_prefix(sizeof(T));
  }
  void text(std::string &value) {
    uint64_t size = 0;
    number(size);
    if (!has(size))
      return;
    value = rest.substr(0, size);
    rest.remove_prefix(size);
  }
  template <typename T, typename Each>
  void list(std::vector<T> &values, size_t leastBytes, Each each) {
    uint64_t size = 0;
    number(size);
    if (isCut || size > rest.size() / leastBytes)
      return void(isCut = true);
    values.resize(size);
    for (size_t i = 0; i < size && !isCut; ++i)
      each(values[i]);
  }

private:
  bool has(uint64_t count) {
    isCut |= count > rest.size();
    return !isCut;
  }
};

/// Order of the fields, for both directions. `Archive` is a Writer, with constant data, or a
/// Reader.
template <typename Archive> struct Layout {
  Archive archive;

  template <typename T> using Ref = std::conditional_t<Archive::kReads, T &, const T &>;

  void visit(Ref<Instruction> i) {
    archive.number(i.opcode);
    numbers(i.result, i.a, i.b, i.c, i.target);
  }
  void visit(Ref<LaunchSite> launch) {
    archive.number(launch.kernel);
    for (auto *sizes : {&launch.grid, &launch.block, &launch.cluster})
      numbers((*sizes)[0], (*sizes)[1], (*sizes)[2]);
    archive.number(launch.sharedBytes);
    archive.list(launch.parameters, 8,
                 [&](Ref<Parameter> parameter) { numbers(parameter.place, parameter.bytes); });
  }
  void visit(Ref<DescriptorSite> site) {
    numbers(site.descriptor, site.address, site.realBytes, site.length, site.vectors,
            site.vectorBytes, site.boxLength, site.boxVectors, site.swizzleBytes);
  }
  void visit(Ref<Code> code) {
    archive.text(code.name);
    numbers(code.arguments, code.registers);
    archive.list(code.constants, 8, [&](Ref<uint64_t> value) { archive.number(value); });
    archive.list(code.instructions, 21, [&](Ref<Instruction> value) { visit(value); });
    archive.list(code.launches, 52, [&](Ref<LaunchSite> value) { visit(value); });
    archive.list(code.descriptors, 32, [&](Ref<DescriptorSite> value) { visit(value); });
    archive.list(code.messages, 8, [&](Ref<std::string> message) { archive.text(message); });
    archive.list(code.results, 5,
                 [&](Ref<ResultSite> result) { numbers(result.place, result.isMemory); });
  }
  void visit(Ref<ExecutableData> data) {
    archive.text(data.chip);
    archive.list(data.images, 8, [&](Ref<KernelImage> image) { archive.text(image.bytes); });
    archive.list(data.kernels, 12, [&](Ref<KernelEntry> kernel) {
      archive.text(kernel.name);
      archive.number(kernel.image);
    });
    archive.list(data.arrays, 8, [&](Ref<std::string> bytes) { archive.text(bytes); });
    archive.list(data.functions, 64, [&](Ref<Code> code) { visit(code); });
    archive.text(data.description);
  }

private:
  template <typename... Numbers> void numbers(Numbers &...values) { (archive.number(values), ...); }
};

} // namespace

std::string rooftile::writeExecutable(const ExecutableData &data) {
  Layout<Writer> content, head;
  content.visit(data);
  const std::string &bytes = content.archive.bytes;
  head.archive.bytes = kMagic;
  for (uint64_t word : {kVersion, uint64_t(bytes.size()), checksumOf(bytes)})
    head.archive.number(word);
  return head.archive.bytes + bytes;
}

/// The damage that the head of `bytes` shows, or an empty string.
static std::string whyDamaged(std::string_view bytes) {
  if (bytes.size() < kHeadBytes)
    return std::to_string(bytes.size()) + " bytes are no executable";
  if (bytes.substr(0, kWord) != kMagic)
    return "no executable: it does not begin with '" + std::string(kMagic) + "'";
  uint64_t version = 0, size = 0, checksum = 0;
  Reader head{bytes.substr(kWord, kHeadBytes - kWord)};
  for (uint64_t *word : {&version, &size, &checksum})
    head.number(*word);
  if (version != kVersion)
    return "the executable has version " + std::to_string(version) + " of the format, not " +
           std::to_string(kVersion);
  std::string_view content = bytes.substr(kHeadBytes);
  if (size != content.size())
    return "the executable is damaged: " + std::to_string(content.size()) + " bytes instead of " +
           std::to_string(size);
  return checksum == checksumOf(content) ? "" : "the executable is damaged: its checksum is wrong";
}

std::unique_ptr<ExecutableData> rooftile::readExecutable(std::string_view bytes, std::string &why) {
  why = whyDamaged(bytes);
  if (!why.empty())
    return nullptr;
  auto data = std::make_unique<ExecutableData>();
  Layout<Reader> content{Reader{bytes.substr(kHeadBytes)}};
  content.visit(*data);
  if (content.archive.isCut || !content.archive.rest.empty())
    why = "the executable is damaged: its lengths do not fit its bytes";
  else
    why = whyInvalid(*data);
  return why.empty() ? std::move(data) : nullptr;
}
