//===- CodeObject.cpp - Kernels of an AMD code object ---------------------===//
//
// Copies the segments of an ELF file into one image, relocates it, and reads the descriptor and the
// arguments of each kernel. Source: LLVM's AMDGPUUsage, "ELF Code Object", "Kernel Descriptor" and
// "Initial Kernel Execution State". A file may be damaged: each size is checked before its use.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/CodeObject.h"
#include "Metadata.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace rooftile::emulator {

using File = object::ELFFile<object::ELF64LE>;

namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMostImageBytes = uint64_t(1) << 28;
constexpr uint32_t kMostLocalBytes = 1 << 16;
constexpr unsigned kMostUserScalars = 32;

template <typename... Values> Error failure(const char *format, Values &&...values) {
  return createStringError(inconvertibleErrorCode(),
                           formatv(format, std::forward<Values>(values)...).str());
}

/// Differences of descriptors.
struct Chip {
  unsigned machine; ///< EF_AMDGPU_MACH.
  const char *name;
  unsigned vectorGranule; ///< The number of vector registers is a multiple.
  bool hasWave32, hasUnifiedAccumulators;
  bool hasScratchRegister; ///< FLAT_SCRATCH is set up: no offset is passed.
};

constexpr Chip kChips[] = {
    {ELF::EF_AMDGPU_MACH_AMDGCN_GFX906, "gfx906", 4, false, false, false},
    {ELF::EF_AMDGPU_MACH_AMDGCN_GFX90A, "gfx90a", 8, false, true, false},
    {ELF::EF_AMDGPU_MACH_AMDGCN_GFX942, "gfx942", 8, false, true, true},
    {ELF::EF_AMDGPU_MACH_AMDGCN_GFX1100, "gfx1100", 8, true, false, true},
};

/// Bits of a word of the descriptor.
bool hasBit(uint32_t word, uint32_t mask) { return word & mask; }

/// Modes that the emulator does not have.
Error checkModes(const amdhsa::kernel_descriptor_t &descriptor, StringRef name) {
  uint32_t modes = descriptor.compute_pgm_rsrc1;
  unsigned rounding = AMDHSA_BITS_GET(modes, amdhsa::COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_32) |
                      AMDHSA_BITS_GET(modes, amdhsa::COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_16_64);
  if (rounding != amdhsa::FLOAT_ROUND_MODE_NEAR_EVEN)
    return failure("{0} rounds otherwise than to nearest even", name);
  for (unsigned mode : {AMDHSA_BITS_GET(modes, amdhsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_32),
                        AMDHSA_BITS_GET(modes, amdhsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_16_64)})
    if (mode != amdhsa::FLOAT_DENORM_MODE_FLUSH_SRC_DST &&
        mode != amdhsa::FLOAT_DENORM_MODE_FLUSH_NONE)
      return failure("{0} flushes denormals of sources or results alone", name);
  if (!hasBit(modes, amdhsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_DX10_CLAMP))
    return failure("{0} clamps without DX10_CLAMP", name);
  return Error::success();
}

void setRegisters(Kernel &kernel, const amdhsa::kernel_descriptor_t &descriptor, const Chip &chip) {
  uint32_t first = descriptor.compute_pgm_rsrc1;
  unsigned vectors =
      AMDHSA_BITS_GET(first, amdhsa::COMPUTE_PGM_RSRC1_GRANULATED_WORKITEM_VGPR_COUNT);
  unsigned scalars =
      AMDHSA_BITS_GET(first, amdhsa::COMPUTE_PGM_RSRC1_GRANULATED_WAVEFRONT_SGPR_COUNT);
  kernel.vectors = (vectors + 1) * chip.vectorGranule;
  if (chip.hasUnifiedAccumulators)
    kernel.accumulatorsBegin = (AMDHSA_BITS_GET(descriptor.compute_pgm_rsrc3,
                                                amdhsa::COMPUTE_PGM_RSRC3_GFX90A_ACCUM_OFFSET) +
                                1) *
                               4;
  // From gfx10 on a wave has all of them, whatever the descriptor contains.
  kernel.scalars = chip.hasWave32 ? unsigned(kScalarRegisters) : (scalars / 2 + 1) * 16;
  kernel.mode.keepsDenormals32 =
      AMDHSA_BITS_GET(first, amdhsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_32) != 0;
  kernel.mode.keepsDenormals16And64 =
      AMDHSA_BITS_GET(first, amdhsa::COMPUTE_PGM_RSRC1_FLOAT_DENORM_MODE_16_64) != 0;
  kernel.mode.isIeee = hasBit(first, amdhsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_IEEE_MODE);
}

/// Registers that are set before the kernel starts.
void setInitialState(Kernel &kernel, const amdhsa::kernel_descriptor_t &descriptor,
                     const Chip &chip) {
  using namespace amdhsa;
  uint32_t properties = descriptor.kernel_code_properties, second = descriptor.compute_pgm_rsrc2;
  kernel.hasPrivateBuffer =
      hasBit(properties, KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER);
  kernel.hasDispatchPointer = hasBit(properties, KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_PTR);
  kernel.hasQueuePointer = hasBit(properties, KERNEL_CODE_PROPERTY_ENABLE_SGPR_QUEUE_PTR);
  kernel.hasArgumentPointer =
      hasBit(properties, KERNEL_CODE_PROPERTY_ENABLE_SGPR_KERNARG_SEGMENT_PTR);
  kernel.hasDispatchId = hasBit(properties, KERNEL_CODE_PROPERTY_ENABLE_SGPR_DISPATCH_ID);
  kernel.hasFlatScratch = hasBit(properties, KERNEL_CODE_PROPERTY_ENABLE_SGPR_FLAT_SCRATCH_INIT);
  kernel.hasPrivateSize = hasBit(properties, KERNEL_CODE_PROPERTY_ENABLE_SGPR_PRIVATE_SEGMENT_SIZE);
  kernel.hasWave32 = hasBit(properties, KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32);
  kernel.userScalars = AMDHSA_BITS_GET(second, COMPUTE_PGM_RSRC2_GFX6_GFX120_USER_SGPR_COUNT);
  kernel.hasGroupX = hasBit(second, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_X);
  kernel.hasGroupY = hasBit(second, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Y);
  kernel.hasGroupZ = hasBit(second, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_ID_Z);
  kernel.hasGroupInfo = hasBit(second, COMPUTE_PGM_RSRC2_ENABLE_SGPR_WORKGROUP_INFO);
  kernel.hasScratchOffset =
      !chip.hasScratchRegister && hasBit(second, COMPUTE_PGM_RSRC2_ENABLE_PRIVATE_SEGMENT);
  kernel.itemDimensions = 1 + AMDHSA_BITS_GET(second, COMPUTE_PGM_RSRC2_ENABLE_VGPR_WORKITEM_ID);
}

/// Properties that a launch relies on.
Error checkKernel(const Kernel &kernel, const Chip &chip) {
  StringRef name = kernel.name;
  if (kernel.hasWave32 != chip.hasWave32)
    return failure("{0} has waves of {1} on {2}", name, kernel.hasWave32 ? 32 : 64, chip.name);
  if (kernel.localBytes > kMostLocalBytes)
    return failure("{0} has {1} bytes of LDS", name, kernel.localBytes);
  if (kernel.accumulatorsBegin > kernel.vectors)
    return failure("{0} has accumulators from register {1} on of {2}", name,
                   kernel.accumulatorsBegin, kernel.vectors);
  if (kernel.itemDimensions > 3)
    return failure("{0} has numbers of threads in {1} dimensions", name, kernel.itemDimensions);
  unsigned named = 4 * kernel.hasPrivateBuffer + 2 * kernel.hasDispatchPointer +
                   2 * kernel.hasQueuePointer + 2 * kernel.hasArgumentPointer +
                   2 * kernel.hasDispatchId + 2 * kernel.hasFlatScratch + kernel.hasPrivateSize;
  if (kernel.userScalars < named || kernel.userScalars > kMostUserScalars)
    return failure("{0} has {1} user SGPRs, of which {2} are named", name, kernel.userScalars,
                   named);
  for (const Argument &argument : kernel.arguments)
    if (uint64_t(argument.offset) + argument.bytes > kernel.argumentBytes)
      return failure("{0} has an argument at {1} that exceeds the segment of {2} bytes", name,
                     argument.offset, kernel.argumentBytes);
  return Error::success();
}

} // namespace

/// Fills a code object, step by step.
class Loader {
public:
  Loader(const File &file, CodeObject &object) : file(file), object(object) {}

  Error load();

private:
  Error identify();
  Error copySegments();
  Error relocate();
  Error relocateSection(const File::Elf_Shdr &section);
  Error readNotes();
  Error addKernels();
  Error addKernel(StringRef symbol, uint64_t address);
  Error decodeSegments();
  uint8_t *image() { return object.memory.data() + object.padding; }
  uint64_t imageBytes() const { return object.memory.size() - object.padding; }
  bool contains(uint64_t offset, uint64_t bytes) const {
    return bytes <= imageBytes() && offset <= imageBytes() - bytes;
  }

  const File &file;
  CodeObject &object;
  const Chip *chip = nullptr;
  std::vector<const File::Elf_Phdr *> segments; ///< In ascending order.
  StringMap<std::vector<Argument>> metadata;
};

Error Loader::identify() {
  const File::Elf_Ehdr &header = file.getHeader();
  if (header.e_machine != ELF::EM_AMDGPU || header.e_type != ELF::ET_DYN)
    return failure("the file is no linked code object of an AMD GPU");
  unsigned machine = header.e_flags & ELF::EF_AMDGPU_MACH;
  for (const Chip &each : kChips)
    if (each.machine == machine)
      chip = &each;
  if (!chip)
    return failure("the code object is for a chip that is not emulated: EF_AMDGPU_MACH is {0:x}",
                   machine);
  object.processor = chip->name;
  return Error::success();
}

Error Loader::copySegments() {
  Expected<File::Elf_Phdr_Range> headers = file.program_headers();
  if (!headers)
    return headers.takeError();
  uint64_t end = 0;
  for (const File::Elf_Phdr &header : *headers) {
    if (header.p_type != ELF::PT_LOAD)
      continue;
    if (header.p_vaddr < end || header.p_vaddr > kMostImageBytes ||
        header.p_memsz > kMostImageBytes - header.p_vaddr || header.p_filesz > header.p_memsz)
      return failure("the segment at {0:x} is damaged", uint64_t(header.p_vaddr));
    end = header.p_vaddr + header.p_memsz;
    segments.push_back(&header);
  }
  object.memory.resize(end + kPage);
  auto address = uint64_t(object.memory.data());
  object.padding = alignTo(address, kPage) - address;
  object.memory.resize(end + object.padding); // Shrinks it in place.
  for (const File::Elf_Phdr *header : segments) {
    Expected<ArrayRef<uint8_t>> contents = file.getSegmentContents(*header);
    if (!contents)
      return contents.takeError();
    llvm::copy(*contents, image() + header->p_vaddr);
  }
  return Error::success();
}

Error Loader::relocate() {
  Expected<File::Elf_Shdr_Range> sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr &section : *sections) {
    if (!(section.sh_flags & ELF::SHF_ALLOC))
      continue;
    if (section.sh_type == ELF::SHT_REL || section.sh_type == ELF::SHT_RELR)
      return failure("relocations without addends are not expected");
    if (section.sh_type == ELF::SHT_RELA)
      if (Error error = relocateSection(section))
        return error;
  }
  return Error::success();
}

Error Loader::relocateSection(const File::Elf_Shdr &section) {
  Expected<File::Elf_Rela_Range> relocations = file.relas(section);
  if (!relocations)
    return relocations.takeError();
  for (const File::Elf_Rela &relocation : *relocations) {
    uint32_t type = relocation.getType(false);
    if (type == ELF::R_AMDGPU_NONE)
      continue;
    if (type != ELF::R_AMDGPU_RELATIVE64 && type != ELF::R_AMDGPU_ABS64)
      return failure("relocation {0} at {1:x} is unknown", type, uint64_t(relocation.r_offset));
    uint64_t value = uint64_t(image()) + relocation.r_addend;
    if (type == ELF::R_AMDGPU_ABS64) {
      Expected<const File::Elf_Sym *> symbol =
          file.getEntry<File::Elf_Sym>(section.sh_link, relocation.getSymbol(false));
      if (!symbol)
        return symbol.takeError();
      if ((*symbol)->isUndefined())
        return failure("the symbol of the relocation at {0:x} is undefined",
                       uint64_t(relocation.r_offset));
      value += (*symbol)->st_value;
    }
    if (!contains(relocation.r_offset, sizeof(value)))
      return failure("a relocation at {0:x} is outside of the image",
                     uint64_t(relocation.r_offset));
    support::endian::write64le(image() + relocation.r_offset, value);
  }
  return Error::success();
}

Error Loader::readNotes() {
  Expected<File::Elf_Phdr_Range> headers = file.program_headers();
  if (!headers)
    return headers.takeError();
  StringRef found;
  for (const File::Elf_Phdr &header : *headers) {
    if (header.p_type != ELF::PT_NOTE)
      continue;
    Error error = Error::success();
    for (const File::Elf_Note &note : file.notes(header, error))
      if (note.getType() == ELF::NT_AMDGPU_METADATA && note.getName() == "AMDGPU")
        found = note.getDescAsStringRef(std::max<size_t>(header.p_align, 4));
    if (error)
      return error;
  }
  if (found.empty())
    return failure("the code object has no metadata");
  Expected<StringMap<std::vector<Argument>>> read = readMetadata(found);
  if (!read)
    return read.takeError();
  metadata = std::move(*read);
  return Error::success();
}

Error Loader::addKernels() {
  Expected<File::Elf_Shdr_Range> sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const File::Elf_Shdr &section : *sections) {
    if (section.sh_type != ELF::SHT_DYNSYM)
      continue;
    Expected<File::Elf_Sym_Range> symbols = file.symbols(&section);
    if (!symbols)
      return symbols.takeError();
    Expected<StringRef> names = file.getStringTableForSymtab(section);
    if (!names)
      return names.takeError();
    for (const File::Elf_Sym &symbol : *symbols) {
      Expected<StringRef> name = symbol.getName(*names);
      if (!name)
        return name.takeError();
      if (name->ends_with(".kd") && symbol.isDefined())
        if (Error error = addKernel(*name, symbol.st_value))
          return error;
    }
  }
  if (object.all.size() != metadata.size())
    return failure("there is metadata of {0} kernels, and there are {1} descriptors",
                   metadata.size(), object.all.size());
  return Error::success();
}

Error Loader::addKernel(StringRef symbol, uint64_t address) {
  amdhsa::kernel_descriptor_t descriptor;
  if (!contains(address, sizeof(descriptor)))
    return failure("the descriptor {0} is outside of the image", symbol);
  std::memcpy(&descriptor, image() + address, sizeof(descriptor));
  auto arguments = metadata.find(symbol);
  if (arguments == metadata.end())
    return failure("there is no metadata of {0}", symbol);
  Kernel kernel;
  kernel.name = symbol.drop_back(StringRef(".kd").size()).str();
  if (object.find(kernel.name))
    return failure("there are two kernels {0}", kernel.name);
  kernel.entry = address + uint64_t(descriptor.kernel_code_entry_byte_offset);
  kernel.arguments = arguments->second;
  kernel.argumentBytes = descriptor.kernarg_size;
  kernel.localBytes = descriptor.group_segment_fixed_size;
  kernel.scratchBytes = descriptor.private_segment_fixed_size;
  setRegisters(kernel, descriptor, *chip);
  setInitialState(kernel, descriptor, *chip);
  if (Error error = checkModes(descriptor, kernel.name))
    return error;
  if (Error error = checkKernel(kernel, *chip))
    return error;
  object.all.push_back(std::move(kernel));
  return Error::success();
}

/// Decodes what kernels reach.
Error Loader::decodeSegments() {
  size_t reached = 0;
  for (const File::Elf_Phdr *header : segments) {
    if (!(header->p_flags & ELF::PF_X))
      continue;
    std::vector<uint64_t> entries;
    for (const Kernel &kernel : object.all)
      if (kernel.entry >= header->p_vaddr && kernel.entry - header->p_vaddr < header->p_filesz)
        entries.push_back(kernel.entry);
    if (entries.empty())
      continue;
    reached += entries.size();
    Expected<std::vector<Instruction>> decoded =
        decode(object.image().slice(header->p_vaddr, header->p_filesz), header->p_vaddr,
               object.processor, entries);
    if (!decoded)
      return decoded.takeError();
    llvm::move(*decoded, std::back_inserter(object.code));
  }
  if (reached != object.all.size())
    return failure("a kernel begins outside of the code");
  for (size_t index = 0; index < object.code.size(); ++index)
    object.byOffset[object.code[index].offset] = index;
  return Error::success();
}

Error Loader::load() {
  for (Error (Loader::*step)() : {&Loader::identify, &Loader::copySegments, &Loader::relocate,
                                  &Loader::readNotes, &Loader::addKernels, &Loader::decodeSegments})
    if (Error error = (this->*step)())
      return error;
  return Error::success();
}

Expected<std::unique_ptr<CodeObject>> CodeObject::load(ArrayRef<uint8_t> file) {
  StringRef bytes(reinterpret_cast<const char *>(file.data()), file.size());
  if (!bytes.starts_with(ELF::ElfMagic) || bytes.size() < ELF::EI_NIDENT ||
      file[ELF::EI_CLASS] != ELF::ELFCLASS64 || file[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return failure("the file is no ELF file of 64 bits");
  Expected<File> elf = File::create(bytes);
  if (!elf)
    return elf.takeError();
  auto object = std::make_unique<CodeObject>();
  if (Error error = Loader(*elf, *object).load())
    return error;
  return object;
}

const Kernel *CodeObject::find(StringRef name) const {
  auto found = llvm::find_if(all, [&](const Kernel &kernel) { return kernel.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::optional<size_t> CodeObject::indexOf(uint64_t offset) const {
  auto found = offset < memory.size() ? byOffset.find(offset) : byOffset.end();
  return found == byOffset.end() ? std::nullopt : std::optional(found->second);
}

} // namespace rooftile::emulator
