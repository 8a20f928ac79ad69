//===- WaveTest.cpp - Waits, LDS and memory, as waves see them ------------===//

#include "Operands.h"
#include "rooftile/Emulator/Handlers.h"
#include "rooftile/Emulator/Memory.h"

#include <gtest/gtest.h>

using namespace rooftile::emulator;

namespace {

struct WaveTest : testing::Test {
  WaveTest() : local(64), wave(64, 8, 0) {
    wave.local = &local;
    wave.setExec(1);
  }
  static Instruction make(const char *name, std::initializer_list<Operand> operands,
                          int64_t offset = 0) {
    Instruction instruction;
    instruction.name = name, instruction.operands = operands;
    instruction.modifiers.offset = offset;
    instruction.execute = handlers().lookup(name);
    return instruction;
  }
  /// Executes it as a launch does; the failure, or an empty text.
  std::string run(const Instruction &instruction) {
    if (wave.checkPending(instruction))
      instruction.execute(wave, instruction);
    return wave.failure();
  }

  LocalMemory local;
  Wave wave;
};

TEST_F(WaveTest, LoadsInOrderAreKnownFromTheFirstOn) {
  wave.begin(Counter::Vector, vector(1), /*inOrder=*/true);
  wave.begin(Counter::Vector, vector(2), /*inOrder=*/true);
  wave.wait(Counter::Vector, 1);
  EXPECT_TRUE(wave.checkPending(make("v_mov_b32", {vector(0), vector(1)})));
  EXPECT_FALSE(wave.checkPending(make("v_mov_b32", {vector(0), vector(2)})));
  EXPECT_EQ(wave.failure(), "register v2 is used before the wait for its load");
}

TEST_F(WaveTest, AJumpToAnAddressLeadsToItsPlaceInTheImage) {
  wave.imageAddress = 0x7000'0000'1000;
  Instruction next = make("s_getpc_b64", {scalar(8, 2)});
  next.offset = 0x40, next.bytes = 4;
  EXPECT_EQ(run(next), "");
  EXPECT_EQ(run(make("s_setpc_b64", {scalar(8, 2)})), "");
  uint64_t offset = 0;
  EXPECT_TRUE(wave.takeJump(offset));
  EXPECT_EQ(offset, 0x44u);
}

TEST_F(WaveTest, ACounterHolds63Loads) {
  for (unsigned load = 0; load < 64; ++load)
    wave.begin(Counter::Vector, vector(load < 2 ? load : 3), /*inOrder=*/true);
  EXPECT_TRUE(wave.checkPending(make("v_mov_b32", {vector(4), vector(0)})));
  EXPECT_FALSE(wave.checkPending(make("v_mov_b32", {vector(4), vector(1)})));
}

TEST_F(WaveTest, LoadsInAnyOrderAreKnownOnceAllAre) {
  wave.begin(Counter::Local, scalar(0, 2), /*inOrder=*/false);
  wave.begin(Counter::Local, scalar(2), /*inOrder=*/false);
  wave.wait(Counter::Local, 1);
  EXPECT_FALSE(wave.checkPending(make("s_mov_b32", {scalar(4), scalar(1)})));
  wave.wait(Counter::Local, 0);
  EXPECT_TRUE(wave.checkPending(make("s_mov_b32", {scalar(4), scalar(1)})));
}

/// Both halves of a register may be under way, but nobody may read it.
TEST_F(WaveTest, HalvesAreLoadedOneAfterTheOther) {
  Instruction half = make("ds_load_u16_d16_hi", {vector(1), vector(0)});
  half.keepsHalf = true;
  wave.begin(Counter::Local, vector(1), /*inOrder=*/true);
  EXPECT_TRUE(wave.checkPending(half));
  half.keepsHalf = false;
  EXPECT_FALSE(wave.checkPending(half));
}

TEST_F(WaveTest, RegistersAreThoseOfTheKernel) {
  EXPECT_FALSE(wave.checkPending(make("v_mov_b32", {vector(7, 2), vector(0)})));
  EXPECT_EQ(wave.failure(), "register v8, but the kernel has 8");
}

TEST_F(WaveTest, ABarrierNeedsStoresToBeThere) {
  wave.setLane32(vector(0), 0, 8), wave.setLane32(vector(1), 0, 77);
  EXPECT_EQ(run(make("ds_write_b32", {vector(0), vector(1)})), "");
  EXPECT_EQ(run(make("s_barrier", {})), "a barrier before the wait for stores to LDS");
}

/// Addresses of LDS have 32 bits: -8 and an offset of 16 are 8.
TEST_F(WaveTest, AddressesOfLdsWrap) {
  wave.setLane32(vector(0), 0, uint32_t(-8)), wave.setLane32(vector(1), 0, 77);
  EXPECT_EQ(run(make("ds_write_b32", {vector(0), vector(1)}, 16)), "");
  uint32_t value = 0;
  EXPECT_EQ(local.load(0, 8, &value, 4), "");
  EXPECT_EQ(value, 77u);
  EXPECT_EQ(run(make("ds_write_b32", {vector(0), vector(1)}, 4)),
            "4 bytes at LDS address 4294967292 of 64");
}

TEST(LocalMemoryTest, TwoWavesRaceUntilTheBarrier) {
  LocalMemory memory(16);
  uint32_t value = 1;
  EXPECT_EQ(memory.store(0, 4, &value, 4), "");
  EXPECT_EQ(memory.load(0, 4, &value, 4), "");
  EXPECT_EQ(memory.load(1, 8, &value, 4), "");
  EXPECT_NE(memory.load(1, 6, &value, 2), "");
  memory.passBarrier();
  EXPECT_EQ(memory.load(1, 4, &value, 4), "");
  EXPECT_EQ(memory.load(2, 4, &value, 4), "");
  EXPECT_NE(memory.store(2, 4, &value, 4), "");
  EXPECT_NE(memory.store(0, 14, &value, 4), "");
}

TEST(GlobalMemoryTest, AccessesAreOfOneAllocation) {
  GlobalMemory memory;
  auto address = uint64_t(memory.allocate(100));
  GlobalView view(memory);
  EXPECT_TRUE(view.contains(address, 100));
  EXPECT_FALSE(view.contains(address + 97, 4));
  EXPECT_FALSE(view.contains(address - 1, 4));
  EXPECT_NE(view.whyNot(address + 97, 4), "");
  EXPECT_FALSE(memory.free(reinterpret_cast<void *>(address + 4)));
  EXPECT_TRUE(memory.free(reinterpret_cast<void *>(address)));
}

} // namespace
