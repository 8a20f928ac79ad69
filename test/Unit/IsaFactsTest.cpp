//===- IsaFactsTest.cpp - Instructions of a kernel, counted ---------------===//

#include "rooftile/Bench/IsaFacts.h"
#include "gtest/gtest.h"

using namespace rooftile::bench;

namespace {

/// A loop beside which there are a smaller one and multiply-adds without a loop.
constexpr llvm::StringLiteral kAssembly = R"(
	.text
kernel:
	v_fma_f32 v0, v1, v2, v0
.LBB0_1:
	v_fma_f32 v0, v1, v2, v0
	s_cbranch_scc1 .LBB0_1
.LBB0_2: ; of two steps
	global_load_dwordx4 v[4:7], v[2:3], off
	s_load_dwordx8 s[8:15], s[2:3], 0x0
	ds_read_b128 v[8:11], v1
	s_waitcnt lgkmcnt(0)
	v_pk_fma_f32 v[12:13], v[8:9], s[8:9], v[12:13]
	v_dual_fmac_f32 v14, v8, v9 :: v_dual_mul_f32 v15, v8, v9
	v_dual_fmac_f32 v16, v8, v9 :: v_dual_fmac_f32 v17, v8, v9
	v_fmac_f64_e32 v[18:19], v[8:9], v[10:11]
	v_add_u32_e32 v1, 16, v1
	s_waitcnt vmcnt(0)
	ds_write2_b64 v1, v[4:5], v[6:7] offset1:1
	s_barrier
	s_add_i32 s0, s0, 1
	s_cmp_lt_u32 s0, s1
	s_cbranch_scc1 .LBB0_2
	global_store_dword v[2:3], v0, off
	s_endpgm
)";

TEST(IsaFacts, LoopWithTheMostMultiplyAdds) {
  std::optional<IsaFacts> loop = busiestLoop(kAssembly);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->multiplyAdds, 6);
  EXPECT_EQ(loop->multiplies, 4);
  EXPECT_EQ(loop->vector, 1);
  EXPECT_EQ(loop->scalar, 3);
  EXPECT_EQ(loop->scalarLoads, 1);
  EXPECT_EQ(loop->globalLoads, 1);
  EXPECT_EQ(loop->globalStores, 0);
  EXPECT_EQ(loop->sharedReads, 1);
  EXPECT_EQ(loop->sharedWrites, 2); // of one instruction
  EXPECT_EQ(loop->waits, 2);
  EXPECT_EQ(loop->barriers, 1);
  EXPECT_EQ(loop->loadDistance, 9);
}

/// A loop around another one is not the one that multiplies, even where it multiplies, too.
TEST(IsaFacts, InnerLoops) {
  std::optional<IsaFacts> loop = busiestLoop("a:\n\tv_fma_f32 v0, v1, v2, v0\nb:\n"
                                             "\tv_fma_f32 v0, v1, v2, v0\n"
                                             "\ts_cbranch_scc1 b\n\ts_cbranch_scc1 a\n");
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->multiplyAdds, 1);
  EXPECT_FALSE(busiestLoop("\tv_fma_f32 v0, v1, v2, v0\n\ts_endpgm\n"));
  EXPECT_FALSE(busiestLoop("a:\n\tv_add_f32 v0, v1, v2\n\ts_branch a\n"));
}

} // namespace
