//===- CalibrationData.h - The values of a calibration ----------*- C++ -*-===//
//
// The parameters of #blas.calibration, as a plain struct: the cost of each thing that planning
// counts, on one chip, fitted to measurements of many kernels of this project. Hardware figures are
// in #blas.target.
//
// visitCoefficients is the table of coefficients: names, units, meanings, and the bounds between
// which they are fitted. visitBounds is that of what a chip was measured to be best at, or bad at:
// planning and passes go by it where prices do not show it. Parsing, printing, verification and
// fitting come from the two. Issue slots are those of a subgroup on its scheduler, clocks those of
// a unit.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_CALIBRATIONDATA_H
#define ROOFTILE_DIALECT_BLAS_CALIBRATIONDATA_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"

#include <limits>
#include <string>
#include <vector>

namespace rooftile::blas {

/// A row of the table of coefficients.
struct Coefficient {
  llvm::StringLiteral name, unit, doc;
  double least, most; ///< Bounds of its value.
  static constexpr bool required = true;
};

/// A row of the table of bounds, positive integers. `source` is where the default was measured.
struct CalibrationBound {
  llvm::StringLiteral name, unit, doc, source;
  static constexpr bool required = false;
};

/// A form of multiply-adds of f32 whose operands are copied in bulk: the multiply-adds of an
/// element that it is for, micro tile, K step, stages of the ring, slices that are written out.
struct BulkForm {
  int64_t multiplyAdds, microM, microN, macroK, stages, unroll;

  bool operator==(const BulkForm &other) const {
    return multiplyAdds == other.multiplyAdds && microM == other.microM && microN == other.microN &&
           macroK == other.macroK && stages == other.stages && unroll == other.unroll;
  }
};

/// #blas.calibration: every coefficient must be given; bounds have defaults.
struct CalibrationData {
  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

  double multiply = kMissing, multiplyWide = kMissing;
  double issueMultiply = kMissing, issueRead = kMissing, issueStore = kMissing,
         issueCopy = kMissing;
  double copyPort = kMissing, loadLine = kMissing, copyLine = kMissing, scatter = kMissing;
  double step = kMissing, barrier = kMissing, loadLatency = kMissing;
  double readRun = kMissing, write = kMissing, writeLine = kMissing, atomic = kMissing;
  double exchange = kMissing, peer = kMissing, cluster = kMissing;
  double workgroup = kMissing, concurrent = kMissing;
  double startup = kMissing, instruction = kMissing, nextLaunch = kMissing, allocation = kMissing;

  std::vector<BulkForm> bulkForms = {
      {.multiplyAdds = 4, .microM = 8, .microN = 8, .macroK = 32, .stages = 3, .unroll = 16},
      {.multiplyAdds = 1, .microM = 8, .microN = 16, .macroK = 64, .stages = 2, .unroll = 16}};
  int64_t leastBulkK = 1024;
  int64_t leastSpreadSteps = 32, mostSpreadMultiplyAdds = 1024;
  int64_t mostDepthBytes = 64, mostNarrowK = 256;
  int64_t mostStagedTile = 2048, mostStagedK = 32, leastStreamedSteps = 4;
  int64_t mostWaitingExtent = 128, mostAsyncExtent = 32, mostAsyncAccumulators = 16;
  int64_t mostUnrolled = 1024, leastGroupedStep = 512, leastPackedSize = 512;

  template <typename Visit> static void visitBounds(Visit &&visit);

  /// All keys, as in the text.
  template <typename Visit> static void visitKeys(Visit &&visit) {
    visitCoefficients(visit);
    visitBounds(visit);
  }

  /// Calls `visit` with each coefficient and the pointer to its member.
  template <typename Visit> static void visitCoefficients(Visit &&visit) {
    using C = CalibrationData;
    visit(Coefficient{"multiply", "", "clocks of multipliers, over those at the ceiling", .9, 1.5},
          &C::multiply);
    visit(Coefficient{"multiplyWide", "", "additional time of multiply-adds in wide micro tiles", 0,
                      .5},
          &C::multiplyWide);
    visit(Coefficient{"issueMultiply", "slots", "of a multiplying instruction", .2, 2},
          &C::issueMultiply);
    visit(Coefficient{"issueRead", "slots", "of a fragment read", 0, 8}, &C::issueRead);
    visit(Coefficient{"issueStore", "slots", "of a store to shared memory", 0, 20}, &C::issueStore);
    visit(Coefficient{"issueCopy", "slots", "of an asynchronous copy", 0, 30}, &C::issueCopy);
    visit(Coefficient{"copyPort", "", "clocks of what copies write, over those of its bytes", 0, 4},
          &C::copyPort);
    visit(Coefficient{"loadLine", "clocks", "of a cache line that loads touch", 0, 6},
          &C::loadLine);
    visit(Coefficient{"copyLine", "clocks", "of a cache line that copies touch", 0, 6},
          &C::copyLine);
    visit(Coefficient{"scatter", "clocks", "of an access of a copy that transposes", 0, 4},
          &C::scatter);
    visit(Coefficient{"step", "clocks", "around a barrier", 0, 400}, &C::step);
    visit(Coefficient{"barrier", "clocks", "more for many subgroups", 0, 600}, &C::barrier);
    visit(Coefficient{"loadLatency", "", "latency under load, over that of the target", .5, 6},
          &C::loadLatency);
    visit(Coefficient{"readRun", "bytes", "that DRAM could move while a run begins", 0, 300},
          &C::readRun);
    visit(Coefficient{"write", "", "time of writing C, over that of its bytes", .8, 4}, &C::write);
    visit(Coefficient{"writeLine", "",
                      "time of an access to a cache line of C, over that of it from L2", 0, 6},
          &C::writeLine);
    visit(Coefficient{"atomic", "", "time of atomic additions, over that of their bytes in L2", .5,
                      16},
          &C::atomic);
    visit(Coefficient{"exchange", "",
                      "clocks of accumulators through shared memory, over those of their bytes", 0,
                      8},
          &C::exchange);
    visit(Coefficient{"peer", "", "time of bytes from other units, over that from L2", 0, 20},
          &C::peer);
    visit(Coefficient{"cluster", "clocks", "for each workgroup of a cluster to meet", 0, 1500},
          &C::cluster);
    visit(Coefficient{"workgroup", "clocks", "of a unit to begin a workgroup", 0, 2000},
          &C::workgroup);
    visit(Coefficient{"concurrent", "", "share of storing that other workgroups hide", 0, 1},
          &C::concurrent);
    visit(Coefficient{"startup", "", "share of a launch before the kernel begins", .05, 2},
          &C::startup);
    visit(Coefficient{"instruction", "ns", "to fetch an instruction for the first time", 0, 5},
          &C::instruction);
    visit(Coefficient{"nextLaunch", "ns", "from one kernel to the next", 0, 8000}, &C::nextLaunch);
    visit(Coefficient{"allocation", "ns", "of a workspace", 0, 8000}, &C::allocation);
  }
};

template <typename Visit> void CalibrationData::visitBounds(Visit &&visit) {
  using C = CalibrationData;
  using B = CalibrationBound;
  visit(
      B{"bulkForms", "multiply-adds, micro M, micro N, macro K, stages, unroll",
        "forms of multiply-adds of f32 whose operands are copied in bulk",
        "the fastest of 126 for complex<f32> and of 192 for f32 that an H200 ran, 3 to 8 % faster "
        "than through registers"},
      &C::bulkForms);
  visit(B{"leastBulkK", "K", "of these forms", "smaller ones were not measured"}, &C::leastBulkK);
  visit(
      B{"leastSpreadSteps", "steps",
        "of a K loop from which on its asynchronous copies are spread among multiplications",
        "an H200: loops of 16 steps and fewer, which wait for latency, lose 3 to 6 %, those of 64 "
        "win 3 to 5 % in f32 and 4 to 17 % in f64"},
      &C::leastSpreadSteps);
  visit(
      B{"mostSpreadMultiplyAdds", "multiply-adds of a step", "beyond which copies stay before them",
        "an H200: complex f32 products of 2048 took 1.6 times as long spread (1000^3, micro 8x8)"},
      &C::mostSpreadMultiplyAdds);
  visit(B{"mostDepthBytes", "bytes along K", "of a slice of a matrix instruction",
          "an H200: at 4096 none that is longer was among the fastest"},
        &C::mostDepthBytes);
  visit(B{"mostNarrowK", "K", "up to which sliced-K groups copy operands element by element",
          "an H200: f32 1023^3 took 3 to 15 % longer"},
        &C::mostNarrowK);
  visit(B{"mostStagedTile", "elements of C",
          "of a tile whose operands reach a matrix instruction through registers",
          "an H200: others took 1.1 to 1.4 times as long (8192^2 x 64)"},
        &C::mostStagedTile);
  visit(B{"mostStagedK", "K", "up to which larger tiles do so, too", "as mostStagedTile"},
        &C::mostStagedK);
  visit(B{"leastStreamedSteps", "steps", "of a loop whose copies are asynchronous instead",
          "as mostStagedTile"},
        &C::leastStreamedSteps);
  visit(B{"mostWaitingExtent", "rows or columns of C",
          "of complex products by matrix instructions that wait for memory and copy asynchronously",
          "an H200: c128 32 x 8192 x 8192 took 0.36 ms, and 0.40 through registers"},
        &C::mostWaitingExtent);
  visit(B{"mostAsyncExtent", "rows or columns of C", "of these that copy in no other way",
          "as mostWaitingExtent"},
        &C::mostAsyncExtent);
  visit(B{"mostAsyncAccumulators", "elements of C", "of a thread of these", "as mostWaitingExtent"},
        &C::mostAsyncAccumulators);
  visit(B{"mostUnrolled", "multiply-adds of a thread", "that are written out, one after the other",
          "an H200: the fastest kernels keep to it (16 KiB of code); longer ones need up to a "
          "second to assemble"},
        &C::mostUnrolled);
  visit(B{"leastGroupedStep", "multiply-adds of a thread",
          "of a step of block vectors, where a thread has eight accumulators or more",
          "an H200: shorter steps have more barriers than products (f32, share of the bandwidth "
          "with this bound: 7 columns 81 -> 95 %, 20 columns 79 -> 92 %, 40 columns 86 -> 94 %)"},
        &C::leastGroupedStep);
  visit(B{"leastPackedSize", "M, N and K", "of products with packed operands",
          "smaller ones were not measured"},
        &C::leastPackedSize);
}

bool operator==(const CalibrationData &left, const CalibrationData &right);
inline bool operator!=(const CalibrationData &left, const CalibrationData &right) {
  return !(left == right);
}
llvm::hash_code hash_value(const CalibrationData &calibration);

/// <multiply = 1.01, multiplyWide = 0.2, ...>: the text of the attribute after its name.
std::string textOf(const CalibrationData &calibration);

/// The first invalid value: "multiply = 3 is not in 0.9 .. 1.5"; empty where all are valid.
std::string whyInvalid(const CalibrationData &calibration);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_CALIBRATIONDATA_H
