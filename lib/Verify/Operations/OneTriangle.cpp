//===- OneTriangle.cpp - What an operation must leave alone ---------------===//

#include "OneTriangle.h"

#include <cstdio>
#include <cstring>

using namespace rooftile;
using namespace rooftile::verify;

/// Value of every byte of a NaN, in each type.
static constexpr int kNaNByte = 0xFF;

void rooftile::verify::clearRest(void *data, const Operand &operand, const OneTriangle &triangle) {
  char *begin = static_cast<char *>(data);
  forEachElement(operand, [&](int64_t, int64_t i, int64_t j, int64_t at) {
    if (!triangle.holds(i, j))
      std::memset(begin + at, 0, bytesOf(operand.element));
  });
}

void rooftile::verify::poisonRest(void *data, const Operand &operand, const OneTriangle &triangle) {
  int64_t bytes = bytesOf(operand.element);
  char *begin = static_cast<char *>(data);
  forEachElement(operand, [&](int64_t, int64_t i, int64_t j, int64_t at) {
    if (!triangle.holds(i, j))
      std::memset(begin + at, kNaNByte, bytes);
    else if (triangle.realDiagonal && i == j)
      std::memset(begin + at + bytes / 2, kNaNByte, bytes / 2);
  });
}

void rooftile::verify::poisonRestOfOutput(OperationRun &run, const OneTriangle &triangle) {
  const Operand &output = run.operands[2];
  poisonRest(run.c.at(output.begin()), output, triangle);
  run.c.write(run.device);
}

void rooftile::verify::compareRest(OperationRun &run, const OneTriangle &triangle,
                                   Finding &finding) {
  const Operand &output = run.operands[2];
  const char *before = run.before(), *after = run.after();
  int64_t bytes = bytesOf(output.element);
  forEachElement(output, [&](int64_t batch, int64_t i, int64_t j, int64_t at) {
    if (triangle.holds(i, j) || std::memcmp(before + at, after + at, bytes) == 0)
      return;
    finding.ratio = INFINITY;
    if (++finding.wrong > 1)
      return;
    char text[120];
    std::snprintf(text, sizeof(text), "C[%lld, %lld] of batch entry %lld is not to be written",
                  (long long)i, (long long)j, (long long)batch);
    finding.first = text;
  });
}
