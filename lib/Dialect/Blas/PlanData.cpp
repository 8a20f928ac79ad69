//===- PlanData.cpp - What comes from the table of plan keys --------------===//

#include "rooftile/Dialect/Blas/PlanData.h"
#include "KeyTable.h"
#include "rooftile/Dialect/Blas/BlocksData.h"
#include "rooftile/Dialect/Blas/SharedTiles.h"
#include "rooftile/Dialect/Blas/SixProducts.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace rooftile;
using namespace rooftile::blas;

//===----------------------------------------------------------------------===//
// Derived values
//===----------------------------------------------------------------------===//

bool PlanData::runsAlongK(const PathData &path) const {
  return (!instruction || instruction->runOfK > 1) && path.major == Major::K;
}

bool PlanData::readsShared() const { return instruction && instruction->readsShared(); }

int64_t PlanData::runOf(int dim) const {
  if (readsShared())
    return dim == 1 ? instruction->columnsOfLane : 1;
  return runsAlongK(path(dim)) && !holdsMatrices() ? 1 : vector;
}

int64_t PlanData::sliceDepth() const { return instruction ? instruction->depth() : depth; }

int64_t PlanData::sharedBytes(int64_t ofA, int64_t ofB, int64_t ofSum) const {
  auto stage = [&](const PathData &path, int64_t extent, int64_t elementBytes) -> int64_t {
    return path.via == Via::Shared
               ? stageBytes(extent, macroK, layoutOf(path, threads()), elementBytes)
               : 0;
  };
  bool cluster = reduction == Reduction::Cluster;
  int64_t exchanged = 0;
  if (flat)
    exchanged = flatBytes(macroM, flat, ofSum);
  else if (exchangesC())
    exchanged = exchangeBytes(slicedK * macroM, macroN, ofSum, cluster);
  int64_t bulk = arrivesInBulk(a.copy) + arrivesInBulk(b.copy);
  // The tile of C lies over those of A and B; counters of arrivals lie after.
  int64_t rings = stages * (stage(a, macroM, ofA) + stage(b, macroN, ofB));
  return std::max(rings, exchanged) + arrivalBytes(bulk * stages);
}

PlanData PlanData::withoutPacks() const {
  PlanData plan = *this;
  plan.a.pack = plan.b.pack = 0;
  plan.products = plan.products == kPartBlocks ? 4 : plan.products; // of copies in parts
  return plan;
}

PlanData PlanData::toInduced() const {
  PlanData plan = *this;
  plan.complex = ComplexMethod::Native;
  return plan;
}

PlanData PlanData::withTail(Tail tail) const {
  PlanData plan = *this;
  plan.tail = tail;
  return plan;
}

//===----------------------------------------------------------------------===//
// Values and text
//===----------------------------------------------------------------------===//

bool blas::operator==(const PathData &left, const PathData &right) {
  return haveEqualValues(left, right);
}
bool blas::operator==(const PlanData &left, const PlanData &right) {
  return haveEqualValues(left, right);
}
bool blas::operator==(const BlocksData &left, const BlocksData &right) {
  return haveEqualValues(left, right);
}

llvm::hash_code blas::hash_value(const PathData &path) { return hashOf(path); }
llvm::hash_code blas::hash_value(const PlanData &plan) { return hashOf(plan); }
llvm::hash_code blas::hash_value(const BlocksData &blocks) { return hashOf(blocks); }

std::string blas::textOf(const PathData &path) { return structText(path); }
std::string blas::textOf(const PlanData &plan) { return structText(plan); }
std::string blas::textOf(const BlocksData &blocks) { return structText(blocks); }

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Value jsonValue(int64_t value) { return value; }
static llvm::json::Value jsonValue(const PathData &path) { return jsonOf(path); }
template <typename Word> static llvm::json::Value jsonValue(Word word) { return valueText(word); }

template <typename Data> static llvm::json::Object jsonOfStruct(const Data &data) {
  llvm::json::Object object;
  Data::visitKeys([&](const auto &key, auto... members) {
    if constexpr (sizeof...(members) == 1)
      object[key.name] = jsonValue((data.*members)...);
    else
      object[key.name] = llvm::json::Array{jsonValue(data.*members)...};
  });
  return object;
}

llvm::json::Object blas::jsonOf(const PathData &path) { return jsonOfStruct(path); }
llvm::json::Object blas::jsonOf(const PlanData &plan) { return jsonOfStruct(plan); }

//===----------------------------------------------------------------------===//
// Lists of keys
//===----------------------------------------------------------------------===//

// Never destroyed: programs may compile after main.
llvm::ArrayRef<KeyInfo> blas::planKeys() {
  static const auto &keys = *new std::vector<KeyInfo>(keysOf<PlanData>());
  return keys;
}

llvm::ArrayRef<KeyInfo> blas::pathKeys() {
  static const auto &keys = *new std::vector<KeyInfo>(keysOf<PathData>());
  return keys;
}

llvm::ArrayRef<KeyInfo> blas::blocksKeys() {
  static const auto &keys = *new std::vector<KeyInfo>(keysOf<BlocksData>());
  return keys;
}

//===----------------------------------------------------------------------===//
// Misspelt keys and words
//===----------------------------------------------------------------------===//

/// Former names of keys that are read, and their names now.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kOlderKeys[] = {
    {"lines", "workgroupVectors"}, {"threadLines", "threadVectors"}};

llvm::StringRef blas::currentKeyName(llvm::StringRef name) {
  for (auto [older, now] : kOlderKeys)
    if (name == older)
      return now;
  return name;
}

/// Former names of keys, and their names now.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kRenamedKeys[] = {
    {"groups", "slicedK"},
    {"ahead", "prefetch"},
    {"numbers", "complex"},
    {"sums", "summation"},
    {"parts", "layout"}};

/// The word nearest to `word`: at most a third of its letters differ, or two. Empty for none.
template <typename Words> static llvm::StringRef nearest(llvm::StringRef word, const Words &words) {
  unsigned most = std::max<unsigned>(2, word.size() / 3);
  llvm::StringRef best;
  std::string lower = word.lower();
  for (llvm::StringRef each : words) {
    unsigned distance = llvm::StringRef(lower).edit_distance(each.lower());
    if (distance <= most && distance < each.size()) {
      best = each;
      if (distance == 0)
        break;
      most = distance - 1;
    }
  }
  return best;
}

std::string blas::unknownKeyText(llvm::StringRef what, llvm::StringRef name,
                                 llvm::ArrayRef<KeyInfo> keys) {
  std::string text = ("unknown " + what + " key '" + name + "'").str();
  std::vector<llvm::StringRef> names;
  for (const KeyInfo &key : keys)
    names.push_back(key.name);
  for (auto [old, now] : kRenamedKeys)
    if (name == old && llvm::is_contained(names, now))
      return text + ", it is called '" + now.str() + "' now";
  if (llvm::StringRef near = nearest(name, names); !near.empty())
    return text + ", did you mean '" + near.str() + "'?";
  return text + "; there are " + llvm::join(names, ", ");
}

std::string blas::unknownWordText(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> words) {
  std::string text = ("'" + word + "' is none of ").str() + llvm::join(words, ", ");
  llvm::StringRef near = nearest(word, words);
  return near.empty() ? text : text + ", did you mean '" + near.str() + "'?";
}
