//===- StoreTest.cpp - Stores of measurements -----------------------------===//

#include "rooftile/Tuning/Store/Store.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace rooftile::tuning;
using llvm::StringRef;

namespace {

Measurement measurement(StringRef operation, StringRef plan, std::vector<double> samples) {
  Measurement result;
  result.operation = operation.str();
  result.plan = plan.str();
  result.environment = {"h200", "NVIDIA H200", "CUDA 12.8", "Rooftile", "0123456789abcdef", 1};
  result.samples = std::move(samples);
  result.baselineBefore = result.baselineAfter = 0.5;
  result.resources = {{"FMA", 0.25}, {"DRAM", 0.1}};
  result.date = "2026-11-27T13:05:00Z";
  return result;
}

/// The message of an error; "" for a value.
template <typename T> std::string message(llvm::Expected<T> result) {
  return result ? "" : llvm::toString(result.takeError());
}

struct StoreTest : ::testing::Test {
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("rooftile-store", folder));
    file = (folder + "/a.store").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  Store open(Access access = Access::Write) { return llvm::cantFail(Store::open(file, access)); }
  size_t count() { return llvm::cantFail(open(Access::Read).read()).size(); }
  std::string lines() {
    std::string text;
    llvm::raw_string_ostream out(text);
    llvm::cantFail(open(Access::Read).exportLines(out));
    return text;
  }
  void write(StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << text;
    ASSERT_FALSE(code);
  }
  std::string contents() { return (*llvm::MemoryBuffer::getFile(file))->getBuffer().str(); }

  llvm::SmallString<128> folder;
  std::string file;
};

TEST_F(StoreTest, AMeasurementIsItsLine) {
  Measurement first = measurement("v1 gemm *", "<macro = [64, 64, 8]>", {0.3, 0.2, 0.4});
  first.reason = "quotes \" and \\ and\nlines";
  EXPECT_FALSE(llvm::cantFail(fromJson(toJson(first))).rank);
  first.rank = 0;
  std::string line = toJson(first);
  EXPECT_EQ(llvm::cantFail(fromJson(line)).rank, 0);
  EXPECT_EQ(line, toJson(llvm::cantFail(fromJson(line))));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(first.milliseconds(), 0.3);
  EXPECT_DOUBLE_EQ(first.gain(), 0.5 / 0.3);
}

TEST_F(StoreTest, LinesThatAreNoneAreRefused) {
  EXPECT_EQ(message(fromJson("[]")), "expected an object of JSON");
  EXPECT_EQ(message(fromJson("{\"operation\": 3}")), "'operation' is not a string");
  EXPECT_EQ(message(fromJson("{\"outcome\": \"good\"}")),
            "'outcome' is not one of right, wrong, refused, crashed, timedOut");
  EXPECT_EQ(message(fromJson("{\"speed\": 3}")), "unknown key 'speed'");
  EXPECT_EQ(message(fromJson("{\"operation\": \"v1 gemm *\", \"chip\": \"h200\"}")),
            "'date' is missing");
  EXPECT_NE(message(fromJson("{\"operation\"")), "");
}

TEST_F(StoreTest, EqualMeasurementsAreOneRow) {
  Store store = open();
  Measurement one = measurement("b", "<1>", {1}), other = measurement("a", "<2>", {2});
  EXPECT_TRUE(llvm::cantFail(store.add(one)));
  EXPECT_FALSE(llvm::cantFail(store.add(one)));
  EXPECT_TRUE(llvm::cantFail(store.add(other)));
  std::vector<Measurement> all = llvm::cantFail(store.read());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].operation, "a");
  EXPECT_EQ(llvm::cantFail(store.read({"b", "h200"})).size(), 1u);
  EXPECT_EQ(llvm::cantFail(store.read({"b", "h100"})).size(), 0u);
}

TEST_F(StoreTest, StoresAreMergedAndTexts) {
  llvm::cantFail(open().add(measurement("a", "<1>", {1})));
  std::string text = lines(), first = file;
  file = (folder + "/b.store").str();
  Store other = open();
  llvm::cantFail(other.add(measurement("b", "<2>", {2})));
  EXPECT_EQ(llvm::cantFail(other.merge(llvm::cantFail(Store::open(first, Access::Read)))), 1);
  EXPECT_EQ(llvm::cantFail(other.importLines({text, "lines"})), 0);
  EXPECT_EQ(message(other.importLines({text + "\n{}\n", "lines"})),
            "lines:3: 'operation' is missing");
  std::string more = toJson(measurement("c", "<3>", {3})) + "\n{]\n";
  EXPECT_NE(message(other.importLines({more, "lines"})).find("lines:2: "), std::string::npos);
  EXPECT_EQ(count(), 2u) << "all lines or none";
}

TEST_F(StoreTest, WhatIsNoStoreIsRefused) {
  EXPECT_EQ(message(Store::open(file, Access::Read)), file + ": there is no such file");
  write("M N K\n1 2 3\n");
  EXPECT_NE(message(Store::open(file, Access::Write)).find("file is not a database"),
            std::string::npos);
  EXPECT_EQ(contents(), "M N K\n1 2 3\n") << "it is as it was";
}

/// Bytes 60 to 63 and 68 to 71 of SQLite's header: the version of the user's, and the application.
TEST_F(StoreTest, OtherVersionsAndProgramsAreRefused) {
  llvm::cantFail(open().add(measurement("a", "<1>", {1})));
  std::string whole = contents(), newer = whole, foreign = whole;
  newer[63] = 2;
  write(newer);
  EXPECT_EQ(
      message(Store::open(file, Access::Write)),
      file + ": a store of measurements of version 2, where this program reads 1: use a newer one");
  foreign[68] = 0;
  foreign[18] = foreign[19] = 1; // Its journal is a file of its own, no WAL.
  write(foreign);
  EXPECT_EQ(message(Store::open(file, Access::Write)), file + ": is no store of measurements");
  EXPECT_EQ(contents(), foreign) << "it is as it was";
}

TEST_F(StoreTest, DamagedStoresAreRefused) {
  {
    Store store = open();
    for (int index = 0; index < 200; ++index)
      llvm::cantFail(store.add(measurement("a", std::to_string(index), {1})));
  }
  std::string whole = contents(), damaged = whole;
  write(StringRef(whole).take_front(whole.size() / 2));
  EXPECT_NE(message(Store::open(file, Access::Write)).find(".recover"), std::string::npos);
  for (size_t byte = 2 * 4096; byte < 3 * 4096; ++byte)
    damaged[byte] = 0x55;
  write(damaged);
  EXPECT_NE(message(Store::open(file, Access::Read)).find(".recover"), std::string::npos);
}

/// As where several processes make one store: SQLite itself refuses at once.
TEST_F(StoreTest, AStoreWaitsForOneThatIsAboutToWrite) {
  sqlite3 *other = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  std::thread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
  });
  EXPECT_EQ(message(Store::open(file, Access::Write)), "");
  ends.join();
  sqlite3_close(other);
}

TEST_F(StoreTest, EightWritersLoseNothing) {
  constexpr int kWriters = 8, kEach = 50;
  std::vector<pid_t> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    pid_t child = fork();
    if (child == 0) {
      Store store = open();
      for (int index = 0; index < kEach; ++index)
        llvm::cantFail(store.add(
            measurement("w" + std::to_string(writer), std::to_string(index), {double(index)})));
      _exit(0);
    }
    writers.push_back(child);
  }
  for (pid_t writer : writers) {
    int status = 1;
    waitpid(writer, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(count(), size_t(kWriters * kEach));
}

TEST_F(StoreTest, WhatWasAddedOutlivesAKill) {
  int pipes[2];
  ASSERT_EQ(pipe(pipes), 0);
  pid_t child = fork();
  if (child == 0) {
    Store store = open();
    for (int index = 0;; ++index) {
      llvm::cantFail(store.add(measurement("a", std::to_string(index), {1})));
      if (::write(pipes[1], "+", 1) != 1)
        _exit(1);
    }
  }
  char byte;
  for (int added = 0; added < 100; ++added)
    ASSERT_EQ(::read(pipes[0], &byte, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_GE(count(), 100u);
}

TEST_F(StoreTest, AFullDiskLosesOnlyWhatDoesNotFit) {
  llvm::cantFail(open().add(measurement("a", "<1>", {1})));
  pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    rlimit limit{64 << 10, 64 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    Store store = open();
    for (int index = 0; index < 1000; ++index)
      if (!message(store.add(measurement("b", std::to_string(index), {1}))).empty())
        _exit(7);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_GT(count(), 1u);
  EXPECT_EQ(llvm::cantFail(open().read({"a", ""})).size(), 1u);
}

} // namespace
