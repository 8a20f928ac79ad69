//===- Candidates.cpp - Plans of a shape that are timed -------------------===//

#include "rooftile/Bench/Candidates.h"
#include "rooftile/Bench/Asked.h"
#include "rooftile/Planning/Search/Blocks.h"
#include "rooftile/Planning/Search/Choose.h"
#include "rooftile/Planning/Search/Neighbours.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

#include <random>
#include <set>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::bench;
using planning::Ranked;

/// Reach of a spread, or of a sample: the slowest plan by the model, over the fastest.
static constexpr double kReach = 1.5, kSampleReach = 4;

std::optional<PlanQuery> PlanQuery::parse(StringRef text) {
  if (text == "pick")
    return PlanQuery{Pick, 1};
  if (text == "all")
    return PlanQuery{Top, 0};
  PlanQuery query{text.starts_with("top:")      ? Top
                  : text.starts_with("sample:") ? Sample
                                                : Spread,
                  0};
  bool known =
      text.consume_front("top:") || text.consume_front("spread:") || text.consume_front("sample:");
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

/// `count` of `ranks` at most, evenly.
static void thin(std::vector<size_t> &ranks, size_t count) {
  for (size_t i = 0; ranks.size() > count && i < count; ++i)
    ranks[i] = ranks[i * ranks.size() / count];
  ranks.resize(std::min(ranks.size(), count));
}

/// Adds ranks drawn at random until there are `count`, as far as a sample reaches. `seed`: another
/// draw for each shape.
static void addRandom(std::vector<size_t> &ranks, const std::vector<Ranked> &ranked, size_t count,
                      uint64_t seed) {
  std::vector<size_t> others;
  for (size_t rank = 0; rank < ranked.size(); ++rank)
    if (ranked[rank].estimate.seconds <= kSampleReach * ranked.front().estimate.seconds &&
        !llvm::is_contained(ranks, rank))
      others.push_back(rank);
  std::mt19937_64 engine(seed);
  for (; ranks.size() < count && !others.empty(); others.pop_back()) {
    std::swap(others[engine() % others.size()], others.back());
    ranks.push_back(others.back());
  }
  llvm::sort(ranks);
}

/// Ranks of the plans that are timed.
static std::vector<size_t> ranksOf(const std::vector<Ranked> &ranked, PlanQuery query,
                                   const Shape &shape) {
  std::vector<size_t> ranks;
  if (query.kind == PlanQuery::Spread || query.kind == PlanQuery::Sample) {
    bool half = query.kind == PlanQuery::Sample;
    ranks = differentTiles(ranked);
    thin(ranks, half ? (query.count + 1) / 2 : query.count);
    if (half && !ranked.empty())
      addRandom(ranks, ranked, query.count, llvm::xxh3_64bits(shape.key()));
  } else {
    for (size_t rank = 0; rank < ranked.size(); ++rank)
      ranks.push_back(rank);
  }
  if (query.count && ranks.size() > query.count)
    ranks.resize(query.count);
  return ranks;
}

/// The methods and blocks that `query` asks for: all differ, there are some dozens.
static std::vector<Candidate> blocksOf(const AskedTriangle &asked, PlanQuery query) {
  blas::TargetAttr target = asked.target;
  std::vector<planning::Blocks> ranked = planning::rankBlocks(asked.problem, target);
  bool spread = query.kind == PlanQuery::Spread || query.kind == PlanQuery::Sample;
  double reach = query.kind == PlanQuery::Sample ? kSampleReach : kReach;
  std::vector<size_t> ranks;
  for (size_t rank = 0; rank < ranked.size(); ++rank)
    if (!spread || ranked[rank].seconds() <= reach * ranked.front().seconds())
      ranks.push_back(rank);
  if (spread)
    thin(ranks, query.count);
  else if (query.count && ranks.size() > query.count)
    ranks.resize(query.count);
  std::vector<Candidate> candidates;
  for (size_t rank : ranks) {
    Candidate &candidate = candidates.emplace_back();
    candidate.rank = rank, candidate.seconds = ranked[rank].seconds();
    candidate.resources = resourcesOf(ranked[rank]);
    llvm::raw_string_ostream(candidate.plan) << ranked[rank].toAttribute(target.getContext());
    candidate.plan.erase(0, StringRef("#blas.blocks").size());
  }
  return candidates;
}

/// The plans of a product that `query` asks for.
static std::vector<Candidate> plansOf(const Asked &asked, PlanQuery query, const Shape &shape) {
  std::vector<Candidate> candidates;
  std::vector<Ranked> ranked = planning::rankAll(asked.problem, asked.target);
  for (size_t rank : ranksOf(ranked, query, shape)) {
    Candidate &candidate = candidates.emplace_back();
    candidate.rank = rank, candidate.seconds = ranked[rank].estimate.seconds;
    candidate.resources = resourcesOf(ranked[rank].estimate);
    llvm::raw_string_ostream(candidate.plan)
        << blas::PlanAttr::get(asked.target.getContext(), ranked[rank].plan);
    candidate.plan.erase(0, StringRef("#blas.plan").size());
  }
  return candidates;
}

std::vector<Candidate> rooftile::bench::candidatesOf(const Shape &shape, PlanQuery query,
                                                     MLIRContext &context,
                                                     const KernelOptions &options,
                                                     std::string &why) {
  std::vector<std::vector<Candidate>> all;
  size_t most = 0;
  for (const AskedOperation &asked : askedBy(shape, options.chip, context, why)) {
    auto *product = std::get_if<Asked>(&asked);
    all.push_back(product ? plansOf(*product, query, shape)
                          : blocksOf(std::get<AskedTriangle>(asked), query));
    if (all.back().empty())
      return {};
    most = std::max(most, all.back().size());
  }
  std::vector<Candidate> candidates(most);
  for (const std::vector<Candidate> &each : all)
    for (size_t index = 0; index < most; ++index) {
      const Candidate &own = each[std::min(index, each.size() - 1)];
      Candidate &candidate = candidates[index];
      candidate.plan += (candidate.plan.empty() ? "" : " + ") + own.plan;
      candidate.rank = std::max(candidate.rank, own.rank);
      candidate.seconds += own.seconds;
      addTo(candidate.resources, own.resources);
    }
  return candidates;
}

/// The prediction of an operation with the plan of that text; none where it has no plan.
static Candidate predictionOf(const AskedOperation &asked, StringRef text, MLIRContext &context) {
  if (auto *product = std::get_if<Asked>(&asked)) {
    auto plan = parsePlan<blas::PlanAttr>("#blas.plan", text, &context);
    if (!plan)
      return {};
    planning::Estimate estimate = planning::estimate(product->problem, *plan, product->target);
    return {"", 0, estimate.seconds, resourcesOf(estimate)};
  }
  auto &triangle = std::get<AskedTriangle>(asked);
  auto attribute = parsePlan<blas::BlocksAttr>("#blas.blocks", text, &context);
  if (!attribute)
    return {};
  planning::Blocks blocks =
      planning::priced(triangle.problem, planning::Blocks(attribute), triangle.target);
  return {"", 0, blocks.seconds(), resourcesOf(blocks)};
}

std::vector<Candidate> rooftile::bench::neighboursOf(const Shape &shape, StringRef plan,
                                                     MLIRContext &context,
                                                     const KernelOptions &options) {
  std::string why;
  std::vector<AskedOperation> asked = askedBy(shape, options.chip, context, why);
  llvm::SmallVector<StringRef> texts;
  plan.split(texts, " + ");
  std::vector<Candidate> candidates;
  if (asked.size() != texts.size())
    return candidates;
  for (size_t index = 0; index < asked.size(); ++index) {
    auto *product = std::get_if<Asked>(&asked[index]);
    blas::PlanAttr own =
        product ? parsePlan<blas::PlanAttr>("#blas.plan", texts[index], &context) : nullptr;
    if (!own)
      continue;
    Candidate others; // Operations whose plans stay.
    for (size_t other = 0; other < asked.size(); ++other) {
      if (other == index)
        continue;
      Candidate kept = predictionOf(asked[other], texts[other], context);
      others.seconds += kept.seconds;
      addTo(others.resources, kept.resources);
    }
    for (const Ranked &each : planning::neighboursOf(product->problem, *own, product->target)) {
      llvm::SmallVector<std::string> changed(texts.begin(), texts.end());
      changed[index] = blas::textOf(each.plan);
      Resources resources = resourcesOf(each.estimate);
      addTo(resources, others.resources);
      candidates.push_back(
          {llvm::join(changed, " + "), 0, each.estimate.seconds + others.seconds, resources});
    }
  }
  llvm::sort(candidates, [](const Candidate &left, const Candidate &right) {
    return std::tie(left.seconds, left.plan) < std::tie(right.seconds, right.plan);
  });
  for (size_t rank = 0; rank < candidates.size(); ++rank)
    candidates[rank].rank = int64_t(rank);
  return candidates;
}
