//===- InstructionRows.cpp - The matrix instructions of machines ----------===//

#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::tile;

/// Held to fewer, ptxas refuses m16n8k4, k8 and k16 of f64: "cannot be compiled with specified
/// register target constraints" (13.0; 60 of 64, though kernels use 32).
static constexpr int64_t kLeastRegisters = 64;

static constexpr Number kF64{"f64", 8}, kF32{"f32", 4}, kF16{"f16", 2}, kBF16{"bf16", 2, "bf16"},
    kTF32{"f32", 4, "tf32"};

/// C of an instruction of 16 x 8: a lane has two neighbours of a row, and those eight rows on.
static Fragment fragmentOfC() { return {{{4, 0, 2}, {8, 1, 0}}, {{2, 0, 1}, {2, 8, 0}}}; }

/// Instructions of f64. Sources: PTX ISA 9.0, "Matrix Fragments for mma.m8n8k4 with .f64 floating
/// point type", "... mma.m16n8k4 with .f64 ...", "... mma.m16n8k8 ...", "... k16 with floating
/// point type".
static std::vector<Instruction> doubleInstructions() {
  return {
      {.name = "m8n8k4_f64",
       .factors = kF64,
       .sums = kF64,
       .m = 8,
       .n = 8,
       .k = 4,
       .a = {{{4, 0, 1}, {8, 1, 0}}, {}},
       .b = {{{4, 1, 0}, {8, 0, 1}}, {}},
       .c = {{{4, 0, 2}, {8, 1, 0}}, {{2, 0, 1}}},
       .machine = "m8n8k4_f64",
       .intrinsic = "llvm.nvvm.mma.m8n8k4.row.col.f64"},
      {.name = "m16n8k4_f64",
       .factors = kF64,
       .sums = kF64,
       .m = 16,
       .n = 8,
       .k = 4,
       .a = {{{4, 0, 1}, {8, 1, 0}}, {{2, 8, 0}}},
       .b = {{{4, 1, 0}, {8, 0, 1}}, {}},
       .c = fragmentOfC(),
       .machine = "m16n8k4_f64",
       .intrinsic = "llvm.nvvm.mma.m16n8k4.row.col.f64",
       .leastRegisters = kLeastRegisters},
      {.name = "m16n8k8_f64",
       .factors = kF64,
       .sums = kF64,
       .m = 16,
       .n = 8,
       .k = 8,
       .a = {{{4, 0, 1}, {8, 1, 0}}, {{2, 8, 0}, {2, 0, 4}}},
       .b = {{{4, 1, 0}, {8, 0, 1}}, {{2, 4, 0}}},
       .c = fragmentOfC(),
       .machine = "m16n8k8_f64",
       .intrinsic = "llvm.nvvm.mma.m16n8k8.row.col.f64",
       .leastRegisters = kLeastRegisters},
      {.name = "m16n8k16_f64",
       .factors = kF64,
       .sums = kF64,
       .m = 16,
       .n = 8,
       .k = 16,
       .a = {{{4, 0, 1}, {8, 1, 0}}, {{2, 8, 0}, {2, 0, 4}, {2, 0, 8}}},
       .b = {{{4, 1, 0}, {8, 0, 1}}, {{2, 4, 0}, {2, 8, 0}}},
       .c = fragmentOfC(),
       .machine = "m16n8k16_f64",
       .intrinsic = "llvm.nvvm.mma.m16n8k16.row.col.f64",
       .leastRegisters = kLeastRegisters},
  };
}

/// `row` of numbers of another type, as a machine names it.
static Instruction ofNumbers(Instruction row, const Number &factors, StringLiteral name,
                             StringLiteral intrinsic) {
  row.factors = factors;
  row.name = row.machine = name;
  row.intrinsic = intrinsic;
  return row;
}

/// Instructions of f16 and bf16, whose neighbours along K share a register. Source: as above.
static std::vector<Instruction> halfInstructions() {
  const Fragment pairsOfA{{{4, 0, 2}, {8, 1, 0}}, {{2, 0, 1}, {2, 8, 0}, {2, 0, 8}}},
      pairsOfB{{{4, 2, 0}, {8, 0, 1}}, {{2, 1, 0}, {2, 8, 0}}};
  const Instruction half{.name = "m16n8k16_f16",
                         .factors = kF16,
                         .sums = kF32,
                         .m = 16,
                         .n = 8,
                         .k = 16,
                         .a = pairsOfA,
                         .b = pairsOfB,
                         .c = fragmentOfC(),
                         .machine = "m16n8k16_f16",
                         .intrinsic = "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"};
  return {half, ofNumbers(half, kBF16, "m16n8k16_bf16", "llvm.nvvm.mma.m16n8k16.row.col.bf16")};
}

/// That of tf32, whose lanes hold what those of `wide`, m16n8k8 of f64, do. Source: as above, "...
/// for mma.m16n8k8".
static Instruction tf32Instruction(const Instruction &wide) {
  Instruction row = ofNumbers(wide, kTF32, "m16n8k8_tf32", "llvm.nvvm.mma.m16n8k8.row.col.tf32");
  row.sums = kF32, row.leastRegisters = 0;
  return row;
}

/// Instructions of a warpgroup, whose factors lie in shared memory. Each of its subgroups has 16
/// rows of C, of 8 columns as fragmentOfC. Sources: PTX ISA 9.0, "Register Fragments and Shared
/// Memory Matrix Layouts" of wgmma.mma_async; N is a multiple of 8 up to 256.
static std::vector<Instruction> warpgroupInstructions() {
  const Instruction half{.name = "wgmma_m64k16_f16",
                         .factors = kF16,
                         .sums = kF32,
                         .m = 64,
                         .n = 8,
                         .k = 16,
                         .a = {{{4, 0, 0}, {8, 1, 0}, {4, 16, 0}}, {{2, 8, 0}, {16, 0, 1}}},
                         .b = {{{4, 0, 2}, {8, 0, 0}, {4, 0, 0}}, {{2, 0, 1}, {16, 1, 0}}},
                         .c = {{{4, 0, 2}, {8, 1, 0}, {4, 16, 0}}, {{2, 0, 1}, {2, 8, 0}}},
                         .machine = "wgmma_m64k16_f16",
                         .unit = MatrixUnit::Wgmma,
                         .subgroups = 4,
                         .homeOfA = Home::Shared,
                         .homeOfB = Home::Shared,
                         .isAwaited = true,
                         .mostN = 256,
                         .intrinsic = "wgmma.mma_async.sync.aligned.m64n{0}k16.f32.f16.f16"};
  Instruction words = ofNumbers(half, kTF32, "wgmma_m64k8_tf32",
                                "wgmma.mma_async.sync.aligned.m64n{0}k8.f32.tf32.tf32");
  words.k = 8, words.needsRowsOfK = true;
  words.a.values.back().size = words.b.values.back().size = words.k;
  return {half,
          ofNumbers(half, kBF16, "wgmma_m64k16_bf16",
                    "wgmma.mma_async.sync.aligned.m64n{0}k16.f32.bf16.bf16"),
          words};
}

/// A block of 16 x 16 of an MFMA: four rows of a column in a lane, neighbours or four apart.
static Fragment blockOfC(bool neighbours) {
  return neighbours ? Fragment{{{16, 0, 1}, {4, 4, 0}}, {{4, 1, 0}}}
                    : Fragment{{{16, 0, 1}, {4, 1, 0}}, {{4, 4, 0}}};
}

/// Four neighbours along K of a row of A (column of B), 64 lanes over `rows` of them.
static Fragment fourOfK(int64_t rows, bool isA) {
  return isA ? Fragment{{{rows, 1, 0}, {64 / rows, 0, 4}}, {{4, 0, 1}}}
             : Fragment{{{rows, 0, 1}, {64 / rows, 4, 0}}, {{4, 1, 0}}};
}

/// Instructions of 64 lanes of CDNA. Sources: "AMD Instinct MI200 ISA", "AMD Instinct MI300 ISA",
/// Matrix Arithmetic Instructions: V_MFMA_F32_16X16X4_F32 and the following ones.
static std::vector<Instruction> mfmaInstructions() {
  const Instruction small{.name = "mfma_m16n16k4_f32",
                          .factors = kF32,
                          .sums = kF32,
                          .m = 16,
                          .n = 16,
                          .k = 4,
                          .a = {{{16, 1, 0}, {4, 0, 1}}, {}},
                          .b = {{{16, 0, 1}, {4, 1, 0}}, {}},
                          .c = blockOfC(/*neighbours=*/true),
                          .machine = "mfma_m16n16k4_f32",
                          .unit = MatrixUnit::Mfma,
                          .intrinsic = "llvm.amdgcn.mfma.f32.16x16x4f32"};
  Instruction twice =
      ofNumbers(small, kF64, "mfma_m16n16k4_f64", "llvm.amdgcn.mfma.f64.16x16x4f64");
  twice.sums = kF64, twice.c = blockOfC(/*neighbours=*/false);
  // Four times 2 x 4 rows of a column.
  Instruction large =
      ofNumbers(small, kF32, "mfma_m32n32k2_f32", "llvm.amdgcn.mfma.f32.32x32x2f32");
  large.m = large.n = 32, large.k = 2;
  large.a = {{{32, 1, 0}, {2, 0, 1}}, {}}, large.b = {{{32, 0, 1}, {2, 1, 0}}, {}};
  large.c = {{{32, 0, 1}, {2, 4, 0}}, {{4, 1, 0}, {4, 8, 0}}};
  Instruction smallHalf = small, largeHalf = large;
  smallHalf.k = 16, smallHalf.a = fourOfK(16, true), smallHalf.b = fourOfK(16, false);
  largeHalf.k = 8, largeHalf.a = fourOfK(32, true), largeHalf.b = fourOfK(32, false);
  return {
      twice,
      small,
      large,
      ofNumbers(smallHalf, kF16, "mfma_m16n16k16_f16", "llvm.amdgcn.mfma.f32.16x16x16f16"),
      ofNumbers(largeHalf, kF16, "mfma_m32n32k8_f16", "llvm.amdgcn.mfma.f32.32x32x8f16"),
      ofNumbers(smallHalf, kBF16, "mfma_m16n16k16_bf16", "llvm.amdgcn.mfma.f32.16x16x16bf16.1k"),
      ofNumbers(largeHalf, kBF16, "mfma_m32n32k8_bf16", "llvm.amdgcn.mfma.f32.32x32x8bf16.1k"),
  };
}

/// Instructions of 32 lanes of RDNA3. Lanes 16 to 31 hold what lanes 0 to 15 hold of A and B, and
/// the odd rows of C. Source: "RDNA3 Instruction Set Architecture", 7.9, Wave Matrix Multiply
/// Accumulate.
static std::vector<Instruction> wmmaInstructions() {
  const Instruction half{.name = "wmma_m16n16k16_f16",
                         .factors = kF16,
                         .sums = kF32,
                         .m = 16,
                         .n = 16,
                         .k = 16,
                         .a = {{{16, 1, 0}, {2, 0, 0}}, {{16, 0, 1}}},
                         .b = {{{16, 0, 1}, {2, 0, 0}}, {{16, 1, 0}}},
                         .c = {{{16, 0, 1}, {2, 1, 0}}, {{8, 2, 0}}},
                         .machine = "wmma_m16n16k16_f16",
                         .unit = MatrixUnit::Wmma,
                         .intrinsic = "llvm.amdgcn.wmma.f32.16x16x16.f16"};
  return {half,
          ofNumbers(half, kBF16, "wmma_m16n16k16_bf16", "llvm.amdgcn.wmma.f32.16x16x16.bf16")};
}

/// Counts that follow from the fragments.
static void countLanes(Instruction &own) {
  Spread depth(own.a.threads, own.a.values, /*rows=*/false);
  own.lanesOfK = depth.lanes(), own.runOfK = depth.runOfInstruction();
  if (const Mode &first = own.a.threads.front(); first.row != 0)
    own.rowsFirst = first.size;
  Spread rows(own.a.threads, own.a.values, /*rows=*/true);
  own.copies = own.lanes() / (rows.lanes() * depth.lanes());
  for (const Mode &mode : own.c.values)
    if (mode.column == 1)
      own.columnsOfLane = mode.size;
}

/// C^T = B^T A^T by the same instruction, for tiles with a narrow side M.
static Instruction exchanged(const Instruction &own, StringLiteral name) {
  auto transposed = [](Fragment fragment) {
    for (auto *modes : {&fragment.threads, &fragment.values})
      for (Mode &mode : *modes)
        std::swap(mode.row, mode.column);
    return fragment;
  };
  Instruction row = own;
  row.name = name;
  row.m = own.n, row.n = own.m;
  row.a = transposed(own.b), row.b = transposed(own.a), row.c = transposed(own.c);
  return row;
}

/// Those of machines, and these with A and B exchanged where that makes another shape. Never
/// destroyed: programs may compile after main.
ArrayRef<Instruction> tile::allInstructions() {
  static const auto &rows = *new std::vector<Instruction>([] {
    std::vector<Instruction> all = doubleInstructions();
    llvm::append_range(all, halfInstructions());
    all.push_back(tf32Instruction(all[2]));
    for (auto [row, name] : {std::pair<size_t, StringLiteral>(1, "m8n16k4_f64"),
                             {2, "m8n16k8_f64"},
                             {3, "m8n16k16_f64"},
                             {4, "m8n16k16_f16"},
                             {5, "m8n16k16_bf16"},
                             {6, "m8n16k8_tf32"}})
      all.push_back(exchanged(all[row], name));
    llvm::append_range(all, warpgroupInstructions());
    llvm::append_range(all, mfmaInstructions());
    llvm::append_range(all, wmmaInstructions());
    for (Instruction &row : all)
      countLanes(row);
    return all;
  }());
  return rows;
}
