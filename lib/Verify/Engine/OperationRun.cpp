//===- OperationRun.cpp - One execution of an operation -------------------===//

#include "OperationRun.h"
#include "rooftile/Verify/Model/OperationModel.h"

#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace rooftile;
using namespace rooftile::verify;

void OperationRun::refuse(const std::string &message) const {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: error: 'blas.%s' op %s\n", site->location.c_str(), site->model->name(),
               message.c_str());
  std::fflush(stderr);
  _exit(1); // compiled code is on the stack: no destructors
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// An array of pointers arrives as its address with the sizes and strides of the matrices, and
/// leaves as a view that begins at the first of them in memory.
static void followPointers(DeviceKind device, Operand &operand) {
  int64_t count = operand.view.sizes.empty() ? 0 : operand.view.sizes[0];
  if (count == 0)
    return;
  std::vector<char *> addresses(count);
  copyBytes(device, addresses.data(), operand.data, count * sizeof(char *));
  operand.data = *std::min_element(addresses.begin(), addresses.end());
  operand.view.offset = 0;
  for (char *address : addresses)
    operand.view.places.push_back((address - operand.data) / bytesOf(operand.element));
}

void OperationRun::begin(const Site &ofSite, const Operand *given, Scalar alphaNow, Scalar betaNow,
                         Phase phaseNow) {
  site = &ofSite, alpha = alphaNow, beta = betaNow, phase = phaseNow;
  const Element elements[] = {site->elementA, site->elementB, site->element};
  for (int index : {0, 1, 2}) {
    operands[index] = given[index];
    operands[index].element = elements[index];
    if (site->byPointers[index])
      followPointers(device, operands[index]);
  }
  site->model->narrow(*site, operands);
}

void OperationRun::chooseRange(Element element, int64_t terms, int64_t most) {
  range = phase == Phase::Integers ? exactRange(element, alpha, beta, terms, most) : 0;
}

Values OperationRun::inputValues() const {
  Values values{Values::Integers, std::max<int64_t>(range, 1), seedOfInputs};
  // The error of plain summation of positive values grows with its length; that of compensated
  // summation must not.
  if (!range)
    values.kind = site->compensated ? Values::Positive : Values::Uniform;
  return values;
}

void OperationRun::fillInput(int input, Values values) {
  Mirror &mirror = input ? b : a;
  const Operand &operand = operands[input];
  mirror.read(device, operand.begin(), operand.spanBytes());
  fill(mirror.data.get(), operand.element, operand.view, values);
  mirror.write(device);
}

//===----------------------------------------------------------------------===//
// Extra operands of an epilogue
//
// They are announced before the operation.
//===----------------------------------------------------------------------===//

void OperationRun::requireValidExtras() const {
  const View &c = operands[2].view;
  for (size_t index = 0; index < site->epilogue.extras.size(); ++index) {
    if (!site->epilogue.extras[index].isMatrix)
      continue;
    const Operand &operand = extras[index].operand;
    std::string name = "extra operand " + std::to_string(index);
    for (size_t dim = 0; dim < operand.view.sizes.size(); ++dim)
      if (int64_t of = site->epilogue.extras[index].dims[dim];
          operand.view.sizes[dim] != c.sizes[of])
        refuse("sizes do not match: " + name + " has size " +
               std::to_string(operand.view.sizes[dim]) + " along dimension " + std::to_string(dim) +
               ", C " + std::to_string(c.sizes[of]) + " along dimension " + std::to_string(of));
    if (overlap(operands[2], operand))
      refuse("output C overlaps " + name +
             " in memory: results would depend on the order of stores");
  }
}

void OperationRun::fillExtras() {
  Values values{range ? Values::Integers : Values::Uniform, std::max<int64_t>(range, 1), seed};
  values.range = std::min<int64_t>(values.range, 8);
  auto isMatrix = [&](size_t index) { return site->epilogue.extras[index].isMatrix; };
  for (size_t index = 0; index < site->epilogue.extras.size(); ++index) {
    if (!isMatrix(index))
      continue;
    const Operand &operand = extras[index].operand;
    Mirror &mirror = extras[index].mirror;
    values.seed = seed + 11 + index;
    mirror.read(device, operand.begin(), operand.spanBytes());
    if (operand.view.elements() > 0)
      fill(mirror.data.get(), operand.element, operand.view, values);
    mirror.write(device);
  }
  if (site->epilogue.extras.empty())
    return;
  a.read(device, operands[0].begin(), operands[0].spanBytes());
  b.read(device, operands[1].begin(), operands[1].spanBytes());
  for (size_t index = 0; index < site->epilogue.extras.size(); ++index)
    if (isMatrix(index))
      extras[index].mirror.read(device, extras[index].operand.begin(),
                                extras[index].operand.spanBytes());
}

//===----------------------------------------------------------------------===//
// The memory around the output
//===----------------------------------------------------------------------===//

static constexpr uint32_t kNaN = 0xFFFFFFFF, kOne = 0x3F800000; // as halves of a double: 2^-7
static constexpr int64_t kWordBytes = 4;

/// A copy of the buffer that holds the operand, guard zones included, or of its span.
Mirror OperationRun::regionOf(const Operand &operand) {
  Mirror mirror;
  for (Buffer *buffer : buffers)
    if (buffer->contains(operand.data)) {
      mirror.read(device, buffer->begin(), buffer->totalBytes());
      return mirror;
    }
  mirror.read(device, operand.begin(), operand.spanBytes());
  return mirror;
}

static uint32_t wordAt(const Mirror &mirror, int64_t word) {
  uint32_t value;
  std::memcpy(&value, mirror.data.get() + word * kWordBytes, kWordBytes);
  return value;
}

static void setWord(Mirror &mirror, int64_t word, uint32_t value) {
  std::memcpy(mirror.data.get() + word * kWordBytes, &value, kWordBytes);
}

uint64_t OperationRun::hashOfResult() const {
  return llvm::xxh3_64bits(llvm::StringRef(result.data.get(), result.bytes));
}

bool OperationRun::isUntouched() const {
  return std::memcmp(c.data.get(), result.data.get(), c.bytes) == 0;
}

void OperationRun::takeOutput() {
  const Operand &output = operands[2];
  c = regionOf(output);
  surroundings.clear();
  if (phase != Phase::Uniform && phase != Phase::Again)
    return;
  surroundings.assign(c.bytes / kWordBytes, true);
  int64_t first = output.begin() - c.origin;
  forEachElement(output, [&](int64_t, int64_t, int64_t, int64_t at) {
    for (int64_t byte = 0; byte < bytesOf(output.element); byte += kWordBytes)
      surroundings[(first + at + byte) / kWordBytes] = false;
  });
  for (int64_t word = 0; word < int64_t(surroundings.size()); ++word) {
    surroundings[word] = surroundings[word] && wordAt(c, word) == kNaN;
    if (surroundings[word])
      setWord(c, word, kOne);
  }
}

void OperationRun::restoreSurroundings() {
  for (int64_t word = 0; word < int64_t(surroundings.size()); ++word)
    if (surroundings[word])
      setWord(result, word, kNaN);
  if (!surroundings.empty())
    result.write(device);
}

std::string OperationRun::checkOutside() {
  const Operand &operand = operands[2];
  forEachElement(operand, [&](int64_t, int64_t, int64_t, int64_t at) {
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

void OperationRun::fillOutput() {
  takeOutput();
  Values values{beta == 0.0 ? Values::Poison
                : range     ? Values::Integers
                            : Values::Uniform,
                std::max<int64_t>(range, 1), seed + 7};
  if (operands[2].view.elements() > 0)
    fill(c.at(operands[2].begin()), operands[2].element, operands[2].view, values);
  c.write(device);
}
