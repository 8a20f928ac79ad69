//===- Callbacks.cpp - C entry points of a session ------------------------===//
//
// Memrefs arrive as MLIR's C interface passes unranked ones (Runtime/Memref.h).
//
//===----------------------------------------------------------------------===//

#include "rooftile/Runtime/Memref.h"
#include "rooftile/Verify/Engine/Session.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace rooftile;
using namespace rooftile::verify;

static Session *activeSession = nullptr;

void rooftile::verify::setActiveSession(Session *session) { activeSession = session; }

void rooftile::verify::refuse(const Site &site, const std::string &message) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: error: 'blas.%s' op %s\n", site.location.c_str(), site.operation(),
               message.c_str());
  std::fflush(stderr);
  _exit(1); // compiled code is on the stack: no destructors
}

static Operand operandOf(const Unranked &memref) {
  Operand operand{memref.descriptor->aligned, Element::F32, {}};
  const int64_t *sizes = memref.descriptor->sizesAndStrides;
  operand.view.offset = memref.descriptor->offset;
  operand.view.sizes.assign(sizes, sizes + memref.rank);
  operand.view.strides.assign(sizes + memref.rank, sizes + 2 * memref.rank);
  return operand;
}

static void before(int64_t id, Unranked *a, Unranked *b, Unranked *c, double alphaRe,
                   double alphaIm, double betaRe, double betaIm) {
  Operand operands[] = {operandOf(*a), operandOf(*b), operandOf(*c)};
  activeSession->before(id, operands, {alphaRe, alphaIm}, {betaRe, betaIm});
}

static void after(int64_t id, Unranked *a, Unranked *b, Unranked *c, double alphaRe, double alphaIm,
                  double betaRe, double betaIm) {
  Operand operands[] = {operandOf(*a), operandOf(*b), operandOf(*c)};
  activeSession->after(id, operands, {alphaRe, alphaIm}, {betaRe, betaIm});
}

static void extraMatrix(int64_t id, int64_t index, Unranked *matrix) {
  activeSession->extra(id, index, operandOf(*matrix), 0);
}

static void extraScalar(int64_t id, int64_t index, double re, double im) {
  activeSession->extra(id, index, {}, {re, im});
}

static void runs(int64_t plan) { activeSession->runs(plan); }

std::vector<std::pair<std::string, void *>>
rooftile::verify::callbackSymbols(const std::vector<Site> &sites) {
  std::vector<std::pair<std::string, void *>> symbols{
      {"_mlir_ciface_rooftileRuns", reinterpret_cast<void *>(runs)}};
  for (size_t id = 0; id < sites.size(); ++id) {
    std::string number = std::to_string(id);
    symbols.push_back(
        {"_mlir_ciface_rooftileBeforeSite" + number, reinterpret_cast<void *>(before)});
    symbols.push_back({"_mlir_ciface_rooftileAfterSite" + number, reinterpret_cast<void *>(after)});
    for (size_t index = 0; index < sites[id].epilogue.extras.size(); ++index)
      symbols.push_back({"_mlir_ciface_rooftileExtraSite" + number + "x" + std::to_string(index),
                         sites[id].epilogue.extras[index].isMatrix
                             ? reinterpret_cast<void *>(extraMatrix)
                             : reinterpret_cast<void *>(extraScalar)});
  }
  return symbols;
}
