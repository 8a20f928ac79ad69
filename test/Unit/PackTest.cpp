//===- PackTest.cpp - Packs of compiled candidates ------------------------===//

#include "rooftile/Tuning/Pack/Pack.h"
#include "rooftile/Tuning/Trial/Job.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace rooftile;
using namespace rooftile::tuning;
using llvm::StringRef;

namespace {

/// The message of an error; "" for a value.
template <typename T> std::string message(llvm::Expected<T> result) {
  return result ? "" : llvm::toString(result.takeError());
}

bench::Shape shape(StringRef line) { return llvm::cantFail(bench::Shape::parse(line)); }

PackHead headOf(const char *chip, const char *architecture) {
  PackHead head;
  head.environment = {chip, "", "", "Rooftile", "0123456789abcdef", 1};
  head.architecture = architecture;
  return head;
}

DeviceFacts device(const char *name, int major, int minor) {
  DeviceFacts facts;
  facts.name = name, facts.major = major, facts.minor = minor;
  return facts;
}

struct PackTest : ::testing::Test {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("rooftile-pack", folder));
    file = (folder + "/a.pack").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  PackWriter begin(const PackHead &head = headOf("h200", "sm_90a")) {
    PackWriter writer = llvm::cantFail(PackWriter::create(file, head));
    llvm::cantFail(writer.addOperation(product));
    return writer;
  }
  /// Two operations; of the candidates of the first, two are one kernel and one has none.
  void makePack() {
    PackWriter writer = begin();
    llvm::cantFail(writer.add({"<1>", 0.1, {{"FMA", 0.3}, {"DRAM", 0.1 / 3}}}, {kernel, ""}));
    llvm::cantFail(writer.add({"<2>", 0.2}, {kernel, ""}));
    llvm::cantFail(writer.add({"<3>", 0.3}, {"", "too few registers"}));
    llvm::cantFail(writer.addOperation(dynamic));
    llvm::cantFail(writer.add({"<1>", 0.4}, {"other", ""}));
    llvm::cantFail(writer.finish());
  }
  std::unique_ptr<Pack> open() { return llvm::cantFail(Pack::open(file)); }
  void write(StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << text;
    ASSERT_FALSE(code);
  }
  std::string contents() { return (*llvm::MemoryBuffer::getFile(file))->getBuffer().str(); }
  size_t files() {
    size_t count = 0;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator each(folder, code), end; each != end;
         each.increment(code))
      ++count;
    return count;
  }

  llvm::SmallString<128> folder;
  std::string file, kernel = std::string(100000, 'k');
  bench::Shape product = shape("f32 nn 8x8x8"), dynamic = shape("f32 nn 8x8x8 dynamic");
};

TEST_F(PackTest, WhatIsPackedIsRead) {
  makePack();
  EXPECT_EQ(files(), 1u);
  EXPECT_LT(contents().size(), 150000u) << "the kernel is there once";
  std::unique_ptr<Pack> pack = open();
  EXPECT_EQ(pack->head().architecture, "sm_90a");
  std::vector<PackedOperation> operations = llvm::cantFail(pack->operations());
  ASSERT_EQ(operations.size(), 2u);
  EXPECT_EQ(lineOf(operations[0].shape), lineOf(product));
  EXPECT_EQ(operations[0].candidates, 3);
  EXPECT_EQ(operations[0].kernels, 2);
  EXPECT_TRUE(operations[1].shape.isDynamic);

  Candidates candidates = llvm::cantFail(pack->candidatesOf(product));
  ASSERT_EQ(candidates.space.size(), 3u);
  EXPECT_EQ(candidates.space[0].plan, "<1>");
  EXPECT_EQ(candidates.space[0].predicted, 0.1);
  ASSERT_EQ(candidates.space[0].resources.size(), 2u);
  EXPECT_EQ(candidates.space[0].resources[1], (std::pair<std::string, double>("DRAM", 0.1 / 3)));
  EXPECT_EQ(llvm::cantFail(candidates.kernels->kernelOf("<2>")).bytes, kernel);
  EXPECT_EQ(llvm::cantFail(candidates.kernels->kernelOf("<3>")).reason, "too few registers");
  Candidates others = llvm::cantFail(pack->candidatesOf(dynamic));
  EXPECT_EQ(llvm::cantFail(others.kernels->kernelOf("<1>")).bytes, "other");
  EXPECT_EQ(message(pack->candidatesOf(shape("f64 nn 8x8x8"))),
            file + ": has no candidates of v1 gemm type=f64 op=nn m=8 n=8 k=8");
}

TEST_F(PackTest, WhatIsUnfinishedIsNotThere) {
  {
    PackWriter writer = begin();
  }
  EXPECT_EQ(files(), 0u);
  makePack();
  std::string whole = contents();
  {
    PackWriter writer = begin();
    llvm::cantFail(writer.add({"<1>", 0.1}, {kernel, ""}));
    EXPECT_NE(llvm::toString(writer.add({"<1>", 0.1}, {kernel, ""})).find("UNIQUE"),
              std::string::npos);
    EXPECT_EQ(files(), 2u);
  }
  EXPECT_EQ(files(), 1u);
  EXPECT_EQ(contents(), whole);
  EXPECT_NE(message(PackWriter::create("/no/such/a.pack", {})).find("cannot write /no/such/a.pack"),
            std::string::npos);
}

/// Bytes 60 to 63 and 68 to 71 of SQLite's header: the version of the user's, and the application.
TEST_F(PackTest, OtherVersionsAndFilesAreRefused) {
  EXPECT_EQ(message(Pack::open(file)), file + ": there is no such file");
  write("M N K\n1 2 3\n");
  EXPECT_EQ(message(Pack::open(file)), file + ": file is not a database");
  makePack();
  std::string whole = contents(), newer = whole, foreign = whole;
  newer[63] = 2;
  write(newer);
  EXPECT_EQ(message(Pack::open(file)), file + ": a pack of candidates of version 2, where this "
                                              "program reads 1: use a newer one");
  foreign[68] = 0;
  write(foreign);
  EXPECT_EQ(message(Pack::open(file)), file + ": is no pack of candidates");
}

TEST_F(PackTest, DamagedPacksAreRefused) {
  makePack();
  std::string whole = contents(), damaged = whole;
  const char *advice = "; copy it again, or make it again by gemm-tune pack";
  for (size_t bytes : {whole.size() / 2, whole.size() - 4096, size_t(5000)}) {
    write(StringRef(whole).take_front(bytes));
    EXPECT_NE(message(Pack::open(file)).find(advice), std::string::npos) << bytes;
  }
  damaged[damaged.find(std::string(4000, 'k')) + 2000] = 'j';
  write(damaged);
  std::unique_ptr<Pack> pack = open();
  Candidates candidates = llvm::cantFail(pack->candidatesOf(product));
  std::string why = message(candidates.kernels->kernelOf("<1>"));
  EXPECT_EQ(why, file +
                     ": is damaged: the kernel of v1 gemm type=f32 op=nn m=8 n=8 k=8 with <1> "
                     "is not the one that was packed" +
                     advice);
  EXPECT_NE(message(candidates.kernels->kernelOf("<4>")), "");
}

TEST_F(PackTest, OtherDevicesAreRefused) {
  makePack();
  EXPECT_EQ(llvm::cantFail(open()->environmentOn(device("NVIDIA H200", 9, 0))).chip, "h200");
  EXPECT_EQ(message(open()->environmentOn(device("NVIDIA H100 80GB HBM3", 9, 0))),
            file + ": its kernels are for h200, sm_90a; this GPU is NVIDIA H100 80GB "
                   "HBM3, sm_90: make a pack for it by gemm-tune pack --chip");
  EXPECT_NE(message(open()->environmentOn(device("NVIDIA B200", 10, 0))), "");
  // A description of the user's is for every GPU of its architecture.
  llvm::cantFail(begin(headOf("mine", "sm_90a")).finish());
  EXPECT_EQ(message(open()->environmentOn(device("NVIDIA H200", 9, 0))), "");
  EXPECT_NE(message(open()->environmentOn(device("NVIDIA A100-SXM4-80GB", 8, 0))), "");
}

} // namespace
