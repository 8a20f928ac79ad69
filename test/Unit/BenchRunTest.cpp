//===- BenchRunTest.cpp - Operands and checks of gemm-bench, on the CPU ---===//

#include "rooftile/Bench/Check.h"
#include "rooftile/Compiler/Compiler.h"
#include "rooftile/Operation/Text.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace rooftile;
using namespace rooftile::bench;

namespace {

struct Runner {
  const Driver &driver = Driver::of(DeviceKind::Cpu);
  DeviceData data{driver};
  compiler::Compiler compiler{forCpu()};

  static compiler::CompilerOptions forCpu() {
    compiler::CompilerOptions options;
    options.device = DeviceKind::Cpu;
    return options;
  }

  /// The error of the result, whose bytes `damage` changed.
  std::string run(const Shape &shape, llvm::function_ref<void(std::vector<char> &)> damage) {
    compiler::Compiled compiled = compiler.get(shape.compiled());
    if (!compiled)
      return "compiler: " + compiled.error;
    llvm::Expected<Operands> operands = data.place(shape);
    if (!operands)
      return llvm::toString(operands.takeError());
    void *c = reinterpret_cast<void *>(operands->sets[0][2]);
    if (!shape.readsC())
      std::memset(c, 0xff, operands->bytesC); // NaN
    std::string why =
        compiled.executable->run(compiled.function, argumentsOf(shape, *operands)[0].data());
    if (!why.empty())
      return "run: " + why;
    std::vector<char> result(operands->bytesC);
    std::memcpy(result.data(), c, operands->bytesC);
    damage(result);
    return checkResult(shape, *operands, data.pattern(shape.element()), result);
  }
};

/// Right results of everything that lines state pass; a wrong element of C does not.
TEST(BenchRun, LinesOfAllKinds) {
  Runner runner;
  for (const char *line :
       {"f32 nn 20x30x10 ld=12/33/40 alpha=any beta=any",
        "f32 tt 20x30x10 order=column/row/row ld=24/16/36 beta=one",
        "f64 nt 17x19x23 order=row/column/row alpha=memory beta=memory",
        "c64 cn 7x9x11 order=column/column/row alpha=any beta=any",
        "c128 jt 7x9x11 alpha=any",
        "f16 nn 16x18x8 beta=any",
        "f32 nn 9x8x7 alpha=zero beta=any",
        "f32 nn 9x8x7 bias=row activation=gelu",
        "f64 nn 9x8x7 bias=column beta=any",
        "f32 tn 9x8x7 batch=2 bias=column activation=silu alpha=any",
        "f32 nn 9x8x7 batch=3 ld=64/80/80 stride=16/20/20",
        "f32 nn 9x8x7 batch=3 share=b beta=any",
        "f64 nn 9x8x7 batch=3 pointers ld=11/9/13 align=16 beta=any",
        "f64 nt 9x9x7 alias=ab",
        "f32 nn 20x30x10 dynamic beta=any",
        "c64 nn 8x9x7 align=4",
        "f32 nn 20x30x10 align=any",
        "f32 trmm-llnn 12x9x12 ld=15/11 alpha=any",
        "c128 trmm-rucu 9x12x12 order=column/row",
        "f64 trsm-lutn 12x9x12 order=column/row ld=13/16 alpha=any",
        "c64 trsm-rlcn 9x12x12 alpha=any",
        "f32 trsm-llnn 5x6x5 batch=4",
        "f64 trtri-un 12x12x12 ld=14",
        "f64 syrk-ln 12x12x9 beta=any ld=11/13 alpha=any",
        "c64 herk-uc 12x12x9 beta=any",
        "c64 syr2k-ut 12x12x9 order=column/row/row",
        "c128 her2k-ln 12x12x9 alpha=any beta=one",
        "f32 symm-rl 9x12x12 order=column/row/row beta=any",
        "c64 hemm-lu 12x9x12 order=column/row/row alpha=any",
        "v1 gemm type=f64 op=nt m=12 n=9 k=7 order=column ld=20 alpha=any beta=any",
        "v1 trsm type=f32 op=n m=12 n=9 order=column ld=16 alpha=any",
        "v1 syr2k type=f32 op=t n=12 k=5 order=column beta=any"}) {
    llvm::Expected<Shape> shape = Shape::parse(line);
    ASSERT_TRUE(bool(shape)) << line << ": " << llvm::toString(shape.takeError());
    EXPECT_EQ(runner.run(*shape, [](std::vector<char> &) {}), "") << line;
    // The diagonal counts in every triangle: C[m - 1, m - 1], or the last of a rectangle.
    auto damage = [&](std::vector<char> &bytes) {
      bool isSquare = shape->m() == shape->n();
      int64_t index = (shape->m() - 1) * shape->operation.c.leading +
                      (isSquare ? shape->m() - 1 : shape->n() - 1);
      char *element = bytes.data() + index * bytesOf(shape->element());
      for (int64_t byte = 0; byte < bytesOf(shape->element()); ++byte)
        element[byte] ^= 0x11;
    };
    EXPECT_NE(runner.run(*shape, damage), "") << line;
    // A line reads itself.
    Shape again = llvm::cantFail(Shape::parse(shape->key()));
    EXPECT_EQ(operation::text(again.operation), operation::text(shape->operation)) << line;
  }
}

TEST(BenchRun, ContradictionsAreErrors) {
  std::pair<const char *, const char *> lines[] = {
      {"f32 nn 20x30x10 ld=5/30/30", "A"},
      {"f32 nn 20x30x10 beta=two", "beta: expected one of one, zero, any, memory, not 'two'"},
      {"f32 nn 20x30x10 stride=4/4/4", "stride"},
      {"f32 syrk-ln 20x20x10 bias=row", "bias: syrk has no bias"},
      {"v1 gemm type=f16/f16/f32 op=nn m=4 n=4 k=4", "matrices of one type"},
      {"f32 nn 20x30x10 lda=5", "a key of docs/Operations.md (order=, ld=, "}};
  for (auto [line, message] : lines) {
    llvm::Expected<Shape> shape = Shape::parse(line);
    ASSERT_FALSE(bool(shape)) << line;
    EXPECT_NE(llvm::toString(shape.takeError()).find(message), std::string::npos) << line;
  }
}

} // namespace
