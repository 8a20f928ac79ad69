//===- CompilerHipTest.cpp - Operations compiled for AMD GPUs -------------===//
//
// No kernel of these has run: what code of the host launches is held against what the code objects
// say of their kernels.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Compiler/Build.h"
#include "rooftile/Compiler/OperationModule.h"
#include "gtest/gtest.h"

#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/Object/ELFObjectFile.h"

using namespace rooftile;
using namespace rooftile::compiler;
using namespace rooftile::operation;
using llvm::msgpack::Document;

namespace {
/// Facts of a kernel in a code object.
struct Stated {
  std::vector<uint64_t> bytes; ///< Sizes of the parameters.
  uint64_t threads = 0, sharedBytes = 0;
};

/// Kernels by name.
struct CodeObjectFile {
  std::string target;
  std::map<std::string, Stated> kernels;
};
} // namespace

static Stated statedOf(llvm::msgpack::MapDocNode kernel) {
  Stated stated;
  stated.threads = kernel[".max_flat_workgroup_size"].getUInt();
  stated.sharedBytes = kernel[".group_segment_fixed_size"].getUInt();
  uint64_t end = 0;
  for (llvm::msgpack::DocNode node : kernel[".args"].getArray()) {
    llvm::msgpack::MapDocNode argument = node.getMap();
    if (argument[".value_kind"].getString().starts_with("hidden_"))
      continue; // the driver's own
    EXPECT_GE(argument[".offset"].getUInt(), end);
    end = argument[".offset"].getUInt() + argument[".size"].getUInt();
    stated.bytes.push_back(argument[".size"].getUInt());
  }
  return stated;
}

/// Reads the metadata of a code object.
static CodeObjectFile read(const std::string &image) {
  CodeObjectFile file;
  auto object = llvm::object::ELFFile<llvm::object::ELF64LE>::create(image);
  EXPECT_TRUE(bool(object));
  if (!object)
    return consumeError(object.takeError()), file;
  llvm::Error error = llvm::Error::success();
  for (const auto &section : llvm::cantFail(object->sections()))
    if (section.sh_type == llvm::ELF::SHT_NOTE)
      for (const auto &note : object->notes(section, error)) {
        if (note.getType() != llvm::ELF::NT_AMDGPU_METADATA)
          continue;
        Document document;
        EXPECT_TRUE(document.readFromBlob(note.getDescAsStringRef(section.sh_addralign), false));
        file.target = document.getRoot().getMap()["amdhsa.target"].getString().str();
        for (llvm::msgpack::DocNode kernel :
             document.getRoot().getMap()["amdhsa.kernels"].getArray())
          file.kernels[kernel.getMap()[".name"].getString().str()] = statedOf(kernel.getMap());
      }
  EXPECT_FALSE(bool(error));
  return file;
}

/// The constant in a register; -1 where it is none.
static int64_t constantIn(const Code &code, uint32_t place) {
  return place < code.constants.size() ? int64_t(code.constants[place]) : -1;
}

static void check(const Code &code, const LaunchSite &site, const Stated &kernel) {
  std::vector<uint64_t> bytes;
  for (const rooftile::Parameter &parameter : site.parameters)
    bytes.push_back(parameter.bytes);
  EXPECT_EQ(bytes, kernel.bytes);
  uint64_t threads = 1;
  for (int dim = 0; dim < 3; ++dim) {
    threads *= uint64_t(constantIn(code, site.block[dim]));
    EXPECT_EQ(constantIn(code, site.cluster[dim]), 1);
  }
  EXPECT_LE(threads, kernel.threads);
  EXPECT_GT(threads, 0u);
  int64_t dynamic = constantIn(code, site.sharedBytes);
  EXPECT_GE(dynamic, 0);
  EXPECT_LE(uint64_t(dynamic) + kernel.sharedBytes, 65536u); // LDS of a compute unit
}

/// Compiles an operation; returns how many launches were checked.
static size_t checkLaunches(const Operation &operation) {
  Built built = build(operation, {DeviceKind::Hip, "mi300x", ""});
  EXPECT_EQ(built.error, "") << textOfModule(operation);
  std::vector<CodeObjectFile> files;
  for (const KernelImage &image : built.data.images) {
    files.push_back(read(image.bytes));
    EXPECT_EQ(files.back().target, "amdgcn-amd-amdhsa--gfx942");
  }
  size_t launches = 0;
  for (const Code &code : built.data.functions) {
    EXPECT_TRUE(code.descriptors.empty());
    for (const LaunchSite &site : code.launches) {
      SCOPED_TRACE(textOfModule(operation));
      const KernelEntry &entry = built.data.kernels[site.kernel];
      auto kernel = files[entry.image].kernels.find(entry.name);
      EXPECT_NE(kernel, files[entry.image].kernels.end()) << entry.name;
      if (kernel == files[entry.image].kernels.end())
        continue;
      check(code, site, kernel->second);
      ++launches;
    }
  }
  return launches;
}

/// A product of any sizes.
static Operation dynamicProduct(Element element) {
  Operation operation;
  operation.a.element = operation.b.element = operation.c.element = element;
  operation.alpha = operation.beta = Scalar::AtRunTime;
  return operation;
}

/// A product of few kernels.
static Operation productOf(Element element, int64_t m = 96, int64_t n = 96, int64_t k = 96) {
  Operation operation = dynamicProduct(element);
  operation.m = m, operation.n = n, operation.k = k;
  operation.a.leading = k, operation.b.leading = operation.c.leading = n;
  return operation;
}

TEST(CompilerHipTest, LaunchesAreWhatKernelsTake) {
  for (Element element :
       {Element::F16, Element::BF16, Element::F32, Element::F64, Element::C64, Element::C128})
    EXPECT_GT(checkLaunches(productOf(element)), 0u);
  EXPECT_GT(checkLaunches(dynamicProduct(Element::C64)), 2u);
}

/// Sums of slices of K, which pass a workspace; batches; scalars in memory; a kernel of elements.
TEST(CompilerHipTest, OtherLaunchesAreWhatKernelsTake) {
  EXPECT_GT(checkLaunches(productOf(Element::C128, 16, 16, 200000)), 1u);
  Operation batch = productOf(Element::C64);
  batch.batch = Batch::Strided;
  EXPECT_GT(checkLaunches(batch), 0u);
  Operation inMemory = productOf(Element::C64);
  inMemory.alpha = inMemory.beta = Scalar::InMemory;
  EXPECT_GT(checkLaunches(inMemory), 0u);
  Operation pointers = productOf(Element::F32);
  pointers.batch = Batch::Pointers;
  pointers.count = 32;
  EXPECT_GT(checkLaunches(pointers), 0u);
  Operation scale = productOf(Element::F64);
  scale.alpha = Scalar::Zero; // a kernel of elements alone
  EXPECT_GT(checkLaunches(scale), 0u);
  Operation solve;
  solve.m = 1000, solve.a.leading = 1000;
  solve.routine = Routine::Trsm;
  solve.alpha = Scalar::AtRunTime;
  EXPECT_GT(checkLaunches(solve), 1u);
}

TEST(CompilerHipTest, ChipsOfTheOtherVendor) {
  std::string text = textOfModule(productOf(Element::F32));
  std::string why = build(text, {DeviceKind::Hip, "h200", ""}).error;
  EXPECT_NE(why.find("made by NVIDIA, but this pipeline compiles for AMD"), std::string::npos);
  why = build(text, {DeviceKind::Cuda, "mi300x", ""}).error;
  EXPECT_NE(why.find("made by AMD, but this pipeline compiles for NVIDIA"), std::string::npos);
}

TEST(CompilerHipTest, EveryChip) {
  for (const char *chip : {"mi60", "mi250x", "mi300x", "rx7900xtx"}) {
    Built built = build(productOf(Element::F64), {DeviceKind::Hip, chip, ""});
    EXPECT_EQ(built.error, "") << chip;
    std::string why;
    EXPECT_TRUE(Executable::load(built.data, why)) << why;
  }
}
