//===- Candidates.cpp - Plans of a shape that are timed -------------------===//

#include "rooftile/Bench/Candidates.h"
#include "mlir/Parser/Parser.h"
#include "rooftile/Planning/Choose.h"
#include "rooftile/Transforms/Plan/BlasAttachTarget.h"

#include <set>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;
using planning::Ranked;

/// How slow the model may take a plan for that a spread reaches, times the fastest.
static constexpr double kReach = 1.5;

std::optional<PlanQuery> PlanQuery::parse(StringRef text) {
  if (text == "pick")
    return PlanQuery{Pick, 1};
  if (text == "all")
    return PlanQuery{Top, 0};
  PlanQuery query{text.starts_with("top:") ? Top : Spread, 0};
  bool known = text.consume_front("top:") || text.consume_front("spread:");
  if (!known || text.getAsInteger(10, query.count) || query.count == 0)
    return std::nullopt;
  return query;
}

/// Ranks of the first plan of each tile and instruction, as far as a spread reaches.
static std::vector<size_t> differentTiles(const std::vector<Ranked> &ranked) {
  using Tile = std::tuple<int64_t, int64_t, int64_t, int64_t, const void *>;
  std::set<Tile> seen;
  std::vector<size_t> ranks;
  for (size_t rank = 0; rank < ranked.size(); ++rank) {
    const planning::Plan &plan = ranked[rank].plan;
    if (ranked[rank].estimate.seconds > kReach * ranked.front().estimate.seconds)
      break;
    if (seen.insert({plan.macroM, plan.macroN, plan.microM, plan.microN, plan.instruction}).second)
      ranks.push_back(rank);
  }
  return ranks;
}

/// Ranks of the plans that are timed.
static std::vector<size_t> ranksOf(const std::vector<Ranked> &ranked, PlanQuery query) {
  std::vector<size_t> ranks;
  if (query.kind == PlanQuery::Spread) {
    ranks = differentTiles(ranked);
    for (size_t i = 0; ranks.size() > query.count && i < query.count; ++i)
      ranks[i] = ranks[i * ranks.size() / query.count];
  } else {
    for (size_t rank = 0; rank < ranked.size(); ++rank)
      ranks.push_back(rank);
  }
  if (query.count && ranks.size() > query.count)
    ranks.resize(query.count);
  return ranks;
}

std::vector<Candidate> rooftile::bench::candidatesOf(const Shape &shape, PlanQuery query,
                                                     MLIRContext &context,
                                                     const KernelOptions &options,
                                                     std::string &why) {
  ScopedDiagnosticHandler handler(&context, errorsInto(why));
  std::vector<Candidate> candidates;
  auto module = parseSourceString<ModuleOp>(shape.module(""), &context, shape.key());
  FailureOr<blas::TargetAttr> target = failure();
  if (!module || failed(target = attachTarget(*module, options.chip)))
    return candidates;
  module->walk([&](blas::GemmOp op) {
    FailureOr<planning::Problem> problem = planning::Problem::of(op);
    if (failed(problem))
      return;
    std::vector<Ranked> ranked = planning::rankAll(*problem, *target);
    for (size_t rank : ranksOf(ranked, query)) {
      Candidate &candidate = candidates.emplace_back();
      candidate.rank = rank;
      llvm::raw_string_ostream(candidate.plan) << blas::PlanAttr::get(&context, ranked[rank].plan);
      candidate.plan.erase(0, StringRef("#blas.plan").size());
    }
  });
  return candidates;
}
