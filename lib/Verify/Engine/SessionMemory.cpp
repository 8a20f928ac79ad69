//===- SessionMemory.cpp - The memory around an output --------------------===//
//
// It is NaN, so that reading it shows. But what is added to a NaN leaves the NaN: with
// uniform data the surroundings of C are numbers, so that adding to them shows, too.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Verify/Engine/Session.h"
#include "llvm/Support/xxhash.h"

#include <cstring>

using namespace rooftile;
using namespace rooftile::verify;

static constexpr uint32_t kNaN = 0xFFFFFFFF, kOne = 0x3F800000; // as halves of a double: 2^-7
static constexpr int64_t kWordBytes = 4;

/// A copy of the buffer that holds the operand, guard zones included, or of its span.
Mirror Session::regionOf(const Operand &operand) {
  Mirror mirror;
  for (Buffer *buffer : buffers)
    if (buffer->contains(operand.data)) {
      mirror.read(device, buffer->begin(), buffer->totalBytes());
      return mirror;
    }
  mirror.read(device, operand.begin(), operand.spanBytes());
  return mirror;
}

/// Calls `visit` with where each element is, in bytes from the first.
template <typename Visit> static void forEachElement(const Operand &operand, Visit visit) {
  if (operand.view.elements() == 0)
    return;
  Matrices matrices = matricesOf(operand.view, false, 1);
  for (int64_t batch = 0; batch < int64_t(matrices.batch.size()); ++batch)
    for (int64_t i = 0; i < matrices.rows; ++i)
      for (int64_t j = 0; j < matrices.columns; ++j)
        visit(matrices.at(batch, i, j) * bytesOf(operand.element));
}

static uint32_t wordAt(const Mirror &mirror, int64_t word) {
  uint32_t value;
  std::memcpy(&value, mirror.data.get() + word * kWordBytes, kWordBytes);
  return value;
}

static void setWord(Mirror &mirror, int64_t word, uint32_t value) {
  std::memcpy(mirror.data.get() + word * kWordBytes, &value, kWordBytes);
}

static uint64_t hashOf(const Mirror &mirror) {
  return llvm::xxh3_64bits(llvm::StringRef(mirror.data.get(), mirror.bytes));
}

void Session::keepBits() {
  if (phase == Phase::Uniform)
    hashes.push_back(hashOf(result));
}

void Session::compareBits(Outcome &outcome) {
  bool same = compared < hashes.size() && hashOf(result) == hashes[compared];
  ++compared;
  if (!same && outcome.failure.empty())
    outcome.failure = "the same data gave other bits in another order of threads and workgroups";
}

void Session::takeOutput(const Operand &output) {
  c = regionOf(output);
  surroundings.clear();
  if (phase != Phase::Uniform && phase != Phase::Again)
    return;
  surroundings.assign(c.bytes / kWordBytes, true);
  int64_t first = output.begin() - c.origin;
  forEachElement(output, [&](int64_t at) {
    for (int64_t byte = 0; byte < bytesOf(output.element); byte += kWordBytes)
      surroundings[(first + at + byte) / kWordBytes] = false;
  });
  for (int64_t word = 0; word < int64_t(surroundings.size()); ++word) {
    surroundings[word] = surroundings[word] && wordAt(c, word) == kNaN;
    if (surroundings[word])
      setWord(c, word, kOne);
  }
}

void Session::restoreSurroundings() {
  for (int64_t word = 0; word < int64_t(surroundings.size()); ++word)
    if (surroundings[word])
      setWord(result, word, kNaN);
  if (!surroundings.empty())
    result.write(device);
}

/// Compares everything around C's elements with what was there before.
std::string Session::checkOutside(const Operand &operand) {
  forEachElement(operand, [&](int64_t at) {
    std::memcpy(c.at(operand.begin()) + at, result.at(operand.begin()) + at,
                bytesOf(operand.element));
  });
  for (int64_t at = 0; at < c.bytes; ++at)
    if (c.data[at] != result.data[at])
      return "memory outside of C was written, " +
             std::to_string(c.origin + at -
                            (operand.data + operand.view.offset * bytesOf(operand.element))) +
             " bytes from its first element";
  return "";
}
