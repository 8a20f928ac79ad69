//===- CalibrationData.h - The values of a calibration ----------*- C++ -*-===//
//
// All that #blas.calibration says, as a plain struct: what the kernels of this project take of a
// chip for each thing that planning counts, as measurements of many of them say. Hardware figures
// are in #blas.target.
//
// visitKeys is the table of coefficients: names, units, meanings, and the bounds between which they
// are fitted. Parsing, printing, verification and fitting come from it. Issue slots are those of a
// subgroup on its scheduler, clocks those of a unit.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_CALIBRATIONDATA_H
#define ROOFTILE_DIALECT_BLAS_CALIBRATIONDATA_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"

#include <limits>
#include <string>

namespace rooftile::blas {

/// A row of the table of coefficients.
struct Coefficient {
  llvm::StringLiteral name, unit, doc;
  double least, most; ///< What it can be.
};

/// #blas.calibration: every coefficient must be given.
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

  /// Calls `visit` with each coefficient and the pointer to its member.
  template <typename Visit> static void visitKeys(Visit &&visit) {
    using C = CalibrationData;
    visit(Coefficient{"multiply", "", "clocks of multipliers, over those at the ceiling", .9, 1.5},
          &C::multiply);
    visit(
        Coefficient{"multiplyWide", "", "what multiply-adds take more in wide micro tiles", 0, .5},
        &C::multiplyWide);
    visit(Coefficient{"issueMultiply", "slots", "of a multiplying instruction", .2, 2},
          &C::issueMultiply);
    visit(Coefficient{"issueRead", "slots", "of a fragment read", 0, 8}, &C::issueRead);
    visit(Coefficient{"issueStore", "slots", "of a store to shared memory", 0, 20}, &C::issueStore);
    visit(Coefficient{"issueCopy", "slots", "of an asynchronous copy", 0, 30}, &C::issueCopy);
    visit(Coefficient{"copyPort", "", "clocks of what copies write, over those of its bytes", 0, 4},
          &C::copyPort);
    visit(Coefficient{"loadLine", "clocks", "of a line of memory that loads touch", 0, 6},
          &C::loadLine);
    visit(Coefficient{"copyLine", "clocks", "of a line of memory that copies touch", 0, 6},
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
    visit(Coefficient{"writeLine", "", "time of an access to a line of C, over that of it from L2",
                      0, 6},
          &C::writeLine);
    visit(Coefficient{"atomic", "", "time of atomic additions, over that of their bytes in L2", .5,
                      16},
          &C::atomic);
    visit(Coefficient{"exchange", "",
                      "clocks of sums through shared memory, over those of their bytes", 0, 8},
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

bool operator==(const CalibrationData &left, const CalibrationData &right);
inline bool operator!=(const CalibrationData &left, const CalibrationData &right) {
  return !(left == right);
}
llvm::hash_code hash_value(const CalibrationData &calibration);

/// <multiply = 1.01, multiplyWide = 0.2, ...>: the text of the attribute after its name.
std::string textOf(const CalibrationData &calibration);

/// What is wrong with the values: "multiply = 3 is not in 0.9 .. 1.5"; empty where all can be.
std::string whyInvalid(const CalibrationData &calibration);

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_CALIBRATIONDATA_H
