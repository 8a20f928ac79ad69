//===- CodeObjectTest.cpp - Code objects that are right, or damaged -------===//
//
// A code object is put together byte by byte, so that each field and each relocation is known.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/CodeObject.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace rooftile::emulator;

namespace {

constexpr uint64_t kCodeAddress = 0x2000; ///< Differs from its offset in the file.

/// A loop, a constant between two blocks, and the end; the same for all chips but for its words.
struct Chip {
  const char *name;
  unsigned machine;
  bool hasWave32;
  std::vector<uint32_t> code;
};

const std::vector<uint32_t> kGfx9 = {0xc0060002, 0x00000000, 0xbf8cc07f, 0x80808100, 0xbf078000,
                                     0xbf85fffd, 0xbf820001, 0xffffffff, 0xbf810000};
const Chip kChips[] = {
    {"gfx906", ELF::EF_AMDGPU_MACH_AMDGCN_GFX906, false, kGfx9},
    {"gfx90a", ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A, false, kGfx9},
    {"gfx942", ELF::EF_AMDGPU_MACH_AMDGCN_GFX942, false, kGfx9},
    {"gfx1100",
     ELF::EF_AMDGPU_MACH_AMDGCN_GFX1100,
     true,
     {0xf4040002, 0xf8000000, 0xbf89fc07, 0x80808100, 0xbf078000, 0xbfa2fffd, 0xbfa00001,
      0xffffffff, 0xbfb00000}},
};

struct Relocation {
  uint32_t type;
  uint64_t offset;
  uint32_t symbol;
  int64_t addend;
};

/// Contents of a code object with one kernel.
struct Source {
  explicit Source(const Chip &chip) : machine(chip.machine), code(chip.code) {
    descriptor.group_segment_fixed_size = 1024;
    descriptor.kernarg_size = 24;
    descriptor.compute_pgm_rsrc1 = 0x00af0000; // Denormals, IEEE mode, DX10_CLAMP.
    descriptor.compute_pgm_rsrc2 = 2 << 1 | 1 << 7;
    descriptor.kernel_code_properties = 1 << 3 | unsigned(chip.hasWave32) << 10;
  }
  std::vector<uint8_t> build() const;

  unsigned machine;
  std::vector<uint32_t> code;
  amdhsa::kernel_descriptor_t descriptor{};
  struct Parameter {
    const char *kind;
    uint32_t offset, bytes;
  };
  std::vector<Parameter> arguments = {{"global_buffer", 0, 8}, {"by_value", 8, 4}};
  std::string symbol = "product.kd"; ///< In the metadata.
  std::vector<Relocation> relocations;

private:
  std::string note() const;
};

template <typename T> uint64_t append(std::vector<uint8_t> &file, const T &value) {
  uint64_t offset = file.size();
  auto bytes = reinterpret_cast<const uint8_t *>(&value);
  file.insert(file.end(), bytes, bytes + sizeof(value));
  return offset;
}

uint64_t appendText(std::vector<uint8_t> &file, StringRef text) {
  uint64_t offset = file.size();
  file.insert(file.end(), text.begin(), text.end());
  file.resize(alignTo(file.size(), 16));
  return offset;
}

std::string Source::note() const {
  msgpack::Document document;
  msgpack::DocNode kernel = document.getMapNode(), list = document.getArrayNode();
  for (const Parameter &argument : arguments) {
    msgpack::DocNode node = document.getMapNode();
    node.getMap()[".value_kind"] = document.getNode(argument.kind);
    node.getMap()[".offset"] = document.getNode(argument.offset);
    node.getMap()[".size"] = document.getNode(argument.bytes);
    list.getArray().push_back(node);
  }
  kernel.getMap()[".args"] = list;
  kernel.getMap()[".symbol"] = document.getNode(symbol);
  msgpack::DocNode kernels = document.getArrayNode();
  kernels.getArray().push_back(kernel);
  document.getRoot().getMap(true)["amdhsa.kernels"] = kernels;
  std::string blob, note;
  document.writeToBlob(blob);
  uint32_t header[] = {7, uint32_t(blob.size()), ELF::NT_AMDGPU_METADATA};
  note.assign(reinterpret_cast<const char *>(header), sizeof(header));
  note += StringRef("AMDGPU\0\0", 8);
  note += blob;
  note.resize(alignTo(note.size(), 4));
  return note;
}

std::vector<uint8_t> Source::build() const {
  std::vector<uint8_t> file(sizeof(ELF::Elf64_Ehdr) + 3 * sizeof(ELF::Elf64_Phdr));
  std::string metadata = note();
  uint64_t noteAt = appendText(file, metadata);
  StringRef names("\0product.kd\0data\0", 17);
  uint64_t namesAt = appendText(file, names);
  uint64_t dataAt = file.size(); // Sixteen bytes for relocations.
  file.resize(dataAt + 16 + 48);
  file.resize(alignTo(file.size(), 64));
  amdhsa::kernel_descriptor_t kernel = descriptor;
  kernel.kernel_code_entry_byte_offset += kCodeAddress - file.size();
  uint64_t kernelAt = append(file, kernel);
  ELF::Elf64_Sym symbols[3] = {};
  for (unsigned index : {1, 2}) {
    symbols[index].st_name = index == 1 ? 1 : 12;
    symbols[index].st_shndx = 1;
    symbols[index].st_value = index == 1 ? kernelAt : dataAt;
  }
  uint64_t symbolsAt = append(file, symbols), relocationsAt = file.size();
  for (const Relocation &each : relocations) {
    ELF::Elf64_Rela entry = {each.offset + dataAt, 0, each.addend};
    entry.setSymbolAndType(each.symbol, each.type);
    append(file, entry);
  }
  uint64_t codeAt = file.size(), codeBytes = 4 * code.size();
  for (uint32_t word : code)
    append(file, word);
  file.resize(alignTo(file.size(), 8));
  uint64_t relocationBytes = relocations.size() * sizeof(ELF::Elf64_Rela);
  ELF::Elf64_Shdr sections[] = {
      {},
      {0, ELF::SHT_DYNSYM, ELF::SHF_ALLOC, symbolsAt, symbolsAt, sizeof(symbols), 2, 1, 8, 24},
      {0, ELF::SHT_STRTAB, ELF::SHF_ALLOC, namesAt, namesAt, names.size(), 0, 0, 1, 0},
      {0, ELF::SHT_RELA, ELF::SHF_ALLOC, relocationsAt, relocationsAt, relocationBytes, 1, 0, 8,
       24}};
  uint64_t sectionsAt = append(file, sections);
  ELF::Elf64_Phdr segments[] = {
      {ELF::PT_LOAD, ELF::PF_R, 0, 0, 0, codeAt, codeAt, 4096},
      {ELF::PT_LOAD, ELF::PF_R | ELF::PF_X, codeAt, kCodeAddress, 0, codeBytes, codeBytes, 4096},
      {ELF::PT_NOTE, ELF::PF_R, noteAt, noteAt, 0, metadata.size(), metadata.size(), 4}};
  ELF::Elf64_Ehdr header = {};
  const unsigned char identity[] = {0x7f, 'E', 'L', 'F', ELF::ELFCLASS64, ELF::ELFDATA2LSB, 1};
  std::copy(std::begin(identity), std::end(identity), header.e_ident);
  header.e_type = ELF::ET_DYN;
  header.e_machine = ELF::EM_AMDGPU;
  header.e_version = 1;
  header.e_flags = machine;
  header.e_ehsize = sizeof(header);
  header.e_phoff = sizeof(header);
  header.e_phentsize = sizeof(ELF::Elf64_Phdr);
  header.e_phnum = 3;
  header.e_shoff = sectionsAt;
  header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  header.e_shnum = 4;
  std::memcpy(file.data(), &header, sizeof(header));
  std::memcpy(file.data() + sizeof(header), segments, sizeof(segments));
  return file;
}

std::unique_ptr<CodeObject> load(const Source &source) {
  Expected<std::unique_ptr<CodeObject>> object = CodeObject::load(source.build());
  if (object)
    return std::move(*object);
  ADD_FAILURE() << toString(object.takeError());
  return nullptr;
}

std::string problemOf(ArrayRef<uint8_t> file) {
  Expected<std::unique_ptr<CodeObject>> object = CodeObject::load(file);
  return object ? "" : toString(object.takeError());
}

void expectProblem(const Source &source, StringRef text) {
  EXPECT_NE(problemOf(source.build()).find(text), std::string::npos)
      << problemOf(source.build()) << " / " << text.str();
}

TEST(CodeObject, DecodesWhatIsReached) {
  for (const Chip &chip : kChips) {
    std::unique_ptr<CodeObject> object = load(Source(chip));
    ASSERT_TRUE(object) << chip.name;
    EXPECT_EQ(object->chip(), chip.name);
    const Kernel *kernel = object->find("product");
    ASSERT_TRUE(kernel);
    EXPECT_EQ(kernel->entry, kCodeAddress);
    EXPECT_EQ(object->find("product.kd"), nullptr);
    std::string names;
    for (const Instruction &instruction : object->instructions())
      names += instruction.name + " ";
    std::string load = chip.hasWave32 ? "s_load_b64 " : "s_load_dwordx2 ";
    EXPECT_EQ(names, load + "s_waitcnt s_sub_u32 s_cmp_lg_u32 s_cbranch_scc1 s_branch s_endpgm ");
    ASSERT_EQ(object->instructions().size(), 7u);
    const std::vector<Instruction> &code = object->instructions();
    EXPECT_EQ(code[0].bytes, 8u);
    EXPECT_EQ(code[4].target, code[2].offset);
    EXPECT_EQ(code[5].target, kCodeAddress + 32);
    EXPECT_EQ(object->indexOf(kCodeAddress + 32), 6u);
    EXPECT_EQ(object->indexOf(kCodeAddress + 28), std::nullopt); // The constant.
    EXPECT_EQ(object->indexOf(kCodeAddress + 4), std::nullopt);  // Within an instruction.
    EXPECT_EQ(object->indexOf(~uint64_t(0)), std::nullopt);
    EXPECT_EQ(object->addressOf(0) % 4096, 0u);
    EXPECT_EQ(support::endian::read32le(object->image().data() + kCodeAddress), chip.code[0]);
    EXPECT_EQ(object->image().size(), kCodeAddress + 4 * chip.code.size());
  }
}

TEST(CodeObject, DecodesTheRestAfterAComputedJump) {
  Source source(kChips[1]);
  source.code = {0xbe801c00, 0xbe801d00, 0xffffffff, 0x80808100, 0xbf810000};
  std::unique_ptr<CodeObject> object = load(source);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->instructions().size(), 4u); // s_getpc, s_setpc; s_sub and s_endpgm.
  EXPECT_TRUE(object->indexOf(kCodeAddress + 12));
}

TEST(CodeObject, ErrorsOfCode) {
  Source source(kChips[1]);
  source.code[2] = 0xffffffff;
  expectProblem(source, "no instruction of gfx90a is 0xffffffff at offset 0x2008");
  source = Source(kChips[1]);
  source.code.pop_back();
  expectProblem(source, "control flow leaves the code, for offset 0x2020");
  source.code.back() = 0xbf82fff9; // To the second word of the load.
  source.code[6] = 0xbf820000;
  expectProblem(source, "overlap at offset 0x2004");
  source = Source(kChips[1]);
  source.descriptor.kernel_code_entry_byte_offset = 36;
  expectProblem(source, "a kernel begins outside of the code");
}

TEST(CodeObject, Registers) {
  struct Case {
    unsigned chip, vectors, accumulators, scalars;
  };
  for (const Case &each :
       {Case{0, 24, 0, 32}, Case{1, 48, 12, 32}, Case{2, 48, 12, 32}, Case{3, 48, 0, 128}}) {
    Source source(kChips[each.chip]);
    source.descriptor.compute_pgm_rsrc1 |= 5 | 2 << 6;
    source.descriptor.compute_pgm_rsrc3 = 2;
    std::unique_ptr<CodeObject> object = load(source);
    ASSERT_TRUE(object);
    const Kernel &kernel = object->kernels()[0];
    EXPECT_EQ(kernel.vectors, each.vectors) << object->chip();
    EXPECT_EQ(kernel.accumulatorsBegin, each.accumulators) << object->chip();
    EXPECT_EQ(kernel.scalars, each.scalars) << object->chip();
    EXPECT_EQ(kernel.hasWave32, kChips[each.chip].hasWave32);
  }
}

TEST(CodeObject, InitialState) {
  using Flag = bool Kernel::*;
  const Flag user[] = {&Kernel::hasPrivateBuffer, &Kernel::hasDispatchPointer,
                       &Kernel::hasQueuePointer,  &Kernel::hasArgumentPointer,
                       &Kernel::hasDispatchId,    &Kernel::hasFlatScratch,
                       &Kernel::hasPrivateSize};
  for (unsigned bit = 0; bit < 7; ++bit) {
    Source source(kChips[0]);
    source.descriptor.kernel_code_properties = 1 << bit;
    source.descriptor.compute_pgm_rsrc2 = 15 << 1;
    std::unique_ptr<CodeObject> object = load(source);
    ASSERT_TRUE(object);
    for (unsigned other = 0; other < 7; ++other)
      EXPECT_EQ(object->kernels()[0].*user[other], bit == other) << bit << " " << other;
    EXPECT_EQ(object->kernels()[0].userScalars, 15u);
  }
  const Flag system[] = {&Kernel::hasScratchOffset, &Kernel::hasGroupX, &Kernel::hasGroupY,
                         &Kernel::hasGroupZ, &Kernel::hasGroupInfo};
  const unsigned bits[] = {0, 7, 8, 9, 10};
  for (unsigned index = 0; index < 5; ++index)
    for (unsigned chip : {0, 2}) {
      Source source(kChips[chip]);
      source.descriptor.compute_pgm_rsrc2 = 2 << 1 | 1 << bits[index] | 2 << 11;
      std::unique_ptr<CodeObject> object = load(source);
      ASSERT_TRUE(object);
      for (unsigned other = 0; other < 5; ++other) // gfx942 sets FLAT_SCRATCH itself.
        EXPECT_EQ(object->kernels()[0].*system[other], index == other && (chip == 0 || other > 0));
      EXPECT_EQ(object->kernels()[0].itemDimensions, 3u);
    }
}

TEST(CodeObject, Modes) {
  for (unsigned mode = 0; mode < 8; ++mode) {
    Source source(kChips[3]);
    source.descriptor.compute_pgm_rsrc1 =
        1 << 21 | (mode & 1) * 3 << 16 | (mode >> 1 & 1) * 3 << 18 | (mode >> 2 & 1) << 23;
    std::unique_ptr<CodeObject> object = load(source);
    ASSERT_TRUE(object);
    EXPECT_EQ(object->kernels()[0].mode.keepsDenormals32, bool(mode & 1));
    EXPECT_EQ(object->kernels()[0].mode.keepsDenormals16And64, bool(mode & 2));
    EXPECT_EQ(object->kernels()[0].mode.isIeee, bool(mode & 4));
  }
  Source source(kChips[3]);
  source.descriptor.compute_pgm_rsrc1 |= 1 << 12;
  expectProblem(source, "product rounds otherwise");
  source.descriptor.compute_pgm_rsrc1 = 0x00a10000;
  expectProblem(source, "product flushes");
  source.descriptor.compute_pgm_rsrc1 = 0x008f0000;
  expectProblem(source, "DX10_CLAMP");
}

TEST(CodeObject, Arguments) {
  using Kind = Argument::Kind;
  const std::pair<const char *, Kind> kinds[] = {
      {"by_value", Kind::Value},
      {"global_buffer", Kind::Value},
      {"hidden_block_count_x", Kind::BlockCountX},
      {"hidden_block_count_y", Kind::BlockCountY},
      {"hidden_block_count_z", Kind::BlockCountZ},
      {"hidden_group_size_x", Kind::GroupSizeX},
      {"hidden_group_size_y", Kind::GroupSizeY},
      {"hidden_group_size_z", Kind::GroupSizeZ},
      {"hidden_remainder_x", Kind::RemainderX},
      {"hidden_remainder_y", Kind::RemainderY},
      {"hidden_remainder_z", Kind::RemainderZ},
      {"hidden_grid_dims", Kind::GridDimensions},
      {"hidden_global_offset_y", Kind::GlobalOffset},
      {"hidden_dynamic_lds_size", Kind::DynamicLocalBytes},
      {"hidden_hostcall_buffer", Kind::Other}};
  Source source(kChips[0]);
  source.arguments.clear();
  source.descriptor.kernarg_size = 256;
  for (auto &[name, kind] : kinds)
    source.arguments.push_back({name, uint32_t(8 * source.arguments.size()), 8});
  std::unique_ptr<CodeObject> object = load(source);
  ASSERT_TRUE(object);
  const Kernel &kernel = object->kernels()[0];
  ASSERT_EQ(kernel.arguments.size(), std::size(kinds));
  for (size_t index = 0; index < std::size(kinds); ++index) {
    EXPECT_EQ(kernel.arguments[index].kind, kinds[index].second) << kinds[index].first;
    EXPECT_EQ(kernel.arguments[index].offset, 8 * index);
    EXPECT_EQ(kernel.arguments[index].bytes, 8u);
  }
  EXPECT_EQ(kernel.argumentBytes, 256u);
  EXPECT_EQ(kernel.localBytes, 1024u);
  source.descriptor.kernarg_size = 8 * std::size(kinds) - 1;
  expectProblem(source, "exceeds the segment");
  source.arguments = {{"image", 0, 8}};
  expectProblem(source, "an argument is a image");
}

TEST(CodeObject, Relocations) {
  Source source(kChips[0]);
  source.relocations = {{ELF::R_AMDGPU_RELATIVE64, 0, 0, 0x2004}, {ELF::R_AMDGPU_ABS64, 8, 2, 3}};
  std::unique_ptr<CodeObject> object = load(source);
  ASSERT_TRUE(object);
  ArrayRef<uint8_t> image = object->image();
  size_t data = 0; // The address that the second relocation holds.
  while (data + 16 < image.size() &&
         support::endian::read64le(&image[data]) != object->addressOf(0x2004))
    data += 16;
  ASSERT_LT(data + 16, image.size());
  EXPECT_EQ(support::endian::read64le(&image[data + 8]), object->addressOf(data) + 3);
  source.relocations = {{ELF::R_AMDGPU_REL32, 0, 2, 0}};
  expectProblem(source, "relocation 4");
  source.relocations = {{ELF::R_AMDGPU_ABS64, 0, 0, 0}};
  expectProblem(source, "undefined");
  source.relocations = {{ELF::R_AMDGPU_ABS64, 0, 9, 0}};
  expectProblem(source, "can't read an entry");
  source.relocations = {{ELF::R_AMDGPU_RELATIVE64, uint64_t(-4096), 0, 0}};
  expectProblem(source, "outside of the image");
}

TEST(CodeObject, OtherErrors) {
  Source source(kChips[0]);
  source.machine = ELF::EF_AMDGPU_MACH_AMDGCN_GFX1030;
  expectProblem(source, "EF_AMDGPU_MACH is 0x36");
  source = Source(kChips[0]);
  source.symbol = "sum.kd";
  expectProblem(source, "no metadata of product.kd");
  source = Source(kChips[0]);
  source.descriptor.compute_pgm_rsrc2 = 1 << 1;
  expectProblem(source, "1 user SGPRs, of which 2 are named");
  source = Source(kChips[3]);
  source.descriptor.kernel_code_properties = 1 << 3;
  expectProblem(source, "waves of 64 on gfx1100");
  source = Source(kChips[0]);
  source.descriptor.group_segment_fixed_size = 65537;
  expectProblem(source, "65537 bytes of LDS");
  EXPECT_NE(problemOf({}), "");
}

TEST(CodeObject, TruncatedFilesAreErrors) {
  std::vector<uint8_t> file = Source(kChips[2]).build();
  ASSERT_EQ(problemOf(file), "");
  for (size_t bytes = 0; bytes < file.size(); ++bytes) {
    std::vector<uint8_t> begin(file.begin(), file.begin() + bytes); // Its end is the heap's.
    begin.shrink_to_fit();
    EXPECT_NE(problemOf(begin), "") << bytes;
  }
}

TEST(CodeObject, DamagedFilesNeverCrash) {
  std::vector<uint8_t> file = Source(kChips[1]).build();
  size_t errors = 0;
  for (size_t index = 0; index < file.size(); ++index) {
    std::vector<uint8_t> damaged = file;
    damaged[index] ^= index % 2 ? 0xff : 1 << (index / 2 % 8);
    Expected<std::unique_ptr<CodeObject>> object = CodeObject::load(damaged);
    if (!object) {
      EXPECT_NE(toString(object.takeError()), "");
      ++errors;
      continue;
    }
    for (const Instruction &instruction : (*object)->instructions())
      if (instruction.target)
        EXPECT_TRUE((*object)->indexOf(instruction.target)) << index;
  }
  EXPECT_GT(errors, file.size() / 5);
}

} // namespace
