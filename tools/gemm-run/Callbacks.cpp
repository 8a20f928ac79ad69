//===- Callbacks.cpp - C entry points of a session ------------------------===//
//
// Memrefs arrive as MLIR's C interface passes unranked ones (Runtime/Memref.h).
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "rooftile/Runtime/Memref.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace rooftile;
using namespace rooftile::run;

static Session *activeSession = nullptr;

void rooftile::run::setActiveSession(Session *session) { activeSession = session; }

void rooftile::run::refuse(const Site &site, const std::string &message) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: error: 'blas.%s' op %s\n", site.location.c_str(), site.operation(),
               message.c_str());
  std::fflush(stderr);
  _exit(1); // compiled code is on the stack: no destructors
}

static Operand operandOf(const Unranked &memref, Element element) {
  Operand operand{memref.descriptor->aligned, element, {}};
  const int64_t *sizes = memref.descriptor->sizesAndStrides;
  operand.view.offset = memref.descriptor->offset;
  operand.view.sizes.assign(sizes, sizes + memref.rank);
  operand.view.strides.assign(sizes + memref.rank, sizes + 2 * memref.rank);
  return operand;
}

template <Element element, typename T>
static void before(int64_t id, Unranked *a, Unranked *b, Unranked *c, T alpha, T beta) {
  Operand operands[] = {operandOf(*a, element), operandOf(*b, element), operandOf(*c, element)};
  activeSession->before(id, operands, alpha, beta);
}

template <Element element, typename T>
static void after(int64_t id, Unranked *a, Unranked *b, Unranked *c, T alpha, T beta) {
  Operand operands[] = {operandOf(*a, element), operandOf(*b, element), operandOf(*c, element)};
  activeSession->after(id, operands, alpha, beta);
}

static void runs(int64_t plan) { activeSession->runs(plan); }

std::vector<std::pair<std::string, void *>> rooftile::run::callbackSymbols() {
  return {
      {"_mlir_ciface_rooftileRuns", reinterpret_cast<void *>(runs)},
      {"_mlir_ciface_rooftileBeforeF32", reinterpret_cast<void *>(before<Element::F32, float>)},
      {"_mlir_ciface_rooftileAfterF32", reinterpret_cast<void *>(after<Element::F32, float>)},
      {"_mlir_ciface_rooftileBeforeF64", reinterpret_cast<void *>(before<Element::F64, double>)},
      {"_mlir_ciface_rooftileAfterF64", reinterpret_cast<void *>(after<Element::F64, double>)}};
}
