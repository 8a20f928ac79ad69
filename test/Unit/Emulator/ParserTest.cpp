//===- ParserTest.cpp - Instructions from text ----------------------------===//
//
// Instructions of each form that LLVM prints for gfx906, gfx90a, gfx942 and gfx1100.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/CodeObject.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace rooftile::emulator;
using Kind = Operand::Kind;

namespace {

Instruction parse(llvm::StringRef text) {
  llvm::Expected<Instruction> instruction = parseInstruction(text, 0x100, 8);
  if (instruction)
    return *instruction;
  ADD_FAILURE() << llvm::toString(instruction.takeError());
  return {};
}

/// Empty where it can be read.
std::string problemOf(llvm::StringRef text) {
  llvm::Expected<Instruction> instruction = parseInstruction(text, 0, 4);
  return instruction ? "" : llvm::toString(instruction.takeError());
}

/// The one operand of a move.
Operand operand(const std::string &text) {
  Instruction instruction = parse("v_mov_b32_e32 v0, " + text);
  return instruction.operands.size() == 2 ? instruction.operands[1] : Operand();
}

void expectRegister(const std::string &text, Kind kind, unsigned index, unsigned count) {
  Operand found = operand(text);
  EXPECT_EQ(found.kind, kind) << text;
  EXPECT_EQ(found.index, index) << text;
  EXPECT_EQ(found.count, count) << text;
}

TEST(Parser, Registers) {
  expectRegister("v5", Kind::Vector, 5, 1);
  expectRegister("v[2:3]", Kind::Vector, 2, 2);
  expectRegister("v[255]", Kind::Vector, 255, 1);
  expectRegister("s7", Kind::Scalar, 7, 1);
  expectRegister("s[0:15]", Kind::Scalar, 0, 16);
  expectRegister("a[0:31]", Kind::Accumulator, 0, 32);
  expectRegister("vcc", Kind::Scalar, kVcc, 2);
  expectRegister("vcc_lo", Kind::Scalar, kVcc, 1);
  expectRegister("vcc_hi", Kind::Scalar, kVcc + 1, 1);
  expectRegister("exec", Kind::Scalar, kExec, 2);
  expectRegister("exec_lo", Kind::Scalar, kExec, 1);
  expectRegister("exec_hi", Kind::Scalar, kExec + 1, 1);
  expectRegister("flat_scratch", Kind::Scalar, kFlatScratch, 2);
  expectRegister("m0", Kind::Scalar, kM0, 1);
  expectRegister("null", Kind::Scalar, kNull, 1);
  EXPECT_EQ(operand("src_scc").kind, Kind::Scc);
  EXPECT_EQ(operand("off").kind, Kind::None);
}

TEST(Parser, HalvesOfRegisters) {
  Instruction move = parse("v_mov_b16_e32 v3.h, v1.l");
  EXPECT_EQ(move.operands[0].index, 3);
  EXPECT_TRUE(move.operands[0].isHalf && move.operands[0].isHigh);
  EXPECT_EQ(move.operands[1].index, 1);
  EXPECT_TRUE(move.operands[1].isHalf && !move.operands[1].isHigh);
  EXPECT_FALSE(operand("v1").isHalf);
}

TEST(Parser, Integers) {
  EXPECT_EQ(operand("64").integer, 64);
  EXPECT_FALSE(operand("64").isLiteral);
  EXPECT_EQ(operand("-16").integer, -16);
  EXPECT_FALSE(operand("-16").negated);
  EXPECT_EQ(operand("0xffffffe0").integer, 0xffffffe0);
  EXPECT_TRUE(operand("0xffffffe0").isLiteral);
  EXPECT_EQ(operand("0x3ff0000000000001").integer, 0x3ff0000000000001);
  EXPECT_FALSE(operand("0x3ff0000000000001").isLiteral);
  EXPECT_EQ(operand("lit(0x0)").integer, 0);
}

TEST(Parser, Floats) {
  for (double value : {0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0}) {
    Operand found = operand(llvm::formatv("{0:f1}", value));
    EXPECT_EQ(found.kind, Kind::Float) << value;
    EXPECT_EQ(found.real, value);
    EXPECT_FALSE(found.negated);
  }
  // The inline constant 1 / (2 pi), in both spellings.
  for (const char *text : {"0.15915494", "0.15915494309189532"}) {
    EXPECT_EQ(llvm::bit_cast<uint64_t>(operand(text).real), 0x3fc45f306dc9c882u);
    EXPECT_EQ(llvm::bit_cast<uint32_t>(float(operand(text).real)), 0x3e22f983u);
  }
}

TEST(Parser, ModifiersOfSources) {
  for (const char *text : {"-v1", "neg(v1)", "-s[2:3]", "neg(1)", "-vcc_lo"}) {
    EXPECT_TRUE(operand(text).negated) << text;
    EXPECT_FALSE(operand(text).absolute) << text;
  }
  for (const char *text : {"|v1|", "abs(v1)", "|1.0|"}) {
    EXPECT_FALSE(operand(text).negated) << text;
    EXPECT_TRUE(operand(text).absolute) << text;
  }
  EXPECT_TRUE(operand("-|v1|").negated && operand("-|v1|").absolute);
  EXPECT_TRUE(operand("sext(v1)").extended && !operand("v1").extended);
  Instruction fma = parse("v_fma_f64 v[0:1], -v[2:3], |v[4:5]|, 4.0 clamp mul:2");
  EXPECT_EQ(fma.name, "v_fma_f64");
  ASSERT_EQ(fma.operands.size(), 4u);
  EXPECT_TRUE(fma.operands[1].negated && fma.operands[2].absolute);
  EXPECT_EQ(fma.operands[2].index, 4);
  EXPECT_TRUE(fma.modifiers.clamp);
  EXPECT_EQ(fma.modifiers.outputScale, 1);
  EXPECT_EQ(parse("v_mul_f32_e64 v0, v1, v2 mul:4").modifiers.outputScale, 2);
  EXPECT_EQ(parse("v_mul_f32_e64 v0, v1, v2 div:2").modifiers.outputScale, -1);
}

TEST(Parser, NamesHaveNoEncoding) {
  EXPECT_EQ(parse("v_add_f32_e32 v0, v1, v2").name, "v_add_f32");
  EXPECT_EQ(parse("v_add_f32_e64 v0, v1, v2").name, "v_add_f32");
  EXPECT_EQ(parse("v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf").name, "v_mov_b32");
  EXPECT_EQ(parse("v_add_f32_e64_dpp v0, v1, v2 row_shl:3 row_mask:0xf bank_mask:0xf").name,
            "v_add_f32");
  EXPECT_EQ(parse("v_cvt_f32_fp8_sdwa v0, v1 src0_sel:BYTE_1").name, "v_cvt_f32_fp8");
  EXPECT_EQ(parse("s_endpgm").name, "s_endpgm");
}

TEST(Parser, Waits) {
  Modifiers both = parse("s_waitcnt vmcnt(3) lgkmcnt(2)").modifiers;
  EXPECT_EQ(both.vectorCount, 3);
  EXPECT_EQ(both.localCount, 2);
  EXPECT_EQ(both.exportCount, -1);
  Modifiers all = parse("s_waitcnt vmcnt(63) expcnt(7) lgkmcnt(15)").modifiers;
  EXPECT_EQ(all.vectorCount, 63);
  EXPECT_EQ(all.exportCount, 7);
  EXPECT_EQ(all.localCount, 15);
  Modifiers bits = parse("s_waitcnt 0xfc07").modifiers; // lgkmcnt(0) of gfx11
  EXPECT_EQ(bits.vectorCount, 63);
  EXPECT_EQ(bits.exportCount, 7);
  EXPECT_EQ(bits.localCount, 0);
  Instruction stores = parse("s_waitcnt_vscnt null, 0x3");
  EXPECT_EQ(stores.operands[0].index, kNull);
  EXPECT_EQ(stores.operands[1].integer, 3);
  EXPECT_NE(problemOf("s_waitcnt vscnt(0)"), "");
}

TEST(Parser, InstructionsThatConcernTimeAlone) {
  for (const char *text :
       {"s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)",
        "s_waitcnt_depctr depctr_va_vdst(0)", "s_waitcnt_depctr 0xfff",
        "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"})
    EXPECT_TRUE(parse(text).operands.empty()) << text;
  for (const char *text : {"s_clause 0x1", "s_nop 0", "s_setprio 3", "s_sethalt 1"})
    EXPECT_EQ(parse(text).operands.size(), 1u) << text;
}

TEST(Parser, Memory) {
  Instruction load = parse("global_load_dwordx4 v[8:11], v[2:3], off offset:2048");
  ASSERT_EQ(load.operands.size(), 3u);
  EXPECT_EQ(load.operands[2].kind, Kind::None);
  EXPECT_EQ(load.modifiers.offset, 2048);
  EXPECT_FALSE(load.modifiers.returnsPrevious);
  EXPECT_EQ(parse("global_load_b32 v0, v1, s[0:1] offset:-8 slc dlc").modifiers.offset, -8);
  EXPECT_EQ(parse("s_load_dwordx2 s[0:1], s[2:3], s5 offset:0x10").modifiers.offset, 16);
  EXPECT_EQ(parse("s_load_dwordx2 s[12:13], s[0:1], s21 offset:-0x8").modifiers.offset, -8);
  EXPECT_EQ(parse("s_load_dwordx2 s[0:1], s[2:3], 0x10").operands[2].integer, 16);
  EXPECT_TRUE(parse("global_atomic_add_u32 v0, v1, v2, s[0:1] sc0").modifiers.returnsPrevious);
  EXPECT_TRUE(parse("global_atomic_add_u32 v0, v1, v2, s[0:1] glc").modifiers.returnsPrevious);
  Modifiers two = parse("ds_read2_b32 v[0:1], v2 offset0:3 offset1:255").modifiers;
  EXPECT_EQ(two.offset0, 3);
  EXPECT_EQ(two.offset1, 255);
  EXPECT_TRUE(parse("buffer_inv sc0 sc1").operands.empty());
}

TEST(Parser, SelectedHalves) {
  // Packed instructions use both halves where nothing else is printed, mixed ones do not.
  EXPECT_EQ(parse("v_pk_fma_f32 v[0:1], v[2:3], v[4:5], v[6:7]").modifiers.opSelHi, 7);
  EXPECT_EQ(parse("v_dot2_f32_f16 v0, v1, v2, v3").modifiers.opSelHi, 7);
  EXPECT_EQ(parse("v_fma_mix_f32 v0, v1, v2, v3").modifiers.opSelHi, 0);
  EXPECT_EQ(parse("v_add_f32_e32 v0, v1, v2").modifiers.opSelHi, 0);
  Modifiers mixed =
      parse("v_fma_mix_f32 v0, v1, v2, v3 op_sel:[0,1,0] op_sel_hi:[1,1,0]").modifiers;
  EXPECT_EQ(mixed.opSel, 2);
  EXPECT_EQ(mixed.opSelHi, 3);
  Modifiers packed =
      parse("v_pk_fma_f16 v0, v1, v2, v3 op_sel_hi:[0,1,1] neg_lo:[1,0,0] neg_hi:[0,1,0]")
          .modifiers;
  EXPECT_EQ(packed.opSelHi, 6);
  EXPECT_EQ(packed.negLo, 1);
  EXPECT_EQ(packed.negHi, 2);
  EXPECT_EQ(parse("v_mad_u16 v0, v1, v2, v3 op_sel:[0,1,0,1]").modifiers.opSel, 10);
}

TEST(Parser, Lanes) {
  using Kind = LanePermutation::Kind;
  LanePermutation quad =
      parse("v_mov_b32_dpp v0, v1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0x3 bound_ctrl:1")
          .modifiers.lanes;
  EXPECT_EQ(quad.kind, Kind::QuadPerm);
  EXPECT_EQ(quad.value, 0x1bu);
  EXPECT_EQ(quad.rowMask, 15u);
  EXPECT_EQ(quad.bankMask, 3u);
  EXPECT_TRUE(quad.boundControl);
  struct Case {
    const char *text;
    Kind kind;
    unsigned value;
  };
  for (const Case &each :
       {Case{"row_shl:1", Kind::RowShl, 1}, Case{"row_shr:15", Kind::RowShr, 15},
        Case{"row_ror:8", Kind::RowRor, 8}, Case{"wave_shr:1", Kind::WaveShr, 1},
        Case{"row_mirror", Kind::RowMirror, 0}, Case{"row_half_mirror", Kind::RowHalfMirror, 0},
        Case{"row_bcast:31", Kind::RowBroadcast, 31},
        Case{"row_newbcast:3", Kind::RowNewBroadcast, 3}, Case{"row_share:3", Kind::RowShare, 3},
        Case{"row_xmask:5", Kind::RowXmask, 5}}) {
    std::string text = std::string("v_mov_b32_dpp v0, v1 ") + each.text;
    LanePermutation lanes = parse(text + " row_mask:0xa bank_mask:0xf fi:1").modifiers.lanes;
    EXPECT_EQ(lanes.kind, each.kind) << text;
    EXPECT_EQ(lanes.value, each.value) << text;
    EXPECT_EQ(lanes.rowMask, 10u) << text;
    EXPECT_TRUE(lanes.fetchesInactive && !lanes.boundControl) << text;
  }
}

TEST(Parser, PartsOfRegisters) {
  Instruction add =
      parse("v_add_u32_sdwa v0, sext(v1), v2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE "
            "src0_sel:WORD_1 src1_sel:BYTE_3");
  EXPECT_TRUE(add.operands[1].extended);
  const PartSelection &parts = add.modifiers.parts;
  EXPECT_TRUE(parts.isUsed);
  EXPECT_EQ(parts.destination, PartSelection::Part::Byte1);
  EXPECT_EQ(parts.unused, PartSelection::Unused::Preserve);
  EXPECT_EQ(parts.sources[0], PartSelection::Part::Word1);
  EXPECT_EQ(parts.sources[1], PartSelection::Part::Byte3);
  EXPECT_FALSE(parse("v_add_u32_e32 v0, v1, v2").modifiers.parts.isUsed);
}

TEST(Parser, MatrixInstructions) {
  Instruction first =
      parse("v_mfma_f32_16x16x16_f16 v[0:3], v[0:1], v[2:3], 0 cbsz:1 abid:2 blgp:3");
  EXPECT_EQ(first.name, "v_mfma_f32_16x16x16_f16");
  EXPECT_EQ(first.modifiers.cbsz, 1);
  EXPECT_EQ(first.modifiers.abid, 2);
  EXPECT_EQ(first.modifiers.blgp, 3);
  EXPECT_EQ(
      parse("v_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7] neg:[1,1,0]").modifiers.negLo,
      3);
  EXPECT_EQ(parse("v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[16:19], v[0:7] neg_lo:[1,0,0]")
                .modifiers.negLo,
            1);
}

TEST(Parser, DualInstructions) {
  Instruction dual =
      parse("v_dual_fmamk_f32 v4, v1, 0x3f317218, v2 :: v_dual_cndmask_b32 v5, 0, v3");
  EXPECT_EQ(dual.name, "v_dual");
  ASSERT_EQ(dual.parts.size(), 2u);
  EXPECT_EQ(dual.parts[0].name, "v_fmamk_f32");
  EXPECT_EQ(dual.parts[0].operands[2].integer, 0x3f317218);
  EXPECT_EQ(dual.parts[1].name, "v_cndmask_b32");
  ASSERT_EQ(dual.parts[1].operands.size(), 4u); // VCC is not printed.
  EXPECT_EQ(dual.parts[1].operands[3].index, kVcc);
  EXPECT_NE(problemOf("v_dual_mov_b32 v0, 0 :: v_mov_b32 v1, 0"), "");
}

TEST(Parser, BranchesLeadFromTheirEnd) {
  EXPECT_EQ(parse("s_branch 4").target, 0x118u);
  EXPECT_EQ(parse("s_cbranch_scc1 65534").target, 0x100u);
  EXPECT_EQ(parse("s_cbranch_execz 65472").target, 0x8u);
  EXPECT_EQ(parse("s_call_b64 s[0:1], 1").target, 0x10cu);
  EXPECT_NE(problemOf("s_branch s0"), "");
  EXPECT_NE(problemOf("s_branch 65536"), "");
}

TEST(Parser, ImmediatesOf16Bits) {
  EXPECT_EQ(parse("s_movk_i32 s0, 0xff00").operands[1].integer, -256);
  EXPECT_EQ(parse("s_mulk_i32 s0, 0x7fff").operands[1].integer, 0x7fff);
  EXPECT_EQ(parse("s_cmpk_lt_i32 s0, 0xfff0").operands[1].integer, -16);
  EXPECT_EQ(parse("s_cmpk_lt_u32 s0, 0xfff0").operands[1].integer, 0xfff0);
}

TEST(Parser, RegistersOfTheHardware) {
  EXPECT_EQ(parse("s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 4)").operands[1].integer, 0x1801);
  EXPECT_EQ(parse("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3").operands[0].integer, 0x0901);
  EXPECT_EQ(parse("s_getreg_b32 s0, hwreg(HW_REG_MODE)").operands[1].integer, 0xf801);
}

TEST(Parser, ErrorsNameTheirReason) {
  struct Case {
    const char *text, *reason;
  };
  for (const Case &each : {
           Case{"", "name"},
           Case{"v_mov_b32 v0, ttmp3", "ttmp3"},
           Case{"v_mov_b32 v0, v256", "v256"},
           Case{"v_mov_b32 v0, s106", "s106"},
           Case{"v_mov_b32 v0, v[3:2]", "v[3:2]"},
           Case{"v_mov_b32 v0, v[0:32]", "v[0:32]"},
           Case{"v_mov_b32 v0, -off", "-off"},
           Case{"v_mov_b32 v0, 1.0e", "1.0e"},
           Case{"v_mov_b32 v0, 0x", "0x"},
           Case{"v_mov_b32 v0 v1", "v1"},
           Case{"v_mov_b32 v0, v1,", "comma"},
           Case{"v_mov_b32 v0, , v1", "operand"},
           Case{"v_mov_b32 v0, v1 rounded", "rounded"},
           Case{"v_mov_b32 v0, v1 clamp v2", "v2"},
           Case{"v_mov_b32_dpp v0, v1 quad_perm:[4,0,0,0]", "quad_perm"},
           Case{"v_mov_b32_dpp v0, v1 row_shl:16", "row_shl"},
           Case{"v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,0]", "dpp8"},
           Case{"v_mul_f32 v0, v1, v2 mul:8", "mul:8"},
           Case{"ds_read2_b32 v[0:1], v2 offset0:256", "offset0"},
           Case{"v_pk_add_f32 v[0:1], v[2:3], v[4:5] op_sel:[2,0]", "op_sel"},
           Case{"v_add_u32_sdwa v0, v1, v2 dst_sel:BYTE_4", "BYTE_4"},
           Case{"s_getreg_b32 s0, hwreg(HW_REG_HW_ID)", "hwreg"},
       }) {
    std::string problem = problemOf(each.text);
    EXPECT_NE(problem.find(each.reason, problem.find("\": ")), std::string::npos)
        << each.text << " / " << problem;
  }
}

} // namespace
