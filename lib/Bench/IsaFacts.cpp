//===- IsaFacts.cpp - Instructions of a kernel, counted -------------------===//

#include "rooftile/Bench/IsaFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <deque>

using namespace rooftile::bench;
using llvm::ArrayRef;
using llvm::StringRef;

/// Parts of a line: two of an instruction with dual issue.
static llvm::SmallVector<StringRef, 2> partsOf(StringRef line) {
  llvm::SmallVector<StringRef, 2> parts;
  line.split(parts, "::");
  for (StringRef &part : parts)
    part = part.trim();
  return parts;
}

static bool multipliesAndAdds(StringRef name) {
  name.consume_front("v_");
  name.consume_front("dual_");
  name.consume_front("pk_");
  return name.starts_with("fma") || name.starts_with("mac_f") || name.starts_with("mad_f");
}

/// Multiply-adds of a lane in v_mfma_f32_16x16x4_f32 and the like; 0 of others.
static int64_t productsOfMatrices(StringRef name) {
  bool isMfma = name.consume_front("v_mfma_");
  if (!isMfma && !name.consume_front("v_wmma_"))
    return 0;
  int64_t products = 1;
  name = name.split('_').second; // 16x16x4f32
  for (int dim = 0; dim < 3; ++dim) {
    int64_t extent = 0;
    if (name.consumeInteger(10, extent))
      return 0;
    products *= extent;
    name.consume_front("x");
  }
  return products / (isMfma ? 64 : 32);
}

static void countVector(StringRef line, IsaFacts &facts) {
  int64_t matrices = productsOfMatrices(line.split(' ').first);
  facts.multiplyAdds += matrices;
  bool multiplies = matrices > 0;
  for (StringRef part : partsOf(line)) {
    StringRef name = part.split(' ').first;
    if (!multipliesAndAdds(name))
      continue;
    multiplies = true;
    facts.multiplyAdds += name.starts_with("v_pk_") ? 2 : 1;
  }
  ++(multiplies ? facts.multiplies : facts.vector);
}

/// ds_read2_b32 and the like make two accesses.
static void countShared(StringRef name, IsaFacts &facts) {
  bool reads = name.contains("read") || name.contains("load");
  bool isPair = name.contains("read2") || name.contains("write2") || name.contains("load_2addr") ||
                name.contains("store_2addr");
  (reads ? facts.sharedReads : facts.sharedWrites) += isPair ? 2 : 1;
}

static void count(StringRef line, IsaFacts &facts) {
  StringRef name = line.split(' ').first;
  if (name.starts_with("v_"))
    return countVector(line, facts);
  if (name.starts_with("ds_"))
    return countShared(name, facts);
  if (name.starts_with("global_load") || name.starts_with("buffer_load"))
    ++facts.globalLoads;
  else if (name.starts_with("global_") || name.starts_with("buffer_"))
    ++facts.globalStores;
  else if (name.starts_with("s_load") || name.starts_with("s_buffer_load"))
    ++facts.scalarLoads;
  else if (name.starts_with("s_waitcnt"))
    ++facts.waits;
  else if (name == "s_barrier")
    ++facts.barriers;
  else if (name.starts_with("s_"))
    ++facts.scalar;
}

/// Loads on their way that a wait lets be; none where it is no wait for loads.
static std::optional<size_t> leftBy(StringRef line) {
  if (!line.starts_with("s_waitcnt"))
    return std::nullopt;
  size_t at = line.find("vmcnt(");
  size_t left = 0;
  if (at == StringRef::npos || line.substr(at + 6).split(')').first.getAsInteger(10, left))
    return std::nullopt;
  return left;
}

/// Two iterations are walked, so that loads of one meet the waits of the next.
static int64_t loadDistance(ArrayRef<StringRef> body) {
  std::deque<int64_t> onTheirWay;
  int64_t least = 0, position = 0;
  for (int iteration : {0, 1}) {
    (void)iteration;
    for (StringRef line : body) {
      ++position;
      if (line.starts_with("global_load") || line.starts_with("buffer_load"))
        onTheirWay.push_back(position);
      for (std::optional<size_t> left = leftBy(line); left && onTheirWay.size() > *left;) {
        int64_t distance = position - onTheirWay.front();
        least = least == 0 ? distance : std::min(least, distance);
        onTheirWay.pop_front();
      }
    }
  }
  return least;
}

static IsaFacts factsOf(ArrayRef<StringRef> body) {
  IsaFacts facts;
  for (StringRef line : body)
    count(line, facts);
  facts.loadDistance = loadDistance(body);
  return facts;
}

namespace {
/// Lines of instructions, and the line that each label stands before.
struct Program {
  explicit Program(StringRef assembly);
  /// The first line of the loop whose last one is `index`; none where it ends no loop.
  std::optional<size_t> beginOfLoop(size_t index) const;

  llvm::SmallVector<StringRef> lines;
  llvm::StringMap<size_t> labels;
};
} // namespace

Program::Program(StringRef assembly) {
  for (StringRef rest = assembly; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    line = line.split(';').first.trim();
    if (line.ends_with(":"))
      labels[line.drop_back()] = lines.size();
    else if (!line.empty() && !line.starts_with("."))
      lines.push_back(line);
  }
}

std::optional<size_t> Program::beginOfLoop(size_t index) const {
  StringRef line = lines[index];
  if (!line.starts_with("s_cbranch") && !line.starts_with("s_branch"))
    return std::nullopt;
  auto label = labels.find(line.split(' ').second.trim());
  if (label == labels.end() || label->second > index)
    return std::nullopt;
  return label->second;
}

std::optional<IsaFacts> rooftile::bench::busiestLoop(StringRef assembly) {
  Program program(assembly);
  std::optional<IsaFacts> busiest;
  std::optional<size_t> inner; // the last line of the loop before, where it multiplies
  for (size_t index = 0; index < program.lines.size(); ++index) {
    std::optional<size_t> begin = program.beginOfLoop(index);
    if (!begin || (inner && *begin <= *inner))
      continue;
    IsaFacts facts = factsOf(ArrayRef(program.lines).slice(*begin, index + 1 - *begin));
    if (facts.multiplyAdds == 0)
      continue;
    inner = index;
    if (!busiest || facts.multiplyAdds > busiest->multiplyAdds)
      busiest = facts;
  }
  return busiest;
}
