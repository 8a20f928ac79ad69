//===- Plan.cpp - Between #blas.plan and plain numbers --------------------===//

#include "rooftile/Planning/Plan.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

Plan Plan::of(blas::PlanAttr attribute) {
  auto path = [](blas::PathAttr attr) {
    return Path{attr.getVia(),     attr.getCopy(),  attr.getVector(),    attr.getPad(),
                attr.getSwizzle(), attr.getLanes(), attr.getPack() != 0, attr.getMajor(),
                attr.getLayout(),  attr.getFlat()};
  };
  Plan plan;
  plan.macroM = attribute.getMacro()[0];
  plan.macroN = attribute.getMacro()[1];
  plan.macroK = attribute.getMacro()[2];
  plan.microM = attribute.getMicro()[0];
  plan.microN = attribute.getMicro()[1];
  plan.lanesM = attribute.getLanes()[0];
  plan.lanesN = attribute.getLanes()[1];
  plan.slicedK = attribute.getSlicedK();
  plan.depth = attribute.getDepth();
  plan.vector = attribute.getVector();
  plan.instruction = attribute.getInstruction();
  plan.products = attribute.getProducts();
  plan.complex = attribute.getComplex();
  plan.summation = attribute.getSummation();
  plan.a = path(attribute.getA());
  plan.b = path(attribute.getB());
  plan.stages = attribute.getStages();
  plan.prefetch = attribute.getPrefetch();
  plan.unroll = attribute.getUnroll();
  plan.reduction = attribute.getReduction();
  plan.splits = attribute.getSplits();
  plan.c = attribute.getC();
  plan.flat = attribute.getFlat();
  plan.tail = attribute.getTail();
  plan.raster = attribute.getRaster();
  plan.residency = attribute.getResidency();
  return plan;
}

blas::PlanAttr Plan::toAttr(MLIRContext *context) const {
  auto path = [&](const Path &p) {
    return blas::PathAttr::get(context, p.via, p.copy, p.vector, p.pad, p.swizzle, p.lanes, p.pack,
                               p.major, p.layout, p.flat);
  };
  return blas::PlanAttr::get(context, {macroM, macroN, macroK}, {microM, microN}, {lanesM, lanesN},
                             slicedK, depth, vector, instruction ? instruction->name : "fma",
                             products, complex, summation, path(a), path(b), c, flat, stages,
                             prefetch, unroll, reduction, splits, tail, raster, residency);
}

int64_t Plan::sharedBytes(int64_t ofA, int64_t ofB, int64_t ofSum) const {
  auto stage = [&](const Path &path, int64_t extent, int64_t elementBytes) -> int64_t {
    return path.via == blas::Via::Shared
               ? blas::stageBytes(extent, macroK, path.lines(threads()), elementBytes)
               : 0;
  };
  bool cluster = reduction == blas::Reduction::Cluster;
  int64_t exchanged = 0;
  if (flat)
    exchanged = blas::flatBytes(macroM, flat, ofSum);
  else if (exchangesC())
    exchanged = blas::exchangeBytes(slicedK * macroM, macroN, ofSum, cluster);
  int64_t bulk = blas::arrivesInBulk(a.copy) + blas::arrivesInBulk(b.copy);
  int64_t rings = stages * (stage(a, macroM, ofA) + stage(b, macroN, ofB));
  return std::max(rings, exchanged) + blas::arrivalBytes(bulk * stages);
}
