//===- SpecTest.cpp - What a file asks for --------------------------------===//

#include "RandomOperation.h"
#include "rooftile/Export/Export.h"
#include "rooftile/Operation/Text.h"
#include "gtest/gtest.h"

#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace rooftile;
using namespace rooftile::exporter;

static std::string specOf(llvm::StringRef library, llvm::StringRef operations) {
  return ("library: " + library + "\nchips: [h200]\noperations:\n" + operations).str();
}

/// Why a function, or a library, cannot have a name; empty where it can.
static std::string whyNot(llvm::StringRef library, llvm::StringRef name) {
  auto spec = readSpecText(specOf(library, ("  - {name: '" + name + "', types: f32}\n").str()),
                           "spec.yaml");
  return spec ? "" : llvm::toString(spec.takeError());
}

static void expectRefused(const std::string &why, llvm::StringRef part) {
  EXPECT_NE(why.find(part.str()), std::string::npos) << why;
}

TEST(SpecTest, NamesOfMacros) {
  for (const char *name :
       {"I",     "complex",  "linux",       "unix",     "errno",        "assert",   "stdin",
        "NULL",  "NAN",      "EOF",         "ENOMEM",   "INT_MAX",      "INT64_C",  "PRId64",
        "SCNx8", "SIGINT",   "SIG_DFL",     "M_PI",     "FLT_EPSILON",  "LC_ALL",   "FE_INVALID",
        "isnan", "va_start", "atomic_init", "SEEK_SET", "EXIT_SUCCESS", "UINT8_MAX"})
    expectRefused(whyNot("lib", name), "no macro of a header of C");
  for (const char *name : {"i", "Complex", "Info", "dgemm_nt", "E", "INFO_1", "M", "lcc"})
    EXPECT_EQ(whyNot("lib", name), "") << name;
}

TEST(SpecTest, NamesOfFunctions) {
  for (const char *name : {"malloc", "exit", "printf", "sin", "pthread_create", "dlsym", "getenv"})
    expectRefused(whyNot("lib", name), "is taken: this library, or one of C or C++");
  for (const char *name : {"cuInit", "cudaMalloc", "hipFree", "nvrtcVersion"})
    expectRefused(whyNot("lib", name), "no driver of a GPU");
  for (const char *name : {"cubic", "cudas", "hips", "cu"})
    EXPECT_EQ(whyNot("lib", name), "") << name;
}

TEST(SpecTest, NamesOfLibraries) {
  for (const char *name : {"c", "m", "pthread", "cuda", "rooftile", "rooftile_blas"})
    expectRefused(whyNot(name, "f"), "no library of the system");
  EXPECT_EQ(whyNot("kernels", "f"), "");
}

/// The line of the operation that an entry of such keys states, or the error.
static std::string lineOf(llvm::StringRef keys) {
  auto spec = readSpecText(specOf("lib", ("  - {name: f, " + keys + "}\n").str()), "spec.yaml");
  return spec ? operation::text(spec->operations[0].operation) : llvm::toString(spec.takeError());
}

TEST(SpecTest, OlderNamesOfKeys) {
  EXPECT_EQ(lineOf("routine: trmm, types: f64, op: t, triangle: upper, diagonal: unit, m: 4"),
            lineOf("routine: trmm, type: f64, op: t, uplo: upper, diag: unit, m: 4"));
  EXPECT_EQ(lineOf("types: [f16, f16, f32], order: row"), lineOf("type: f16/f16/f32, order: row"));
  EXPECT_EQ(lineOf("types: f32"),
            "v1 gemm type=f32 op=nn m=any n=any k=any order=column align=any");
}

/// A line is pasted as it is; its keys and values are those of a file.
TEST(SpecTest, LinesOfOperations) {
  operation::Random random;
  int read = 0;
  for (int i = 0; i < 800; ++i) {
    operation::Operation operation = random.operation();
    bool isOfC = operation.batch == operation::Batch::Pointers ||
                 operation.alpha == operation::Scalar::InMemory ||
                 operation.beta == operation::Scalar::InMemory;
    if (isOfC || whatIsWrong(operation))
      continue;
    std::string line = operation::text(operation);
    ASSERT_EQ(lineOf("operation: " + line), line);
    for (operation::Matrix *matrix : {&operation.a, &operation.b, &operation.c})
      matrix->leading = matrix->stride = operation::kAnySize, matrix->align = 0;
    line = operation::text(operation);
    llvm::SmallVector<llvm::StringRef> words;
    llvm::StringRef(line).split(words, ' ');
    std::string keys = ("routine: " + words[1]).str();
    for (llvm::StringRef word : llvm::drop_begin(words, 2))
      keys += (", " + word.split('=').first + ": " + word.split('=').second).str();
    if (!llvm::StringRef(line).contains(" order="))
      keys += ", order: row";
    ASSERT_EQ(lineOf(keys), line);
    ++read;
  }
  EXPECT_GT(read, 100);
}

TEST(SpecTest, ManyOperations) {
  constexpr int kCount = 100000;
  std::string operations;
  for (int i = 0; i < kCount; ++i)
    operations += "  - {name: f" + std::to_string(i) + ", types: f32, m: 4}\n";
  auto start = std::chrono::steady_clock::now();
  auto spec = readSpecText(specOf("lib", operations), "spec.yaml");
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(bool(spec)) << llvm::toString(spec.takeError());
  EXPECT_EQ(spec->operations.size(), size_t(kCount));
  EXPECT_EQ(spec->operations.back().place.line, unsigned(kCount) + 3);
  EXPECT_LT(seconds.count(), 60); // each position was counted from the start of the file: hours
}
