//===- Panels.cpp - Calls in parts, on the driver without a GPU -----------===//

#include "Cases.h"
#include "Groups.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

using Complex = std::complex<float>;
using DoubleComplex = std::complex<double>;

/// Bytes of C, 8 MiB and more: several panels.
static constexpr int kLong = 1500, kShort = 720;
static constexpr Interface kWay = Interface::Fortran;

void testPanels() {
  for (char opA : {'N', 'T'})
    for (char opB : {'N', 'C'}) {
      EXPECT(isProductRight<double>(kWay, opA, opB, kShort, kLong, 5, 2, 3)); // columns are cut
      EXPECT(isProductRight<double>(kWay, opA, opB, kLong, kShort, 5, 2, 0)); // rows are cut
      EXPECT(
          isProductRight<Complex>(kWay, opA, opB, kLong, kLong, 2, Complex(1, 2), Complex(0, 1)));
      EXPECT(isProductRight<float>(kWay, opA, opB, 3, 2, 1000, 2, 3)); // one part
    }
  // Vectors of C and of A that are longer than a slot, and sizes of 1.
  EXPECT(isProductRight<double>(kWay, 'N', 'N', 1100000, 2, 2, 2, 3));
  EXPECT(isProductRight<double>(kWay, 'N', 'N', 2, 1100000, 2, 2, 3));
  EXPECT(isProductRight<double>(kWay, 'T', 'N', 2, 3, 1100000, 1, 1));
  EXPECT(isProductRight<DoubleComplex>(kWay, 'C', 'T', 1, 1, 1, 1, 0));
  for (bool isSolve : {false, true})
    for (const char *letters : {"LUNN", "LLTU", "RUTN", "RLNU"}) {
      EXPECT(isTriangularRight<double>(kWay, isSolve, letters, 300, kLong, 2));
      EXPECT(isTriangularRight<double>(kWay, isSolve, letters, kLong, 20, 1));
      EXPECT(isTriangularRight<float>(kWay, isSolve, letters, 1, 1, 1));
    }
  EXPECT(nextCalls() == 0);
}

/// The streams of copies, in order; those up come first.
static std::string streamsOf(const char *log) {
  std::ifstream file(log);
  std::string streams, up;
  for (std::string line; std::getline(file, line);) {
    size_t place = line.find("cuMemcpyAsync stream ");
    if (place != 0)
      continue;
    if (up.empty())
      up = line;
    streams += line == up ? 'u' : 'd';
  }
  return streams;
}

void testOverlap() {
  EXPECT(isProductRight<double>(kWay, 'N', 'N', 8, 8, 8, 1, 0)); // starts the device
  const char *log = std::getenv("TEST_LOG");
  setenv("ROOFTILE_FAKE_LOG", log, 1);
  EXPECT(isProductRight<double>(kWay, 'N', 'N', kShort, kLong, 5, 2, 3));
  unsetenv("ROOFTILE_FAKE_LOG");
  // A, then of each of 8 parts B and C up and C down. Nothing but a slot is waited for.
  std::string streams = streamsOf(log), expected = "u";
  for (int part = 0; part < 8; ++part)
    expected += "uud";
  EXPECT(streams == expected);
  if (streams != expected)
    std::printf("%s, not %s\n", streams.c_str(), expected.c_str());
}

/// The third part returns a status (the environment states it); the rest goes to the next BLAS.
void testStatus() {
  EXPECT(isProductRight<double>(kWay, 'N', 'T', kShort, kLong, 5, 2, 3));
  EXPECT(nextCalls() == 6); // of 8 parts
  EXPECT(isProductRight<double>(kWay, 'N', 'T', kShort, kLong, 5, 2, 3));
  EXPECT(nextCalls() == 0);
}

static bool isRightWithout(const char *function, int parts) {
  setenv("ROOFTILE_FAKE_FAILURE", function, 1);
  bool isRight = isProductRight<double>(kWay, 'N', 'N', kShort, kLong, 5, 2, 3);
  unsetenv("ROOFTILE_FAKE_FAILURE");
  return isRight && nextCalls() == parts;
}

void testDriver() {
  EXPECT(isProductRight<double>(kWay, 'N', 'N', kShort, kLong, 5, 2, 3));
  EXPECT(nextCalls() == 0);
  EXPECT(isRightWithout(std::getenv("TEST_FUNCTION"), 1)); // nothing was written: one call
  // The device is not asked again.
  EXPECT(isProductRight<double>(kWay, 'N', 'N', kShort, kLong, 5, 2, 3));
  EXPECT(nextCalls() == 1);
}

/// The second of two devices fails in its share of a call.
void testLost() {
  EXPECT(isProductRight<double>(kWay, 'N', 'N', kShort, kLong, 5, 2, 3));
  EXPECT(nextCalls() == 0);
  setenv("ROOFTILE_FAKE_FAILURE_DEVICE", "1", 1);
  EXPECT(isRightWithout("cuMemcpyAsync", 4)); // of 8 parts
  // It is not asked again, and the first one is.
  EXPECT(isProductRight<double>(kWay, 'N', 'N', kShort, kLong, 5, 2, 3));
  EXPECT(nextCalls() == 0);
}

/// Calls of several parts, and one of one part.
void testDevices() {
  EXPECT(isProductRight<double>(kWay, 'N', 'T', kLong, kShort, 5, 2, 3));
  EXPECT(isProductRight<double>(kWay, 'T', 'N', 8, 8, 8, 2, 3));
  EXPECT(nextCalls() == 0);
}

void testMemory() {
  EXPECT(isProductRight<double>(kWay, 'N', 'N', 8, 8, 8, 1, 0));
  EXPECT(nextCalls() == 0);
  EXPECT(isRightWithout("cuMemAlloc_v2", 1));
  // It is asked for again.
  EXPECT(isProductRight<double>(kWay, 'N', 'N', kShort, kLong, 5, 2, 3));
  EXPECT(nextCalls() == 0);
}
